//! What pieces attack, and what pins them.

use super::BaseBoard;
use crate::chess::arguments::{ColorArgument, Mask, SquareArgument};
use crate::chess::square_set::{IntoSquareSet, SquareSet, in_between, on_line};
use crate::chess::state::{Pieces, ascending, bit};
use engine_core::{Square, attacks};
use pyo3::prelude::*;

#[pymethods]
impl BaseBoard {
    /// The squares that the piece on a square attacks, as an integer.
    fn attacks_mask(&self, square: SquareArgument) -> u64 {
        self.state.pieces.attacks(square.0)
    }

    /// The squares that the piece on a square attacks; none if it is empty. A pinned piece attacks,
    /// too, and pawns do not attack en passant.
    fn attacks(&self, square: SquareArgument) -> SquareSet {
        SquareSet::of(self.state.pieces.attacks(square.0))
    }

    /// The pieces of a color that attack a square, as an integer.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers_mask(
        &self,
        color: ColorArgument,
        square: SquareArgument,
        occupied: Option<Mask>,
    ) -> u64 {
        let pieces = &self.state.pieces;
        let occupied = occupied.map_or(pieces.occupied, |mask| mask.0);
        pieces.attackers(color.0, square.0, occupied)
    }

    /// Whether pieces of a color attack a square. Pinned pieces count, en passant does not.
    #[pyo3(signature = (color, square, occupied=None))]
    fn is_attacked_by(
        &self,
        color: ColorArgument,
        square: SquareArgument,
        occupied: Option<IntoSquareSet>,
    ) -> bool {
        self.attackers_mask(color, square, occupied.map(|set| Mask(set.0))) != 0
    }

    /// The pieces of a color that attack a square.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers(
        &self,
        color: ColorArgument,
        square: SquareArgument,
        occupied: Option<IntoSquareSet>,
    ) -> SquareSet {
        SquareSet::of(self.attackers_mask(color, square, occupied.map(|set| Mask(set.0))))
    }

    /// The squares on the line of a pin to the king of a color, or all squares, as an integer.
    fn pin_mask(&self, color: ColorArgument, square: SquareArgument) -> u64 {
        pin_mask(&self.state.pieces, color.0, square.0)
    }

    /// The squares on the line of a pin to the king of a color: those that a pinned piece may go
    /// to, king and pinning piece included. All squares if the piece is not pinned.
    fn pin(slf: &Bound<'_, Self>, color: &Bound<'_, PyAny>, square: u8) -> PyResult<SquareSet> {
        let mask = slf.call_method1("pin_mask", (color, square))?;
        Ok(SquareSet::of(mask.extract::<Mask>()?.0))
    }

    /// Whether a piece is pinned to the king of a color.
    fn is_pinned(slf: &Bound<'_, Self>, color: &Bound<'_, PyAny>, square: u8) -> PyResult<bool> {
        let mask = slf.call_method1("pin_mask", (color, square))?;
        Ok(mask.extract::<Mask>()?.0 != u64::MAX)
    }
}

/// The squares on the line of a pin, or all.
fn pin_mask(pieces: &Pieces, color: bool, square: u8) -> u64 {
    let Some(king) = pieces.king(color) else {
        return u64::MAX;
    };
    let line = on_line(king, square);
    if line == 0 {
        return u64::MAX;
    }
    let at = Square::from_index_masked(usize::from(king));
    let [_, _, bishops, rooks, queens, _] = pieces.roles;
    let straight = attacks::rook_rays(at).0 & bit(square) != 0;
    let sliders = if straight {
        rooks | queens
    } else {
        bishops | queens
    };
    let snipers = line & sliders & pieces.color(!color);
    let pins = ascending(snipers)
        .any(|sniper| in_between(sniper, king) & (pieces.occupied | bit(square)) == bit(square));
    if pins { line } else { u64::MAX }
}
