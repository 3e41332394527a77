//! The small value types of chess: squares, sets of squares, pieces, moves.

mod bitboard;
mod color;
mod moves;
mod role;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use color::{Black, ByColor, Color, Side, White};
pub use moves::{Move, MoveKind, MoveList, ParseMoveError};
pub use role::{ByRole, Piece, Role};
pub use square::{File, ParseSquareError, Rank, Square};
