//! PGN as python-chess reads and writes it, with all that it makes of broken text.
//!
//! A program that has relied on python-chess gets the same games, errors and texts here. Its
//! reader goes line by line and looks for tokens anywhere in a line, so that it finds the pawn
//! move `f3` in `Sf3`; an empty line ends a game; after a move that cannot be played inside a
//! variation, the moves that follow are tried on the board of that variation. Only the depth of
//! variations has a bound here.

mod export;
mod fen;
mod illegal;
mod reader;
mod token;

pub use export::Export;
pub use fen::{message as fen_message, quote};
pub use illegal::{message as move_message, uci_message};
pub use reader::{CompatGame, Reader};

/// What counts as white space in Python.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}
