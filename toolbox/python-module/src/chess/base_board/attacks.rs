//! What pieces attack, and what pins them.

use super::BaseBoard;
use crate::chess::arguments::{ColorIndex, Mask, SquareArgument};
use crate::chess::hooks::Method;
use crate::chess::square_set::{IntoSquareSet, SquareSet, in_between, on_line};
use crate::chess::state::{Pieces, ascending, bit};
use engine_core::{Square, attacks};
use pyo3::intern;
use pyo3::prelude::*;

#[pymethods]
impl BaseBoard {
    /// The squares that the piece on a square attacks, as an integer.
    fn attacks_mask(&self, square: SquareArgument) -> u64 {
        self.state.pieces.attacks(square.0)
    }

    /// The squares that the piece on a square attacks; none if it is empty. A pinned piece attacks,
    /// too, and pawns do not attack en passant.
    fn attacks(slf: &Bound<'_, Self>, square: SquareArgument) -> PyResult<SquareSet> {
        if let Some(board) = BaseBoard::unless_overridden(slf, Method::Attacks)? {
            return Ok(SquareSet::of(board.attacks_mask(square)));
        }
        let attacks = Method::Attacks.slowly(slf.py(), (slf, square.0))?;
        Ok(SquareSet::of(attacks.extract::<Mask>()?.0))
    }

    /// The pieces of a color that attack a square, as an integer.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers_mask(
        &self,
        color: ColorIndex,
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
        slf: &Bound<'_, Self>,
        color: ColorIndex,
        square: SquareArgument,
        occupied: Option<IntoSquareSet>,
    ) -> PyResult<bool> {
        Ok(attacking(slf, color, square, occupied)? != 0)
    }

    /// The pieces of a color that attack a square.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers(
        slf: &Bound<'_, Self>,
        color: ColorIndex,
        square: SquareArgument,
        occupied: Option<IntoSquareSet>,
    ) -> PyResult<SquareSet> {
        attacking(slf, color, square, occupied).map(SquareSet::of)
    }

    /// The squares on the line of a pin to the king of a color, or all squares, as an integer.
    fn pin_mask(slf: &Bound<'_, Self>, color: ColorIndex, square: SquareArgument) -> PyResult<u64> {
        let BaseBoard { state, hooks } = *slf.try_borrow()?;
        let king = if hooks.has(Method::PinMask) {
            let king = slf.call_method1(intern!(slf.py(), "king"), (color.0,))?;
            king.extract::<Option<SquareArgument>>()?.map(|king| king.0)
        } else {
            state.pieces.king(color.0)
        };
        Ok(king.map_or(u64::MAX, |king| {
            pin_mask(&state.pieces, color.0, king, square.0)
        }))
    }

    /// The squares on the line of a pin to the king of a color: those that a pinned piece may go
    /// to, king and pinning piece included. All squares if the piece is not pinned.
    fn pin(
        slf: &Bound<'_, Self>,
        color: &Bound<'_, PyAny>,
        square: &Bound<'_, PyAny>,
    ) -> PyResult<SquareSet> {
        let mask = slf.call_method1("pin_mask", (color, square))?;
        Ok(SquareSet::of(mask.extract::<Mask>()?.0))
    }

    /// Whether a piece is pinned to the king of a color.
    fn is_pinned(
        slf: &Bound<'_, Self>,
        color: &Bound<'_, PyAny>,
        square: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let mask = slf.call_method1("pin_mask", (color, square))?;
        Ok(mask.extract::<Mask>()?.0 != u64::MAX)
    }
}

/// What `attackers_mask` answers.
fn attacking(
    slf: &Bound<'_, BaseBoard>,
    color: ColorIndex,
    square: SquareArgument,
    occupied: Option<IntoSquareSet>,
) -> PyResult<u64> {
    let occupied = occupied.map(|set| set.0);
    if let Some(board) = BaseBoard::unless_overridden(slf, Method::Attackers)? {
        return Ok(board.attackers_mask(color, square, occupied.map(Mask)));
    }
    let arguments = (slf, color.0, square.0, occupied);
    let attackers = Method::Attackers.slowly(slf.py(), arguments)?;
    Ok(attackers.extract::<Mask>()?.0)
}

/// The squares on the line of a pin to a king, or all.
fn pin_mask(pieces: &Pieces, color: bool, king: u8, square: u8) -> u64 {
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
