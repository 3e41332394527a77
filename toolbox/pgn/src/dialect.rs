//! Dialects: reading and writing games as other programs do.

use crate::Tree;
use std::io::{self, Read};

/// The games of a text in their order, as another program reads them.
pub type ForeignGames = Box<dyn Iterator<Item = io::Result<ForeignGame>> + Send>;

/// Another program's way to read and write games, for output equal to its.
pub trait Dialect: Sync {
    /// The program's name, as `--compat` takes it.
    fn name(&self) -> &'static str;

    /// Reads the games of a text.
    fn read(&self, text: Box<dyn Read + Send>) -> ForeignGames;

    /// The text of a game, without a line break at its end.
    fn write(&self, game: &Tree, layout: PgnLayout) -> String;
}

/// A game that another program has read.
#[derive(Clone, Debug)]
pub struct ForeignGame {
    /// Where the game begins, as the program counts.
    pub offset: u64,
    /// The game.
    pub tree: Tree,
    /// What the program says of it, each in a line.
    pub errors: Vec<String>,
}

/// What is written of a game, and how.
#[derive(Clone, Copy, Debug)]
pub struct PgnLayout {
    /// The longest line of moves.
    pub columns: Option<usize>,
    /// Whether to write tags.
    pub headers: bool,
    /// Whether to write comments and annotation glyphs.
    pub comments: bool,
    /// Whether to write variations.
    pub variations: bool,
}

impl Default for PgnLayout {
    fn default() -> PgnLayout {
        PgnLayout {
            columns: Some(80),
            headers: true,
            comments: true,
            variations: true,
        }
    }
}
