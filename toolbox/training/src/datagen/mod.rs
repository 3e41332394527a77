//! `mola datagen`: games of Mola against itself, for `mola tune` to learn from.

mod selfplay;

use crate::data::{DataWriter, Recipe};
use crate::variant_argument::variant;
use clap::ArgGroup;
use common::count::count;
use common::error::{Error, Result};
use common::files;
use common::note;
use common::parallel::{self, Ended, Interrupt, Workers};
use common::progress::Progress;
use common::shard::Shard;
use common::signals;
use engine_core::Variant;
use engine_core::eval::Weights;
use selfplay::SelfPlayer;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Generate training data by self-play: moves, scores and results.
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("length").required(true).args(["games", "positions"]))]
#[command(
    after_help = "The same seed, nodes and weights give the same file, on any number of \
    threads. A stopped run is resumed by the same command.
A quarter of the games of standard chess start from positions of Chess960.

Examples:
  mola datagen --positions 1000000 --threads 2 --seed 1 --out games.data
  mola datagen --positions 1000000 --shard 3/16 --out games-3.data    on machine 3 of 16"
)]
pub struct Args {
    /// Number of games in the file; this or --positions is needed
    #[arg(long)]
    games: Option<u64>,
    /// Minimum number of positions in the file
    #[arg(long)]
    positions: Option<u64>,
    /// The variant of chess
    #[arg(long, value_name = "NAME", default_value = "chess", value_parser = variant)]
    variant: Variant,
    /// Nodes per move: no new iteration starts after this many
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Number of games played at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Seed of the random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only this part of the games, with its own random openings, to share the work among
    /// machines; train on all files together
    #[arg(
        long,
        value_name = "PART/PARTS",
        default_value_t,
        hide_default_value = true
    )]
    shard: Shard,
    /// The evaluation weights to play with, instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The file to write, or to continue
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The most games that wait for an earlier one or for the disk, which bounds memory.
const GAMES_AHEAD: usize = 256;

/// The weights to play with.
fn weights(args: &Args) -> Result<Arc<Weights>> {
    let Some(path) = &args.weights else {
        return Ok(Arc::clone(Weights::built_in(args.variant)));
    };
    let bytes = files::read(path)?;
    let failed = |why: String| Error::Message(format!("{}: {why}", path.display()));
    let weights = Weights::from_bytes(&bytes).map_err(|error| failed(error.to_string()))?;
    if weights.variant() != args.variant {
        return Err(failed(format!("weights of {}", weights.variant())));
    }
    Ok(Arc::new(weights))
}

/// Runs the subcommand.
///
/// # Errors
/// When the file cannot be written or was made with other settings.
pub fn run(args: &Args) -> Result {
    let weights = weights(args)?;
    let recipe = Recipe {
        variant: args.variant,
        seed: args.shard.seed(args.seed),
        nodes: args.nodes,
        weights: weights.hash() as u32,
    };
    // From before there is a file on, so that no signal leaves one without a word.
    let signals = signals::watch();
    let mut writer = DataWriter::open(&args.out, recipe)?;
    let (games, positions) = (args.games, args.positions);
    let share = |goal: Option<u64>| goal.map(|goal| args.shard.share(goal));
    let (unit, goal) = match (share(games), share(positions)) {
        (Some(games), _) => ("games", games),
        (None, positions) => ("positions", positions.unwrap_or(0)),
    };
    let done = |writer: &DataWriter| args.games.map_or(writer.positions, |_| writer.games);
    let mut progress = Progress::new(unit, done(&writer), goal);
    let mut ended = Ended::Enough;
    if done(&writer) < goal {
        let workers = Workers {
            threads: args.threads as usize,
            ahead: GAMES_AHEAD,
            signals: signals.clone(),
        };
        let work = |interrupt: &Interrupt| {
            let mut player = SelfPlayer::new(&weights, recipe.nodes, interrupt.flag())?;
            Ok(move |number| {
                let game = player.play(recipe.seed, number);
                game.ok_or_else(|| Error::Message("stopped".to_owned()))
            })
        };
        ended = parallel::in_order(&workers, writer.games.., work, |game| {
            writer.add(&game)?;
            progress.update(done(&writer), "");
            Ok(if done(&writer) < goal {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            })
        })?;
    }
    writer.sync()?;
    progress.end();
    let (path, games, positions) = (args.out.display(), writer.games, writer.positions);
    let made = {
        let (games, positions) = (count(games, "game"), count(positions, "position"));
        format!("{path}: {games}, {positions}")
    };
    if ended == Ended::Interrupted {
        // A script must not continue and train on a part.
        let how = format!("{made}; the same command resumes the run");
        return Err(Error::Interrupted(how));
    }
    note!("{made}");
    Ok(())
}
