//! Counting the leaves of the tree of legal moves, the standard test of a move generator.

use crate::rules::Rules;
use crate::{MoveList, Position};

/// The number of lines of `depth` plies. The last ply is counted without making its moves.
///
/// ```
/// use engine_core::{perft, Position};
///
/// assert_eq!(perft(&Position::<engine_core::Standard>::start(), 3), 8902);
/// ```
pub fn perft<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal_moves()),
        _ => {
            let mut nodes = 0;
            for m in &position.legal_moves() {
                let mut child = *position;
                child.play(m);
                nodes += perft(&child, depth - 1);
            }
            nodes
        }
    }
}

/// The same count with a list of moves built at the last ply too, as a search does.
pub fn perft_with_lists<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves: MoveList = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for m in &moves {
        let mut child = *position;
        child.play(m);
        nodes += perft_with_lists(&child, depth - 1);
    }
    nodes
}
