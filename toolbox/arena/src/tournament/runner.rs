//! Many games between engines, several at a time.

use super::adjudicate::AdjudicationPolicy;
use super::clocks::Clocks;
use super::game::{PlayedGame, play};
use super::opening::Opening;
use super::player::{EnginePlayer, Entrant};
use super::schedule::{Schedule, ScheduledGame};
use crate::client::{Engine, EngineCommand};
use crate::start;
use common::error::{Error, Result};
use common::note;
use common::parallel::{self, Ended, Interrupt, Workers};
use common::random::Random;
use common::signals::Signal;
use crossbeam_channel::Receiver;
use engine_core::{AnyPosition, ByColor};
use std::ops::ControlFlow;
use std::time::Duration;

/// The plan of a tournament.
#[derive(Clone)]
pub struct Plan {
    /// The engines.
    pub entrants: Vec<Entrant>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// The openings, used in this order, from the first again after the last.
    pub openings: Vec<Opening>,
    /// How many random moves follow each opening, other ones each time it is used.
    pub random_plies: u32,
    /// The seed of the random moves.
    pub seed: u64,
    /// How many games at a time.
    pub concurrency: usize,
    /// When games are adjudicated.
    pub policy: AdjudicationPolicy,
}

/// A game of a tournament that has been played.
#[derive(Clone, Debug)]
pub struct MatchGame {
    /// Its number, from 0.
    pub number: u64,
    /// Who played.
    pub scheduled: ScheduledGame,
    /// The names of White and Black.
    pub names: [String; 2],
    /// The game.
    pub played: PlayedGame,
}

/// How many games may end before an earlier one, for which they then wait.
const GAMES_AHEAD: usize = 256;
/// How long an engine that was only asked for its name may take to end.
const QUIT: Duration = Duration::from_millis(500);

impl Plan {
    /// The threads that play.
    pub fn workers(&self, signals: &Receiver<Signal>) -> Workers {
        Workers {
            threads: self.concurrency,
            ahead: GAMES_AHEAD.max(self.concurrency),
            signals: signals.clone(),
        }
    }

    /// Starts every engine once, so that an error is reported before the first game, and gives each
    /// entrant a unique name.
    ///
    /// # Errors
    /// When an engine cannot be started, does not introduce itself, refuses an option, or does not support
    /// the variant or its limits, and when no engine has one of the options that are meant for all.
    pub fn introduce(&mut self, signals: &Receiver<Signal>) -> Result<Ended> {
        let mut names: Vec<String> = Vec::new();
        let mut lacked: Option<Vec<String>> = None;
        let starts = self.starts_by_rules();
        let ask = |interrupt: &Interrupt| {
            let (starts, interrupt) = (&starts, interrupt.channel().clone());
            Ok(move |entrant: &Entrant| {
                let engine = start::start(&entrant.command, &interrupt)?;
                let clocks = Clocks::new(ByColor([entrant.limits; 2]));
                for start in starts {
                    engine.check_game(start, &clocks.search_limits(start.turn()))?;
                }
                Ok(introduction(engine, &entrant.command))
            })
        };
        let ended = parallel::in_order(
            &self.workers(signals),
            self.entrants.iter(),
            ask,
            |engine: Introduction| {
                let name = distinct(&engine.name, &names);
                for remark in engine.remarks {
                    note!("mola: {name} says: {remark}");
                }
                names.push(name);
                let lacks = |option: &String| engine.lacks.contains(option);
                match &mut lacked {
                    Some(lacked) => lacked.retain(lacks),
                    None => lacked = Some(engine.lacks),
                }
                Ok(ControlFlow::Continue(()))
            },
        )?;
        let lacked = lacked.filter(|_| ended != Ended::Interrupted);
        if let Some(option) = lacked.iter().flatten().next() {
            return Err(Error::Message(format!(
                "no engine has an option {option:?}"
            )));
        }
        for (entrant, name) in self.entrants.iter_mut().zip(names) {
            entrant.command.name = Some(name);
        }
        Ok(ended)
    }

    /// One position of each variant, with the castling of Chess960 and without, in which games begin.
    fn starts_by_rules(&self) -> Vec<AnyPosition> {
        let rules = |start: &AnyPosition| (start.variant(), start.mode());
        let mut starts: Vec<AnyPosition> = Vec::new();
        let played = self.schedule.rounds() as usize;
        for Opening { start, .. } in self.openings.iter().take(played) {
            if !starts.iter().any(|known| rules(known) == rules(start)) {
                starts.push(*start);
            }
        }
        starts
    }

    /// Plays the games from this number on and hands them to `take` in their order. An engine's
    /// fault loses a game.
    ///
    /// # Errors
    /// When an engine cannot be started or does not support the request, and what `take` fails
    /// with.
    pub fn play(
        &self,
        first: u64,
        signals: &Receiver<Signal>,
        take: impl FnMut(MatchGame) -> Result<ControlFlow<()>> + Send,
    ) -> Result<Ended> {
        let games = (first..).map_while(|number| Some((number, self.schedule.game(number)?)));
        let work = |interrupt: &Interrupt| {
            let player =
                |entrant: &Entrant| EnginePlayer::new(entrant.clone(), interrupt.channel().clone());
            let mut players: Vec<EnginePlayer> = self.entrants.iter().map(player).collect();
            Ok(move |(number, scheduled)| self.play_one(&mut players, number, scheduled))
        };
        parallel::in_order(&self.workers(signals), games, work, take)
    }

    fn play_one(
        &self,
        players: &mut [EnginePlayer],
        number: u64,
        scheduled: ScheduledGame,
    ) -> Result<MatchGame> {
        let ScheduledGame {
            round,
            white,
            black,
        } = scheduled;
        let opening = self.opening(round)?;
        let [white, black] = players
            .get_disjoint_mut([white, black])
            .map_err(|error| error.to_string())?;
        let played = play(white, black, &opening, &self.policy)?;
        Ok(MatchGame {
            number,
            scheduled,
            names: [white.name().to_owned(), black.name().to_owned()],
            played,
        })
    }

    /// The opening of a round.
    ///
    /// # Errors
    /// When there is none at all.
    pub fn opening(&self, round: u64) -> Result<Opening> {
        let count = self.openings.len().max(1) as u64;
        let opening = self.openings.get((round % count) as usize);
        let opening = opening.ok_or_else(|| Error::Message("no opening to play".to_owned()))?;
        // Stream 0 of the seed has determined the order of the openings.
        let mut random = Random::new(self.seed, round + 1);
        let opening = opening.clone();
        Ok(opening.with_random_moves(self.random_plies, &mut random))
    }
}

/// What an engine has told of itself.
struct Introduction {
    name: String,
    /// The options of `options_if_supported` that this engine does not have.
    lacks: Vec<String>,
    /// What it says to the options that it has been given.
    remarks: Vec<String>,
}

/// What an engine tells of itself; it is ended.
fn introduction(engine: Engine, command: &EngineCommand) -> Introduction {
    let common = command.options_if_supported.iter().map(|(name, _)| name);
    let lacks = common.filter(|name| !engine.has_option(name)).cloned();
    let lacks = lacks.collect();
    let remarks = engine.remarks().to_vec();
    let name = engine.name().to_owned();
    engine.quit(QUIT);
    Introduction {
        name,
        lacks,
        remarks,
    }
}

/// The name, with a number if it is taken.
fn distinct(name: &str, taken: &[String]) -> String {
    let mut found = name.to_owned();
    let mut number = 2;
    while taken.contains(&found) {
        found = format!("{name} ({number})");
        number += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        let mut names = Vec::new();
        for _ in 0..3 {
            names.push(distinct("A", &names));
        }
        assert_eq!(names, ["A", "A (2)", "A (3)"]);
    }
}
