//! The moves of all nodes on the current path, each with its sort key.

use super::super::move_info::MoveInfo;
use crate::{Bitboard, Square};
use wide::i32x4;

/// The moves of all nodes on the current path, in one stack of sets.
///
/// A key has the move's score in its high bits and its index within its set in the low ones, so
/// that the maximum key gives the index of the best move. Sets are padded to whole blocks for SIMD
/// selection; a picked move leaves a gap.
#[derive(Default)]
pub(in super::super) struct MoveStack {
    /// Never shrunk; the first `len` are in use.
    keys: Vec<i32>,
    moves: Vec<MoveInfo>,
    len: usize,
    /// The first index of the set being filled.
    start: usize,
}

/// A range of the stack that holds some moves of a node.
#[derive(Clone, Copy)]
pub(super) struct MoveSet {
    start: usize,
    end: usize,
}

const BLOCK: usize = 8;
/// Padding, or the gap of a picked move.
const GAP: i32 = i32::MIN;
/// The bits of a key that hold the index.
const INDEX_BITS: u32 = 10;
/// More moves than any position of any variant has; further ones would be dropped.
const MAX_MOVES: usize = 1 << INDEX_BITS;
/// Below the score of every move.
pub(super) const LOWEST: i32 = GAP >> INDEX_BITS;

#[inline(always)]
fn key(score: i32, index: usize) -> i32 {
    debug_assert!(score > LOWEST && score < -LOWEST);
    score << INDEX_BITS | (index % MAX_MOVES) as i32
}

impl MoveStack {
    /// Empties the stack, on which a stopped search may have left moves.
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

    /// Starts a new set.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        self.start = self.len;
        if self.keys.len() < self.len + MAX_MOVES {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let len = self.len + 16 * MAX_MOVES;
        self.keys.resize(len, GAP);
        self.moves.resize(len, MoveInfo::PLACEHOLDER);
    }

    /// Adds a move to the set.
    #[inline(always)]
    pub(super) fn push(&mut self, info: MoveInfo, score: i32) {
        self.extend(Square::A1.bitboard(), |_| (info, score));
    }

    /// Adds a move to each of these squares to the set.
    #[inline(always)]
    pub(super) fn extend(&mut self, to: Bitboard, entry: impl Fn(Square) -> (MoveInfo, i32)) {
        // Local slices, or the compiler would reload pointers and lengths after each write.
        let (Some(keys), Some(moves)) = (
            self.keys
                .get_mut(self.start..)
                .and_then(<[i32]>::first_chunk_mut::<MAX_MOVES>),
            self.moves
                .get_mut(self.start..)
                .and_then(<[MoveInfo]>::first_chunk_mut::<MAX_MOVES>),
        ) else {
            return;
        };
        let mut index = self.len - self.start;
        for to in to {
            let (info, score) = entry(to);
            if index < MAX_MOVES {
                keys[index] = key(score, index);
                moves[index] = info;
                index += 1;
            }
        }
        self.len = self.start + index;
    }

    /// Pads the set to whole blocks and returns it.
    #[inline(always)]
    pub(super) fn end(&mut self) -> MoveSet {
        let start = self.start;
        if let Some(gap) = self
            .keys
            .get_mut(self.len..)
            .and_then(<[i32]>::first_chunk_mut)
        {
            *gap = [GAP; BLOCK];
        }
        self.len = start + (self.len - start).next_multiple_of(BLOCK);
        MoveSet {
            start,
            end: self.len,
        }
    }

    /// Picks the move with the highest score of a set, if that score is above `least`.
    #[inline(always)]
    pub(super) fn take_best(&mut self, set: MoveSet, least: i32) -> Option<Taken> {
        if set.start == set.end {
            return None;
        }
        self.take_best_of_nonempty(set, least)
    }

    #[inline(never)]
    fn take_best_of_nonempty(&mut self, set: MoveSet, least: i32) -> Option<Taken> {
        let keys = self.keys.get_mut(set.start..set.end)?;
        // 256-bit vectors would cost a vzeroupper at every call.
        let (mut best, mut other) = (i32x4::splat(GAP), i32x4::splat(GAP));
        let mut rest = &*keys;
        while let Some((&[a, b, c, d, e, f, g, h], later)) = rest.split_first_chunk::<BLOCK>() {
            best = best.max([a, b, c, d].into());
            other = other.max([e, f, g, h].into());
            rest = later;
        }
        let best = best.max(other).to_array().into_iter().fold(GAP, i32::max);
        if best >> INDEX_BITS <= least {
            return None;
        }
        let index = best as usize % MAX_MOVES;
        *keys.get_mut(index)? = GAP;
        let info = *self.moves.get(set.start + index)?;
        Some(Taken {
            info,
            index: index as u32,
            score: best >> INDEX_BITS,
        })
    }

    /// Puts a picked move back with another score.
    #[inline(always)]
    pub(super) fn put_back(&mut self, set: MoveSet, taken: Taken, score: i32) {
        let index = taken.index as usize;
        if let Some(slot) = self.keys.get_mut(set.start + index) {
            *slot = key(score, index);
        }
    }
}

/// A picked move with its index in its set.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    pub(super) info: MoveInfo,
    index: u32,
    pub(super) score: i32,
}

impl MoveSet {
    /// No moves.
    pub(super) const EMPTY: MoveSet = MoveSet { start: 0, end: 0 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Move, Role, Square};

    fn step(from: Square, to: Square) -> MoveInfo {
        MoveInfo {
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
            given.push(scores[taken.info.m.from().index()]);
        }
        assert_eq!(given, [400_000, 100, 12, 12, 3, 2, 1, 0, -1, -7]);
        let last = stack.take_best(set, LOWEST).unwrap();
        assert_eq!(last.info.m.from(), Square::B1);
        stack.put_back(set, last, 9);
        assert_eq!(
            stack.take_best(set, 8).map(|taken| taken.info),
            Some(last.info)
        );
        assert!(stack.take_best(set, LOWEST).is_none());
        stack.truncate(below);
        assert_eq!(stack.len(), below);
    }
}
