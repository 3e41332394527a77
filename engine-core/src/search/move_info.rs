//! A legal move with the moving and the captured role, looked up once.

use crate::rules::Rules;
use crate::{Move, Position, Role, Square, zobrist};

/// A legal move with the moving and the captured role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoveInfo {
    pub(super) m: Move,
    /// The role that moves or is dropped; a pawn if the move is a promotion.
    pub(super) role: Role,
    pub(super) captured: Option<Role>,
}

const _: () = assert!(size_of::<Option<MoveInfo>>() == 4);

impl MoveInfo {
    /// Fills unused memory.
    pub(super) const PLACEHOLDER: MoveInfo = MoveInfo {
        m: Move::normal(Square::A1, Square::A1),
        role: Role::Pawn,
        captured: None,
    };

    /// Looks the roles up on the board.
    #[inline(always)]
    pub(super) fn new<R: Rules>(position: &Position<R>, m: Move) -> MoveInfo {
        MoveInfo {
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

    /// The key after a normal move, without changes of castling rights and en passant: good enough
    /// to prefetch the transposition table.
    #[inline(always)]
    pub(super) fn key_after<R: Rules>(self, position: &Position<R>) -> u64 {
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
