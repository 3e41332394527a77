//! Pairs of games of an engine against itself with other options.

use crate::tournament::{EngineFault, EnginePlayer, GameEnding, Plan, play};
use common::count::count;
use common::error::{Error, Result};
use common::note;
use common::parallel::{Ended, Interrupt};
use engine_core::Color;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a stopped run with a file of its state goes on.
pub(crate) const RESUMES: &str = "the same command resumes the run";

/// Both sides of a pair; the engine is the same.
pub(crate) fn players(plan: &Plan, interrupt: &Interrupt) -> Result<[EnginePlayer; 2]> {
    let entrant = plan
        .entrants
        .first()
        .ok_or_else(|| "no engine".to_owned())?;
    let player = || EnginePlayer::new(entrant.clone(), interrupt.channel().clone());
    Ok([player(), player()])
}

/// How two games from one opening ended; the first player is White in the first.
pub(crate) struct PlayedPair([GameEnding; 2]);

/// Plays two games from one opening with colours reversed.
pub(crate) fn play_pair(
    players: &mut [EnginePlayer; 2],
    plan: &Plan,
    pair: u64,
) -> Result<PlayedPair> {
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
/// is measured. They are part of a state, as a resumed run must not forget them.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Faults {
    kinds: BTreeMap<EngineFault, u64>,
    /// More about the last one.
    last: String,
    /// Whether one has been told since the command was started.
    #[serde(skip)]
    is_told: bool,
}

impl Faults {
    /// Adds the pair with this number, from 0. The first fault is told at once.
    pub(crate) fn add_pair(&mut self, pair: u64, played: &PlayedPair, bar: &ProgressBar) {
        let before = pair.saturating_mul(2);
        for (number, ending) in (1..).zip(&played.0) {
            self.add(before.saturating_add(number), ending, bar);
        }
    }

    /// Adds the game with this number, from 1. The first fault is told at once.
    pub(crate) fn add(&mut self, game: u64, ending: &GameEnding, bar: &ProgressBar) {
        let Some((_, fault)) = ending.fault else {
            return;
        };
        self.last = match &ending.detail {
            Some(detail) => format!("{}: {detail}", fault.name()),
            None => fault.name().to_owned(),
        };
        if !self.is_told {
            bar.suspend(|| note!("mola: game {game}: {}", self.last));
            self.is_told = true;
        }
        let times = self.kinds.entry(fault).or_default();
        *times = times.saturating_add(1);
    }

    fn count(&self) -> u64 {
        self.kinds.values().copied().fold(0, u64::saturating_add)
    }

    /// Whether so many games mean nothing: there are none, or all ended by faults.
    pub(crate) fn spoil(&self, games: u64) -> bool {
        self.count() >= games
    }

    /// Ends a run of so many games: tells how many of them ended by faults, also when a signal has
    /// ended it; `how` says how to resume.
    ///
    /// # Errors
    /// Those of the run, and when all games ended by faults, so that they mean nothing.
    pub(crate) fn end(&self, games: u64, ended: Result<Ended>, how: Option<&str>) -> Result {
        let told = self.tell(games);
        let Err(error) = ended.and_then(|ended| ended.or_interrupted(how)) else {
            return told;
        };
        if let Err(all) = told {
            note!("mola: {all}");
        }
        Err(error)
    }

    /// Tells how many of so many games ended by faults.
    ///
    /// # Errors
    /// When these are all games.
    fn tell(&self, games: u64) -> Result {
        let faults = self.count();
        if faults == 0 {
            return Ok(());
        }
        let are_all = self.spoil(games);
        let kinds = self.kinds.iter();
        let kinds = kinds.map(|(kind, times)| format!("{} {times}", kind.name()));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let games = count(games, "game");
        if are_all {
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
        let game = |fault: Option<EngineFault>| GameEnding {
            winner: Some(Color::White),
            reason: "mate".into(),
            fault: fault.map(|fault| (Color::Black, fault)),
            detail: Some("why".to_owned()),
        };
        let bar = ProgressBar::hidden();
        let mut faults = Faults::default();
        assert!(faults.spoil(0) && !faults.spoil(1));
        faults.end(0, Ok(Ended::Done), None).unwrap();
        for (number, fault) in (1..).zip([
            EngineFault::Crash,
            EngineFault::IllegalMove,
            EngineFault::Crash,
        ]) {
            faults.add(number, &game(Some(fault)), &bar);
        }
        let error = faults
            .end(3, Ok(Ended::Done), None)
            .unwrap_err()
            .to_string();
        let wanted = "all of 3 games ended by faults (illegal move 1, crash 2): crash: why";
        assert_eq!(error, wanted);
        let stopped = faults.end(3, Ok(Ended::Interrupted), Some("again"));
        assert!(matches!(stopped, Err(Error::Interrupted(_))));
        faults.add(4, &game(None), &bar);
        assert!(faults.spoil(3) && !faults.spoil(4));
        faults.end(4, Ok(Ended::Done), None).unwrap();
        let text = serde_json::to_string(&faults).unwrap();
        let read: Faults = serde_json::from_str(&text).unwrap();
        assert_eq!(read.tell(3).unwrap_err().to_string(), wanted);
    }
}
