//! Pairs of games from one opening with colours reversed, and their tally.

use super::ending::GameEnding;
use super::stats::Tally;
use engine_core::Color;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Adds up games as they come; two with the same key are a pair.
#[derive(Clone, Debug)]
pub struct PairTally<K> {
    tally: Tally,
    /// The half points of games whose counterpart has not been added yet.
    single: HashMap<K, u8>,
}

impl<K: Hash + Eq> Default for PairTally<K> {
    fn default() -> PairTally<K> {
        Tally::default().into()
    }
}

impl<K: Hash + Eq> From<Tally> for PairTally<K> {
    fn from(tally: Tally) -> PairTally<K> {
        PairTally {
            tally,
            single: HashMap::new(),
        }
    }
}

impl<K: Hash + Eq> PairTally<K> {
    /// Adds a game by the half points of the first engine; without a key it has no pair.
    pub fn add(&mut self, key: Option<K>, half_points: u8) {
        self.tally.add_game(half_points);
        if let Some(key) = key {
            match self.single.remove(&key) {
                Some(other) => self.tally.add_pair(other, half_points),
                None => {
                    self.single.insert(key, half_points);
                }
            }
        }
    }

    /// The tally so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}

/// The data of a game that a tally needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Who had White.
    pub white: String,
    /// Who had Black.
    pub black: String,
    /// How it ended; `None` for a game without a result.
    pub ending: Option<GameEnding>,
    /// How many wrong principal variations each side had.
    pub bad_lines: [(Color, u64); 2],
    /// The round.
    pub round: String,
    /// A text that identifies the opening.
    pub opening: String,
    /// Whether the opening is a start position that a tag names: games from others have other openings.
    pub has_start: bool,
}

impl GameResult {
    /// White's half points; `None` for a game without a result.
    pub fn half_points(&self) -> Option<u8> {
        let ending = self.ending.as_ref()?;
        Some(ending.half_points(Color::White))
    }
}

/// Adds up the games between two engines from the first one's point of view. Two games with colours
/// reversed are a pair if they are of the same round, of the same opening if possible and not from
/// different positions, or else consecutive games from the same opening.
pub fn tally_of_results(results: &[GameResult], first: &str, second: &str) -> Tally {
    tally_of_each_result(results, first, second, |_| {})
}

/// Adds up games as [`tally_of_results`]; `each` is called with the tally after each game.
pub fn tally_of_each_result(
    results: &[GameResult],
    first: &str,
    second: &str,
    mut each: impl FnMut(&Tally),
) -> Tally {
    let mut games: Vec<PairGame<'_>> = results
        .iter()
        .filter_map(|result| PairGame::of(result, first, second))
        .collect();
    pair_by(&mut games, |result| {
        Some((round_of(result)?, result.opening.as_str()))
    });
    // Without a book the openings of a pair may differ.
    pair_by(&mut games, |result| {
        round_of(result).filter(|_| !result.has_start)
    });
    pair_neighbours(&mut games);
    let mut pairing = PairTally::default();
    for game in &games {
        pairing.add(game.pair, game.half_points);
        each(pairing.tally());
    }
    pairing.tally
}

/// A game between the two engines.
struct PairGame<'r> {
    result: &'r GameResult,
    is_first_white: bool,
    /// Those of the first engine.
    half_points: u8,
    /// A number that the other game of the pair has, too.
    pair: Option<usize>,
}

impl<'r> PairGame<'r> {
    fn of(result: &'r GameResult, first: &str, second: &str) -> Option<PairGame<'r>> {
        let is_first_white = result.white == first && result.black == second;
        let is_first_black = result.white == second && result.black == first;
        let half_points = result.half_points()?;
        (is_first_white || is_first_black).then_some(PairGame {
            result,
            is_first_white,
            half_points: if is_first_white {
                half_points
            } else {
                2 - half_points
            },
            pair: None,
        })
    }
}

/// The round, if it has a name.
fn round_of(result: &GameResult) -> Option<&str> {
    Some(result.round.trim()).filter(|round| !matches!(*round, "" | "?" | "-"))
}

/// Makes pairs of games with the same key and colours reversed, the earliest first.
fn pair_by<'r, K: Hash + Eq>(
    games: &mut [PairGame<'r>],
    key: impl Fn(&'r GameResult) -> Option<K>,
) {
    let mut single: HashMap<(K, bool), VecDeque<usize>> = HashMap::new();
    for number in 0..games.len() {
        let Some(game) = games.get(number).filter(|game| game.pair.is_none()) else {
            continue;
        };
        let Some(key) = key(game.result) else {
            continue;
        };
        let is_first_white = game.is_first_white;
        let mut reversed = (key, !is_first_white);
        if let Some(other) = single.get_mut(&reversed).and_then(VecDeque::pop_front) {
            make_pair(games, other, number);
        } else {
            reversed.1 = is_first_white;
            single.entry(reversed).or_default().push_back(number);
        }
    }
}

/// Makes pairs of consecutive games that have none yet, from the same opening with colours reversed.
fn pair_neighbours(games: &mut [PairGame<'_>]) {
    let single = games.iter().enumerate();
    let single = single.filter(|(_, game)| game.pair.is_none());
    let single: Vec<usize> = single.map(|(number, _)| number).collect();
    let mut numbers = single.windows(2);
    while let Some(&[one, two]) = numbers.next() {
        let (Some(game), Some(next)) = (games.get(one), games.get(two)) else {
            continue;
        };
        if game.result.opening == next.result.opening && game.is_first_white != next.is_first_white
        {
            make_pair(games, one, two);
            numbers.next();
        }
    }
}

fn make_pair(games: &mut [PairGame<'_>], one: usize, two: usize) {
    for number in [one, two] {
        if let Some(game) = games.get_mut(number) {
            game.pair = Some(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::ending::UNKNOWN;

    fn result(white: &str, half_points: u8, round: &str, opening: &str) -> GameResult {
        let black = if white == "A" { "B" } else { "A" };
        let winner = [Some(Color::Black), None, Some(Color::White)][usize::from(half_points)];
        GameResult {
            white: white.into(),
            black: black.into(),
            ending: Some(GameEnding::new(winner, UNKNOWN)),
            bad_lines: Color::ALL.map(|color| (color, 0)),
            round: round.into(),
            opening: opening.into(),
            has_start: false,
        }
    }

    /// As cutechess-cli writes them.
    #[test]
    fn games_from_different_positions_of_a_round_are_no_pairs() {
        let from = |white, half_points, opening| GameResult {
            has_start: true,
            ..result(white, half_points, "1", opening)
        };
        let mut games = vec![from("A", 2, "x"), from("B", 2, "y"), from("A", 1, "z")];
        games.push(result("B", 1, "1", "e4"));
        assert_eq!(tally_of_results(&games, "A", "B").pairs, [0; 5]);
        games.push(from("B", 0, "x"));
        assert_eq!(tally_of_results(&games, "A", "B").pairs, [0, 0, 0, 0, 1]);
    }

    #[test]
    fn pairs_by_round_in_any_order() {
        let games = [
            result("A", 2, "1", "x"),
            result("B", 1, "2", "y"),
            result("B", 2, "1", "x"),
            result("A", 1, "2", "y"),
            result("A", 2, "3", "z"),
        ];
        let tally = tally_of_results(&games, "A", "B");
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 2, 1));
        assert_eq!((tally.pairs, tally.won_and_lost), ([0, 0, 2, 0, 0], 1));
        let mirrored = tally_of_results(&games, "B", "A");
        assert_eq!((mirrored.wins, mirrored.losses), (1, 2));
        assert_eq!(tally_of_results(&games, "A", "C"), Tally::default());
    }

    /// Two files in one, of which the second has a round more; a round of the first was cut short.
    #[test]
    fn pairs_where_rounds_recur() {
        let games = [
            result("A", 2, "1", "x"),
            result("B", 0, "1", "x"),
            result("A", 2, "2", "y"),
            result("A", 0, "1", "z"),
            result("B", 2, "1", "z"),
            result("A", 1, "2", "w"),
            result("B", 1, "2", "w"),
            result("A", 2, "3", "u"),
            result("B", 2, "3", "v"),
        ];
        let tally = tally_of_results(&games, "A", "B");
        assert_eq!((tally.pairs, tally.games()), ([1, 0, 2, 0, 1], 9));
    }

    #[test]
    fn rounds_without_a_name_make_no_pairs() {
        for round in ["?", "-", ""] {
            let games = [result("A", 2, round, "x"), result("B", 2, round, "y")];
            assert_eq!(tally_of_results(&games, "A", "B").pairs, [0; 5], "{round}");
        }
    }

    #[test]
    fn pairs_by_opening() {
        let games = [
            result("A", 2, "?", "x"),
            result("B", 0, "?", "x"),
            result("A", 2, "?", "x"),
            result("A", 0, "?", "y"),
            result("B", 1, "?", "y"),
        ];
        let tally = tally_of_results(&games, "A", "B");
        assert_eq!(tally.pairs, [0, 1, 0, 0, 1]);
        assert_eq!(tally.games(), 5);
    }
}
