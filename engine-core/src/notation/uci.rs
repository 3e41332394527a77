//! Moves as UCI writes them: `e2e4`, `e7e8q`, `N@f3`; castling is `e1g1`, or `e1h1` in Chess960.

use super::{MoveError, MoveText, square};
use crate::attacks;
use crate::position::castling_targets;
use crate::rules::Rules;
use crate::{CastlingMode, File, Move, MoveKind, Position, Rank, Role, Square};

impl<R: Rules> Position<R> {
    /// The move in UCI notation. Castling is written as the position's mode has it.
    ///
    /// ```
    /// use engine_core::{Move, Position, Square};
    ///
    /// let position: Position = Position::start();
    /// assert_eq!(position.to_uci(Move::normal(Square::E2, Square::E4)), "e2e4");
    /// ```
    pub fn to_uci(&self, m: Move) -> MoveText {
        let mut text = MoveText::default();
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Drop(role) => {
                text.push_char(role.upper());
                text.push(b'@');
                text.push_square(to);
            }
            MoveKind::Castle if self.mode() == CastlingMode::Standard => {
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
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        match *text.as_bytes() {
            // python-chess reads its own null move, a1a1, too.
            [b'0', b'0', b'0', b'0'] | [b'a', b'1', b'a', b'1'] => Err(MoveError::Null),
            [role, b'@', file, rank] => {
                let role = Role::from_letter(char::from(role)).ok_or(MoveError::Syntax)?;
                let to = square(file, rank).ok_or(MoveError::Syntax)?;
                self.checked(Move::drop(role, to))
            }
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
                let to = self.rook_of_castling(from, to).unwrap_or(to);
                self.find_move(from, to, promotion)
            }
            _ => Err(MoveError::Syntax),
        }
    }

    /// The rook that the king castles with when it goes from the e-file to the g- or c-file.
    pub(super) fn rook_of_castling(&self, from: Square, to: Square) -> Option<Square> {
        let backrank = self.turn().backrank();
        let king = self.board().pieces(self.turn(), Role::King);
        if !king.has(from) || from != Square::new(File::E, backrank) || to.rank() != backrank {
            return None;
        }
        let file = match to.file() {
            File::G => File::H,
            File::C => File::A,
            _ => return None,
        };
        // With a rook of its own on the target, the king takes that one.
        let rook = Square::new(file, backrank);
        (self.castling().has(rook) && !self.castling().has(to)).then_some(rook)
    }

    /// The legal move between two squares; castling is the king taking its rook.
    pub(super) fn find_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, MoveError> {
        let board = self.board();
        let own = board.color(self.turn());
        if !own.has(from) {
            return Err(MoveError::NoPiece(from));
        }
        let last_rank = self.turn().relative_rank(Rank::Eighth);
        let m = match (board.role_on(from), promotion) {
            (Role::Pawn, Some(role)) if to.rank() == last_rank => Move::promotion(from, to, role),
            (_, Some(_)) => return Err(MoveError::Illegal),
            (Role::Pawn, None) if self.en_passant() == Some(to) && from.file() != to.file() => {
                Move::en_passant(from, to)
            }
            (Role::Pawn, None) if to.rank() == last_rank => {
                return Err(self
                    .find_move(from, to, Some(Role::Queen))
                    .err()
                    .unwrap_or(MoveError::NoPromotion));
            }
            (Role::King, None) if (self.castling() & own).has(to) => Move::castle(from, to),
            _ => Move::normal(from, to),
        };
        self.checked(m)
    }

    /// The move if it is legal, or why it is not.
    fn checked(&self, m: Move) -> Result<Move, MoveError> {
        if self.is_legal(m) {
            Ok(m)
        } else if !m.is_drop() && !m.is_castle() && self.reaches(m.from(), m.to()) {
            Err(MoveError::KingInCheck)
        } else {
            Err(MoveError::Illegal)
        }
    }

    /// Whether the own piece on `from` moves to `to` by its nature, whatever becomes of the king.
    pub(super) fn reaches(&self, from: Square, to: Square) -> bool {
        let board = self.board();
        let us = self.turn();
        if board.color(us).has(to) {
            return false;
        }
        if board.role_at(from) != Some(Role::Pawn) {
            return board.attacks_from(from).has(to);
        }
        let captures = board.color(!us).has(to) || self.en_passant() == Some(to);
        if from.file() != to.file() {
            return captures && attacks::pawn(us, from).has(to);
        }
        let forward = if us.is_white() { 1 } else { -1 };
        let one = from.offset(0, forward);
        let two = from.offset(0, 2 * forward);
        let first = from.rank() == us.relative_rank(Rank::Second);
        let path = attacks::between(from, to) | to.bitboard();
        (one == Some(to) || first && two == Some(to)) && (path & board.occupied()).is_empty()
    }
}
