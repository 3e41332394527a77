//! Pairs of games of an engine against itself with other options.

use crate::tournament::{Ending, Fault, Plan, Player, play};
use common::count::count;
use common::error::{Error, Result};
use common::note;
use common::parallel::Interrupt;
use engine_core::Color;
use indicatif::ProgressBar;
use std::collections::BTreeMap;

/// How a stopped run with a file of its state goes on.
pub(crate) const RESUMES: &str = "the same command resumes the run";

/// Both sides of a pair; the engine is the same.
pub(crate) fn players(plan: &Plan, interrupt: &Interrupt) -> Result<[Player; 2]> {
    let entrant = plan
        .entrants
        .first()
        .ok_or_else(|| "no engine".to_owned())?;
    let player = || Player::new(entrant.clone(), interrupt.channel().clone());
    Ok([player(), player()])
}

/// How two games from one opening ended; the first player is White in the first.
pub(crate) struct PlayedPair([Ending; 2]);

/// Plays two games from one opening with colours reversed.
pub(crate) fn play_pair(players: &mut [Player; 2], plan: &Plan, pair: u64) -> Result<PlayedPair> {
    let [one, two] = players;
    let opening = plan.opening(pair)?;
    let first = play(one, two, &opening, &plan.policy)?;
    let second = play(two, one, &opening, &plan.policy)?;
    Ok(PlayedPair([first.ending, second.ending]))
}

impl PlayedPair {
    /// The half points of the first player in each game.
    pub(crate) fn half_points(&self) -> [u8; 2] {
        let [first, second] = &self.0;
        [
            first.half_points(Color::White),
            second.half_points(Color::Black),
        ]
    }
}

/// The faults of an engine that plays against itself: they count as losses, but tell nothing of what
/// is measured.
#[derive(Default)]
pub(crate) struct Faults {
    games: u64,
    kinds: BTreeMap<Fault, u64>,
    /// More about the last one.
    last: String,
}

impl Faults {
    /// Adds a pair. The first fault is told at once.
    pub(crate) fn add_pair(&mut self, pair: &PlayedPair, bar: &ProgressBar) {
        for ending in &pair.0 {
            self.add(ending, bar);
        }
    }

    /// Adds a game. The first fault is told at once.
    pub(crate) fn add(&mut self, ending: &Ending, bar: &ProgressBar) {
        self.games += 1;
        let Some((_, fault)) = ending.fault else {
            return;
        };
        self.last = match &ending.detail {
            Some(detail) => format!("{}: {detail}", fault.name()),
            None => fault.name().to_owned(),
        };
        if self.kinds.is_empty() {
            bar.suspend(|| note!("mola: game {}: {}", self.games, self.last));
        }
        *self.kinds.entry(fault).or_default() += 1;
    }

    /// Tells how many games ended by faults.
    ///
    /// # Errors
    /// When these are all games, so that they mean nothing.
    pub(crate) fn tell(&self) -> Result {
        let faults: u64 = self.kinds.values().sum();
        if faults == 0 {
            return Ok(());
        }
        let kinds = self.kinds.iter();
        let kinds = kinds.map(|(kind, times)| format!("{} {times}", kind.name()));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let games = count(self.games, "game");
        if faults == self.games {
            let message = format!("all of {games} ended by faults ({kinds}): {}", self.last);
            return Err(Error::Message(message));
        }
        note!(
            "mola: {faults} of {games} ended by faults ({kinds}); the last: {}",
            self.last
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_counted_and_nothing_else_is_an_error() {
        let game = |fault: Option<Fault>| Ending {
            winner: Some(Color::White),
            reason: "mate".into(),
            fault: fault.map(|fault| (Color::Black, fault)),
            detail: Some("why".to_owned()),
        };
        let bar = ProgressBar::hidden();
        let mut faults = Faults::default();
        faults.tell().unwrap();
        for fault in [Fault::Crash, Fault::IllegalMove, Fault::Crash] {
            faults.add(&game(Some(fault)), &bar);
        }
        let error = faults.tell().unwrap_err().to_string();
        let wanted = "all of 3 games ended by faults (illegal move 1, crash 2): crash: why";
        assert_eq!(error, wanted);
        faults.add(&game(None), &bar);
        faults.tell().unwrap();
    }
}
