//! The board turned or moved: flips, mirrors, rotations and shifts.

use crate::types::{Bitboard, Square};
use crate::{Board, Pockets, RemainingChecks, Setup};
use core::str::FromStr;

/// A way to turn or move what is on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Transform {
    /// The first rank becomes the eighth.
    FlipVertical,
    /// The a-file becomes the h-file.
    FlipHorizontal,
    /// Over the diagonal from a1 to h8.
    FlipDiagonal,
    /// Over the diagonal from h1 to a8.
    FlipAntiDiagonal,
    /// A quarter turn clockwise as White sees it.
    Rotate90,
    /// Half a turn.
    Rotate180,
    /// A quarter turn counter-clockwise as White sees it.
    Rotate270,
    /// So many files to the right and ranks up as White sees it, each -2 to 2; what leaves the
    /// board is removed.
    Shift(i8, i8),
}

impl Transform {
    /// Every one with its name.
    pub const ALL: [(Transform, &'static str); 19] = [
        (Transform::FlipVertical, "flip-vertical"),
        (Transform::FlipHorizontal, "flip-horizontal"),
        (Transform::FlipDiagonal, "flip-diagonal"),
        (Transform::FlipAntiDiagonal, "flip-anti-diagonal"),
        (Transform::Rotate90, "rotate-90"),
        (Transform::Rotate180, "rotate-180"),
        (Transform::Rotate270, "rotate-270"),
        (Transform::Shift(0, 1), "shift-up"),
        (Transform::Shift(0, -1), "shift-down"),
        (Transform::Shift(-1, 0), "shift-left"),
        (Transform::Shift(1, 0), "shift-right"),
        (Transform::Shift(-1, 1), "shift-up-left"),
        (Transform::Shift(1, 1), "shift-up-right"),
        (Transform::Shift(-1, -1), "shift-down-left"),
        (Transform::Shift(1, -1), "shift-down-right"),
        (Transform::Shift(0, 2), "shift-2-up"),
        (Transform::Shift(0, -2), "shift-2-down"),
        (Transform::Shift(-2, 0), "shift-2-left"),
        (Transform::Shift(2, 0), "shift-2-right"),
    ];

    /// Where a square goes; `None` if it leaves the board.
    pub fn square(self, square: Square) -> Option<Square> {
        let (file, rank) = (square.file().index(), square.rank().index());
        let (file, rank) = match self {
            Transform::FlipVertical => (file, 7 - rank),
            Transform::FlipHorizontal => (7 - file, rank),
            Transform::FlipDiagonal => (rank, file),
            Transform::FlipAntiDiagonal => (7 - rank, 7 - file),
            Transform::Rotate90 => (rank, 7 - file),
            Transform::Rotate180 => (7 - file, 7 - rank),
            Transform::Rotate270 => (7 - rank, file),
            Transform::Shift(files, ranks) => (
                file.checked_add_signed(files.into())
                    .filter(|&file| file < 8)?,
                rank.checked_add_signed(ranks.into())
                    .filter(|&rank| rank < 8)?,
            ),
        };
        Square::from_index(rank * 8 + file)
    }

    /// Where a set goes.
    pub fn set(self, set: Bitboard) -> Bitboard {
        let squares = set.into_iter();
        squares.filter_map(|square| self.square(square)).collect()
    }
}

/// No transform has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTransform;

impl core::fmt::Display for UnknownTransform {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("expected one of")?;
        Transform::ALL
            .iter()
            .try_for_each(|(_, name)| write!(f, " {name}"))
    }
}

impl core::error::Error for UnknownTransform {}

impl FromStr for Transform {
    type Err = UnknownTransform;

    fn from_str(text: &str) -> Result<Transform, UnknownTransform> {
        let mut all = Transform::ALL.into_iter();
        all.find(|&(_, name)| name == text)
            .map(|(transform, _)| transform)
            .ok_or(UnknownTransform)
    }
}

impl Setup {
    /// The setup on a turned or moved board. The side to move stays, and so may rights that are no
    /// longer possible.
    ///
    /// ```
    /// use engine_core::{Setup, Transform};
    ///
    /// let setup = Setup::from_fen("4k3/8/8/8/8/8/8/R3K3 w Q -")?;
    /// let turned = setup.transformed(Transform::FlipHorizontal);
    /// assert_eq!(turned.fen(), "3k4/8/8/8/8/8/8/3K3R w K - 0 1");
    /// # Ok::<(), engine_core::notation::FenError>(())
    /// ```
    #[must_use]
    pub fn transformed(&self, transform: Transform) -> Setup {
        let mut board = Board::EMPTY;
        for (square, piece) in self.board.iter() {
            if let Some(square) = transform.square(square) {
                board.put(piece, square);
            }
        }
        Setup {
            board,
            castling: transform.set(self.castling),
            en_passant: self.en_passant.and_then(|square| transform.square(square)),
            promoted: transform.set(self.promoted),
            ..self.clone()
        }
    }

    /// The setup with the sides exchanged: colours change, ranks are mirrored, and the other side
    /// is to move.
    ///
    /// ```
    /// use engine_core::Setup;
    ///
    /// let setup = Setup::from_fen("4k3/8/8/8/4P3/8/8/R3K3 b Q e3 0 7")?;
    /// assert_eq!(setup.mirrored().fen(), "r3k3/8/8/4p3/8/8/8/4K3 w q e6 0 7");
    /// # Ok::<(), engine_core::notation::FenError>(())
    /// ```
    #[must_use]
    pub fn mirrored(&self) -> Setup {
        let flipped = self.transformed(Transform::FlipVertical);
        let mut board = Board::EMPTY;
        for (square, piece) in flipped.board.iter() {
            board.put(piece.role.of(!piece.color), square);
        }
        Setup {
            board,
            turn: !self.turn,
            pockets: self.pockets.map(Pockets::flip),
            checks: self.checks.map(RemainingChecks::flip),
            ..flipped
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_inverses() {
        for (transform, name) in Transform::ALL {
            assert_eq!(name.parse(), Ok(transform));
            let inverse = match transform {
                Transform::Rotate90 => Transform::Rotate270,
                Transform::Rotate270 => Transform::Rotate90,
                Transform::Shift(files, ranks) => Transform::Shift(-files, -ranks),
                other => other,
            };
            let mut kept = 0;
            for square in Square::ALL {
                if let Some(there) = transform.square(square) {
                    kept += 1;
                    assert_eq!(inverse.square(there), Some(square));
                }
            }
            let expected = match transform {
                Transform::Shift(files, ranks) => {
                    (8 - files.unsigned_abs()) * (8 - ranks.unsigned_abs())
                }
                _ => 64,
            };
            assert_eq!(kept, expected);
        }
        assert!("rotate-45".parse::<Transform>().is_err());
        assert_eq!(Transform::Rotate90.square(Square::A1), Some(Square::A8));
        assert_eq!(
            Transform::FlipAntiDiagonal.square(Square::A1),
            Some(Square::H8)
        );
        assert_eq!(Transform::Shift(1, 2).square(Square::A1), Some(Square::B3));
        assert_eq!(Transform::Shift(0, -1).square(Square::A1), None);
    }
}
