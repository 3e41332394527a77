//! Chess rules on bitboards and, with the feature `search`, an alpha-beta searcher (PVS or MTD(f)).
//!
//! ```
//! use engine_core::Position;
//!
//! let position: Position = Position::start();
//! assert_eq!(position.legal_moves().len(), 20);
//! ```
//!
//! The crate needs no standard library, only `alloc`, unless the feature `std` is on, which `search`
//! implies. With the feature `serde` squares, moves, pieces, sets of squares, variants, outcomes
//! and positions can be serialized.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

extern crate alloc;

/// Whether this is WebAssembly for a web page: there are no files, threads only in the build with
/// atomics, 4 GB of address space, and the module is downloaded before it is used.
pub const IS_PAGE: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

mod any_position;
pub mod attacks;
mod board;
mod chess960;
mod compiled;
#[cfg(feature = "search")]
pub mod eval;
mod game;
mod movegen;
pub mod notation;
mod perft;
mod position;
mod rules;
#[cfg(feature = "search")]
pub mod search;
#[cfg(feature = "serde")]
mod serialize;
mod transform;
mod types;
mod zobrist;

pub use any_position::AnyPosition;
pub use board::Board;
pub use game::Game;
pub use movegen::{All, CheckSquares, MoveClass, MoveSink, Noisy, Quiet};
pub use perft::{MAX_PERFT_DEPTH, perft, perft_with_lists};
pub use position::{
    CastlingMode, Fault, Faults, Observer, Position, PositionError, Setup, castling_targets,
};
#[doc(hidden)]
pub use rules::Compiled;
pub use rules::{
    Antichess, Atomic, Crazyhouse, CrazyhouseExtra, Extra, Giveaway, Horde, KingOfTheHill, Losing,
    Pockets, Promoted, RacingKings, RemainingChecks, Rules, Standard, Suicide, ThreeCheck,
    UnknownVariant, Variant, is_name_of_chess960,
};
pub use transform::{Transform, UnknownTransform};
pub use types::{
    Bitboard, Black, ByColor, ByRole, Color, File, Move, MoveKind, MoveList, MoveListIter, Outcome,
    ParseColorError, ParseMoveError, ParsePieceError, ParseSquareError, Piece, Rank, Role, Side,
    Square, Squares, Termination, White,
};
#[doc(hidden)]
pub use zobrist::next_splitmix64;
pub use zobrist::polyglot_random;
