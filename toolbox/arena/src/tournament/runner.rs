//! Many games between two entrants, several at a time.

use super::adjudicate::Adjudication;
use super::game::{Played, play};
use super::opening::Opening;
use super::player::{Entrant, Player};
use crate::client::{ErrorKind, Result};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

/// What is to be played.
#[derive(Clone)]
pub struct Plan {
    /// The two engines.
    pub entrants: [Entrant; 2],
    /// Where games begin, in this order, again and again; each serves for two games with colours
    /// reversed.
    pub openings: Vec<Opening>,
    /// How many games.
    pub games: u64,
    /// How many at a time.
    pub concurrency: usize,
    /// When games are ended early.
    pub rules: Adjudication,
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its number, from 0; two that follow each other from an even one are a pair.
    pub number: u64,
    /// The names of White and Black.
    pub names: [String; 2],
    /// The game.
    pub played: Played,
}

impl Report {
    /// The pair that the game belongs to, from 0.
    pub fn pair(&self) -> u64 {
        self.number / 2
    }

    /// Whether the first engine has White: it has in the first game of each pair.
    pub fn is_first_white(&self) -> bool {
        self.number.is_multiple_of(2)
    }

    /// Half points of the first engine.
    pub fn half_points(&self) -> u8 {
        match self.played.ending.winner {
            None => 1,
            Some(color) if color.is_white() == self.is_first_white() => 2,
            Some(_) => 0,
        }
    }
}

/// A match in progress. Dropping it ends it, engines and all; games in progress are lost.
pub struct Tournament {
    reports: Receiver<Result<Report>>,
    interrupt: Option<Sender<()>>,
    workers: Vec<JoinHandle<()>>,
}

impl Tournament {
    /// Begins to play.
    pub fn start(plan: Plan) -> Tournament {
        let plan = Arc::new(plan);
        let next = Arc::new(AtomicU64::new(0));
        let (sender, reports) = bounded(64);
        let (interrupt, interrupted) = bounded(0);
        let concurrency = plan.concurrency.max(1);
        let workers = (0..concurrency).map(|_| {
            let (plan, next) = (Arc::clone(&plan), Arc::clone(&next));
            let (sender, interrupted) = (sender.clone(), interrupted.clone());
            thread::spawn(move || work(&plan, &next, &sender, &interrupted))
        });
        Tournament {
            workers: workers.collect(),
            reports,
            interrupt: Some(interrupt),
        }
    }

    /// Games as they end, in any order; closed after the last. An error ends the match: an engine
    /// cannot be started, or does not offer what is asked.
    pub fn reports(&self) -> &Receiver<Result<Report>> {
        &self.reports
    }
}

impl Drop for Tournament {
    fn drop(&mut self) {
        self.interrupt = None;
        // Workers that wait to hand over a game must not wait for ever.
        while self.reports.recv().is_ok() {}
        for worker in self.workers.drain(..) {
            // One that has panicked has told so.
            let _ = worker.join();
        }
    }
}

/// Plays games until there are no more.
fn work(plan: &Plan, next: &AtomicU64, sender: &Sender<Result<Report>>, interrupt: &Receiver<()>) {
    let [first, second] = &plan.entrants;
    let mut first = Player::new(first.clone(), interrupt.clone());
    let mut second = Player::new(second.clone(), interrupt.clone());
    loop {
        let number = next.fetch_add(1, Relaxed);
        let count = plan.openings.len().max(1) as u64;
        let opening = plan.openings.get((number / 2 % count) as usize);
        let Some(opening) = opening.filter(|_| number < plan.games) else {
            return;
        };
        let (white, black) = if number.is_multiple_of(2) {
            (&mut first, &mut second)
        } else {
            (&mut second, &mut first)
        };
        let played = play(white, black, opening, &plan.rules);
        let names = names(&first, &second, number.is_multiple_of(2));
        let report = match played {
            Ok(played) => Ok(Report {
                number,
                names,
                played,
            }),
            Err(error) if matches!(error.kind, ErrorKind::Interrupted) => return,
            Err(error) => Err(error),
        };
        let is_over = report.is_err();
        if sender.send(report).is_err() || is_over {
            return;
        }
    }
}

/// The names of White and Black. Two that are the same are told apart.
fn names(first: &Player, second: &Player, is_first_white: bool) -> [String; 2] {
    let (first, mut second) = (first.name().to_owned(), second.name().to_owned());
    if first == second {
        second.push_str(" (2)");
    }
    if is_first_white {
        [first, second]
    } else {
        [second, first]
    }
}
