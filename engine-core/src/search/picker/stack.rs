//! The moves of all nodes on the current path, each under its sort key.

use super::super::known::KnownMove;
use crate::{Bitboard, Square};
use wide::i32x4;

/// The moves of all nodes on the current path, in one stack of sets.
///
/// A key has the move's score in its high bits and its place in its set in the low ones, so that
/// the greatest key tells where the best move is. Sets are filled up to whole blocks, among which
/// vector instructions find it; what is taken leaves a gap.
#[derive(Default)]
pub(in super::super) struct MoveStack {
    /// As long as they ever had to be; `len` of them are in use.
    keys: Vec<i32>,
    moves: Vec<KnownMove>,
    len: usize,
    /// Where the set begins that grows at the moment.
    start: usize,
}

/// Some moves of a node: from the place of the first to behind that of the last.
#[derive(Clone, Copy)]
pub(super) struct Set {
    start: usize,
    end: usize,
}

const BLOCK: usize = 8;
/// No move, or one that has been taken.
const GONE: i32 = i32::MIN;
/// The bits of a key that tell the place.
const PLACE_BITS: u32 = 10;
/// No position of any variant has as many moves; more would be dropped.
const LARGEST: usize = 1 << PLACE_BITS;
/// Every move has a higher score than this.
pub(super) const NOTHING: i32 = GONE >> PLACE_BITS;

#[inline(always)]
fn key(score: i32, place: usize) -> i32 {
    debug_assert!(score > NOTHING && score < -NOTHING);
    score << PLACE_BITS | (place % LARGEST) as i32
}

impl MoveStack {
    /// Forgets what an interrupted search may have left.
    pub(in super::super) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = len;
    }

    /// Begins a set.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        self.start = self.len;
        if self.keys.len() < self.len + LARGEST {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let len = self.len + 16 * LARGEST;
        self.keys.resize(len, GONE);
        self.moves.resize(len, KnownMove::PLACEHOLDER);
    }

    /// Adds a move to the set.
    #[inline(always)]
    pub(super) fn push(&mut self, known: KnownMove, score: i32) {
        self.extend(Square::A1.bitboard(), |_| (known, score));
    }

    /// Adds a move to each of these squares to the set.
    #[inline(always)]
    pub(super) fn extend(&mut self, to: Bitboard, entry: impl Fn(Square) -> (KnownMove, i32)) {
        // Locals, since the compiler would read everything again after each write.
        let (Some(keys), Some(moves)) = (
            self.keys
                .get_mut(self.start..)
                .and_then(<[i32]>::first_chunk_mut::<LARGEST>),
            self.moves
                .get_mut(self.start..)
                .and_then(<[KnownMove]>::first_chunk_mut::<LARGEST>),
        ) else {
            return;
        };
        let mut place = self.len - self.start;
        for to in to {
            let (known, score) = entry(to);
            if place < LARGEST {
                keys[place] = key(score, place);
                moves[place] = known;
                place += 1;
            }
        }
        self.len = self.start + place;
    }

    /// Ends the set.
    #[inline(always)]
    pub(super) fn end(&mut self) -> Set {
        let start = self.start;
        if let Some(gap) = self
            .keys
            .get_mut(self.len..)
            .and_then(<[i32]>::first_chunk_mut)
        {
            *gap = [GONE; BLOCK];
        }
        self.len = start + (self.len - start).next_multiple_of(BLOCK);
        Set {
            start,
            end: self.len,
        }
    }

    /// Takes the move with the highest score of a set, if that is more than `least`.
    #[inline(always)]
    pub(super) fn take_best(&mut self, set: Set, least: i32) -> Option<Taken> {
        if set.start == set.end {
            return None;
        }
        self.take_best_of_some(set, least)
    }

    #[inline(never)]
    fn take_best_of_some(&mut self, set: Set, least: i32) -> Option<Taken> {
        let keys = self.keys.get_mut(set.start..set.end)?;
        // Wider vectors would have to be tidied up after, at every call.
        let (mut best, mut other) = (i32x4::splat(GONE), i32x4::splat(GONE));
        let mut rest = &*keys;
        while let Some((&[a, b, c, d, e, f, g, h], later)) = rest.split_first_chunk::<BLOCK>() {
            best = best.max([a, b, c, d].into());
            other = other.max([e, f, g, h].into());
            rest = later;
        }
        let best = best.max(other).to_array().into_iter().fold(GONE, i32::max);
        if best >> PLACE_BITS <= least {
            return None;
        }
        let place = best as usize % LARGEST;
        *keys.get_mut(place)? = GONE;
        let known = *self.moves.get(set.start + place)?;
        Some(Taken {
            known,
            place: place as u32,
            score: best >> PLACE_BITS,
        })
    }

    /// Puts a move back that was taken, under a new score.
    #[inline(always)]
    pub(super) fn put_back(&mut self, set: Set, taken: Taken, score: i32) {
        let place = taken.place as usize;
        if let Some(slot) = self.keys.get_mut(set.start + place) {
            *slot = key(score, place);
        }
    }
}

/// A move with its place in its set.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    pub(super) known: KnownMove,
    place: u32,
    pub(super) score: i32,
}

impl Set {
    /// No moves.
    pub(super) const EMPTY: Set = Set { start: 0, end: 0 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Role, Square};

    fn step(from: Square, to: Square) -> KnownMove {
        KnownMove {
            m: Move::normal(from, to),
            role: Role::King,
            captured: None,
        }
    }

    #[test]
    fn gives_the_best_first_and_each_once() {
        let mut stack = MoveStack::default();
        stack.begin();
        stack.push(step(Square::A1, Square::A2), 5);
        stack.end();
        let below = stack.len();
        stack.begin();
        let scores = [3, -30_000, 12, 12, 0, -7, 400_000, 1, -1, 100, 2];
        for (i, score) in scores.into_iter().enumerate() {
            stack.push(step(Square::ALL[i], Square::H8), score);
        }
        let set = stack.end();
        let mut given = Vec::new();
        while let Some(taken) = stack.take_best(set, -20_000) {
            given.push(scores[taken.known.m.from().index()]);
        }
        assert_eq!(given, [400_000, 100, 12, 12, 3, 2, 1, 0, -1, -7]);
        let last = stack.take_best(set, NOTHING).unwrap();
        assert_eq!(last.known.m.from(), Square::B1);
        stack.put_back(set, last, 9);
        assert_eq!(
            stack.take_best(set, 8).map(|taken| taken.known),
            Some(last.known)
        );
        assert!(stack.take_best(set, NOTHING).is_none());
        stack.truncate(below);
        assert_eq!(stack.len(), below);
    }
}
