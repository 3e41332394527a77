//! The games of a tournament added up.

use super::ending::{EngineFault, GameEnding};
use super::pair_tally::PairTally;
use super::schedule::ScheduledGame;
use super::stats::Tally;
use engine_core::Color;
use std::collections::BTreeMap;

/// The games of a tournament added up, engine by engine.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The results of each two engines, from the view of the one with the lower number.
    tallies: BTreeMap<(usize, usize), PairTally<u64>>,
    faults: Vec<BTreeMap<EngineFault, u64>>,
    bad_lines: Vec<u64>,
    endings: BTreeMap<String, u64>,
}

impl Results {
    /// Results of this many engines that have not played yet.
    pub fn new(engines: usize) -> Results {
        Results {
            faults: vec![BTreeMap::new(); engines],
            bad_lines: vec![0; engines],
            ..Results::default()
        }
    }

    /// Adds a game.
    pub fn add(&mut self, scheduled: ScheduledGame, ending: &GameEnding) {
        let ScheduledGame {
            round,
            white,
            black,
        } = scheduled;
        let first = if white < black {
            Color::White
        } else {
            Color::Black
        };
        let tally = self.tallies.entry((white.min(black), white.max(black)));
        tally
            .or_default()
            .add(Some(round), ending.half_points(first));
        self.add_ending([white, black], ending);
    }

    /// Counts why a game between these engines, White's first, ended, and whose fault it was.
    pub fn add_ending(&mut self, [white, black]: [usize; 2], ending: &GameEnding) {
        *self.endings.entry(ending.reason.to_string()).or_default() += 1;
        if let Some((color, fault)) = ending.fault {
            let engine = if color.is_white() { white } else { black };
            if let Some(faults) = self.faults.get_mut(engine) {
                *faults.entry(fault).or_default() += 1;
            }
        }
    }

    /// Sets the results between two engines, the lower number first.
    pub fn set_tally(&mut self, engines: (usize, usize), tally: Tally) {
        self.tallies.insert(engines, tally.into());
    }

    /// Counts wrong principal variations of an engine.
    pub fn add_bad_lines(&mut self, engine: usize, times: u64) {
        if let Some(count) = self.bad_lines.get_mut(engine) {
            *count = count.saturating_add(times);
        }
    }

    /// The results of one engine against another.
    pub fn tally(&self, engine: usize, opponent: usize) -> Tally {
        let both = (engine.min(opponent), engine.max(opponent));
        let tally = self.tallies.get(&both).map(|pairs| *pairs.tally());
        let tally = tally.unwrap_or_default();
        if engine < opponent {
            tally
        } else {
            tally.mirrored()
        }
    }

    /// The results of an engine against all others.
    pub fn total(&self, engine: usize) -> Tally {
        let opponents = (0..self.faults.len()).filter(|&opponent| opponent != engine);
        opponents.map(|opponent| self.tally(engine, opponent)).sum()
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.tallies
            .values()
            .map(|pairs| pairs.tally().games())
            .sum()
    }

    /// The faults of an engine, and how often it had each.
    pub fn faults(&self, engine: usize) -> BTreeMap<EngineFault, u64> {
        self.faults.get(engine).cloned().unwrap_or_default()
    }

    /// How many wrong principal variations an engine had.
    pub fn bad_lines(&self, engine: usize) -> u64 {
        self.bad_lines.get(engine).copied().unwrap_or(0)
    }

    /// How often games ended for each reason.
    pub fn endings(&self) -> &BTreeMap<String, u64> {
        &self.endings
    }
}
