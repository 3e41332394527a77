//! Which moves give check: the squares from which each role checks, and discovered checks.

use crate::rules::Rules;
use crate::types::{Bitboard, Move, MoveKind, Role, Square};
use crate::{Position, attacks};

/// The squares from which the side to move checks the enemy king.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    king: Option<Square>,
    by_role: [Bitboard; 6],
    /// Own pieces that discover a check when they leave the line between slider and king.
    discoverers: Bitboard,
}

impl CheckSquares {
    /// The targets of a piece on which its move gives check.
    #[inline(always)]
    pub fn among(&self, role: Role, from: Square, targets: Bitboard) -> Bitboard {
        let direct = self.by_role[role.index()] & targets;
        if self.discoverers.has(from) {
            direct | self.discovering(from, targets)
        } else {
            direct
        }
    }

    #[cold]
    fn discovering(&self, from: Square, targets: Bitboard) -> Bitboard {
        self.king
            .map_or(Bitboard::EMPTY, |king| targets - attacks::line(king, from))
    }

    /// A superset of the squares on which a quiet move other than castling gives check.
    #[cfg(feature = "search")]
    #[inline(always)]
    pub(crate) fn targets(&self) -> Bitboard {
        if self.discoverers.any() {
            return Bitboard::FULL;
        }
        let [pawn, knight, _, _, queen, _] = self.by_role;
        pawn | knight | queen
    }

    /// The squares from which a piece of this role gives check itself.
    #[cfg(feature = "search")]
    pub(crate) fn direct(&self, role: Role) -> Bitboard {
        self.by_role[role.index()]
    }

    /// Whether the side to move gives check before its move, which cannot happen in a legal
    /// position.
    pub(crate) fn is_given<R: Rules>(&self, position: &Position<R>) -> bool {
        let (board, turn) = (position.board(), position.turn());
        let gives = |&role: &Role| (board.pieces(turn, role) & self.by_role[role.index()]).any();
        Role::ALL.iter().any(gives)
    }

    /// Own pieces that discover a check when they leave their line to the king.
    #[inline(always)]
    pub fn discoverers(&self) -> Bitboard {
        self.discoverers
    }
}

impl<R: Rules> Position<R> {
    /// The squares from which the side to move checks the enemy king.
    pub fn check_squares(&self) -> CheckSquares {
        let board = self.board();
        let turn = self.turn();
        let mut checks = CheckSquares {
            king: R::royal(board, !turn),
            by_role: [Bitboard::EMPTY; 6],
            discoverers: Bitboard::EMPTY,
        };
        let Some(king) = checks.king else {
            return checks;
        };
        let occupied = board.occupied();
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        checks.by_role = [
            attacks::pawn(!turn, king),
            attacks::knight(king),
            bishop,
            rook,
            bishop | rook,
            Bitboard::EMPTY,
        ];
        // Atomic may start from such a position. Then each move is played to see what it leaves.
        if R::EXPLODES && checks.is_given(self) {
            checks.king = None;
            return checks;
        }
        let own = board.color(turn);
        for sniper in board.snipers(king) & own {
            let blockers = attacks::between(king, sniper) & occupied;
            if !blockers.more_than_one() {
                checks.discoverers |= blockers & own;
            }
        }
        checks
    }

    /// Whether a legal move gives check.
    #[inline(always)]
    pub fn gives_check(&self, m: Move, checks: &CheckSquares) -> bool {
        self.role_gives_check(self.board().role_on(m.from()), m, checks)
    }

    /// The same, given the role that moves.
    #[inline(always)]
    pub(crate) fn role_gives_check(&self, role: Role, m: Move, checks: &CheckSquares) -> bool {
        if m.is_normal() && !(R::EXPLODES && self.changes_royalty(m, checks)) {
            checks.among(role, m.from(), m.to().bitboard()).any()
        } else if let MoveKind::Drop(role) = m.kind() {
            checks.by_role[role.index()].has(m.to())
        } else {
            self.special_gives_check(m)
        }
    }

    /// Whether an Atomic move may change which kings can be in check: the kings touch before or may
    /// touch after the move, or something explodes.
    fn changes_royalty(&self, m: Move, checks: &CheckSquares) -> bool {
        checks.king.is_none() || self.is_capture(m) || self.board().role_on(m.from()) == Role::King
    }

    /// Castling, promotion and en passant change more than two squares: play the move and look.
    #[cold]
    fn special_gives_check(&self, m: Move) -> bool {
        self.after(m).in_check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Atomic;
    use crate::{CastlingMode, Setup, Standard, zobrist};

    #[test]
    fn agrees_with_playing_the_move() {
        let mut seed = 5;
        for _ in 0..300 {
            let mut position = Position::<Standard>::start();
            for _ in 0..120 {
                let moves = position.legal_moves();
                let checks = position.check_squares();
                for m in &moves {
                    let in_check = position.after(m).in_check();
                    assert_eq!(position.gives_check(m, &checks), in_check, "{m:?}");
                }
                if moves.is_empty() {
                    break;
                }
                seed = zobrist::splitmix64(seed);
                position.play(moves[(seed >> 32) as usize % moves.len()]);
            }
        }
    }

    #[test]
    fn atomic_moves_may_leave_a_check() {
        let setup = Setup::from_fen("6R1/3pP3/2K5/1Q6/4q3/8/5nk1/8 b - - 50 1").expect("a FEN");
        let position = Position::<Atomic>::from_setup(&setup, CastlingMode::Standard);
        let position = position.expect("a position");
        let checks = position.check_squares();
        let mut given = 0;
        for m in &position.legal_moves() {
            let in_check = position.after(m).in_check();
            assert_eq!(position.gives_check(m, &checks), in_check, "{m:?}");
            given += usize::from(in_check);
        }
        assert!(given > 0);
    }
}
