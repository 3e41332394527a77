//! `mola recon replay`: a game step by step.

mod picture;
mod steps;

use super::history_queries::read;
use crate::screen::ScreenArgs;
use common::arguments::real;
use common::error::Result;
use common::files::{Force, Sink};
use common::input::read_line;
use common::side::Side;
use diagram::Theme;
use diagram::command::{Image, ImageFormat, image_path};
use std::io::{IsTerminal, Write, stdin, stdout};
use std::path::PathBuf;
use steps::steps;

/// Show a game step by step: each sense and each move on the true board
///
/// On a terminal, Enter shows the next step, `b` the previous one, `first`, `last` or a number that
/// step, and `q` quits. Otherwise all steps are printed.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  mola recon match mola attacker --histories games
  mola recon replay games/0001-mola-attacker.json
  mola recon replay games/0001-mola-attacker.json --svg --out game.svg")]
pub(super) struct Args {
    /// The history of the game; `-` is standard input
    history: PathBuf,
    /// The side at the bottom: white or black
    #[arg(long, default_value = "white", hide_possible_values = true)]
    bottom: Side,
    #[command(flatten)]
    screen: ScreenArgs,
    /// Draw the game as an animation (SVG or GIF); each sense is shown as a frame around its window
    #[arg(long, conflicts_with = "ascii")]
    svg: bool,
    /// The image file to write [default: standard output]
    #[arg(long, value_name = "FILE", requires = "svg", value_parser = image_path)]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Seconds per step of the animation
    #[arg(long, value_name = "S", default_value = "1", requires = "svg", value_parser = |text: &str| real(text, 0.01..=60.0))]
    pace: f64,
    /// The colours of the animation: wood, green, blue, slate, paper or rose
    #[arg(long, default_value = "wood", requires = "svg")]
    theme: Theme,
}

/// Runs the subcommand.
///
/// # Errors
/// When the file is no history, and when the image cannot be written.
pub(super) fn run(args: &Args) -> Result {
    let history = read(&args.history)?;
    if args.svg {
        let animation = picture::animate(&history, args.bottom.into(), &args.theme, args.pace);
        let format = ImageFormat::of(None, args.out.as_deref());
        let mut out = Sink::open(args.out.as_deref(), args.force.replace(), &[&args.history])?;
        Image::Moving(Box::new(animation)).write(format, None, &mut out)?;
        return out.finish();
    }
    let signs = args.screen.signs();
    let steps = steps(&history, args.bottom.into(), signs);
    if !(stdin().is_terminal() && stdout().is_terminal()) {
        for step in &steps {
            write!(
                stdout(),
                "{}\n{}\n",
                signs.text(&step.caption),
                step.screen.draw()
            )?;
        }
        return Ok(());
    }
    let mut at = 0;
    let last = steps.len().saturating_sub(1);
    loop {
        if let Some(step) = steps.get(at) {
            write!(
                stdout(),
                "\n{}\n{}",
                signs.text(&step.caption),
                step.screen.draw()
            )?;
        }
        let help = if at == 0 {
            " (Enter: next, q: quit)"
        } else {
            ""
        };
        write!(stdout(), "{at} of {last}{help}> ")?;
        stdout().flush()?;
        let Some(line) = read_line(&mut stdin().lock())? else {
            return Ok(());
        };
        at = match line.text.trim() {
            "" | "n" | "next" => at + 1,
            "b" | "back" => at.saturating_sub(1),
            "first" => 0,
            "last" => last,
            "q" | "quit" => return Ok(()),
            text => {
                let number = text.parse();
                if number.is_err() {
                    writeln!(stdout(), "Enter, b, first, last, a number or q expected")?;
                }
                number.unwrap_or(at)
            }
        }
        .min(last);
    }
}
