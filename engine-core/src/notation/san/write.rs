//! Writing SAN.

use crate::notation::MoveText;
use crate::rules::Rules;
use crate::{Bitboard, Move, MoveKind, Position, Role, Square, attacks};

impl<R: Rules> Position<R> {
    /// A legal move in standard algebraic notation, with `+` or `#`.
    ///
    /// ```
    /// use engine_core::{Move, Position, Square};
    ///
    /// let position: Position = Position::start();
    /// assert_eq!(position.to_san(Move::normal(Square::G1, Square::F3)), "Nf3");
    /// ```
    #[inline]
    pub fn to_san(&self, m: Move) -> MoveText {
        R::write_san(self, m)
    }

    pub(crate) fn write_san(&self, m: Move) -> MoveText {
        let mut text = MoveText::default();
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Castle => text.push_str(if to > from { "O-O" } else { "O-O-O" }),
            MoveKind::Drop(role) => {
                if role != Role::Pawn {
                    text.push_char(role.upper());
                }
                text.push(b'@');
                text.push_square(to);
            }
            MoveKind::Normal | MoveKind::EnPassant | MoveKind::Promotion(_) => {
                self.push_step(m, &mut text);
            }
        }
        self.push_check(m, &mut text);
        text
    }

    fn push_step(&self, m: Move, text: &mut MoveText) {
        let (from, to) = (m.from(), m.to());
        let role = self.board().role_on(from);
        let captures = self.is_capture(m);
        if role == Role::Pawn {
            if captures {
                text.push_char(from.file().letter());
            }
        } else {
            text.push_char(role.upper());
            self.push_origin(role, from, to, text);
        }
        if captures {
            text.push(b'x');
        }
        text.push_square(to);
        if let Some(promoted) = m.promoted() {
            text.push(b'=');
            text.push_char(promoted.upper());
        }
    }

    /// Adds what distinguishes the piece from others of its role that can go to the same square:
    /// the file if that suffices, else the rank if that suffices, else both.
    fn push_origin(&self, role: Role, from: Square, to: Square, text: &mut MoveText) {
        let rivals: Bitboard = (self.board().pieces(self.turn(), role)
            & attacks::piece(role.of(self.turn()), to, self.board().occupied()))
        .into_iter()
        .filter(|&other| other != from && self.is_legal_lenient(Move::normal(other, to)))
        .collect();
        if rivals.is_empty() {
            return;
        }
        let shares_file = (rivals & from.file().bitboard()).any();
        let shares_rank = (rivals & from.rank().bitboard()).any();
        if !shares_file || shares_rank {
            text.push_char(from.file().letter());
        }
        if shares_file {
            text.push_char(from.rank().digit());
        }
    }

    /// Adds `+` for check and `#` for a move that wins at once.
    pub(in crate::notation) fn push_check(&self, m: Move, text: &mut MoveText) {
        let after = self.after(m);
        let won = R::variant_end(&after).is_some_and(|end| end.winner.is_some());
        if won || after.in_check() {
            let mate = won || !after.has_legal_move();
            text.push(if mate { b'#' } else { b'+' });
        }
    }
}
