//! `mola play`: play on the terminal, or in a pipe for scripts.

mod board;
mod chess960;
mod clock;
mod commands;
mod file_name;
mod full;
mod illegal;
mod lines;
mod movetext;
mod opponent;
mod pgn;
mod play;
mod repl;
mod restore;
mod saved;
mod stop;
mod window;

use crate::options::{MAX_DEPTH, OptionId, Spec};
use crate::strength::{ELO, FULL};
use arena::client::EngineCommand;
use board::{Squares, Theme, View};
use clock::TimeControl;
use common::arguments::{fen, number, rules};
use common::console;
use common::error::{Error, Result};
use common::locale;
use common::option_value::OptionValue;
use common::output::Output;
use engine_core::{AnyPosition, CastlingMode, Color, Variant};
use full::Full;
use lines::Lines;
use opponent::OpponentEngine;
use play::Play;
use repl::{Front, LineMode, Repl};
use restore::Restore;
use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;

/// Play against Mola on the terminal.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola play                             you have White
  mola play --color black --level 5     Mola moves first, and is easy to beat
  mola play --time 5+3 --pgn games.pgn  a blitz game, saved to a file
  mola play --variant crazyhouse        any of the nine variants
  mola play --engine xboard:fairymax    another engine in Mola's place
  mola play --full                      full screen, with mouse and keyboard

Levels: level 1 searches 50 nodes a move, and each further level 1.5 times as many; up to level 8,
level N also limits the depth to N plies; level 20 has no limit.
`help` lists the commands during a game.")]
pub(crate) struct Args {
    /// Your side
    #[arg(long, default_value = "white")]
    color: Side,
    /// Mola's playing strength, 1 to 20
    #[arg(long, default_value_t = FULL, value_parser = |text: &str| number(text, 1..=FULL))]
    level: u64,
    /// Mola plays at about this rating
    #[arg(long, value_name = "N", conflicts_with = "level", value_parser = |text: &str| number(text, ELO.0..=ELO.1))]
    elo: Option<i64>,
    /// Another engine in Mola's place: its command line, preceded by `xboard:` for an XBoard engine
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["level", "elo"])]
    engine: Option<String>,
    /// Play with clocks: minutes+seconds per move
    #[arg(long, value_name = "M+S", value_parser = clock::read)]
    time: Option<TimeControl>,
    /// Mola's search depth in plies
    #[arg(long, value_name = "N", value_parser = |text: &str| number(text, 1..=MAX_DEPTH))]
    depth: Option<u32>,
    /// Start from this position
    #[arg(long)]
    fen: Option<String>,
    /// Start from the Chess960 position with this number, 0 to 959
    #[arg(long, value_name = "N", conflicts_with = "fen", value_parser = |text: &str| number(text, 0..=959_u32))]
    chess960: Option<u32>,
    /// Full screen: a large board for mouse and keyboard, clocks, evaluation, moves
    #[arg(long)]
    full: bool,
    /// Theme of the board [default: brown, or ascii where the locale is not one of UTF-8]
    #[arg(long, value_enum)]
    theme: Option<Theme>,
    /// Only ASCII characters, as with --theme ascii: letters for pieces, no accents
    #[arg(long)]
    ascii: bool,
    /// The variant of chess; `chess960` starts from a random position
    #[arg(long, value_name = "NAME", default_value = "chess", value_parser = rules)]
    variant: (Variant, CastlingMode),
    /// Append every game to this file, when it ends or when you leave it
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
}

/// The side of the user.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Side {
    White,
    Black,
    /// Both sides; Mola does not play
    Both,
}

/// Runs the subcommand.
///
/// # Errors
/// When the position cannot be read, the game cannot be saved, or the output is closed.
pub(crate) fn run(args: &Args) -> Result {
    let _restore = Restore::new();
    let is_dumb = match std::env::var_os("TERM") {
        Some(term) => term == "dumb",
        // Windows does not set TERM.
        None => !console::understand_escapes(),
    };
    let shows = stdout().is_terminal() && !is_dumb;
    if args.full && !(shows && stdin().is_terminal()) {
        return Err(Error::Message(
            "--full needs a terminal that can move its cursor".to_owned(),
        ));
    }
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let engine = match args.color {
        Side::White => Some(Color::Black),
        Side::Black => Some(Color::White),
        Side::Both => None,
    };
    let command = args.engine.as_deref().map(str::parse::<EngineCommand>);
    let command = command.transpose()?;
    if let Some(path) = &args.pgn {
        let inputs = command.as_ref().map_or(Vec::new(), EngineCommand::files);
        saved::check(path, &inputs)?;
    }
    let has_editor = !args.full && shows && stdin().is_terminal();
    if has_editor {
        // The thread of the editor takes it.
        stop::leave_to_others();
    }
    let position = start_position(args)?;
    let opponent = command.as_ref().map(OpponentEngine::start).transpose()?;
    let mut play = Play::new(engine);
    play.set_clocks(args.time);
    play.depth = args.depth;
    set_strength(&mut play, args)?;
    play.opponent = opponent.as_ref().map(|opponent| opponent.name.clone());
    play.begin(position);
    let view = View {
        theme: theme(args),
        colors: shows && !no_color,
        bottom: engine.map_or(Color::White, |engine| !engine),
        squares: Squares::Usual,
    };
    let front = if args.full {
        Front::Full(Box::new(Full::enter()?))
    } else {
        Front::Lines(LineMode {
            out: Output::stdout(),
            lines: Lines::new(has_editor)?,
            shows,
            prompts: stdin().is_terminal() && stdout().is_terminal() && is_dumb,
        })
    };
    let mut repl = Repl::new(play, opponent, view, front);
    repl.set_games_file(args.pgn.clone());
    let result = repl.run();
    result.and(repl.save_game())
}

/// The theme that the arguments ask for, or one that the terminal can show.
fn theme(args: &Args) -> Theme {
    match args.theme {
        _ if args.ascii => Theme::Ascii,
        Some(theme) => theme,
        None if locale::is_unicode() => Theme::Brown,
        None => Theme::Ascii,
    }
}

/// Sets the level, or the rating if one is given.
fn set_strength(play: &mut Play, args: &Args) -> Result {
    if let Some(spec) = Spec::of(OptionId::SkillLevel) {
        play.set(spec.id, spec.parse(&args.level.to_string())?);
    }
    if let (Some(elo), Some(spec)) = (args.elo, Spec::of(OptionId::Elo)) {
        play.set(spec.id, spec.parse(&elo.to_string())?);
        play.set(OptionId::LimitStrength, OptionValue::Flag(true));
    }
    Ok(())
}

/// The position that the arguments ask for.
fn start_position(args: &Args) -> Result<AnyPosition> {
    let (variant, mode) = args.variant;
    if let Some(text) = &args.fen {
        return Ok(AnyPosition::from_fen(variant, fen(text, variant), mode)?);
    }
    match (args.chess960, mode) {
        (None, CastlingMode::Standard) => Ok(AnyPosition::start(variant)),
        (number, _) => chess960::start(variant, number).map_err(Error::Usage),
    }
}
