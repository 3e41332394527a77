//! Playing strength below the full one.
//!
//! A level sets how many nodes a move may cost: 50 at level 1, and half as many again with each
//! level, so that the steps feel alike. Low levels also see no further than as many plies as
//! their number, and the lowest misjudge what they see: each line that is compared gets a random
//! error. Levels between whole ones belong to ratings. All but the full level evaluate with tables
//! alone, with which the ratings were measured.

use common::random::Random;
use engine_core::search::{BestMove, Event, Info, Limits};

/// The level that plays as well as it can.
pub(crate) const FULL: u64 = 20;

/// Levels up to this one are limited in depth, too.
const SHALLOW: f64 = 8.0;

/// Levels below this one misjudge.
const SURE: f64 = 7.0;

/// The largest error of judgement for each level below that, in centipawns.
const ERROR: f64 = 40.0;

/// Lines among which a level that misjudges chooses.
const CHOICE: usize = 6;

/// Ratings of levels, as matches from random openings gave them: against Stockfish 15.1 at `UCI_Elo` 1350
/// to 2100, and below level 5 against each other. Below level 7 of 100 to 400 games.
const LADDER: [(f64, f64); 10] = [
    (1.0, 470.0),
    (3.0, 780.0),
    (5.0, 1190.0),
    (6.0, 1310.0),
    (7.0, 1590.0),
    (8.0, 1690.0),
    (11.0, 1990.0),
    (14.0, 2080.0),
    (17.0, 2150.0),
    (19.0, 2200.0),
];

/// The least and the greatest rating that can be asked for.
pub(crate) const ELO: (i64, i64) = (760, 2200);

/// Linear interpolation between points, sorted by their first coordinate.
fn interpolate(points: impl Iterator<Item = (f64, f64)>, at: f64) -> f64 {
    let points: Vec<(f64, f64)> = points.collect();
    let mut segments = points.iter().zip(points.iter().skip(1));
    let segment = segments.clone().find(|(_, to)| at <= to.0);
    let Some((from, to)) = segment.or(segments.next_back()) else {
        return at;
    };
    from.1 + (at - from.0) * (to.1 - from.1) / (to.0 - from.0)
}

/// How well to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Strength {
    level: f64,
}

impl Strength {
    /// A level from 1 to [`FULL`].
    pub(crate) fn level(level: u64) -> Strength {
        Strength {
            level: level as f64,
        }
    }

    /// A rating within [`ELO`].
    pub(crate) fn elo(elo: u64) -> Strength {
        Strength {
            level: interpolate(
                LADDER.into_iter().map(|(level, elo)| (elo, level)),
                elo as f64,
            ),
        }
    }

    /// About what rating this is; `None` at full strength.
    #[cfg(any(feature = "play", test))]
    pub(crate) fn rating(self) -> Option<u64> {
        let elo = interpolate(LADDER.into_iter(), self.level);
        (!self.is_full()).then_some(elo.round() as u64)
    }

    /// Whether it plays as well as it can.
    pub(super) fn is_full(self) -> bool {
        self.level >= FULL as f64
    }

    /// The number of lines to search, given the number that the user wants.
    pub(super) fn lines(self, wanted: usize) -> usize {
        if self.error() > 0.0 {
            wanted.max(CHOICE)
        } else {
            wanted
        }
    }

    fn error(self) -> f64 {
        (SURE - self.level).max(0.0) * ERROR
    }

    /// Adds what this strength allows to the limits of a search.
    pub(super) fn weaken(self, limits: &mut Limits) {
        if self.is_full() {
            return;
        }
        let nodes = (50.0 * 1.5_f64.powf(self.level - 1.0)) as u64;
        limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
        if self.level <= SHALLOW {
            let depth = self.level.max(1.0) as u32;
            limits.depth = Some(limits.depth.map_or(depth, |given| given.min(depth)));
        }
    }
}

/// Chooses the move of a level that misjudges.
pub(super) struct Chooser {
    strength: Strength,
    /// Lines that the user wants to see.
    wanted: usize,
    lines: Vec<Info>,
    random: Random,
}

impl Chooser {
    /// A chooser for one search, if one is needed.
    pub(super) fn new(
        strength: Strength,
        wanted: usize,
        seed: u64,
        search: u64,
    ) -> Option<Chooser> {
        (strength.error() > 0.0).then(|| Chooser {
            strength,
            wanted,
            lines: Vec::new(),
            random: Random::new(seed, search),
        })
    }

    /// The events to report in place of an event of the search.
    pub(super) fn handle(&mut self, event: Event) -> Vec<Event> {
        match event {
            Event::Info(info) => {
                self.lines.truncate(info.multipv.saturating_sub(1));
                self.lines.push(info.clone());
                let is_wanted = info.multipv <= self.wanted;
                is_wanted.then_some(Event::Info(info)).into_iter().collect()
            }
            Event::BestMove(best) => self.choose(best),
            event @ Event::CurrentMove { .. } => vec![event],
        }
    }

    fn choose(&mut self, best: BestMove) -> Vec<Event> {
        let error = self.strength.error() as i32;
        let mut seen = |info: &Info| {
            let luck = self.random.below(2 * error as usize + 1) as i32;
            info.score.0 + luck - error
        };
        let felt: Vec<i32> = self.lines.iter().map(&mut seen).collect();
        let chosen = (0..felt.len()).max_by_key(|&at| felt.get(at));
        let mut lines = std::mem::take(&mut self.lines);
        let has_move = |&at: &usize| lines.get(at).is_some_and(|line| !line.pv.is_empty());
        let Some(chosen) = chosen.filter(|&at| at > 0).filter(has_move) else {
            return vec![Event::BestMove(best)];
        };
        let last = lines.iter().max_by_key(|line| line.nodes).cloned();
        let chosen = lines.remove(chosen);
        let best = BestMove {
            best: chosen.pv.first().copied(),
            ponder: chosen.pv.get(1).copied(),
            score: chosen.score,
            ..best
        };
        // The others are reported again, too: GUIs replace each line by the last of its number.
        lines.insert(0, chosen);
        lines.truncate(self.wanted);
        for (number, line) in (1..).zip(&mut lines) {
            line.multipv = number;
            // What the whole search took.
            if let Some(last) = &last {
                (line.nodes, line.time, line.hashfull) = (last.nodes, last.time, last.hashfull);
            }
        }
        let lines = lines.into_iter().map(Event::Info);
        lines.chain([Event::BestMove(best)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::search::Convergence;
    use engine_core::search::{Bound, Score};
    use engine_core::{Move, Square};

    fn nodes(level: u64) -> Option<u64> {
        let mut limits = Limits::default();
        Strength::level(level).weaken(&mut limits);
        limits.nodes
    }

    #[test]
    fn levels_grow() {
        assert_eq!(nodes(1), Some(50));
        assert!((1..19).all(|level| nodes(level) < nodes(level + 1)));
        assert_eq!(nodes(FULL), None);
    }

    #[test]
    fn ratings_are_levels() {
        let (least, most) = ELO;
        let (_, weakest) = LADDER[0];
        assert_eq!(Strength::elo(weakest as u64), Strength::level(1));
        assert!((Strength::elo(least as u64).level - 2.87).abs() < 0.01);
        assert!(!Strength::elo(most as u64).is_full());
        for level in 1..FULL {
            let rating = Strength::level(level).rating().unwrap();
            let back = Strength::elo(rating);
            assert!((back.level - level as f64).abs() < 0.1, "{level}: {rating}");
        }
        assert_eq!(Strength::level(FULL).rating(), None);
    }

    fn line(multipv: usize, score: i32, to: Square) -> Info {
        Info {
            depth: 1,
            seldepth: 1,
            multipv,
            score: Score(score),
            bound: Bound::Exact,
            nodes: 9,
            time: std::time::Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: vec![Move::normal(Square::E2, to)],
            convergence: Convergence::default(),
        }
    }

    /// What a chooser of level 1 shows when the search that found these lines ends.
    fn end_of(lines: &[Info], wanted: usize, search: u64) -> Vec<Event> {
        let mut chooser = Chooser::new(Strength::level(1), wanted, 7, search).unwrap();
        let shown: Vec<Event> = lines
            .iter()
            .flat_map(|line| chooser.handle(Event::Info(line.clone())))
            .collect();
        let expected = lines.iter().take(wanted).cloned().map(Event::Info);
        assert_eq!(shown, expected.collect::<Vec<_>>());
        chooser.handle(Event::BestMove(BestMove {
            search,
            best: lines[0].pv.first().copied(),
            ponder: None,
            score: lines[0].score,
        }))
    }

    /// GUIs replace each line by the last of its number: none may then be there twice.
    #[test]
    fn with_a_chosen_line_the_others_are_told_again() {
        let squares = [Square::E4, Square::E3, Square::D3];
        let lines = [1, 2, 3].map(|number| line(number, 10, squares[number - 1]));
        let mut chosen = [0; 3];
        for search in 0..100 {
            let end = end_of(&lines, 2, search);
            let mut seen: Vec<Square> = squares[..2].to_vec();
            for event in &end {
                if let Event::Info(info) = event {
                    seen[info.multipv - 1] = info.pv[0].to();
                }
            }
            let Some(Event::BestMove(best)) = end.last() else {
                panic!("{end:?}")
            };
            let to = best.best.unwrap().to();
            let other = squares.into_iter().find(|&square| square != to).unwrap();
            assert_eq!(seen, [to, other]);
            chosen[squares.iter().position(|&square| square == to).unwrap()] += 1;
        }
        assert!(chosen.iter().all(|&count| count > 10), "{chosen:?}");
    }

    #[test]
    fn a_chosen_line_is_told_before_its_move() {
        let lines = [line(1, 10, Square::E4), line(2, 10, Square::E3)];
        let mut chosen = [0; 2];
        for search in 0..100 {
            let end = end_of(&lines, 1, search);
            chosen[end.len() - 1] += 1;
            if let [Event::Info(info), Event::BestMove(best)] = end.as_slice() {
                assert_eq!(info.pv.first().copied(), best.best);
                assert_eq!(info.multipv, 1);
            }
        }
        assert!(chosen.iter().all(|&count| count > 20), "{chosen:?}");
        assert!(Chooser::new(Strength::level(12), 1, 7, 1).is_none());
    }
}
