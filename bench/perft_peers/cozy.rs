//! cozy-chess, which generates a set of targets for each piece.

use crate::Peer;
use cozy_chess::{Board, Move};
use std::hint::black_box;

pub(crate) fn at(fen: &str) -> Box<dyn Peer> {
    Box::new(fen.parse::<Board>().expect("a legal position"))
}

impl Peer for Board {
    fn bulk(&self, depth: u32) -> u64 {
        bulk(self, depth)
    }

    fn with_lists(&self, depth: u32) -> u64 {
        // No position has more than 218 moves; the lists never grow.
        let mut lists: Vec<_> = (0..depth).map(|_| Vec::with_capacity(218)).collect();
        with_lists(self, &mut lists)
    }
}

fn bulk(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                leaves += bulk(&child, depth - 1);
            }
        }
        false
    });
    leaves
}

fn with_lists(board: &Board, lists: &mut [Vec<Move>]) -> u64 {
    let Some((moves, deeper)) = lists.split_first_mut() else {
        return 1;
    };
    moves.clear();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    // The list must be in memory, whether or not someone reads it.
    let moves = black_box(moves);
    if deeper.is_empty() {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for &m in &*moves {
        let mut child = board.clone();
        child.play_unchecked(m);
        leaves += with_lists(&child, deeper);
    }
    leaves
}
