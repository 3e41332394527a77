//! Counting the leaves of the tree of legal moves, the standard test of a move generator.

use crate::movegen::{PROMOTIONS, origin};
use crate::rules::Rules;
use crate::types::{Bitboard, Black, Color, Move, Role, Side, Square, White};
use crate::{All, MoveList, MoveSink, Position};
use std::hint::black_box;
use std::marker::PhantomData;

/// The number of lines of `depth` plies. The last ply is counted without making its moves.
///
/// ```
/// use engine_core::{perft, Position};
///
/// assert_eq!(perft(&Position::<engine_core::Standard>::start(), 3), 8902);
/// ```
pub fn perft<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match position.turn() {
        Color::White => count::<R, White>(position, depth),
        Color::Black => count::<R, Black>(position, depth),
    }
}

#[inline(always)]
fn count<R: Rules, S: Side>(position: &Position<R>, depth: u32) -> u64 {
    if depth == 1 {
        u64::from(position.count_as::<S>())
    } else {
        walk::<R, S>(position, depth)
    }
}

fn walk<R: Rules, S: Side>(position: &Position<R>, depth: u32) -> u64 {
    let mut passed = *position;
    passed.pass::<S>();
    let mut walker = Walker {
        passed,
        depth: depth - 1,
        nodes: 0,
        side: PhantomData::<S>,
    };
    position.generate_as::<S, All, _>(&mut walker);
    walker.nodes
}

/// Plays the moves as they are generated, straight from their sets: no list and no looking up of
/// what stands where.
struct Walker<R: Rules, S: Side> {
    /// The position after a pass, which every child starts from.
    passed: Position<R>,
    depth: u32,
    nodes: u64,
    side: PhantomData<S>,
}

impl<R: Rules, S: Side> Walker<R, S> {
    #[inline(always)]
    fn step(&mut self, role: Role, from: Square, to: Square) {
        let mut child = self.passed;
        child.move_piece::<S, _>(role, from, to, &mut ());
        self.nodes += count::<R, S::Other>(&child, self.depth);
    }
}

impl<R: Rules, S: Side> MoveSink for Walker<R, S> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        for to in to {
            self.step(role, from, to);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        for to in to {
            self.step(Role::Pawn, origin(to, step), to);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        for to in to {
            for role in PROMOTIONS {
                self.single(Move::promotion(origin(to, step), to, role));
            }
        }
    }

    #[inline(never)]
    fn single(&mut self, m: Move) {
        let mut child = self.passed;
        child.move_special::<S, _>(m, &mut ());
        self.nodes += count::<R, S::Other>(&child, self.depth);
    }
}

/// The same count with a list of moves built at the last ply too, as a search does.
pub fn perft_with_lists<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize];
    count_lists(position, &mut lists)
}

fn count_lists<R: Rules>(position: &Position<R>, lists: &mut [MoveList]) -> u64 {
    let Some((moves, deeper)) = lists.split_first_mut() else {
        return 1;
    };
    moves.clear();
    position.generate::<All, _>(moves);
    // The list must be in memory, whether or not someone reads it.
    let moves = black_box(moves);
    if deeper.is_empty() {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for m in &*moves {
        let mut child = *position;
        child.play(m);
        nodes += count_lists(&child, deeper);
    }
    nodes
}
