//! `mola svg` as python-chess draws: its `--compat` and its `--batch`.

mod arrows;
mod batch;
mod element;
mod escape;
mod kwargs;
mod literal;
pub mod parts;
mod picture;
mod surroundings;

pub use element::Element;
pub use picture::{COLORS, Picture};

use common::arguments::useless_with;
use common::error::{Error, Result};
use diagram::command::{self, EXAMPLES, THEMES, USAGE};

const COMPAT: &str = "  \
  mola svg FEN --compat python-chess                         python-chess's layout";

const BATCH: &str = "\
With --batch each line of standard input is a JSON record with `fen` and `kwargs`, the arguments of
python-chess's chess.svg.board; the answer has its elements, and the image as `svg`.";

/// Draw a position, or an animation of a game, as SVG, PNG or GIF.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(
    after_help = format!("{EXAMPLES}\n{COMPAT}\n\n{THEMES}\n{BATCH}"),
    override_usage = format!("{USAGE}\n       mola svg --batch"),
    mut_args(useless_with("batch", &[])),
)]
pub struct Args {
    #[command(flatten)]
    plain: command::Args,
    /// Use the layout of another program
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["animate", "piece", "theme", "nag", "eval", "caption"])]
    compat: Option<Program>,
    /// Answer a JSON record on each line of standard input
    #[arg(long)]
    batch: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Program {
    /// Sizes, classes and colours of python-chess
    PythonChess,
}

/// Runs the subcommand.
///
/// # Errors
/// When the position, a move or the game cannot be read, or the picture cannot be written.
pub fn run(args: &Args) -> Result {
    if args.batch {
        return common::batch::run(batch::answer);
    }
    let Some(Program::PythonChess) = args.compat else {
        return command::run(&args.plain);
    };
    let colors = args.plain.colors();
    if let Some((name, _)) = colors.iter().find(|(name, _)| !picture::is_color(name)) {
        return Err(Error::Usage(format!("python-chess has no colour {name:?}")));
    }
    let diagram = args.plain.diagram()?;
    let mut picture = Picture::new(&diagram);
    picture.coordinates = diagram.coordinates;
    picture.borders = diagram.border;
    picture.colors = colors.to_vec();
    args.plain.write(&command::Image::Still(picture.svg()))
}
