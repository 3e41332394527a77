//! `mola puzzles`: positions of games with one winning move.

use crate::endings::Endings;
use crate::puzzle::{self, Format, Writer};
use crate::report::Reviewer;
use crate::search::EngineArgs;
use arena::progress;
use common::count::count;
use common::error::{Error, Result};
use common::files::Force;
use common::note;
use pgn::Tree;
use pgn::command::input::Input;
use std::collections::HashSet;
use std::path::PathBuf;

/// Find puzzles in games: positions after a mistake in which exactly one move wins.
///
/// A second, deeper search verifies each move; the solution continues as long as there is only one
/// winning move. A puzzle of several games is written once. A stopped run is resumed by the same
/// command with the same settings.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// The file to write: .csv with lichess's columns, .pgn, or .html to solve them [default: CSV
    /// on standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format, if the file name does not determine it
    #[arg(long, value_enum)]
    to: Option<Format>,
    /// Additional depth of the second search in plies (with --nodes: doublings)
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=60))]
    deeper: u32,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    force: Force,
}

const EXAMPLES: &str = "Examples:
  mola puzzles games.pgn -o puzzles.html
  mola puzzles games.pgn.zst -o puzzles.csv --depth 14 --concurrency 2
  mola puzzles mine.pgn --to pgn --engine stockfish --nodes 200000
CSV has lichess's columns and themes: the first move is the mistake, and the solution starts with
the second. The puzzles have not been played, so their rating deviation is that of a new player; the
rating grows with the depth at which the search finds the moves, and with the number of moves.";

impl Args {
    fn format(&self) -> Result<Format> {
        let Some(path) = &self.output else {
            return Ok(self.to.unwrap_or(Format::Csv));
        };
        let extension = path.extension().and_then(|extension| extension.to_str());
        let named = Format::of_extension(extension.unwrap_or_default());
        let name = path.display();
        match (self.to, named) {
            (Some(asked), Some(named)) if asked != named => Err(Error::Usage(format!(
                "{name}: --to asks for another format"
            ))),
            (Some(format), _) | (None, Some(format)) => Ok(format),
            (None, None) => Err(Error::Usage(format!(
                "{name}: name it .csv, .pgn or .html, or give --to"
            ))),
        }
    }

    fn reviewer(&self, inputs: &[PathBuf]) -> Result<Reviewer> {
        let endings = Endings::open(self.engine.tables.as_deref())?;
        let games = self.input.settings(None);
        let settings = format!(
            "{}, deeper {}, {games}",
            self.engine.settings(),
            self.deeper
        );
        let output = self.output.as_deref();
        let output = output.filter(|path| path.as_os_str() != "-");
        let replace = self.force.replace();
        Ok(Reviewer {
            engine: self.engine.clone(),
            searches: Some(self.engine.searches(output, &settings, replace, inputs)?),
            endings,
            bar: progress::of_games(&self.input, 0)?,
        })
    }
}

/// Finds the puzzles.
///
/// # Errors
/// When a file cannot be read or written, when an engine fails, and when the run is stopped; then
/// the message says how to resume.
pub fn run(args: &Args) -> Result {
    let format = args.format()?;
    let inputs = args.engine.inputs(&args.input)?;
    let mut reviewer = args.reviewer(&inputs)?;
    let mut writer = Writer::open(
        format,
        args.output.as_deref(),
        args.force.replace(),
        &inputs,
    )?;
    let found = find_all(args, &mut reviewer, &mut writer);
    reviewer.bar.finish_and_clear();
    let (games, puzzles) = match (found, &reviewer.searches) {
        (Err(error), Some(searches)) => return Err(searches.explain(error)),
        (found, _) => found?,
    };
    writer.finish()?;
    if let Some(searches) = reviewer.searches {
        searches.finish();
    }
    if !args.input.quiet {
        note!("{} in {}", count(puzzles, "puzzle"), count(games, "game"));
    }
    Ok(())
}

/// Finds the puzzles of all games; how many games and puzzles there are.
fn find_all(args: &Args, reviewer: &mut Reviewer, writer: &mut Writer) -> Result<(u64, u64)> {
    let (mut games, mut ids) = (0, HashSet::new());
    let mut input = args.input.clone();
    input.has_bar = true;
    let take = |tree: Tree| {
        games += 1;
        reviewer.bar.set_message(games.to_string());
        for puzzle in puzzle::find(reviewer, &tree, args.deeper)? {
            // Several games may have it.
            if ids.insert(puzzle.id()) {
                writer.add(&puzzle)?;
            }
        }
        reviewer.bar.inc(1);
        Ok(true)
    };
    input.each_game(None, |record| std::mem::take(record.tree), take)?;
    Ok((games, ids.len() as u64))
}
