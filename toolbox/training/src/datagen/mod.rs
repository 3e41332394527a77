//! `mola datagen`: games of Mola against itself, for `mola tune` to learn from.

mod selfplay;

use crate::data::{Recipe, Writer};
use crate::record::Record;
use common::error::{Error, Result};
use common::progress::Progress;
use common::signals;
use crossbeam_channel::{Receiver, Sender, bounded, select, tick};
use engine_core::Variant;
use selfplay::Player;
use std::collections::BTreeMap;
use std::io::{Write, stderr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Play games against itself and write down positions, scores and results.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "The same seed, nodes and evaluation give the same file, on any number of \
    threads. A run that was stopped ends with an error, and goes on where it was when it is \
    started again.

Example:
  mola datagen --positions 1000000 --threads 2 --seed 1 --out games.data"
)]
pub struct Args {
    /// Games the file shall hold
    #[arg(long, required_unless_present = "positions")]
    games: Option<u64>,
    /// Positions the file shall hold at least
    #[arg(long, conflicts_with = "games")]
    positions: Option<u64>,
    /// The variant of chess
    #[arg(long, value_name = "NAME", default_value_t)]
    variant: Variant,
    /// Nodes for a move: no new iteration after so many
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// What the random openings follow from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write, or to continue
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// A game with its number.
type Played = (u64, Vec<Record>);

/// The stack of a thread that searches.
const STACK: usize = 16 << 20;

/// Runs the subcommand.
///
/// # Errors
/// When the file cannot be written or was made with other settings.
pub fn run(args: &Args) -> Result {
    let recipe = Recipe {
        variant: args.variant,
        seed: args.seed,
        nodes: args.nodes,
    };
    let mut writer = Writer::open(&args.out, recipe)?;
    let next = AtomicU64::new(writer.games);
    let stop = AtomicBool::new(false);
    // Threads that are ahead wait here, so that a slow disk does not fill the memory.
    let (sender, games) = bounded(256);
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || play(recipe, next, stop, &sender))?;
        }
        drop(sender);
        let result = collect(args, &mut writer, &games);
        stop.store(true, Relaxed);
        // Threads that wait to hand over a game must not wait for ever.
        drop(games);
        result
    })
}

/// Plays game after game.
fn play(recipe: Recipe, next: &AtomicU64, stop: &AtomicBool, sender: &Sender<Played>) {
    let mut player = match Player::new(recipe.variant, recipe.nodes) {
        Ok(player) => player,
        Err(error) => return log::error!("no memory to play in: {error}"),
    };
    loop {
        let number = next.fetch_add(1, Relaxed);
        let Some(game) = player.play(recipe.seed, number, stop) else {
            return;
        };
        if sender.send((number, game)).is_err() {
            return;
        }
    }
}

/// Writes the games in the order of their numbers until there are enough.
fn collect(args: &Args, writer: &mut Writer, games: &Receiver<Played>) -> Result {
    let done = |writer: &Writer| args.games.map_or(writer.records, |_| writer.games);
    let (unit, goal) = match (args.games, args.positions) {
        (Some(games), _) => ("games", games),
        (None, positions) => ("positions", positions.unwrap_or(0)),
    };
    let mut progress = Progress::new(unit, done(writer), goal);
    let signals = signals::watch();
    let second = tick(Duration::from_secs(1));
    let mut early = BTreeMap::new();
    let mut stopped = false;
    while done(writer) < goal && !stopped {
        select! {
            recv(games) -> played => {
                let Ok((number, game)) = played else {
                    return Err(Error::Message("no thread can play".to_owned()));
                };
                early.insert(number, game);
            }
            recv(signals) -> _ => stopped = true,
            recv(second) -> _ => progress.tell(done(writer), ""),
        }
        while done(writer) < goal
            && let Some(game) = early.remove(&writer.games)
        {
            writer.add(&game)?;
        }
    }
    writer.sync()?;
    progress.end();
    let (path, games, positions) = (args.out.display(), writer.games, writer.records);
    let made = format!("{path}: {games} games, {positions} positions");
    if stopped {
        // A script that goes on to `tune` must notice that games are missing.
        return Err(Error::Message(format!(
            "{made}; the same command continues"
        )));
    }
    let _ = writeln!(stderr(), "{made}");
    Ok(())
}
