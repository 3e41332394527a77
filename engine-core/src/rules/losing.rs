//! Losing chess: captures are compulsory, kings are not royal, and the side that has no pieces left
//! wins. Suicide, Giveaway and Antichess differ in stalemate and start position.

use super::{Compiled, Extra, Rules, Variant, end};
use crate::movegen::{Generator, HasMove, MoveClass, MoveSink, Noisy};
use crate::position::{Fault, Faults};
use crate::position::{MoveEffect, Observer};
use crate::types::{Bitboard, Color, Move, MoveError, Role, Side, Square};
use crate::{Board, Outcome, Position, Setup};

/// The rules of one of the variants of losing chess, by number: 0 for [`Variant::Suicide`], 1 for
/// [`Variant::Giveaway`], 2 for [`Variant::Antichess`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Losing<const KIND: usize>;

/// A stalemate is won by the side with fewer pieces.
pub type Suicide = Losing<0>;
/// A stalemate is won by the side that cannot move.
pub type Giveaway = Losing<1>;
/// Giveaway without castling.
pub type Antichess = Losing<2>;

/// Promoted pieces: a king among them does not castle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Promoted(pub Bitboard);

impl Extra for Promoted {
    /// Always 0: whether a king is promoted matters too rarely to change the key.
    #[inline(always)]
    fn key(&self) -> u64 {
        0
    }

    fn of(setup: &Setup) -> Promoted {
        Promoted(setup.promoted)
    }

    fn write(&self, setup: &mut Setup) {
        setup.promoted = self.0;
    }

    #[inline(always)]
    fn promoted(&self) -> Bitboard {
        self.0
    }
}

impl<const KIND: usize> Rules for Losing<KIND>
where
    Losing<KIND>: Compiled,
{
    type Extra = Promoted;

    const VARIANT: Variant = [Variant::Suicide, Variant::Giveaway, Variant::Antichess][KIND];
    const ROYAL: bool = false;
    const STALEMATE_DRAWS: bool = false;

    #[inline(always)]
    fn royal(_: &Board, _: Color) -> Option<Square> {
        None
    }

    #[inline(always)]
    fn castling_king(position: &Position<Self>, color: Color) -> Option<Square> {
        let kings = position.board().pieces(color, Role::King) - position.extra().0;
        (kings & color.backrank().bitboard()).first()
    }

    #[inline(always)]
    fn generate<S: Side, W: MoveClass, K: MoveSink>(
        generator: &Generator<'_, Self, S>,
        sink: &mut K,
    ) {
        let captures = generator.pseudo_legal_captures();
        if !has_captures(&captures) {
            generator.run::<W, K>(sink);
        } else if W::NOISY {
            captures
                .restricted(generator.from, generator.to)
                .run::<Noisy, K>(sink);
        }
    }

    #[inline(always)]
    fn must_capture(position: &Position<Self>) -> bool {
        has_captures(&Generator::of(position, position.turn()).pseudo_legal_captures())
    }

    fn why_illegal(_: &Position<Self>, _: Move) -> MoveError {
        MoveError::MustCapture
    }

    #[inline(always)]
    fn after_move<O: Observer>(position: &mut Position<Self>, effect: MoveEffect, _: &mut O) {
        position.update_extra(|extra| extra.0 = effect.promoted_after(extra.0));
    }

    #[inline(always)]
    fn is_variant_end(position: &Position<Self>) -> bool {
        let board = position.board();
        board.color(Color::White).is_empty() || board.color(Color::Black).is_empty()
    }

    fn variant_end(position: &Position<Self>) -> Option<Outcome> {
        let board = position.board();
        let turn = position.turn();
        if board.color(turn).is_empty() {
            return Some(end(turn, Some(turn)));
        }
        if Self::is_variant_end(position) || position.has_legal_move() {
            return None;
        }
        if Self::VARIANT != Variant::Suicide {
            return Some(end(turn, Some(turn)));
        }
        let [own, enemy] = [turn, !turn].map(|color| board.color(color).count());
        let winner = match own.cmp(&enemy) {
            core::cmp::Ordering::Less => Some(turn),
            core::cmp::Ordering::Equal => None,
            core::cmp::Ordering::Greater => Some(!turn),
        };
        Some(end(turn, winner))
    }

    /// Only kings, as long as a side may castle: promoted ones may not.
    fn promoted_in_fen(setup: &Setup) -> Bitboard {
        if setup.castling.any() {
            setup.promoted & setup.board.role(Role::King)
        } else {
            Bitboard::EMPTY
        }
    }

    fn extras_repeat(one: &Position<Self>, other: &Position<Self>) -> bool {
        Self::promoted_in_fen(&one.to_setup()) == Self::promoted_in_fen(&other.to_setup())
    }

    fn has_insufficient_material(position: &Position<Self>, color: Color) -> bool {
        let board = position.board();
        let (own, enemy) = (board.color(color), board.color(!color));
        if own.is_empty() || enemy.is_empty() {
            return own.any();
        }
        let (light, dark) = (Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES);
        if board.occupied() == board.role(Role::Bishop) {
            // Some of our bishops stand where theirs can never capture them.
            return ((own & light).any() && (enemy & light).is_empty())
                || ((own & dark).any() && (enemy & dark).is_empty());
        }
        if board.occupied() == board.role(Role::Knight) && board.occupied().count() == 2 {
            // A knight changes the colour of its square with every move.
            let white_on_light = (board.color(Color::White) & light).any();
            let black_on_dark = (board.color(Color::Black) & dark).any();
            let same = position.turn() == color;
            return same ^ white_on_light ^ black_on_dark;
        }
        false
    }

    fn faults(_: &Setup, standard: Faults) -> Faults {
        standard.without(Faults::of(&[
            Fault::NoWhiteKing,
            Fault::NoBlackKing,
            Fault::TooManyKings,
            Fault::OppositeCheck,
        ]))
    }
}

/// Whether there is a capture.
#[inline(always)]
fn has_captures<R: Rules, S: Side>(captures: &Generator<'_, R, S>) -> bool {
    let mut has_move = HasMove(false);
    captures.run::<Noisy, _>(&mut has_move);
    has_move.0
}
