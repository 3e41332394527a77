//! How a match went, game by game, and how its engines used their time.

use crate::tournament::{
    GameResult, MatchGame, Results, ScheduledGame, Sprt, Tally, tally_of_each_result,
    tally_of_results,
};
use crate::trees::trees;
use engine_core::Color;
use pgn::Tree;
use plot::Point;
use std::borrow::Cow;

/// How a match went, as the points of its plot.
#[derive(Clone, Debug, Default)]
pub(super) struct MatchHistory {
    /// The share of the points of each engine after this many of its games, in percent.
    pub(super) scores: Vec<Vec<Point>>,
    /// The log-likelihood ratio after this many games.
    pub(super) llr: Vec<Point>,
    /// The times that each engine took.
    pub(super) times: Vec<TimeUse>,
}

/// The sum of the seconds and the number of searches, by the number of the move from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeUse(Vec<(f64, u64)>);

/// Longer games are rare, and a text may claim any length.
const MAX_MOVES: usize = 1000;
/// A mean is shown if it is that of at least this share of the games: of fewer it is mostly chance.
const ENOUGH: f64 = 0.05;
/// After how many games of a file the score is shown at most.
const MAX_SCORES: u64 = 2000;

impl TimeUse {
    fn add(&mut self, number: usize, seconds: f64) {
        if number >= MAX_MOVES || !(0.0..=1e9).contains(&seconds) {
            return;
        }
        if self.0.len() <= number {
            self.0.resize(number + 1, (0.0, 0));
        }
        if let Some((sum, searches)) = self.0.get_mut(number) {
            *sum += seconds;
            *searches += 1;
        }
    }

    /// The mean of each move.
    pub(super) fn points(&self) -> Vec<Point> {
        let most = self.0.iter().map(|(_, searches)| *searches).max();
        let enough = (most.unwrap_or(0) as f64 * ENOUGH).ceil().max(1.0) as u64;
        let known = (1..)
            .zip(&self.0)
            .filter(|(_, (_, searches))| *searches >= enough);
        known
            .map(|(move_number, (sum, searches))| {
                Point::new(f64::from(move_number), sum / *searches as f64)
            })
            .collect()
    }
}

impl MatchHistory {
    /// A history of this many engines that have not played yet.
    pub(super) fn new(engines: usize) -> MatchHistory {
        MatchHistory {
            scores: vec![Vec::new(); engines],
            llr: Vec::new(),
            times: vec![TimeUse::default(); engines],
        }
    }

    /// Records the scores and the log-likelihood ratio of the test after a game between these engines.
    pub(super) fn record(&mut self, scheduled: ScheduledGame, results: &Results, llr: Option<f64>) {
        for engine in [scheduled.white, scheduled.black] {
            self.record_score(engine, &results.total(engine));
        }
        let llr = llr.map(|llr| Point::new(results.games() as f64, llr));
        self.llr.extend(llr);
    }

    /// Records the score of an engine, with its error.
    fn record_score(&mut self, engine: usize, tally: &Tally) {
        let (Some(points), Some(estimate)) = (self.scores.get_mut(engine), tally.estimate()) else {
            return;
        };
        let percent = |share: f64| 100.0 * share.clamp(0.0, 1.0);
        let range = estimate.score_error.map(|error| {
            (
                percent(estimate.score - error),
                percent(estimate.score + error),
            )
        });
        let (x, y) = (tally.games() as f64, percent(estimate.score));
        points.push(Point { x, y, range });
    }

    /// Adds the times of a game that has just been played.
    pub(super) fn add_times(&mut self, game: &MatchGame) {
        let ScheduledGame { white, black, .. } = game.scheduled;
        let first = game.played.game.start().turn();
        let times = game.played.moves.iter().map(|data| data.elapsed);
        let seconds = times.map(|time| time.map(|time| time.as_secs_f64()));
        self.add_line([white, black], first, seconds);
    }

    /// Adds the times that a game of a file states.
    pub(super) fn add_times_of(&mut self, tree: &Tree, engines: [usize; 2]) {
        let first = tree.start.map_or(Color::White, |start| start.turn());
        let line = tree.main_line(tree.root());
        self.add_line(engines, first, line.map(|id| tree.move_time(id)));
    }

    /// Adds the times of the moves of a game, if known; `first` made the first
    /// move.
    fn add_line(
        &mut self,
        [white, black]: [usize; 2],
        first: Color,
        seconds: impl Iterator<Item = Option<f64>>,
    ) {
        let engines = if first.is_white() {
            [white, black]
        } else {
            [black, white]
        };
        for (ply, (engine, seconds)) in engines.into_iter().cycle().zip(seconds).enumerate() {
            if let (Some(times), Some(seconds)) = (self.times.get_mut(engine), seconds) {
                times.add(ply / 2, seconds);
            }
        }
    }

    /// The history of the games of a file.
    pub(super) fn of_file(
        text: &[u8],
        games: &[GameResult],
        names: &[String],
        sprt: Option<Sprt>,
    ) -> MatchHistory {
        let mut history = MatchHistory::new(names.len());
        if let [first, second] = names {
            history.record_duel(games, [first, second], sprt);
        } else {
            history.record_all(games, names);
        }
        let number = |name: Option<Cow<'_, str>>| {
            let name = name?;
            names.iter().position(|known| *known == name)
        };
        for tree in trees(text) {
            let players = ["White", "Black"].map(|tag| number(tree.headers.get(tag)));
            if let [Some(white), Some(black)] = players {
                history.add_times_of(&tree, [white, black]);
            }
        }
        history
    }

    /// Records the score of the first of two engines after each of their games, and the test.
    fn record_duel(&mut self, games: &[GameResult], [one, two]: [&str; 2], sprt: Option<Sprt>) {
        let total = tally_of_results(games, one, two).games();
        let every = total.div_ceil(MAX_SCORES).max(1);
        tally_of_each_result(games, one, two, |tally| {
            let number = tally.games();
            if number.is_multiple_of(every) || number == total {
                self.record_score(0, tally);
                let llr = sprt.map(|sprt| Point::new(number as f64, sprt.llr(tally)));
                self.llr.extend(llr);
            }
        });
    }

    /// Records the scores of all engines after each game.
    fn record_all(&mut self, games: &[GameResult], names: &[String]) {
        let mut tallies = vec![Tally::default(); names.len()];
        for game in games {
            let number = |player: &String| names.iter().position(|name| name == player);
            let players = (number(&game.white), number(&game.black), game.half_points());
            let (Some(white), Some(black), Some(half_points)) = players else {
                continue;
            };
            for (engine, half_points) in [(white, half_points), (black, 2 - half_points)] {
                if let Some(tally) = tallies.get_mut(engine) {
                    tally.add_game(half_points);
                    self.record_score(engine, &*tally);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_long_games_tell_nothing() {
        let mut times = TimeUse::default();
        for game in 0..100 {
            for number in 0..40 {
                times.add(number, if game % 2 == 0 { 1.0 } else { 3.0 });
            }
        }
        times.add(70, 9.0);
        times.add(usize::MAX, 1.0);
        times.add(0, f64::NAN);
        let points = times.points();
        assert_eq!((points.len(), points[39]), (40, Point::new(40.0, 2.0)));
    }

    #[test]
    fn files_tell_scores_ratios_and_times() {
        let game = |white, black, result, first, second| {
            format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {{[%emt 0:00:0{first}]}} e5 {{[%emt 0:00:0{second}]}} {result}\n\n"
            )
        };
        let text = game("A", "B", "1-0", 1, 2) + &game("B", "A", "1/2-1/2", 4, 3);
        let games = crate::tournament::results(text.as_bytes());
        let names = ["A".to_owned(), "B".to_owned()];
        let sprt = "0,5".parse().ok();
        let history = MatchHistory::of_file(text.as_bytes(), &games, &names, sprt);
        let scores: Vec<f64> = history.scores[0].iter().map(|point| point.y).collect();
        assert_eq!((scores, history.llr.len()), (vec![100.0, 75.0], 2));
        let times: Vec<f64> = history
            .times
            .iter()
            .map(|times| times.points()[0].y)
            .collect();
        assert_eq!(times, [2.0, 3.0]);
        let three = ["A".to_owned(), "B".to_owned(), "C".to_owned()];
        let history = MatchHistory::of_file(text.as_bytes(), &games, &three, None);
        let scores = history
            .scores
            .iter()
            .map(|points| points.last().map(|point| point.y));
        assert_eq!(scores.collect::<Vec<_>>(), [Some(75.0), Some(25.0), None]);
    }
}
