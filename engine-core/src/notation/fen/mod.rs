//! Forsyth-Edwards notation, with the castling letters of X-FEN and Shredder-FEN.

mod board;
mod error;
mod read;
mod write;

pub use error::{FenError, FenFault, FenField, FenProblem};
pub use write::EnPassant;
