//! The pieces of an animation, and the times of their moves.

use super::step::AnimationStep;
use engine_core::{Piece, Square};

/// A piece through the game. Times are fractions of the whole animation.
pub(super) struct AnimatedPiece {
    pub(super) piece: Piece,
    /// When it leaves its square for another; the first entry puts it on the board.
    pub(super) places: Vec<(f64, Square)>,
    pub(super) removed_at: Option<f64>,
}

/// All pieces that are ever on the board.
pub(super) struct AnimatedPieces {
    pub(super) pieces: Vec<AnimatedPiece>,
    /// The index of the piece on each square.
    on_square: [Option<usize>; 64],
}

impl AnimatedPieces {
    pub(super) fn new(pieces: impl Iterator<Item = (Square, Piece)>) -> AnimatedPieces {
        let mut animated = AnimatedPieces {
            pieces: Vec::new(),
            on_square: [None; 64],
        };
        for (square, piece) in pieces {
            animated.put(piece, square, 0.0);
        }
        animated
    }

    /// Puts a new piece on a square.
    fn put(&mut self, piece: Piece, square: Square, time: f64) {
        if let Some(slot) = self.on_square.get_mut(square.index()) {
            *slot = Some(self.pieces.len());
        }
        self.pieces.push(AnimatedPiece {
            piece,
            places: vec![(time, square)],
            removed_at: None,
        });
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        let index = self.on_square.get(square.index()).copied().flatten()?;
        self.pieces.get(index).map(|animated| animated.piece)
    }

    /// Empties a square; returns the index of its piece.
    fn take(&mut self, square: Square) -> Option<usize> {
        self.on_square
            .get_mut(square.index())
            .and_then(Option::take)
    }

    /// Removes the piece on a square from the board.
    fn remove(&mut self, square: Square, time: f64) {
        let index = self.take(square);
        if let Some(removed) = index.and_then(|index| self.pieces.get_mut(index)) {
            removed.removed_at = Some(time);
        }
    }

    /// Moves a piece to a square.
    fn move_to(&mut self, index: usize, square: Square, time: f64) {
        if let Some(moved) = self.pieces.get_mut(index) {
            moved.places.push((time, square));
            if let Some(slot) = self.on_square.get_mut(square.index()) {
                *slot = Some(index);
            }
        }
    }

    /// Adds a step: pieces leave their squares at one time and reach their targets at another.
    pub(super) fn play(&mut self, step: &AnimationStep, leaves: f64, arrives: f64) {
        // All leave before any arrives: in castling one may go where the other stands.
        let moved: Vec<_> = step
            .moved
            .iter()
            .map(|&(from, to)| (self.take(from), to))
            .collect();
        for (index, to) in moved {
            self.remove(to, arrives);
            if let Some(index) = index {
                self.move_to(index, to, leaves);
            }
        }
        // Whatever is not there any more was captured en passant, exploded, or became another
        // piece; what comes to an empty square was dropped.
        for square in Square::ALL {
            let (before, after) = (self.piece_on(square), step.board.piece_at(square));
            if before == after {
                continue;
            }
            self.remove(square, arrives);
            if let Some(piece) = after {
                let time = if before.is_some() { arrives } else { leaves };
                self.put(piece, square, time);
            }
        }
    }
}
