//! `mola.chess`: boards, moves and pieces as python-chess has them.

mod arguments;
pub(crate) mod base_board;
mod bitboards;
pub(crate) mod board;
mod game_rules;
mod generate;
mod hooks;
mod iterate;
pub(crate) mod moves;
mod notation;
mod perft;
mod pickle;
pub(crate) mod pieces;
mod play;
mod pocket;
mod repetition;
mod square_set;
pub(crate) mod state;
mod values;

use pyo3::prelude::*;

/// Fills the module `chess`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    bitboards::register(module)?;
    module.add_class::<base_board::BaseBoard>()?;
    module.add_class::<base_board::Occupied>()?;
    module.add_class::<board::Board>()?;
    module.add_class::<iterate::LegalMoveGenerator>()?;
    module.add_class::<iterate::MoveIterator>()?;
    module.add_class::<iterate::PseudoLegalMoveGenerator>()?;
    module.add_class::<moves::Move>()?;
    module.add_class::<pieces::Piece>()?;
    module.add_class::<pocket::Pocket>()?;
    module.add_class::<square_set::SquareSet>()?;
    module.add("HOOKED_METHODS", hooks::Method::NAMES)?;
    module.add("InvalidMoveError", py.get_type::<moves::InvalidMoveError>())?;
    module.add("IllegalMoveError", py.get_type::<moves::IllegalMoveError>())?;
    module.add(
        "AmbiguousMoveError",
        py.get_type::<moves::AmbiguousMoveError>(),
    )
}
