//! The legal move that a mistyped text was probably meant to be.

use super::MoveText;
use crate::rules::Rules;
use crate::{Move, Position, Role};
use alloc::string::ToString;
use alloc::vec::Vec;

impl<R: Rules> Position<R> {
    /// The legal move whose SAN or coordinates look most like the text, if any does.
    pub(super) fn nearest_move(&self, text: &str) -> Option<MoveText> {
        let text = text.to_ascii_lowercase();
        let distance = |m: Move, written: MoveText| {
            let written = written.to_ascii_lowercase();
            // The text has no sign of a check any more.
            let written = written.trim_end_matches(['+', '#']);
            // Typing errors rarely concern the piece (or file) that moves, or its target.
            let other_piece = text.bytes().next() != written.bytes().next();
            let other_target = !text.contains(&m.to().to_string());
            edit_distance(&text, written) + 2 * usize::from(other_piece) + usize::from(other_target)
        };
        self.legal_moves()
            .into_iter()
            .map(|m| {
                let (san, coordinates) = (self.to_san(m), self.to_uci(m));
                let distance = distance(m, san).min(distance(m, coordinates));
                // Where only the new piece is missing, the queen is meant.
                let is_rare = m.promoted().is_some_and(|role| role != Role::Queen);
                (distance, is_rare, san)
            })
            .min_by_key(|&(distance, is_rare, _)| (distance, is_rare))
            .filter(|&(distance, ..)| distance <= 3)
            .map(|(.., san)| san)
    }
}

/// The Levenshtein distance of two texts: how many bytes to insert, delete or change to get from one to
/// the other.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let change = diagonal + usize::from(x != y);
            diagonal = *cell;
            left = change.min(left + 1).min(*cell + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}
