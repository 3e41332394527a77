//! `mola pgn convert --fix`: corrects errors of a game that have only one possible correction.

use crate::replay::end_of_game;
use crate::result::result_in;
use crate::{ProblemKind, Tree};

/// Repairs the result and the tag `SetUp`.
///
/// * The result of a game that has ended on the board is the one on the board.
/// * A result that only the tag or only the movetext has is the result of both. Two results that
///   contradict each other stay, where the board does not tell which is right.
/// * A game with a `FEN` has the tag `SetUp` that the standard asks for.
pub(super) fn repair(tree: &mut Tree) {
    if let Some(result) = certain_result(tree) {
        tree.headers.set("Result", result);
        tree.result = Some(result.into());
    }
    if tree.headers.get("FEN").is_some() && tree.headers.get("SetUp").is_none() {
        tree.headers.set("SetUp", "1");
    }
}

fn certain_result(tree: &Tree) -> Option<&'static str> {
    let tag = tree.headers.get("Result");
    let tag = tag.and_then(|tag| result_in(&tag));
    let marker = tree.result.as_ref();
    let marker = marker.and_then(|marker| result_in(&marker.to_str()));
    let mut kinds = tree.problems.iter().map(|problem| &problem.kind);
    let is_whole = kinds.all(ProblemKind::keeps_moves);
    let on_board = tree
        .position(tree.end(tree.root()))
        .as_ref()
        .and_then(end_of_game);
    match (on_board.filter(|_| is_whole), tag, marker) {
        // A study or a puzzle may end in mate and have no result.
        (_, None, None) => None,
        (Some(outcome), ..) => Some(outcome.result()),
        (None, Some(tag), Some(marker)) => (tag == marker).then_some(tag),
        (None, tag, marker) => tag.or(marker),
    }
}
