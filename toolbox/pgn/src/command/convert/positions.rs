//! Positions as comments.

use crate::{Comment, Remark, Tree};
use engine_core::AnyPosition;

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
        Form::Fen => position.fen(),
        Form::Key => format!("{:016x}", position.polyglot_key()),
    }
}

/// Removes all comments and annotation glyphs, but no text that could not be read.
pub(super) fn remove_annotations(tree: &mut Tree) {
    let is_unread = |comment: &Comment| comment.remark == Remark::Raw;
    for id in tree.ids() {
        if let Some(nags) = tree.nags_mut(id) {
            nags.clear();
        }
        if let Some(comments) = tree.comments_mut(id) {
            comments.retain(is_unread);
        }
        if let Some(comments) = tree.starting_comments_mut(id) {
            comments.retain(is_unread);
        }
    }
}

/// Adds the position after every move of the main line as a comment.
pub(super) fn add(tree: &mut Tree, form: Form) {
    let Some(mut position) = tree.start else {
        return;
    };
    let line: Vec<_> = tree.main_line(tree.root()).collect();
    for id in line {
        position.play_or_pass(tree.move_to(id));
        tree.add_comment(id, &write(&position, form));
    }
}
