//! What can be wrong with a FEN.

use crate::Pockets;
use alloc::vec::Vec;
use core::fmt;

/// The largest clock or move number that is kept, so that counting on never overflows.
pub(super) const MAX_COUNT: u32 = u32::MAX / 2;

/// A field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenField {
    /// The pieces.
    Board,
    /// The pieces in hand, `[QPqp]` or after a ninth slash.
    Pockets,
    /// `w` or `b`.
    Turn,
    /// `KQkq`, rook files such as `HAha`, or `-`.
    Castling,
    /// The square that a pawn has just passed over, or `-`.
    EnPassant,
    /// Checks still to be given, `3+3` before the clocks, or given already, `+0+0` after them.
    Checks,
    /// Plies since the last capture or pawn move.
    Halfmoves,
    /// The number of the move.
    Fullmoves,
    /// Whatever follows.
    Rest,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Board => "board",
            FenField::Pockets => "pockets",
            FenField::Checks => "checks",
            FenField::Turn => "turn",
            FenField::Castling => "castling",
            FenField::EnPassant => "en passant",
            FenField::Halfmoves => "halfmove clock",
            FenField::Fullmoves => "move number",
            FenField::Rest => "rest",
        })
    }
}

/// What is wrong with a field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenProblem {
    /// The text is blank.
    Empty,
    /// No piece has this letter.
    NotAPiece(char),
    /// Two digits follow each other.
    ConsecutiveDigits,
    /// `~` marks a promoted piece, but there is no piece before it.
    StrayPromotionMark,
    /// A rank has not eight squares.
    RankWidth,
    /// There are not eight ranks.
    RankCount,
    /// Neither `w` nor `b`.
    NotATurn,
    /// Not `-` or up to two white and then up to two black letters.
    NotCastlingRights,
    /// Not `-` or a square.
    NotASquare,
    /// Not a number.
    NotANumber,
    /// A clock greater than any that is kept.
    LargeNumber,
    /// A pocket begins with `[` and does not end with `]`.
    UnclosedPocket,
    /// More pieces of one kind than a pocket holds.
    FullPocket,
    /// Neither checks to be given, `3+3` before the clocks, nor checks given, `+0+0` after them.
    NotChecks,
    /// More fields than a FEN has.
    TooManyFields,
}

impl fmt::Display for FenProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenProblem::Empty => "the FEN is empty",
            FenProblem::NotAPiece(letter) => {
                return write!(f, "{letter:?} is not a piece letter");
            }
            FenProblem::ConsecutiveDigits => "two digits follow each other",
            FenProblem::StrayPromotionMark => "`~` without a piece before it",
            FenProblem::RankWidth => "a rank does not have eight squares",
            FenProblem::RankCount => "there are not eight ranks",
            FenProblem::NotATurn => "expected `w` or `b`",
            FenProblem::NotCastlingRights => "expected `-` or letters such as `KQkq`",
            FenProblem::NotASquare => "expected `-` or a square such as `e3`",
            FenProblem::NotANumber => "expected a number",
            FenProblem::UnclosedPocket => "expected `]` at the end of the pocket",
            FenProblem::LargeNumber => return write!(f, "more than {MAX_COUNT}"),
            FenProblem::FullPocket => {
                return write!(f, "more than {} pieces of one kind", Pockets::MAX_PER_ROLE);
            }
            FenProblem::NotChecks => {
                "expected checks such as `3+3` before the clocks or `+0+0` after them, \
                 and 255 at most"
            }
            FenProblem::TooManyFields => "more fields than a FEN has",
        })
    }
}

/// One thing that is wrong with a FEN, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FenFault {
    /// The field.
    pub field: FenField,
    /// The character of the whole text, from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: FenProblem,
}

impl fmt::Display for FenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (column {}): {}",
            self.field, self.column, self.problem
        )
    }
}

/// A text that is no FEN: the first fault of every field that has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError(pub(super) Vec<FenFault>);

impl FenError {
    /// The faults, in the order of the text; there is at least one.
    pub fn faults(&self) -> &[FenFault] {
        &self.0
    }

    /// The same faults with the columns of another text.
    pub(in crate::notation) fn map_columns(mut self, place: impl Fn(usize) -> usize) -> FenError {
        for fault in &mut self.0 {
            fault.column = place(fault.column);
        }
        self
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bad FEN: ")?;
        let mut separator = "";
        for fault in &self.0 {
            write!(f, "{separator}{fault}")?;
            separator = "; ";
        }
        Ok(())
    }
}

impl core::error::Error for FenError {}
