//! Making a book from games, as `polyglot make-book` does.

use crate::entry::{BookEntry, PolyglotMove};
use engine_core::{Color, Move, Position, Rules};

/// Which moves to include in a book.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The least number of games that have a move.
    pub min_games: u32,
    /// The least score of a move in percent: 100 when its side has won all games.
    pub min_score: f64,
    /// Only moves of this side.
    pub only: Option<Color>,
    /// All moves have weight 1, instead of two for each win plus one for each draw.
    pub uniform: bool,
}

impl Default for Settings {
    /// Polyglot's defaults.
    fn default() -> Settings {
        Settings {
            min_games: 3,
            min_score: 0.0,
            only: None,
            uniform: false,
        }
    }
}

/// A move that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The Polyglot key of the position.
    pub key: u64,
    /// The move.
    pub raw: PolyglotMove,
    /// Its side.
    pub color: Color,
    /// That side's points in the game: 2 for a win, 1 for a draw, 0 for a loss.
    pub points: u8,
}

impl PlayedMove {
    /// A move in a position; `None` for one that Polyglot's format cannot express: a drop of a
    /// pawn.
    pub fn new<R: Rules>(position: &Position<R>, m: Move, points: u8) -> Option<PlayedMove> {
        Some(PlayedMove {
            key: position.polyglot_key(),
            raw: PolyglotMove::new(m)?,
            color: position.turn(),
            points: points.min(2),
        })
    }
}

/// How often a move was played, and its points.
#[derive(Clone, Copy, Debug)]
struct MoveTally {
    key: u64,
    raw: PolyglotMove,
    games: u16,
    /// Two for a win, one for a draw.
    points: u16,
    color: Color,
}

/// When a move has this many games, the counts of all moves of its position are halved, so that points
/// fit into the 16 bits of a weight, and recent games count more.
const MANY_GAMES: u16 = 16384;

/// Counts moves and makes a book of them.
///
/// The order of the games matters: it decides among moves of equal weight.
#[derive(Debug)]
pub struct Maker {
    settings: Settings,
    /// Merged tallies, one for each move, sorted by key; behind them the moves added since.
    tallies: Vec<MoveTally>,
    /// The number of tallies at which they are merged.
    merge_at: usize,
}

/// Fewer tallies are not merged; this many take 64 MB.
const BATCH: usize = 1 << 22;

impl Maker {
    /// A maker that has no games yet.
    pub fn new(settings: Settings) -> Maker {
        Maker {
            settings,
            tallies: Vec::new(),
            merge_at: BATCH,
        }
    }

    /// Counts a move.
    pub fn add(&mut self, played: PlayedMove) {
        self.tallies.push(MoveTally {
            key: played.key,
            raw: played.raw,
            games: 1,
            points: u16::from(played.points.min(2)),
            color: played.color,
        });
        if self.tallies.len() >= self.merge_at {
            self.merge_tallies();
            self.merge_at = (2 * self.tallies.len()).max(BATCH);
        }
    }

    /// The number of different moves that were counted.
    pub fn count_moves(&mut self) -> usize {
        self.merge_tallies();
        self.tallies.len()
    }

    /// The entries of the book: by key, then by weight, the heaviest first, then by the time at
    /// which a move was first played.
    pub fn finish(mut self) -> Vec<BookEntry> {
        self.merge_tallies();
        let mut entries = Vec::new();
        for moves in self.tallies.chunk_by(|a, b| a.key == b.key) {
            let first = entries.len();
            entries.extend(moves.iter().filter_map(|tally| self.settings.entry(*tally)));
            if let Some(moves) = entries.get_mut(first..) {
                moves.sort_by_key(|entry: &BookEntry| std::cmp::Reverse(entry.weight));
            }
        }
        entries
    }

    /// Merges all tallies of a move into one.
    fn merge_tallies(&mut self) {
        // The sort is stable, as the order of the games decides when counts are halved.
        self.tallies.sort_by_key(|tally| tally.key);
        let mut merged: Vec<MoveTally> = Vec::new();
        let mut first = 0;
        for tally in &self.tallies {
            if merged.last().is_none_or(|last| last.key != tally.key) {
                first = merged.len();
            }
            let moves = merged.get_mut(first..).unwrap_or_default();
            match moves.iter_mut().find(|sum| sum.raw == tally.raw) {
                Some(sum) => {
                    sum.games += tally.games;
                    sum.points += tally.points;
                    if sum.games >= MANY_GAMES {
                        halve(moves);
                    }
                }
                None => merged.push(*tally),
            }
        }
        self.tallies = merged;
    }
}

/// Halves the counts of all moves of a position.
fn halve(moves: &mut [MoveTally]) {
    for tally in moves {
        tally.games = tally.games.div_ceil(2);
        tally.points = tally.points.div_ceil(2);
    }
}

impl Settings {
    /// The entry of a move, if it is included.
    fn entry(&self, tally: MoveTally) -> Option<BookEntry> {
        let score = f64::from(tally.points) * 50.0 / f64::from(tally.games);
        let wanted = u32::from(tally.games) >= self.min_games
            && tally.points > 0
            && score >= self.min_score
            && self.only.is_none_or(|only| only == tally.color);
        wanted.then_some(BookEntry {
            key: tally.key,
            raw: tally.raw,
            weight: if self.uniform { 1 } else { tally.points },
            learn: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a book has of the start position after games of one move, as `e2e4 32764`.
    fn made(settings: Settings, games: &[(&str, u8, usize)]) -> Vec<String> {
        let start: Position = Position::start();
        let mut maker = Maker::new(settings);
        for &(text, points, times) in games {
            let m = start.parse_uci(text).unwrap();
            for _ in 0..times {
                maker.add(PlayedMove::new(&start, m, points).unwrap());
            }
        }
        let written = |entry: &BookEntry| format!("{} {}", entry.raw, entry.weight);
        maker.finish().iter().map(written).collect()
    }

    const ANY: Settings = Settings {
        min_games: 1,
        min_score: 0.0,
        only: None,
        uniform: false,
    };

    // The figures of these tests are those of polyglot 2.0.4 on the same games.

    #[test]
    fn weights_and_order() {
        let games = [
            ("g1f3", 2, 1),
            ("c2c4", 1, 1),
            ("b2b4", 0, 1),
            ("e2e4", 2, 2),
            ("h2h4", 2, 1),
            ("a2a3", 2, 1),
            ("e2e4", 0, 1),
        ];
        let expected = ["e2e4 4", "g1f3 2", "h2h4 2", "a2a3 2", "c2c4 1"];
        assert_eq!(made(ANY, &games), expected);
        let three = Settings::default();
        assert_eq!(made(three, &games), ["e2e4 4"]);
        let good = Settings {
            min_score: 66.67,
            ..ANY
        };
        assert_eq!(made(good, &games), ["g1f3 2", "h2h4 2", "a2a3 2"]);
        let uniform = Settings {
            uniform: true,
            ..ANY
        };
        assert_eq!(
            made(uniform, &games).join(" "),
            "g1f3 1 c2c4 1 e2e4 1 h2h4 1 a2a3 1"
        );
        let black = Settings {
            only: Some(Color::Black),
            ..ANY
        };
        assert!(made(black, &games).is_empty());
    }

    #[test]
    fn many_games_are_halved() {
        for (times, weight) in [
            (16383, 32766),
            (16384, 16384),
            (20000, 23616),
            (40000, 30848),
            (140_000, 17856),
        ] {
            let games = [("e2e4", 2, times), ("d2d4", 2, 7)];
            let expected = [format!("e2e4 {weight}"), "d2d4 14".to_owned()];
            assert_eq!(made(ANY, &games), expected);
        }
        let games = [
            ("d2d4", 2, 7),
            ("a2a3", 1, 1),
            ("h2h4", 1, 3),
            ("e2e4", 2, 16384),
        ];
        let two = Settings {
            min_games: 2,
            ..ANY
        };
        assert_eq!(made(two, &games), ["e2e4 16384", "d2d4 7", "h2h4 2"]);
    }

    #[test]
    fn merging_early_changes_nothing() {
        let start: Position = Position::start();
        let moves = start.legal_moves();
        let mut at_once = Maker::new(ANY);
        let mut in_steps = Maker::new(ANY);
        for i in 0..60_000_usize {
            let m = moves[if i % 3 == 0 { i / 3 % moves.len() } else { 0 }];
            let played = PlayedMove::new(&start, m, (i % 3) as u8).unwrap();
            at_once.add(played);
            in_steps.add(played);
            if i % 1000 == 0 {
                assert!(in_steps.count_moves() <= moves.len());
            }
        }
        assert_eq!(at_once.finish(), in_steps.finish());
    }
}
