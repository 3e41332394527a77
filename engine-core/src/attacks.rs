//! Attack tables, all built at compile time.
//!
//! Leapers are plain look-ups. Sliders use a large table; WebAssembly builds, whose size is download
//! time, compute them from line masks instead (`lines`).

mod lines;
mod rays;
#[cfg(not(target_family = "wasm"))]
mod table;

#[cfg(target_family = "wasm")]
use lines::{BISHOP, ROOK};
#[cfg(not(target_family = "wasm"))]
use table::{BISHOP, ROOK};

use crate::types::{Bitboard, Color, Piece, Role, Square};
use rays::{BISHOP_STEPS, ROOK_STEPS, walk};

const KNIGHT_STEPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const KING_STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// Squares a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// Squares a king attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Squares a pawn of this colour attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Squares a rook attacks given the occupied squares, the first piece on each ray included.
///
/// ```
/// use engine_core::{Square, attacks, bitboard};
///
/// let occupied = Square::D6.bitboard() | Square::G3.bitboard();
/// let attacked = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . X . . . .
///     . . . X . . . .
///     . . . X . . . .
///     X X X . X X X .
///     . . . X . . . .
///     . . . X . . . .
/// };
/// assert_eq!(attacks::rook(Square::D3, occupied), attacked);
/// ```
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK.attacks(square, occupied)
}

/// Squares a bishop attacks given the occupied squares, the first piece on each ray included.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP.attacks(square, occupied)
}

/// Squares a queen attacks given the occupied squares.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// Squares that a piece attacks given the occupied squares.
#[inline]
pub fn piece(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => pawn(piece.color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// Squares a rook attacks on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// Squares a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// Squares that a piece attacks on an empty board; none for a pawn, whose colour matters.
#[inline(always)]
pub(crate) fn on_empty_board(role: Role, square: Square) -> Bitboard {
    ON_EMPTY_BOARD[role as usize][square.index()]
}

/// Squares strictly between two squares of one line; empty when they share none.
///
/// ```
/// use engine_core::{Square, attacks, bitboard};
///
/// let between = bitboard! {
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . X . .
///     . . . . X . . .
///     . . . X . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
/// };
/// assert_eq!(attacks::between(Square::C3, Square::G7), between);
/// assert!(attacks::between(Square::C3, Square::D5).is_empty());
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares from edge to edge; empty when they share none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    let ends = a.bitboard() | b.bitboard();
    if rook_rays(a).has(b) {
        (rook_rays(a) & rook_rays(b)) | ends
    } else if bishop_rays(a).has(b) {
        (bishop_rays(a) & bishop_rays(b)) | ends
    } else {
        Bitboard::EMPTY
    }
}

const fn leaper(square: usize, steps: &[(i8, i8)]) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < steps.len() {
        if let Some(to) = Square::ALL[square].offset(steps[i].0, steps[i].1) {
            set = set.or(to.bitboard());
        }
        i += 1;
    }
    set
}

const fn leaper_table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = leaper(square, steps);
        square += 1;
    }
    table
}

const fn ray_table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = walk(Square::ALL[square], steps, 0);
        square += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] = leaper_table(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = leaper_table(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [
    leaper_table(&[(-1, 1), (1, 1)]),
    leaper_table(&[(-1, -1), (1, -1)]),
];
static ROOK_RAYS: [Bitboard; 64] = ray_table(&ROOK_STEPS);
static BISHOP_RAYS: [Bitboard; 64] = ray_table(&BISHOP_STEPS);

static ON_EMPTY_BOARD: [[Bitboard; 64]; 6] = {
    let mut queen = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        queen[square] = ROOK_RAYS[square].or(BISHOP_RAYS[square]);
        square += 1;
    }
    let none = [Bitboard::EMPTY; 64];
    [none, KNIGHT, BISHOP_RAYS, ROOK_RAYS, queen, KING]
};

static BETWEEN: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (files, ranks) = KING_STEPS[i];
            let mut passed = 0;
            let mut at = Square::ALL[from];
            while let Some(next) = at.offset(files, ranks) {
                table[from][next.index()] = Bitboard(passed);
                passed |= next.bitboard().0;
                at = next;
            }
            i += 1;
        }
        from += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sliders_agree_with_walking() {
        for square in Square::ALL {
            for occupied in subsets(rook_rays(square)) {
                let walked = walk(square, &ROOK_STEPS, occupied.0);
                assert_eq!(rook(square, occupied), walked);
                assert_eq!(lines::ROOK.attacks(square, occupied), walked);
            }
            for occupied in subsets(bishop_rays(square)) {
                let walked = walk(square, &BISHOP_STEPS, occupied.0);
                assert_eq!(bishop(square, occupied), walked);
                assert_eq!(lines::BISHOP.attacks(square, occupied), walked);
            }
        }
    }

    /// All sets of pieces on these squares, with all other squares occupied in every second set.
    fn subsets(squares: Bitboard) -> impl Iterator<Item = Bitboard> {
        let mut next = Some(0_u64);
        core::iter::from_fn(move || {
            let subset = next?;
            let after = subset.wrapping_sub(squares.0) & squares.0;
            next = (after != 0).then_some(after);
            let others = if subset.count_ones() % 2 == 0 {
                0
            } else {
                !squares.0
            };
            Some(Bitboard(subset | others))
        })
    }

    #[test]
    fn lines_are_symmetric() {
        for a in Square::ALL {
            for b in Square::ALL {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                assert!((between(a, b) - line(a, b)).is_empty());
            }
        }
    }
}
