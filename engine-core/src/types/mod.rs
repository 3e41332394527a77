//! The small value types of chess: squares, sets of squares, pieces, moves.

mod bitboard;
mod color;
mod move_error;
mod move_text;
mod moves;
mod outcome;
mod role;
mod side;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use color::{ByColor, Color, ParseColorError};
pub use move_error::MoveError;
pub use move_text::MoveText;
pub use moves::{Move, MoveKind, MoveList, MoveListIter, ParseMoveError};
pub use outcome::{Outcome, Termination};
pub use role::{ByRole, ParsePieceError, Piece, Role};
pub use side::{Black, Side, White};
pub use square::{File, ParseSquareError, Rank, Square};
