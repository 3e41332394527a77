//! Long algebraic notation: `Ng1-f3`, `e4xd5`.

use super::MoveText;
use crate::rules::Rules;
use crate::{Move, Position, Role};

impl<R: Rules> Position<R> {
    /// A legal move in long algebraic notation, with `+` or `#`; castling and drops as in SAN.
    ///
    /// ```
    /// use engine_core::{Move, Position, Square};
    ///
    /// let position: Position = Position::start();
    /// assert_eq!(position.to_lan(Move::normal(Square::G1, Square::F3)), "Ng1-f3");
    /// ```
    pub fn to_lan(&self, m: Move) -> MoveText {
        if m.is_castle() || m.is_drop() {
            return self.to_san(m);
        }
        let mut text = MoveText::default();
        let role = self.board().role_on(m.from());
        if role != Role::Pawn {
            text.push_char(role.upper());
        }
        text.push_square(m.from());
        text.push(if self.is_capture(m) { b'x' } else { b'-' });
        text.push_square(m.to());
        if let Some(promoted) = m.promoted() {
            text.push(b'=');
            text.push_char(promoted.upper());
        }
        self.push_check(m, &mut text);
        text
    }
}
