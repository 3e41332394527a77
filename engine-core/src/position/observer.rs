//! What follows a position through its moves.

use crate::types::{Piece, Square};

/// Called for every piece that leaves or reaches a square while a move is played, so that an
/// evaluation can be updated without the rules depending on it. `()` does nothing.
pub trait Observer {
    /// A piece was put on a square.
    fn put(&mut self, piece: Piece, square: Square);
    /// A piece was removed from a square.
    fn remove(&mut self, piece: Piece, square: Square);
    /// A piece went from one square to another.
    #[inline(always)]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        self.remove(piece, from);
        self.put(piece, to);
    }
}

impl Observer for () {
    #[inline(always)]
    fn put(&mut self, _: Piece, _: Square) {}
    #[inline(always)]
    fn remove(&mut self, _: Piece, _: Square) {}
}
