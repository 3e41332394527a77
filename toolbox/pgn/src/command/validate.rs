//! `mola pgn validate`: are all games sound?

use super::input::Input;
use crate::{Block, Dialect, GameVisitor, Parsed, Parser, Problem, Problems, Replay};
use common::count::count;
use common::error::{Error, Result};
use std::io::{Write, stdout};
use std::mem::take;

/// Check every game: syntax, legality of every move, results.
///
/// Problems go to stderr with file, line and column, and the line itself. The exit code is 1 if a
/// move could not be read or a result contradicts the board or the Result tag; repaired problems count
/// only with --strict.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola pgn validate games.pgn
  mola pgn validate --strict --threads 2 *.pgn.zst")]
pub struct Args {
    #[command(flatten)]
    input: Input,
}

/// Listens to problems alone.
#[derive(Default)]
struct Listener {
    problems: Problems,
}

impl GameVisitor for Listener {
    fn problem(&mut self, problem: Problem) -> crate::Flow {
        self.problems.add(problem);
        crate::Flow::Go
    }
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let tally = if dialect.is_some() {
        args.input.each_game(dialect, |_| (), |()| Ok(true))?
    } else {
        let check = |block: &Block, reports: &mut super::pipeline::Reports<'_>| {
            let mut listener = Listener::default();
            let mut parser = Parser::new(&block.text);
            let mut replay = Replay::new(&mut listener).in_language(args.input.lang);
            while parser.read_game(&mut replay) == Parsed::Game {
                reports.game(&take(&mut replay.visitor().problems));
            }
        };
        args.input.each_block(check, |()| Ok(true))?
    };
    let (games, lost, repaired) = (tally.games, tally.lost, tally.repaired);
    writeln!(
        stdout(),
        "{}, {}, {repaired} repaired",
        count(games, "game"),
        count(lost, "error")
    )?;
    match lost {
        0 => Ok(()),
        _ => Err(Error::Message(count(lost, "error"))),
    }
}
