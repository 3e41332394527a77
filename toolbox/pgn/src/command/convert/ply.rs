//! The main line of a game, move by move.

use crate::{NodeId, Tree};
use engine_core::{AnyPosition, Color, dispatch};

/// A move of the main line with the positions around it.
pub(super) struct Ply {
    pub(super) id: NodeId,
    pub(super) color: Color,
    pub(super) number: u32,
    pub(super) san: String,
    pub(super) uci: String,
    pub(super) before: AnyPosition,
    pub(super) after: AnyPosition,
}

/// The main line, played.
pub(super) fn main_line(tree: &Tree) -> Vec<Ply> {
    let Some(mut after) = tree.start else {
        return Vec::new();
    };
    let mut plies = Vec::new();
    for id in tree.main_line(tree.root()) {
        let before = after;
        let (color, number, san, uci) = dispatch!(&mut after, |position| {
            let (color, number) = (position.turn(), position.fullmoves());
            let (san, uci) = match tree.move_to(id) {
                Some(m) => {
                    let texts = (
                        position.to_san(m).to_string(),
                        position.to_uci(m).to_string(),
                    );
                    position.play(m);
                    texts
                }
                None => {
                    position.play_null();
                    ("--".to_owned(), "0000".to_owned())
                }
            };
            (color, number, san, uci)
        });
        plies.push(Ply {
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
