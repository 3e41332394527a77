//! Forsyth-Edwards notation, with the castling letters of X-FEN and Shredder-FEN, and what variants
//! add to it.

mod board;
mod error;
mod extra;
mod read;
mod write;

pub use board::read_board;
pub use error::{FenError, FenFault, FenField, FenProblem};
pub use write::EnPassant;
