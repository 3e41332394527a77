//! The main line of a game, move by move.

use crate::{NodeId, Tree};
use engine_core::{AnyPosition, Color, dispatch};

/// A move of the main line with the positions around it.
pub(super) struct MainLineMove {
    pub(super) id: NodeId,
    pub(super) color: Color,
    pub(super) number: u32,
    pub(super) san: String,
    pub(super) uci: String,
    pub(super) before: AnyPosition,
    pub(super) after: AnyPosition,
}

/// The main line, played.
pub(super) fn main_line(tree: &Tree) -> Vec<MainLineMove> {
    let Some(mut after) = tree.start else {
        return Vec::new();
    };
    let mut plies = Vec::new();
    for id in tree.main_line(tree.root()) {
        let before = after;
        let (color, number, san, uci) = dispatch!(&mut after, |position| {
            let (color, number) = (position.turn(), position.fullmoves());
            let (san, uci) = if let Some(m) = tree.move_to(id) {
                let (san, uci) = (position.to_san(m), position.to_uci(m));
                position.play(m);
                (san.to_string(), uci.to_string())
            } else {
                position.play_null();
                ("--".to_owned(), "0000".to_owned())
            };
            (color, number, san, uci)
        });
        plies.push(MainLineMove {
            id,
            color,
            number,
            san,
            uci,
            before,
            after,
        });
    }
    plies
}

pub(super) fn color(color: Color) -> &'static str {
    if color.is_white() { "white" } else { "black" }
}
