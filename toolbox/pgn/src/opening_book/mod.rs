//! `mola book make`: a book from games.

mod games;

pub use games::{Games, Skipped, games};

use crate::command::unpack::unpacked;
use crate::{Block, Blocks, LineIndex};
use book::{Maker, Settings};
use clap::builder::RangedU64ValueParser;
use common::arguments::real;
use common::count::count;
use common::error::{Error, Result};
use common::files::{Force, Sink, input_name, is_dash, named_input};
use common::note;
use common::progress::Progress;
use common::side::Side;
use common::threads;
use engine_core::Variant;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::fs::File;
use std::io::{Read, Write, stdin};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Make a book from games in PGN.
///
/// The weight of a move is 2 for each win plus 1 for each draw. With the same games and settings
/// the book is identical to that of `polyglot make-book`, except that damaged games are skipped and
/// counted, games from other start positions count with their positions, and a game without the tag
/// Result has the result after its moves, where polyglot counts a draw.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola book make games.pgn --out book.bin
  mola book make a.pgn b.pgn --out book.bin --max-ply 30 --min-game 5
  mola book make lichess.pgn.zst --out book.bin --max-ply 20")]
pub struct Args {
    /// Files, plain or .gz, .zst, .bz2; - is standard input
    #[arg(required = true, value_name = "PGN")]
    games: Vec<PathBuf>,
    /// The file to write; - is standard output
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Number of plies used of each game
    #[arg(long, value_name = "PLIES", default_value_t = 1024, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    max_ply: usize,
    /// Minimum number of games of a move
    #[arg(long, value_name = "GAMES", default_value_t = 3)]
    min_game: u32,
    /// Minimum score of a move in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = |text: &str| real::<f64>(text, 0.0..=100.0))]
    min_score: f64,
    /// Only moves of this side
    #[arg(long, value_name = "SIDE")]
    only: Option<Side>,
    /// Give all moves the same weight
    #[arg(long)]
    uniform: bool,
    /// The rules; games of other variants are skipped
    #[arg(long, default_value = "chess")]
    variant: Variant,
}

/// Blocks that are read at a time, each a task, and after how many bytes no more are: what is no game
/// comes in larger blocks.
const BLOCKS: usize = 32;
const BATCH: usize = 32 << 20;
/// Skipped games whose reason is reported.
const MAX_REASONS: u64 = 5;

/// Makes the book.
///
/// # Errors
/// When a file cannot be read or written, or the book would be empty.
pub fn run(args: &Args) -> Result {
    let start = Instant::now();
    let mut out = Sink::open(Some(&args.out), args.force.replace(), &args.games)?;
    out.refuse_terminal("a book")?;
    let mut counts = Counts {
        maker: Maker::new(Settings {
            min_games: args.min_game,
            min_score: args.min_score,
            only: args.only.map(Into::into),
            uniform: args.uniform,
        }),
        games: 0,
        skipped: 0,
    };
    threads::start_pool()?;
    for path in &args.games {
        let failed = |error| named_input(path, &error);
        if is_dash(path) {
            counts.read(args, path, stdin(), 0).map_err(failed)?;
        } else {
            let file = File::open(path).map_err(failed)?;
            let size = file.metadata().map_err(failed)?.len();
            counts.read(args, path, file, size).map_err(failed)?;
        }
    }
    if counts.games == 0 {
        return Err(Error::Message("no game to make a book of".to_owned()));
    }
    let moves = counts.maker.count_moves();
    let entries = counts.maker.finish();
    if entries.is_empty() {
        let games = count(counts.games, "game");
        return Err(Error::Message(format!(
            "the book would be empty: no move of {games} meets --min-game, --min-score and --only"
        )));
    }
    for entry in &entries {
        out.write_all(&entry.to_bytes())?;
    }
    let seconds = start.elapsed().as_secs_f64();
    out.finish_with(&format!(
        "{}: {}, {} skipped; {}, {}; {:.0} games a second",
        args.out.display(),
        count(counts.games, "game"),
        counts.skipped,
        count(moves, "move"),
        count(entries.len(), "entry"),
        counts.games as f64 / seconds.max(1e-9),
    ))
}

/// The next blocks.
fn next_batch(
    blocks: &mut impl Iterator<Item = std::io::Result<Block>>,
) -> std::io::Result<Vec<Block>> {
    let (mut batch, mut size) = (Vec::new(), 0);
    while batch.len() < BLOCKS && size < BATCH {
        let Some(block) = blocks.next().transpose()? else {
            break;
        };
        size += block.text.len();
        batch.push(block);
    }
    Ok(batch)
}

struct Counts {
    maker: Maker,
    games: u64,
    skipped: u64,
}

impl Counts {
    /// Counts the moves of a stream of games.
    fn read(
        &mut self,
        args: &Args,
        path: &Path,
        stream: impl Read + Send + 'static,
        size: u64,
    ) -> std::io::Result<()> {
        let mut progress = Progress::new("kB", 0, size / 1024).on_terminal_only();
        // The file may be packed, so its own bytes are counted.
        let read = ProgressBar::hidden();
        let mut blocks = Blocks::new(unpacked(Box::new(read.wrap_read(stream)))?);
        loop {
            let batch = next_batch(&mut blocks)?;
            if batch.is_empty() {
                break;
            }
            let done = read.position() / 1024;
            let read = batch
                .into_par_iter()
                .map(|block| (games(&block.text, args.max_ply, args.variant), block));
            let read: Vec<(Games, Block)> = read.collect();
            for (games, block) in read {
                self.add(path, games, &block);
            }
            progress.update(done, &format!(", {}", count(self.games, "game")));
        }
        progress.end();
        Ok(())
    }

    /// Counts the moves of a block.
    fn add(&mut self, path: &Path, games: Games, block: &Block) {
        self.games += games.count;
        for played in games.moves {
            self.maker.add(played);
        }
        let mut lines = LineIndex::new(&block.text, block.line);
        for skipped in games.skipped {
            self.skipped += 1;
            if self.skipped <= MAX_REASONS {
                let place = lines.location(skipped.at);
                let (name, reason) = (input_name(path), skipped.reason);
                note!("{name}:{place}: {reason}; skipped");
            }
        }
    }
}
