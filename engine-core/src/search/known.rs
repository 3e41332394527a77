//! A legal move with what it moves and captures, found once and not at every use.

use crate::rules::Rules;
use crate::{Move, Position, Role, Square, zobrist};

/// A legal move with what it moves and captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KnownMove {
    pub(super) m: Move,
    /// What moves or is dropped; the pawn of a promotion.
    pub(super) role: Role,
    pub(super) captured: Option<Role>,
}

const _: () = assert!(size_of::<Option<KnownMove>>() == 4);

impl KnownMove {
    /// What stands where no move is known.
    pub(super) const PLACEHOLDER: KnownMove = KnownMove {
        m: Move::normal(Square::A1, Square::A1),
        role: Role::Pawn,
        captured: None,
    };

    /// Looks at the board for what is not known yet.
    #[inline(always)]
    pub(super) fn of<R: Rules>(position: &Position<R>, m: Move) -> KnownMove {
        KnownMove {
            m,
            role: position.moved_role(m),
            captured: position.captured(m),
        }
    }

    /// Neither a capture nor a promotion.
    #[inline(always)]
    pub(super) fn is_quiet(self) -> bool {
        self.captured.is_none() && self.m.promoted().is_none()
    }

    /// The key after a plain step or capture, but for castling rights and en passant; some other
    /// number after other moves. Good enough to ask for memory ahead.
    #[inline(always)]
    pub(super) fn likely_key<R: Rules>(self, position: &Position<R>) -> u64 {
        let (from, to) = (self.m.from(), self.m.to());
        let turn = position.turn();
        let piece = self.role.of(turn);
        let mut key = position.likely_key_after_null();
        if let Some(captured) = self.captured {
            key ^= zobrist::piece(captured.of(!turn), to);
        }
        key ^ zobrist::piece(piece, from) ^ zobrist::piece(piece, to)
    }
}
