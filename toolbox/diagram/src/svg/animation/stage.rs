//! The pieces of an animation, and the times of their moves.

use super::step::Step;
use engine_core::{Piece, Square};

/// A piece through the game.
pub(super) struct Actor {
    pub(super) piece: Piece,
    /// The times at which it sets off, and for which squares; the first entry puts it on the board.
    pub(super) places: Vec<(f64, Square)>,
    pub(super) vanishes: Option<f64>,
}

/// All pieces, and which stands where.
pub(super) struct Stage {
    pub(super) actors: Vec<Actor>,
    on: [Option<usize>; 64],
}

impl Stage {
    pub(super) fn new(pieces: impl Iterator<Item = (Square, Piece)>) -> Stage {
        let mut stage = Stage {
            actors: Vec::new(),
            on: [None; 64],
        };
        for (square, piece) in pieces {
            stage.enter(piece, square, 0.0);
        }
        stage
    }

    fn enter(&mut self, piece: Piece, square: Square, time: f64) {
        if let Some(slot) = self.on.get_mut(square.index()) {
            *slot = Some(self.actors.len());
        }
        self.actors.push(Actor {
            piece,
            places: vec![(time, square)],
            vanishes: None,
        });
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        let actor = self.on.get(square.index()).copied().flatten()?;
        self.actors.get(actor).map(|actor| actor.piece)
    }

    /// Takes the actor off a square.
    fn lift(&mut self, square: Square) -> Option<usize> {
        self.on.get_mut(square.index()).and_then(Option::take)
    }

    fn leave(&mut self, square: Square, time: f64) {
        let gone = self.lift(square);
        if let Some(actor) = gone.and_then(|index| self.actors.get_mut(index)) {
            actor.vanishes = Some(time);
        }
    }

    fn put(&mut self, actor: Option<usize>, square: Square, time: f64) {
        if let Some(index) = actor
            && let Some(moved) = self.actors.get_mut(index)
        {
            moved.places.push((time, square));
            if let Some(slot) = self.on.get_mut(square.index()) {
                *slot = actor;
            }
        }
    }

    /// What sets off at a time and arrives at another.
    pub(super) fn play(&mut self, step: &Step, leaves: f64, arrives: f64) {
        // All set off before any arrives: in castling one may go where the other stands.
        let movers: Vec<_> = step
            .glides
            .iter()
            .map(|&(from, to)| (self.lift(from), to))
            .collect();
        for (mover, to) in movers {
            self.leave(to, arrives);
            self.put(mover, to, leaves);
        }
        // Whatever is not there any more was captured in passing, exploded, or became another
        // piece; what comes to an empty square was dropped.
        for square in Square::ALL {
            let (stands, found) = (self.piece_on(square), step.board.piece_at(square));
            if found == stands {
                continue;
            }
            self.leave(square, arrives);
            if let Some(piece) = found {
                self.enter(
                    piece,
                    square,
                    if stands.is_some() { arrives } else { leaves },
                );
            }
        }
    }
}
