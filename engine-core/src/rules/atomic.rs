//! Atomic: a capture removes both pieces and all but pawns around them; who loses the king loses.

use super::{Rules, Variant, end};
use crate::movegen::{Generator, MoveClass, MoveSink, Noisy, origin};
use crate::position::{Fault, Faults};
use crate::position::{MoveEffect, Observer};
use crate::types::{Bitboard, Color, Move, MoveError, Role, Side, Square};
use crate::{Board, Outcome, Position, Setup, attacks};

/// The rules of Atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Atomic;

impl Rules for Atomic {
    type Extra = ();

    const VARIANT: Variant = Variant::Atomic;
    const EXPLODES: bool = true;

    /// Kings that touch cannot be in check: capturing one would explode the other.
    #[inline(always)]
    fn royal(board: &Board, color: Color) -> Option<Square> {
        let king = board.king(color)?;
        let touching = attacks::king(king) & board.pieces(!color, Role::King);
        touching.is_empty().then_some(king)
    }

    #[inline(always)]
    fn generate<S: Side, W: MoveClass, K: MoveSink>(
        generator: &Generator<'_, Self, S>,
        sink: &mut K,
    ) {
        // Check and pin masks are right for moves that capture nothing; captures are tested singly.
        let (from, to) = (generator.from, generator.to);
        generator.without_captures().run::<W, K>(sink);
        if !W::NOISY || sink.is_done() {
            return;
        }
        let mut filter = LegalCaptures { sink, generator };
        // A capturing king would explode itself.
        let from = from - generator.board.role(Role::King);
        let captures = generator.pseudo_legal_captures().restricted(from, to);
        captures.run::<Noisy, _>(&mut filter);
    }

    #[inline(always)]
    fn after_move<O: Observer>(
        position: &mut Position<Self>,
        effect: MoveEffect,
        observer: &mut O,
    ) {
        if effect.captured.is_some() {
            explode(position, effect.to, observer);
        }
    }

    #[inline(always)]
    fn is_variant_end(position: &Position<Self>) -> bool {
        let board = position.board();
        board.king(Color::White).is_none() || board.king(Color::Black).is_none()
    }

    fn variant_end(position: &Position<Self>) -> Option<Outcome> {
        let board = position.board();
        let turn = position.turn();
        let winner = match (board.king(turn), board.king(!turn)) {
            (Some(_), None) => turn,
            (None, Some(_)) => !turn,
            _ => return None,
        };
        Some(end(turn, Some(winner)))
    }

    fn why_illegal(position: &Position<Self>, m: Move) -> MoveError {
        if position.after(m).board().king(position.turn()).is_none() {
            MoveError::KingExplodes
        } else {
            MoveError::KingInCheck
        }
    }

    fn has_insufficient_material(position: &Position<Self>, color: Color) -> bool {
        let board = position.board();
        let kings = board.role(Role::King);
        if (board.color(!color) & kings).is_empty() {
            return false;
        }
        if (board.color(color) - kings).is_empty() {
            return true;
        }
        let bishops = board.role(Role::Bishop);
        if (board.color(!color) - kings).any() {
            // Their own pieces may explode their king, unless all are bishops that never meet.
            let bishops_of = |color, squares| (bishops & board.color(color) & squares).any();
            let (light, dark) = (Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES);
            let only_bishops = board.occupied() == bishops | kings;
            return only_bishops
                && if bishops_of(Color::White, dark) {
                    !bishops_of(Color::White, light) && !bishops_of(Color::Black, dark)
                } else {
                    !bishops_of(Color::Black, light)
                };
        }
        if (board.role(Role::Queen) | board.role(Role::Pawn)).any() {
            return false;
        }
        // Against a bare king: not with one piece, nor with two knights.
        let knights = board.role(Role::Knight);
        let pieces = knights | bishops | board.role(Role::Rook);
        pieces.count() == 1 || (pieces == knights && knights.count() <= 2)
    }

    fn faults(setup: &Setup, standard: Faults) -> Faults {
        let gone = match setup.turn {
            Color::White => Fault::NoWhiteKing,
            Color::Black => Fault::NoBlackKing,
        };
        let mut faults = standard.without(Faults::of(&[Fault::OppositeCheck, gone]));
        if setup.checkers::<Self>(setup.turn).count() <= 14 {
            faults = faults.without(Faults::of(&[Fault::TooManyCheckers]));
        }
        if setup.valid_en_passant().is_none() {
            faults = faults.without(Faults::of(&[Fault::ImpossibleCheck]));
        }
        faults
    }
}

/// The squares emptied by the explosion of a capture; besides, the capturer's from-square and the
/// square of a pawn captured en passant become empty.
#[inline(always)]
pub(crate) fn blast(board: &Board, to: Square) -> Bitboard {
    (attacks::king(to) - board.role(Role::Pawn)) | to.bitboard()
}

#[inline(never)]
fn explode<O: Observer>(position: &mut Position<Atomic>, to: Square, observer: &mut O) {
    let gone = blast(position.board(), to) & position.board().occupied();
    position.remove_rights_of(gone);
    for square in gone {
        position.remove(square, observer);
    }
}

/// Passes on legal captures: the own king survives, and either the enemy king explodes or the own
/// king is not in check.
struct LegalCaptures<'a, 'b, K, S: Side> {
    sink: &'a mut K,
    generator: &'a Generator<'b, Atomic, S>,
}

impl<K, S: Side> LegalCaptures<'_, '_, K, S> {
    /// Whether a capture on `to` that also empties `left` is legal.
    #[inline(always)]
    fn is_legal(&self, left: Bitboard, to: Square) -> bool {
        let (board, us) = (self.generator.board, self.generator.side.color());
        let kings = board.role(Role::King);
        let gone = blast(board, to) | left;
        if (gone & kings & board.color(us)).any() {
            return false;
        }
        let Some(king) = board.king(us) else {
            return false;
        };
        let enemy_king = kings & board.color(!us);
        if (gone & enemy_king).any() || (attacks::king(king) & enemy_king).any() {
            return true;
        }
        let occupied = board.occupied() - gone;
        (board.attackers(king, !us, occupied) & occupied).is_empty()
    }

    /// Whether a pawn may move to an empty square.
    #[cold]
    fn is_legal_move(&self, from: Square, to: Square) -> bool {
        let (board, us) = (self.generator.board, self.generator.side.color());
        let enemy_king = board.role(Role::King) & board.color(!us);
        let occupied = (board.occupied() - from.bitboard()) | to.bitboard();
        board.king(us).is_some_and(|king| {
            (attacks::king(king) & enemy_king).any()
                || board.attackers(king, !us, occupied).is_empty()
        })
    }

    #[inline(always)]
    fn legal_targets(&self, to: Bitboard, from: impl Fn(Square) -> Square) -> Bitboard {
        to.into_iter()
            .filter(|&to| self.is_legal(from(to).bitboard(), to))
            .collect()
    }
}

impl<K: MoveSink, S: Side> MoveSink for LegalCaptures<'_, '_, K, S> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) {
        let legal = self.legal_targets(to, |_| from);
        self.sink.piece(role, from, legal);
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, step: i8) {
        let legal = self.legal_targets(to, |to| origin(to, step));
        self.sink.pawns(legal, step);
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, step: i8) {
        let legal = self.legal_targets(to, |to| origin(to, step));
        self.sink.promotions(legal, step);
    }

    /// A capture en passant. Where no pawn has passed the square, as in some EPDs, nothing explodes.
    fn single(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let capture_square = Square::new(to.file(), from.rank());
        let is_capture = self.generator.board.occupied().has(capture_square);
        let is_legal = if is_capture {
            self.is_legal(from.bitboard() | capture_square.bitboard(), to)
        } else {
            self.is_legal_move(from, to)
        };
        if is_legal {
            self.sink.single(m);
        }
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.sink.is_done()
    }
}
