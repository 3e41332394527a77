//! Pairs of games from one opening with colours reversed, and their tally.

use super::stats::Tally;
use std::collections::HashMap;
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
        PairTally {
            tally: Tally::default(),
            single: HashMap::new(),
        }
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
    /// White's half points; `None` for a game without a result.
    pub half_points: Option<u8>,
    /// The round.
    pub round: String,
    /// A text that identifies the opening.
    pub opening: String,
}

/// Adds up the games between two engines from the first one's point of view. Two games of the same
/// round are a pair; if no round has a pair, two consecutive games from the same opening are. In both
/// cases the colours must be reversed.
pub fn tally_of_results(results: &[GameResult], first: &str, second: &str) -> Tally {
    tally_of_each_result(results, first, second, |_| {})
}

/// The same; `each` is called with the tally after each game.
pub fn tally_of_each_result(
    results: &[GameResult],
    first: &str,
    second: &str,
    mut each: impl FnMut(&Tally),
) -> Tally {
    let ours = results.iter().filter_map(|game| {
        let is_first_white = game.white == first && game.black == second;
        let is_first_black = game.white == second && game.black == first;
        let half_points = game.half_points?;
        if is_first_white {
            Some((game, true, half_points))
        } else {
            is_first_black.then_some((game, false, 2 - half_points))
        }
    });
    let ours: Vec<_> = ours.collect();
    let mut in_round: HashMap<&str, Vec<bool>> = HashMap::new();
    for (game, is_first_white, _) in &ours {
        in_round
            .entry(&game.round)
            .or_default()
            .push(*is_first_white);
    }
    let is_pair = |colors: &Vec<bool>| matches!(colors.as_slice(), [a, b] if a != b);
    let has_pairs = in_round.values().any(is_pair);
    let mut pairing = PairTally::default();
    let mut previous: Option<(usize, &GameResult, bool)> = None;
    for (number, &(game, is_first_white, half_points)) in ours.iter().enumerate() {
        let key = if has_pairs {
            let is_paired = in_round.get(game.round.as_str()).is_some_and(is_pair);
            is_paired.then(|| game.round.clone())
        } else {
            match previous.take() {
                Some((before, other, was_first_white))
                    if other.opening == game.opening && was_first_white != is_first_white =>
                {
                    Some(before.to_string())
                }
                _ => {
                    previous = Some((number, game, is_first_white));
                    Some(number.to_string())
                }
            }
        };
        pairing.add(key, half_points);
        each(pairing.tally());
    }
    pairing.tally
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(white: &str, half_points: u8, round: &str, opening: &str) -> GameResult {
        let black = if white == "A" { "B" } else { "A" };
        GameResult {
            white: white.into(),
            black: black.into(),
            half_points: Some(half_points),
            round: round.into(),
            opening: opening.into(),
        }
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
