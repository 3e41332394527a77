//! Puzzles: positions with one winning move.

mod find;
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
    /// Eight letters and digits that are the same for the same puzzle, by FNV-1a.
    pub(crate) fn id(&self) -> String {
        const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let text = format!("{} {}", self.fen(), self.uci().join(" "));
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
