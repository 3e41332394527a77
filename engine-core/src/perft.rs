//! Counting the leaves of the tree of legal moves, the standard test of a move generator.

use crate::movegen::{PROMOTIONS, origin};
use crate::rules::Rules;
use crate::types::{Bitboard, Black, Color, Move, Role, Side, Square, White};
use crate::{All, IS_PAGE, MoveList, MoveSink, Position, Variant};
use alloc::vec;
use core::hint::black_box;

/// The greatest depth that is counted: nobody lives to see a count end there, but a deeper one could
/// overflow the stack at once.
pub const MAX_PERFT_DEPTH: u32 = 256;

/// The number of lines of `depth` plies, at most [`MAX_PERFT_DEPTH`]. The last ply is counted without
/// making its moves.
///
/// ```
/// use engine_core::{perft, Position};
///
/// assert_eq!(perft(&Position::<engine_core::Standard>::start(), 3), 8902);
/// ```
#[inline]
pub fn perft<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    R::perft(position, depth.min(MAX_PERFT_DEPTH))
}

#[inline(always)]
pub(crate) fn perft_generic<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    // A module for web pages has no walkers: it would load them each time, and seldom counts.
    if const { IS_PAGE } {
        return count_by_legal_moves(position, depth);
    }
    // Only standard chess has a walker for each colour, which are large and fast.
    if const { !matches!(R::VARIANT, Variant::Standard) } {
        return count(position, position.turn(), depth);
    }
    match position.turn() {
        Color::White => count(position, White, depth),
        Color::Black => count(position, Black, depth),
    }
}

/// The same with [`Position::legal_moves`] alone, which every program contains; [`walk`] and
/// [`perft_with_lists`] would add a copy of the generator for each variant.
fn count_by_legal_moves<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let count = |&m: &Move| {
        let mut child = *position;
        child.play(m);
        count_by_legal_moves(&child, depth - 1)
    };
    moves.iter().map(count).sum()
}

#[inline(always)]
fn count<R: Rules, S: Side>(position: &Position<R>, side: S, depth: u32) -> u64 {
    if depth == 1 {
        u64::from(position.count_as(side))
    } else {
        walk(position, side, depth)
    }
}

/// Counts the leaves below all legal moves; the depth is 2 or more.
fn walk<R: Rules, S: Side>(position: &Position<R>, side: S, depth: u32) -> u64 {
    let mut passed = *position;
    passed.begin_move(side);
    let mut walker = Walker {
        passed,
        depth: depth - 1,
        nodes: 0,
        side,
    };
    position.generate_as::<S, All, _>(side, Bitboard::FULL, Bitboard::FULL, &mut walker);
    walker.nodes
}

/// Plays moves straight from the sets of the generator, without a list and without looking up which
/// piece moves.
struct Walker<R: Rules, S: Side> {
    /// The position after a pass, which every child starts from.
    passed: Position<R>,
    depth: u32,
    nodes: u64,
    side: S,
}

impl<R: Rules, S: Side> Walker<R, S> {
    #[inline(always)]
    fn step(&mut self, role: Role, from: Square, to: Square) {
        let mut child = self.passed;
        let captured = child.captured_on(self.side, to);
        child.move_piece(self.side, role, captured, from, to, &mut ());
        self.nodes += count(&child, self.side.other(), self.depth);
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
        child.move_special(self.side, m, &mut ());
        self.nodes += count(&child, self.side.other(), self.depth);
    }
}

/// The count of [`perft`] with a list of moves built at the last ply too, as a search does.
pub fn perft_with_lists<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth.min(MAX_PERFT_DEPTH) as usize];
    count_lists(position, &mut lists)
}

fn count_lists<R: Rules>(position: &Position<R>, lists: &mut [MoveList]) -> u64 {
    let Some((moves, deeper)) = lists.split_first_mut() else {
        return 1;
    };
    moves.clear();
    position.generate::<All, _>(moves);
    // The compiler must not optimise the list away where only its length is needed.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CastlingMode::{self, Chess960, Standard};
    use crate::position::tests::position;

    /// From <https://www.chessprogramming.org/Perft_Results>, with two Chess960 positions that
    /// castle in unusual places.
    const KNOWN: [(CastlingMode, &str, &[u64]); 9] = [
        (
            Standard,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[20, 400, 8902, 197_281],
        ),
        (
            Standard,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2039, 97_862],
        ),
        (
            Standard,
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            &[14, 191, 2812, 43_238, 674_624],
        ),
        (
            Standard,
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9467, 422_333],
        ),
        (
            Standard,
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            &[6, 264, 9467, 422_333],
        ),
        (
            Standard,
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1486, 62_379],
        ),
        (
            Standard,
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2079, 89_890],
        ),
        (
            Chess960,
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            &[21, 528, 12_189, 326_672],
        ),
        (
            Chess960,
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            &[21, 807, 18_002, 667_366],
        ),
    ];

    #[test]
    fn counts_are_those_known() {
        for (mode, fen, counts) in KNOWN {
            let position = position(fen, mode);
            assert_eq!(perft(&position, 0), 1);
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(perft(&position, depth), count, "{fen} at depth {depth}");
                assert_eq!(perft_with_lists(&position, depth), count, "{fen}");
            }
        }
    }
}
