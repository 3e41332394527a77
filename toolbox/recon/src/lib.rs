//! Reconnaissance chess: chess in which the opponent's pieces are hidden. Each turn a player
//! senses a window of 3x3 squares, then moves; the game is won by capturing the king.
//!
//! It is the game of the Python package reconchess 1.6.9: [`Game`] is its arbiter, [`GameHistory`]
//! its record of a game, readable and written as the same bytes.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod actions;
pub mod arbiter;
mod board;
pub mod bots;
mod clock;
pub mod command;
mod game;
mod history;
mod moves;
mod outcome;
mod player;
mod remote;
mod screen;
pub mod server;
mod wire;

pub use actions::{SenseResult, window};
pub use board::{Board, BoardError};
pub use clock::Clock;
pub use game::{ActionError, Game, Limits, Phases};
pub use history::{GameHistory, HistoryError, Turn};
pub use moves::{ParseMoveError, UciMove};
pub use outcome::{MoveResult, WinReason};
pub use player::{Player, PlayerFault, play_game};
