//! `mola.chess`: boards, moves and pieces as python-chess has them.

mod arguments;
mod base_board;
mod board;
mod generate;
mod iterate;
mod moves;
mod pieces;
mod play;
mod pocket;
mod square_set;
mod state;

use pyo3::prelude::*;

/// Fills the module `chess`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<base_board::BaseBoard>()?;
    module.add_class::<base_board::Occupied>()?;
    module.add_class::<board::Board>()?;
    module.add_class::<iterate::MoveIterator>()?;
    module.add_class::<moves::Move>()?;
    module.add_class::<pieces::Piece>()?;
    module.add_class::<pocket::Pocket>()?;
    module.add_class::<square_set::SquareSet>()?;
    module.add("InvalidMoveError", py.get_type::<moves::InvalidMoveError>())?;
    module.add("IllegalMoveError", py.get_type::<moves::IllegalMoveError>())?;
    module.add("AmbiguousMoveError", py.get_type::<moves::AmbiguousMoveError>())
}
