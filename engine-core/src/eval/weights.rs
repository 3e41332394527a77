//! The numbers of the evaluation.

use crate::types::{Color, Role, Square};
use std::ops::{AddAssign, SubAssign};

/// A middlegame and an endgame value in one number, so that one addition does both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tapered(i32);

impl Tapered {
    const fn new(middlegame: i32, endgame: i32) -> Tapered {
        Tapered((endgame << 16) + middlegame)
    }

    /// The value with all material on the board.
    pub(super) const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value with hardly any.
    pub(super) const fn endgame(self) -> i32 {
        // Undoes the borrow of a negative low half.
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }
}

impl AddAssign for Tapered {
    #[inline(always)]
    fn add_assign(&mut self, other: Tapered) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl SubAssign for Tapered {
    #[inline(always)]
    fn sub_assign(&mut self, other: Tapered) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

/// How much each role counts towards the middlegame.
pub(super) const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The sum at the start.
pub(super) const TOTAL_PHASE: i32 = 24;

/// The weight of each piece on each square from White's view, by colour, role and square.
pub(super) static WEIGHTS: [[[Tapered; 64]; 6]; 2] = {
    let mut table = [[[Tapered(0); 64]; 6]; 2];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let (middlegame, endgame) = square_value(Role::ALL[role], Square::ALL[square]);
            table[Color::White as usize][role][square] = Tapered::new(middlegame, endgame);
            table[Color::Black as usize][role][square ^ 56] = Tapered::new(-middlegame, -endgame);
            square += 1;
        }
        role += 1;
    }
    table
};

/// The value of a white piece by plain chess principles: centralise, advance, castle.
const fn square_value(role: Role, square: Square) -> (i32, i32) {
    let file = square as i32 % 8;
    let rank = square as i32 / 8;
    // 0 at the rim to 3 in the middle, by file and by rank.
    let file_centre = if file < 4 { file } else { 7 - file };
    let rank_centre = if rank < 4 { rank } else { 7 - rank };
    let centre = file_centre + rank_centre;
    match role {
        Role::Pawn => {
            let advance_mg = [0, 0, 2, 8, 18, 40, 80, 0][rank as usize];
            let advance_eg = [0, 4, 6, 14, 30, 62, 105, 0][rank as usize];
            let middle = [0, -4, 4, 14, 12, 8, 4, 0][rank as usize];
            (
                80 + advance_mg + if file_centre == 3 { middle } else { 0 }
                    - if file_centre == 2 && rank == 1 { 4 } else { 0 },
                98 + advance_eg,
            )
        }
        Role::Knight => (
            300 + 9 * centre + 5 * if rank < 5 { rank } else { 4 } - if rank == 0 { 8 } else { 0 },
            270 + 9 * centre,
        ),
        Role::Bishop => (
            330 + 5 * centre - if rank == 0 { 12 } else { 0 } + if centre >= 5 { 4 } else { 0 },
            295 + 4 * centre,
        ),
        Role::Rook => (
            455 + 6 * file_centre
                + if rank == 6 {
                    22
                } else if rank == 7 {
                    12
                } else {
                    0
                },
            520 + if rank == 6 { 8 } else { 0 } + rank,
        ),
        Role::Queen => (
            975 + 2 * centre - if rank > 2 && rank < 5 { 6 } else { 0 },
            930 + 9 * centre,
        ),
        Role::King => {
            let shelter = [22, 34, 12, -18, -10, -14, 36, 24][file as usize];
            let height = [0, -14, -40, -55, -65, -75, -80, -85][rank as usize];
            (
                (if rank <= 1 { shelter } else { 0 }) + height,
                11 * centre - 30,
            )
        }
    }
}
