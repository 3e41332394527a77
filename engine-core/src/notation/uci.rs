//! Moves as UCI writes them: `e2e4`, `e7e8q`, `N@f3`; castling is `e1g1`, or `e1h1` in Chess960.

use super::{MoveError, MoveText, square};
use crate::position::castling_targets;
use crate::rules::Rules;
use crate::{CastlingMode, Move, MoveKind, Position, Role};

impl<R: Rules> Position<R> {
    /// The move in UCI notation, with castling written as in the position's mode.
    ///
    /// ```
    /// use engine_core::{Move, Position, Square};
    ///
    /// let position: Position = Position::start();
    /// assert_eq!(position.to_uci(Move::normal(Square::E2, Square::E4)), "e2e4");
    /// ```
    pub fn to_uci(&self, m: Move) -> MoveText {
        self.to_uci_as(m, self.mode())
    }

    /// The move in UCI notation with castling written as in this mode.
    pub fn to_uci_as(&self, m: Move, mode: CastlingMode) -> MoveText {
        let mut text = MoveText::default();
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Drop(role) => {
                text.push_char(role.upper());
                text.push(b'@');
                text.push_square(to);
            }
            MoveKind::Castle if mode == CastlingMode::Standard => {
                text.push_square(from);
                text.push_square(castling_targets(self.turn(), from, to).0);
            }
            MoveKind::Promotion(role) => {
                text.push_square(from);
                text.push_square(to);
                text.push_char(role.letter());
            }
            MoveKind::Normal | MoveKind::EnPassant | MoveKind::Castle => {
                text.push_square(from);
                text.push_square(to);
            }
        }
        text
    }

    /// The move in the notation of the XBoard protocol: as in UCI, but castling in Chess960 is `O-O`
    /// or `O-O-O`.
    pub fn to_xboard(&self, m: Move) -> MoveText {
        if !m.is_castle() || self.mode() == CastlingMode::Standard {
            return self.to_uci(m);
        }
        let mut text = MoveText::default();
        text.push_str(if m.to() > m.from() { "O-O" } else { "O-O-O" });
        text
    }

    /// Reads a move in UCI notation. Both ways of castling are read in both modes.
    ///
    /// ```
    /// use engine_core::notation::MoveError;
    /// use engine_core::{Position, Square};
    ///
    /// let position: Position = Position::start();
    /// assert!(position.parse_uci("g1f3").is_ok());
    /// assert_eq!(position.parse_uci("e3e4"), Err(MoveError::NoPiece(Square::E3)));
    /// assert_eq!(position.parse_uci("0000"), Err(MoveError::Null));
    /// ```
    ///
    /// # Errors
    /// Says why the text is no legal move; `0000` is [`MoveError::Null`].
    #[inline]
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        R::read_uci(self, text)
    }

    pub(crate) fn read_uci(&self, text: &str) -> Result<Move, MoveError> {
        match *text.as_bytes() {
            [b'0', b'0', b'0', b'0'] => Err(MoveError::Null),
            [role, b'@', file, rank] => self.find_drop(role, file, rank),
            [from_file, from_rank, to_file, to_rank, ref promotion @ ..] => {
                let from = square(from_file, from_rank).ok_or(MoveError::Syntax)?;
                let to = square(to_file, to_rank).ok_or(MoveError::Syntax)?;
                let promotion = match *promotion {
                    [] => None,
                    [letter] if letter.is_ascii_lowercase() => {
                        Some(Role::from_letter(char::from(letter)).ok_or(MoveError::Syntax)?)
                    }
                    _ => return Err(MoveError::Syntax),
                };
                if from == to {
                    return Err(MoveError::Syntax);
                }
                self.find_move(from, to, promotion)
            }
            _ => Err(MoveError::Syntax),
        }
    }

    /// The drop that these letters name, if it is legal.
    pub(super) fn find_drop(&self, role: u8, file: u8, rank: u8) -> Result<Move, MoveError> {
        let role = Role::from_letter(char::from(role)).ok_or(MoveError::Syntax)?;
        let to = square(file, rank).ok_or(MoveError::Syntax)?;
        let found = self.checked(Move::drop(role, to));
        found.map_err(|error| self.unless_over(error))
    }
}
