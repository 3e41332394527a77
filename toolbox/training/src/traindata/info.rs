//! `mola traindata info`: what a file holds.

use crate::data::{self, Packed, Visit};
use common::error::Result;
use common::output::Output;
use engine_core::{Position, Rules};
use std::path::PathBuf;

/// Check a file and show statistics
#[derive(clap::Args, Debug)]
#[command(after_help = "Every checksum and every move is checked.

Example:
  mola traindata info games.data")]
pub(super) struct Args {
    /// A file of mola datagen
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
}

/// Counts of games.
#[derive(Default)]
struct Counts {
    games: u64,
    chess960: u64,
    /// By White's half points.
    results: [u64; 3],
    /// Plies of openings, and those with a score.
    opening_plies: u64,
    scored: u64,
    positions: u64,
}

impl Visit for Counts {
    fn game(&mut self, game: &Packed<'_>) {
        self.games += 1;
        self.chess960 += u64::from(game.chess960.is_some());
        if let Some(count) = self.results.get_mut(usize::from(game.result)) {
            *count += 1;
        }
        self.opening_plies += game.opening.len() as u64;
        self.scored += game.plies.len() as u64;
    }

    fn visit<R: Rules>(&mut self, _: &Position<R>, _: i16, _: u8) {
        self.positions += 1;
    }
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.games += other.games;
        self.chess960 += other.chess960;
        for (sum, count) in self.results.iter_mut().zip(other.results) {
            *sum += count;
        }
        self.opening_plies += other.opening_plies;
        self.scored += other.scored;
        self.positions += other.positions;
    }
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Result {
    let mut all = Counts::default();
    let recipe = data::read_each(&args.data, args.threads as usize, |counts: Counts| {
        all.add(&counts);
        Ok(())
    })?;
    let of_games = |count: u64| count as f64 / all.games.max(1) as f64;
    let share = |count| format!("{count} ({:.1} %)", 100.0 * of_games(count));
    let [black, drawn, white] = all.results;
    let mut out = Output::stdout();
    out.line(format_args!("variant: {}", recipe.variant))?;
    out.line(format_args!("seed: {}", recipe.seed))?;
    out.line(format_args!("weights: {:08x}", recipe.weights))?;
    out.line(format_args!("nodes a move: {}", recipe.nodes))?;
    out.line(format_args!("games: {}", all.games))?;
    out.line(format_args!("from Chess960: {}", share(all.chess960)))?;
    out.line(format_args!("won by White: {}", share(white)))?;
    out.line(format_args!("drawn: {}", share(drawn)))?;
    out.line(format_args!("won by Black: {}", share(black)))?;
    let length = of_games(all.opening_plies + all.scored);
    out.line(format_args!("plies a game: {length:.1}"))?;
    out.line(format_args!("plies with a score: {}", all.scored))?;
    out.line(format_args!("quiet positions: {}", all.positions))?;
    Ok(())
}
