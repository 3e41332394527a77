//! Why a text is not a legal move.

use super::{MoveText, Square};
use alloc::vec::Vec;
use core::fmt;

/// Why a text is not a legal move in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// The text is no move in this notation.
    Syntax,
    /// The text is the null move (`0000`, `--`), which is never legal. Callers that allow it, as
    /// analysis does, handle this error.
    Null,
    /// The side to move has no piece on this square.
    NoPiece(Square),
    /// A pawn reaches the last rank, and the text has no promotion piece.
    NoPromotion,
    /// The move would leave the own king in check.
    KingInCheck,
    /// The side to move must capture, and the move captures nothing.
    MustCapture,
    /// The move would give check, which no move may in Racing Kings.
    GivesCheck,
    /// The own king would explode.
    KingExplodes,
    /// The game has ended by a rule of its variant.
    GameOver,
    /// No piece that the text can mean goes there.
    Illegal,
    /// The text fits several moves: the SAN of each.
    Ambiguous(Vec<MoveText>),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Syntax => f.write_str("not a move"),
            MoveError::Null => f.write_str("the null move is not legal"),
            MoveError::NoPiece(square) => write!(f, "the side to move has no piece on {square}"),
            MoveError::NoPromotion => f.write_str("a promotion names the new piece, as in e8=Q"),
            MoveError::KingInCheck => f.write_str("that leaves the king in check"),
            MoveError::MustCapture => f.write_str("captures are compulsory"),
            MoveError::GivesCheck => f.write_str("no move may give check"),
            MoveError::KingExplodes => f.write_str("that explodes the own king"),
            MoveError::GameOver => f.write_str("the game is over"),
            MoveError::Illegal => f.write_str("not a legal move"),
            MoveError::Ambiguous(moves) => {
                f.write_str("ambiguous: ")?;
                let mut separator = "";
                for text in moves {
                    write!(f, "{separator}{text}")?;
                    separator = " or ";
                }
                Ok(())
            }
        }
    }
}

impl core::error::Error for MoveError {}
