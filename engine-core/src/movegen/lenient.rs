//! Lenient move generation: the moves of a [`Setup`] with all its faults, such as several kings, no
//! king, or an en passant square that no pawn has passed.
//!
//! Pseudo-legal moves are generated and then filtered by making each of them. It is slow and
//! simple; games and searches use [`Position`](crate::Position). Where orthodox rules say nothing,
//! it does as python-chess does: of several kings the last one (h8 is the last square) can be in
//! check, and the first one castles.

use crate::movegen::PROMOTIONS;
use crate::position::castling_targets;
use crate::rules::{Crazyhouse, Rules, Variant};
use crate::types::{Bitboard, Color, Move, MoveKind, Rank, Role, Square};
use crate::{Board, CastlingMode, Position, Setup, attacks};
use alloc::vec::Vec;

impl Setup {
    /// The pseudo-legal moves, which may leave the king in check.
    ///
    /// ```
    /// use engine_core::{CastlingMode, Setup};
    ///
    /// let setup = Setup::from_fen("4r2k/8/8/8/8/8/4R3/4K3 w - -")?;
    /// let pseudo_legal = setup.pseudo_legal_moves(CastlingMode::Standard).len();
    /// assert_eq!((pseudo_legal, setup.legal_moves(CastlingMode::Standard).len()), (17, 10));
    /// # Ok::<(), engine_core::notation::FenError>(())
    /// ```
    pub fn pseudo_legal_moves(&self, mode: CastlingMode) -> Vec<Move> {
        let mut moves = self.non_castling_moves();
        let is_safe = |board: &Board, square| !self.is_attacked(board, square);
        moves.extend(self.castling_moves(mode, is_safe));
        moves
    }

    /// The moves after which the king is not attacked.
    pub fn legal_moves(&self, mode: CastlingMode) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves(mode);
        let board = &self.board;
        if let Some(king) = self.last_king(self.turn) {
            let others = board.role(Role::King) - king.bitboard();
            let in_check = self.is_attacked(board, king);
            moves.retain(|&m| match m.kind() {
                MoveKind::Castle => true,
                _ if in_check && others.has(m.from()) => false,
                _ => {
                    let to = if m.from() == king { m.to() } else { king };
                    !self.is_attacked(&self.board_after(m), to)
                }
            });
        }
        moves
    }

    /// The legal moves by the rules of a variant. Drops include those of a king, should a FEN put
    /// one in hand.
    pub fn variant_moves<R: Rules>(&self, mode: CastlingMode) -> Vec<Move> {
        let position = Position::<R>::from_setup_unchecked(self, mode);
        if R::is_variant_end(&position) {
            return Vec::new();
        }
        let mut moves = match R::VARIANT {
            Variant::Suicide | Variant::Giveaway | Variant::Antichess => self.antichess_moves(mode),
            Variant::Atomic => self.atomic_moves(&position),
            _ => self.legal_moves(mode),
        };
        match R::VARIANT {
            // No move may give check.
            Variant::RacingKings => moves.retain(|&m| {
                let after = self.board_after(m);
                let king = after.pieces(!self.turn, Role::King).single();
                king.is_none_or(|king| {
                    after
                        .attackers(king, self.turn, after.occupied())
                        .is_empty()
                })
            }),
            Variant::Crazyhouse => moves.extend(self.drops()),
            _ => {}
        }
        moves
    }

    /// Pseudo-legal castling by the rules of a variant.
    pub fn variant_castling_moves<R: Rules>(&self, mode: CastlingMode) -> Vec<Move> {
        let is_safe = |board: &Board, square| !self.is_attacked(board, square);
        match R::VARIANT {
            Variant::Suicide | Variant::Giveaway | Variant::Antichess => {
                self.castling_moves(mode, |_, _| true).collect()
            }
            Variant::Atomic => {
                let near = self.near_enemy_kings();
                let is_safe = |board: &Board, square| near.has(square) || is_safe(board, square);
                self.castling_moves(mode, is_safe).collect()
            }
            _ => self.castling_moves(mode, is_safe).collect(),
        }
    }

    /// Pseudo-legal moves other than castling of a side whose pawns may become kings.
    fn antichess_non_castling_moves(&self) -> Vec<Move> {
        let mut moves = self.non_castling_moves();
        let to_queen = |m: &&Move| m.promoted() == Some(Role::Queen);
        let to_king = |m: &Move| Move::promotion(m.from(), m.to(), Role::King);
        let kings: Vec<Move> = moves.iter().filter(to_queen).map(to_king).collect();
        moves.extend(kings);
        moves
    }

    /// Captures; if there are none, all other moves. Kings are not royal.
    fn antichess_moves(&self, mode: CastlingMode) -> Vec<Move> {
        let mut moves = self.antichess_non_castling_moves();
        let enemy = self.board.color(!self.turn);
        let is_capture = |m: &Move| m.is_en_passant() || enemy.has(m.to());
        if moves.iter().any(is_capture) {
            moves.retain(is_capture);
        } else {
            moves.extend(self.castling_moves(mode, |_, _| true));
        }
        moves
    }

    /// The squares beside the enemy's kings.
    fn near_enemy_kings(&self) -> Bitboard {
        let kings = self.board.pieces(!self.turn, Role::King);
        let touched = |near, king| near | attacks::king(king);
        kings.into_iter().fold(Bitboard::EMPTY, touched)
    }

    /// Moves after which an own king is left and, while the enemy has one too, not in check.
    fn atomic_moves<R: Rules>(&self, position: &Position<R>) -> Vec<Move> {
        let mut moves = self.non_castling_moves();
        moves.extend(self.variant_castling_moves::<R>(position.mode()));
        moves.retain(|&m| {
            let after = position.after(m);
            let board = after.board();
            let [own, enemy] = [self.turn, !self.turn].map(|color| board.pieces(color, Role::King));
            let in_check = || {
                let king = own.single();
                king.is_some_and(|king| self.is_attacked(board, king)) && !kings_touch(board)
            };
            own.any() && (enemy.is_empty() || !in_check())
        });
        moves
    }

    fn drops(&self) -> impl Iterator<Item = Move> {
        let to = !self.board.occupied();
        let checkers = self.checkers::<Crazyhouse>(self.turn);
        let to = match (self.last_king(self.turn), checkers.single()) {
            _ if checkers.is_empty() => to,
            (Some(king), Some(checker)) => to & attacks::between(king, checker),
            _ => Bitboard::EMPTY,
        };
        let pockets = self.pockets.unwrap_or_default();
        let in_hand = move |&role: &Role| pockets.count(self.turn, role) > 0;
        Role::ALL.into_iter().filter(in_hand).flat_map(move |role| {
            let to = match role {
                Role::Pawn => to - Bitboard::BACKRANKS,
                _ => to,
            };
            to.into_iter().map(move |to| Move::drop(role, to))
        })
    }

    /// The en passant square if one of these legal moves captures there. With several kings a
    /// pseudo-legal capture will do, since python-chess then sees no king that could be in check.
    pub fn legal_en_passant(&self, legal: &[Move]) -> Option<Square> {
        let has_several_kings = self.board.pieces(self.turn, Role::King).more_than_one();
        let pseudo_legal = if has_several_kings {
            self.non_castling_moves()
        } else {
            Vec::new()
        };
        let mut moves = legal.iter().chain(&pseudo_legal);
        moves.find(|m| m.is_en_passant()).map(|m| m.to())
    }

    /// The king that can be in check: of several the last.
    pub fn last_king(&self, color: Color) -> Option<Square> {
        self.board.pieces(color, Role::King).last()
    }

    /// Pseudo-legal moves other than castling.
    pub(crate) fn non_castling_moves(&self) -> Vec<Move> {
        let board = &self.board;
        let own = board.color(self.turn);
        let mut moves = Vec::new();
        for from in own - board.role(Role::Pawn) {
            let to = board.attacks_from(from) - own;
            moves.extend(to.into_iter().map(|to| Move::normal(from, to)));
        }
        for from in own & board.role(Role::Pawn) {
            self.push_pawn_moves(from, &mut moves);
        }
        moves
    }

    fn push_pawn_moves(&self, from: Square, moves: &mut Vec<Move>) {
        let (us, occupied) = (self.turn, self.board.occupied());
        let forward = if us.is_white() { 1 } else { -1 };
        let one = from.offset(0, forward).filter(|&to| !occupied.has(to));
        // In Horde a pawn may also go two squares from its own first rank.
        let may_double_push = [Rank::First, Rank::Second].contains(&us.relative_rank(from.rank()));
        let two = one
            .and_then(|one| one.offset(0, forward))
            .filter(|&to| may_double_push && !occupied.has(to));
        let attacked = attacks::pawn(us, from);
        for to in (attacked & self.board.color(!us))
            .into_iter()
            .chain(one)
            .chain(two)
        {
            if Bitboard::BACKRANKS.has(to) {
                moves.extend(PROMOTIONS.map(|role| Move::promotion(from, to, role)));
            } else {
                moves.push(Move::normal(from, to));
            }
        }
        let passed = self.en_passant.filter(|&passed| {
            from.rank() == us.relative_rank(Rank::Fifth)
                && attacked.has(passed)
                && !occupied.has(passed)
        });
        moves.extend(passed.map(|passed| Move::en_passant(from, passed)));
    }

    /// Castling of the first king with each rook that has the right; `is_safe` says whether the
    /// king would be safe on a square of a board.
    pub(crate) fn castling_moves(
        &self,
        mode: CastlingMode,
        is_safe: impl Fn(&Board, Square) -> bool,
    ) -> impl Iterator<Item = Move> {
        let board = &self.board;
        let rank = self.turn.backrank().bitboard();
        let kings = (board.pieces(self.turn, Role::King) - self.promoted) & rank;
        let rooks = self.clean_castling(mode) & rank;
        let pairs = kings.first().into_iter().flat_map(move |king| {
            let with_king = move |rook| (king, rook);
            rooks.into_iter().map(with_king)
        });
        pairs
            .filter(move |&(king, rook)| {
                let (king_to, rook_to) = castling_targets(self.turn, king, rook);
                let path = attacks::between(king, king_to) | king_to.bitboard();
                let rook_path = attacks::between(rook, rook_to) | rook_to.bitboard();
                let others = board.occupied() - king.bitboard() - rook.bitboard();
                let mut without_king = *board;
                without_king.remove_at(king);
                let mut on_the_way = ((path - king_to.bitboard()) | king.bitboard()).into_iter();
                ((path | rook_path) & others).is_empty()
                    && on_the_way.all(|square| is_safe(&without_king, square))
                    && is_safe(&self.board_after(Move::castle(king, rook)), king_to)
            })
            .map(|(king, rook)| Move::castle(king, rook))
    }

    fn is_attacked(&self, board: &Board, square: Square) -> bool {
        board.attackers(square, !self.turn, board.occupied()).any()
    }

    fn board_after(&self, m: Move) -> Board {
        let mut board = self.board;
        let Some(piece) = board.remove_at(m.from()) else {
            return board;
        };
        match m.kind() {
            MoveKind::Castle => {
                board.remove_at(m.to());
                let (king_to, rook_to) = castling_targets(self.turn, m.from(), m.to());
                board.put_on_empty(piece, king_to);
                board.put_on_empty(Role::Rook.of(self.turn), rook_to);
            }
            kind => {
                if kind == MoveKind::EnPassant {
                    board.remove_at(Square::new(m.to().file(), m.from().rank()));
                }
                board.put(m.promoted().unwrap_or(piece.role).of(self.turn), m.to());
            }
        }
        board
    }
}

fn kings_touch(board: &Board) -> bool {
    let [white, black] = Color::ALL.map(|color| board.pieces(color, Role::King));
    white
        .into_iter()
        .any(|king| (attacks::king(king) & black).any())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::tests::for_random_positions;
    use crate::{AnyPosition, dispatch};

    #[test]
    fn agrees_with_the_generator() {
        for_random_positions(4, |position| {
            let mut fast: Vec<Move> = position.legal_moves().to_vec();
            let mut plain = position.to_setup().legal_moves(position.mode());
            fast.sort();
            plain.sort();
            assert_eq!(fast, plain, "{position:?}");
        });
    }

    #[test]
    fn agrees_with_the_generators_of_variants() {
        for variant in Variant::all() {
            let mut any = AnyPosition::start(variant);
            for ply in 0..60 {
                let chosen = dispatch!(&any, |position| agrees(position, ply * 7));
                let Some(m) = chosen else { break };
                dispatch!(&mut any, |position| position.play(m));
            }
        }
    }

    fn agrees<R: Rules>(position: &Position<R>, number: usize) -> Option<Move> {
        let mut fast: Vec<Move> = position.legal_moves().to_vec();
        let mut plain = position.to_setup().variant_moves::<R>(position.mode());
        fast.sort();
        plain.sort();
        assert_eq!(fast, plain, "{position:?}");
        fast.get(number % fast.len().max(1)).copied()
    }

    #[test]
    fn several_kings() {
        let count = |fen: &str| {
            let setup = Setup::from_fen(fen).expect("a FEN");
            setup.legal_moves(CastlingMode::Standard).len()
        };
        assert_eq!(count("k7/8/8/8/8/8/8/KK6 w - - 0 1"), 6);
        assert_eq!(count("8/8/8/8/8/8/8/8 w - - 0 1"), 0);
        // No pawn has passed over f6, yet the FEN says so.
        assert_eq!(count("4k3/8/8/4P3/8/8/8/4K3 w - f6 0 1"), 7);
    }
}
