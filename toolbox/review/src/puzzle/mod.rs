//! Puzzles: positions with one winning move.

mod find;
mod opening_tags;
mod solution;
mod themes;
mod write;

pub(crate) use find::find;
pub(crate) use write::{Format, Writer};

use engine_core::{Game, Move};
use fnv::FnvHasher;
use pgn::Opening;
use std::hash::Hasher;

/// A puzzle.
pub(crate) struct Puzzle {
    /// The game up to the mistake that makes it.
    pub(crate) game: Game,
    /// The mistake, then the solution: moves of the solver and answers in turns, ending with a move
    /// of the solver.
    pub(crate) moves: Vec<Move>,
    pub(crate) rating: u32,
    /// In lichess's names, sorted.
    pub(crate) themes: Vec<&'static str>,
    pub(crate) source: Source,
}

/// The game that a puzzle comes from.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) white: String,
    pub(crate) black: String,
    /// Its address, if it has one.
    pub(crate) url: Option<String>,
    pub(crate) opening: Option<Opening>,
}

impl Puzzle {
    /// Eight letters and digits that are the same for the same position and moves, whatever the
    /// clocks of the FEN say, by FNV-1a.
    pub(crate) fn id(&self) -> String {
        const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let fen = self.fen();
        let position = fen.rsplitn(3, ' ').last().unwrap_or_default();
        let text = format!("{position} {}", self.uci().join(" "));
        let mut hasher = FnvHasher::default();
        hasher.write(text.as_bytes());
        let mut hash = hasher.finish();
        let mut digit = || {
            let digit = DIGITS.get((hash % 62) as usize).copied().unwrap_or(b'0');
            hash /= 62;
            char::from(digit)
        };
        std::iter::repeat_with(&mut digit).take(8).collect()
    }

    /// The position before the mistake.
    pub(crate) fn fen(&self) -> String {
        self.game.position().fen()
    }

    /// The moves in UCI notation.
    pub(crate) fn uci(&self) -> Vec<String> {
        let text = self.game.position().variation_uci(&self.moves);
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// The address of the position in the game.
    pub(crate) fn url(&self) -> String {
        let url = self.source.url.as_deref();
        let plies = self.game.moves().len() + 1;
        url.map_or(String::new(), |url| format!("{url}#{plies}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::read_tree;

    /// The puzzle that begins with the last move of a game.
    fn puzzle(moves: &str) -> Puzzle {
        let game = read_tree(moves.as_bytes()).unwrap().0.to_game().unwrap();
        Puzzle {
            game: game.up_to(game.moves().len() - 1),
            moves: game.moves().last().copied().flatten().into_iter().collect(),
            rating: 1500,
            themes: Vec::new(),
            source: Source {
                white: String::new(),
                black: String::new(),
                url: None,
                opening: None,
            },
        }
    }

    #[test]
    fn a_puzzle_of_a_repeated_position_has_one_id() {
        let early = puzzle("1. f3 e5 2. g4");
        let late = puzzle("1. f3 e5 2. Nc3 Nc6 3. Nb1 Nb8 4. g4");
        assert_ne!(early.fen(), late.fen());
        assert_eq!(early.id(), late.id());
        for other in ["1. f3 e5 2. g3", "1. f3 e6 2. g4"] {
            assert_ne!(puzzle(other).id(), early.id());
        }
    }
}
