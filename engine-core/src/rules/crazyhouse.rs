//! Crazyhouse: captured pieces change sides and come back as drops.

use super::{Extra, Rules, Variant};
use crate::movegen::{Generator, MoveClass, MoveSink};
use crate::position::{Fault, Faults};
use crate::position::{MoveEffect, Observer};
use crate::types::{Bitboard, Color, Role, Side};
use crate::{Position, Setup, zobrist};
use alloc::string::String;
use core::fmt;

/// The rules of Crazyhouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Crazyhouse;

/// The pieces that each side has in hand: a count of five bits for each colour and role.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pockets(u64);

impl Pockets {
    /// The most pieces of one kind that a pocket holds.
    pub const MAX_PER_ROLE: u32 = 31;

    #[inline(always)]
    fn shift(color: Color, role: Role) -> usize {
        5 * (6 * color.index() + role.index())
    }

    /// How many pieces of a kind a side has in hand.
    #[inline(always)]
    pub fn count(self, color: Color, role: Role) -> u32 {
        (self.0 >> Pockets::shift(color, role)) as u32 & Pockets::MAX_PER_ROLE
    }

    /// Adds a piece, unless there are [`Pockets::MAX_PER_ROLE`] already.
    #[inline(always)]
    pub fn add(&mut self, color: Color, role: Role) {
        if self.count(color, role) < Pockets::MAX_PER_ROLE {
            self.0 += 1 << Pockets::shift(color, role);
        }
    }

    /// Takes a piece out, if there is one.
    #[inline(always)]
    pub fn remove(&mut self, color: Color, role: Role) {
        if self.count(color, role) > 0 {
            self.0 -= 1 << Pockets::shift(color, role);
        }
    }

    /// Whether a side has no piece in hand.
    #[inline(always)]
    pub fn has_none(self, color: Color) -> bool {
        self.0 >> Pockets::shift(color, Role::Pawn) & ((1 << 30) - 1) == 0
    }

    /// The letters of one side's pieces, the king first, in lower case.
    pub fn letters(self, color: Color) -> String {
        let all = Role::ALL.into_iter().rev();
        all.flat_map(|role| (0..self.count(color, role)).map(move |_| role.letter()))
            .collect()
    }

    /// The number of pieces of both sides.
    pub fn total(self) -> u32 {
        let of = |color| {
            Role::ALL
                .into_iter()
                .map(move |role| self.count(color, role))
        };
        Color::ALL.into_iter().flat_map(of).sum()
    }

    /// The pockets with the sides exchanged.
    pub fn flip(self) -> Pockets {
        Pockets(self.0 >> 30 | (self.0 & ((1 << 30) - 1)) << 30)
    }
}

/// As in a FEN: `QPqp`.
impl fmt::Display for Pockets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.letters(Color::White).to_ascii_uppercase())?;
        f.write_str(&self.letters(Color::Black))
    }
}

impl fmt::Debug for Pockets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// The state that Crazyhouse adds to a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CrazyhouseExtra {
    /// The pieces in hand.
    pub pockets: Pockets,
    /// Promoted pieces, which go into the pocket as pawns when captured.
    pub promoted: Bitboard,
}

impl Extra for CrazyhouseExtra {
    #[inline(always)]
    fn key(&self) -> u64 {
        zobrist::splitmix64(self.pockets.0) ^ zobrist::splitmix64(!self.promoted.0)
    }

    fn of(setup: &Setup) -> CrazyhouseExtra {
        CrazyhouseExtra {
            pockets: setup.pockets.unwrap_or_default(),
            promoted: setup.promoted,
        }
    }

    fn write(&self, setup: &mut Setup) {
        setup.pockets = Some(self.pockets);
        setup.promoted = self.promoted;
    }

    #[inline(always)]
    fn pockets(&self) -> Pockets {
        self.pockets
    }

    #[inline(always)]
    fn promoted(&self) -> Bitboard {
        self.promoted
    }
}

const DROPPABLE: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

impl Rules for Crazyhouse {
    type Extra = CrazyhouseExtra;

    const VARIANT: Variant = Variant::Crazyhouse;
    const DROPS: bool = true;
    const FIFTY_MOVES: bool = false;
    const CAPTURES_REPEAT: bool = true;

    /// Drops come from no square, so none are generated for a restricted set of from-squares.
    #[inline(always)]
    fn generate<S: Side, W: MoveClass, K: MoveSink>(
        generator: &Generator<'_, Self, S>,
        sink: &mut K,
    ) {
        generator.run::<W, K>(sink);
        let pockets = generator.position.extra().pockets;
        let us = generator.side.color();
        if !W::QUIET || generator.from != Bitboard::FULL || pockets.has_none(us) {
            return;
        }
        let to = (generator.check_mask & generator.to) - generator.occupied;
        if to.is_empty() {
            return;
        }
        for role in DROPPABLE {
            if pockets.count(us, role) > 0 {
                let to = if role == Role::Pawn {
                    to - Bitboard::BACKRANKS
                } else {
                    to
                };
                sink.drops(role, to);
            }
        }
    }

    #[inline(always)]
    fn after_move<O: Observer>(position: &mut Position<Self>, effect: MoveEffect, _: &mut O) {
        let was = position.extra().promoted;
        let promoted = effect.promoted_after(was);
        if effect.captured.is_none() && effect.dropped.is_none() && promoted == was {
            return;
        }
        let us = effect.by;
        position.update_extra(|extra| {
            extra.promoted = promoted;
            if let Some(role) = effect.dropped {
                extra.pockets.remove(us, role);
            }
            if let Some(role) = effect.captured {
                let was_pawn = was.has(effect.to);
                extra
                    .pockets
                    .add(us, if was_pawn { Role::Pawn } else { role });
            }
        });
    }

    /// No piece leaves the game, so material is only insufficient where a setup has too little.
    fn has_insufficient_material(position: &Position<Self>, _: Color) -> bool {
        let board = position.board();
        let &CrazyhouseExtra { pockets, promoted } = position.extra();
        let strong = [Role::Pawn, Role::Rook, Role::Queen];
        let in_hand = |role| {
            Color::ALL
                .into_iter()
                .any(|color| pockets.count(color, role) > 0)
        };
        board.occupied().count() + pockets.total() <= 3
            && promoted.is_empty()
            && !strong
                .into_iter()
                .any(|role| board.role(role).any() || in_hand(role))
    }

    fn faults(setup: &Setup, standard: Faults) -> Faults {
        let pockets = setup.pockets.unwrap_or_default();
        let pawns_in_hand: u32 = Color::ALL
            .map(|color| pockets.count(color, Role::Pawn))
            .iter()
            .sum();
        let mut faults = standard;
        if setup.board.role(Role::Pawn).count() + pawns_in_hand <= 16 {
            faults = faults.without(Faults::of(&[
                Fault::TooManyWhitePawns,
                Fault::TooManyBlackPawns,
            ]));
        }
        if setup.board.occupied().count() + pockets.total() <= 32 {
            faults = faults.without(Faults::of(&[
                Fault::TooManyWhitePieces,
                Fault::TooManyBlackPieces,
            ]));
        }
        faults
    }
}
