//! Ends of games, and faults of positions.

use super::Board;
use crate::chess::arguments::ColorIndex;
use crate::chess::generate::MoveFilter;
use crate::chess::hooks::Method;
use crate::chess::repetition::Repetitions;
use engine_core::{AnyPosition, Fault, Faults, Position, Rules, Termination, Variant};
use pyo3::prelude::*;

#[pymethods]
impl Board {
    /// How the game has ended by a rule of the variant: whether it has, and whether the side to move
    /// has won, lost or neither.
    fn _variant_end(slf: PyRef<'_, Self>) -> PyResult<(bool, Option<i8>)> {
        let position = Board::position(&slf)?;
        Ok(engine_core::dispatch!(&position, |position| variant_end(
            position
        )))
    }

    fn _has_insufficient_material(slf: PyRef<'_, Self>, color: ColorIndex) -> PyResult<bool> {
        let color = engine_core::Color::from_white(color.0);
        let position = Board::position(&slf)?;
        Ok(engine_core::dispatch!(&position, |position| {
            is_insufficient(position, color)
        }))
    }

    fn _status(slf: PyRef<'_, Self>) -> PyResult<u32> {
        let (state, game) = (Board::state(&slf), slf.game());
        let setup = state.setup(&slf.extra(slf.py())?);
        let faults = if state.pieces.is_consistent() || !has_common_faults(game.variant) {
            AnyPosition::faults_of(game.variant, &setup, game.mode)
        } else {
            state.faults_of_sets(&setup, game)
        };
        let mut faults = state.with_faults_of_checks(faults, &setup, game.variant);
        if state.has_moved {
            faults = faults.without(Faults::of(&[Fault::BadCastlingRights]));
        }
        Ok(faults.bits())
    }

    /// Whether this position has occurred this many times, including now.
    #[pyo3(signature = (count=3))]
    fn is_repetition(slf: &Bound<'_, Self>, count: isize) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::IsRepetition, (slf, count))? {
            return answer.is_truthy();
        }
        let slf = slf.try_borrow()?;
        let now = (*Board::state(&slf), slf.extra(slf.py())?);
        let times = Repetitions::of(&slf.stack, slf.game()).count(&now) + 1;
        Ok(times >= usize::try_from(count).unwrap_or(0))
    }

    /// Whether the position has been there three times, or can be after a legal move.
    fn can_claim_threefold_repetition(slf: &Bound<'_, Self>) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::CanClaimThreefold, (slf,))? {
            return answer.is_truthy();
        }
        let slf = slf.try_borrow()?;
        let now = (*Board::state(&slf), slf.extra(slf.py())?);
        let game = slf.game();
        let before = Repetitions::of(&slf.stack, game);
        if before.count(&now) >= 2 {
            return Ok(true);
        }
        if slf.stack.len() < 3 {
            return Ok(false);
        }
        let legal = Board::legal(&slf)?.list(&now.0, game, MoveFilter::ALL);
        Ok(legal.into_iter().any(|m| {
            let (mut state, mut extra) = now;
            let is_made = state.push(&mut extra, m, game.variant, game.mode).is_ok();
            is_made && before.count(&(state, extra)) >= 2
        }))
    }
}

/// Whether the faults of positions are those of chess in a variant.
fn has_common_faults(variant: Variant) -> bool {
    use Variant::{KingOfTheHill, Standard, ThreeCheck};
    matches!(variant, Standard | KingOfTheHill | ThreeCheck)
}

/// Whether a game has ended by a rule of the variant, and for the side to move 1 if it has won, -1 if
/// it has lost and 0 for a draw.
pub(super) fn variant_end<R: Rules>(position: &Position<R>) -> (bool, Option<i8>) {
    let end = R::variant_end(position).map(|end| match end.termination {
        Termination::VariantWin => 1,
        Termination::VariantLoss => -1,
        _ => 0,
    });
    (R::is_variant_end(position), end)
}

fn is_insufficient<R: Rules>(position: &Position<R>, color: engine_core::Color) -> bool {
    R::has_insufficient_material(position, color)
}
