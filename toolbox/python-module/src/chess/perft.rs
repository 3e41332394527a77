//! Counting lines of moves.

use super::game_rules::GameRules;
use super::generate::{MoveFilter, MoveSets};
use super::state::{BoardState, Extra};
use crate::process::prepare;
use engine_core::{AnyPosition, MAX_PERFT_DEPTH};
use pyo3::prelude::*;

/// Subtrees of this depth are counted without interruption; in between Python may interrupt.
const AT_ONCE: u32 = 4;

/// The number of leaf nodes at this depth.
pub(crate) fn count(
    py: Python<'_>,
    state: &BoardState,
    extra: &Extra,
    game: GameRules,
    depth: u32,
) -> PyResult<u64> {
    let depth = depth.min(MAX_PERFT_DEPTH);
    match state.position(extra, game.variant, game.mode) {
        Ok(position) => of_position(py, &position, depth),
        Err(_) => of_state(py, state, extra, game, depth),
    }
}

fn of_position(py: Python<'_>, position: &AnyPosition, depth: u32) -> PyResult<u64> {
    if depth <= AT_ONCE {
        prepare(py, position.variant());
        let lines = py.detach(|| position.perft(depth));
        py.check_signals()?;
        return Ok(lines);
    }
    let mut lines = 0_u64;
    for m in &position.legal_moves() {
        lines = lines.saturating_add(of_position(py, &position.after(m), depth - 1)?);
    }
    Ok(lines)
}

/// The same for a position that the engine does not play by itself.
fn of_state(
    py: Python<'_>,
    state: &BoardState,
    extra: &Extra,
    game: GameRules,
    depth: u32,
) -> PyResult<u64> {
    if depth == 0 {
        return Ok(1);
    }
    py.check_signals()?;
    let moves = MoveSets::legal(state, extra, game).list(state, game, MoveFilter::ALL);
    let mut lines = 0_u64;
    for m in moves {
        let (mut after, mut after_extra) = (*state, *extra);
        if after
            .push(&mut after_extra, m, game.variant, game.mode)
            .is_ok()
        {
            lines = lines.saturating_add(count(py, &after, &after_extra, game, depth - 1)?);
        }
    }
    Ok(lines)
}
