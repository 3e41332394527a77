//! The 960 start positions of Chess960 by number.
//!
//! Scharnagl's numbering: <https://en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme>.

use crate::types::{Color, File, Rank, Role, Square};
use crate::{CastlingMode, Setup, Variant};
use alloc::vec::Vec;

/// The number of the orthodox start position.
const ORTHODOX: u32 = 518;

/// The places of two knights among the five squares that bishops and queen leave.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

impl Setup {
    /// The start position of Chess960 with this number, 0 to 959; 518 is that of orthodox chess.
    /// Larger numbers begin again.
    ///
    /// ```
    /// use engine_core::{CastlingMode, Setup};
    ///
    /// let setup = Setup::chess960(0);
    /// assert_eq!(setup.fen(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// assert_eq!(setup.chess960_number(CastlingMode::Chess960), Some(0));
    /// ```
    pub fn chess960(number: u32) -> Setup {
        let mut setup = Setup::EMPTY;
        for color in Color::ALL {
            for file in File::ALL {
                let square = Square::new(file, color.relative_rank(Rank::Second));
                setup.board.put(Role::Pawn.of(color), square);
            }
            setup.set_back_rank(color, number);
        }
        setup.castling = setup.board.role(Role::Rook);
        setup
    }

    /// The start position of a variant with the back ranks of this number in place of the orthodox ones;
    /// `None` if it has none, as in Racing Kings.
    pub fn chess960_of(variant: Variant, number: u32) -> Option<Setup> {
        let mut setup = Setup::from_variant_fen(variant, variant.start_fen()).ok()?;
        let is_orthodox = |&color: &Color| {
            let first = color.relative_rank(Rank::First);
            let pieces = File::ALL.map(|file| setup.board.piece_at(Square::new(file, first)));
            pieces == back_rank(ORTHODOX).map(|role| Some(role.of(color)))
        };
        let colors: Vec<Color> = Color::ALL.into_iter().filter(is_orthodox).collect();
        for &color in &colors {
            setup.set_back_rank(color, number);
        }
        if !setup.castling.is_empty() {
            setup.castling = setup.board.role(Role::Rook);
        }
        (!colors.is_empty()).then_some(setup)
    }

    fn set_back_rank(&mut self, color: Color, number: u32) {
        for (role, file) in back_rank(number).into_iter().zip(File::ALL) {
            let square = Square::new(file, color.relative_rank(Rank::First));
            self.board.put(role.of(color), square);
        }
    }

    /// The number of this start position; `None` if it is not one, with all castling rights and
    /// White to move. The clocks do not count.
    pub fn chess960_number(&self, mode: CastlingMode) -> Option<u32> {
        let first = File::ALL.map(|file| self.board.role_at(Square::new(file, Rank::First)));
        let number = (0..960).find(|&number| back_rank(number).map(Some) == first)?;
        let start = Setup {
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            castling: self.castling,
            pockets: self.pockets,
            checks: self.checks,
            ..Setup::chess960(number)
        };
        let may_castle = self.clean_castling(mode) == self.board.role(Role::Rook);
        (start == *self && may_castle).then_some(number)
    }
}

/// The pieces from the a-file to the h-file.
fn back_rank(number: u32) -> [Role; 8] {
    let mut rest = number as usize % 960;
    let mut next = |choices: usize| {
        let choice = rest % choices;
        rest /= choices;
        choice
    };
    // One bishop on a light square, one on a dark one, then the queen on one of six squares.
    let (light, dark, queen) = (2 * next(4) + 1, 2 * next(4), next(6));
    let (first, second) = KNIGHTS.get(next(10)).copied().unwrap_or_default();
    let mut free: Vec<usize> = (0..8)
        .filter(|&file| file != light && file != dark)
        .collect();
    let queen = free.remove(queen);
    // The second knight first, so that removing it does not shift the index of the first.
    let knights = [free.remove(second), free.remove(first)];
    core::array::from_fn(|file| match file {
        _ if file == light || file == dark => Role::Bishop,
        _ if file == queen => Role::Queen,
        _ if knights.contains(&file) => Role::Knight,
        // Of the last three squares the king has the one between the rooks.
        _ if free.get(1) == Some(&file) => Role::King,
        _ => Role::Rook,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bitboard;

    #[test]
    fn numbers_there_and_back() {
        for number in 0..960 {
            let setup = Setup::chess960(number);
            assert_eq!(setup.chess960_number(CastlingMode::Chess960), Some(number));
        }
        let rank = |number| Setup::chess960(number).fen()[..8].to_owned();
        assert_eq!(rank(518), "rnbqkbnr");
        assert_eq!(rank(959), "rkrnnqbb");
        assert_eq!(rank(960), rank(0));
    }

    #[test]
    fn start_positions_of_variants() {
        for (variant, fen) in [
            (
                Variant::Standard,
                "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
            ),
            (
                Variant::Antichess,
                "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w - - 0 1",
            ),
            (
                Variant::Horde,
                "bbqnnrkr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w hf - 0 1",
            ),
        ] {
            let setup = Setup::chess960_of(variant, 0).unwrap();
            assert_eq!(setup.shredder_fen(), fen);
        }
        for variant in Variant::all().filter(|&variant| variant != Variant::RacingKings) {
            let orthodox = Setup::chess960_of(variant, ORTHODOX);
            let start = Setup::from_variant_fen(variant, variant.start_fen());
            assert_eq!(orthodox.as_ref(), start.ok().as_ref(), "{variant}");
        }
        assert_eq!(Setup::chess960_of(Variant::RacingKings, 0), None);
    }

    #[test]
    fn what_is_no_start_position() {
        let start = Setup::chess960(1);
        let number = |setup: &Setup| setup.chess960_number(CastlingMode::Chess960);
        assert_eq!(number(&start), Some(1));
        assert_eq!(start.chess960_number(CastlingMode::Standard), None);
        let clocks = Setup {
            halfmoves: 7,
            ..start.clone()
        };
        assert_eq!(number(&clocks), Some(1));
        let black = Setup {
            turn: Color::Black,
            ..start.clone()
        };
        assert_eq!(number(&black), None);
        let mut rights = start.clone();
        rights.castling = Bitboard::EMPTY;
        assert_eq!(number(&rights), None);
        let mut unlike = start;
        unlike.board.remove_at(Square::A8);
        assert_eq!(number(&unlike), None);
    }
}
