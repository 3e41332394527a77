//! Positions as comments.

use crate::Tree;
use crate::command::pipeline::EN_PASSANT;
use engine_core::{AnyPosition, dispatch};

/// The format of a position.
#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The FEN
    Fen,
    /// The Zobrist key of Polyglot books, as 16 hexadecimal digits
    Key,
}

fn write(position: &AnyPosition, form: Form) -> String {
    match form {
        Form::Fen => dispatch!(position, |position| position.fen(EN_PASSANT)),
        Form::Key => format!("{:016x}", position.polyglot_key()),
    }
}

/// Adds the position after every move of the main line as a comment.
pub(super) fn add(tree: &mut Tree, form: Form) {
    let Some(mut position) = tree.start else {
        return;
    };
    let line: Vec<_> = tree.main_line(tree.root()).collect();
    for id in line {
        match tree.move_to(id) {
            Some(m) => position.play(m),
            None => position.play_null(),
        }
        tree.add_comment(id, &write(&position, form));
    }
}
