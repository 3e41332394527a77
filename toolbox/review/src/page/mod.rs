//! Pages of HTML: each is one file that loads nothing else, as its content security policy ensures.
//! The facts of games are in them as JSON, which scripts show as text.

mod carried;
mod index;
mod json;
mod skeleton;

pub(crate) use carried::Carried;
pub(crate) use index::Index;
pub(crate) use json::json;
pub(crate) use skeleton::{DATA, Page};

/// The page of a game.
pub(crate) const GAME: Page = Page {
    body: include_str!("../../assets/game.html"),
    scripts: &[
        include_str!("../../assets/board.js"),
        include_str!("../../assets/graph.js"),
        include_str!("../../assets/moves.js"),
        include_str!("../../assets/game.js"),
    ],
    has_pieces: true,
};

/// The page of a series of puzzles.
pub(crate) const TRAINER: Page = Page {
    body: include_str!("../../assets/trainer.html"),
    scripts: &[
        include_str!("../../assets/board.js"),
        include_str!("../../assets/trainer.js"),
    ],
    has_pieces: true,
};
