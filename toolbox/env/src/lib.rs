//! Chess as an environment for reinforcement learning: `PettingZoo`'s `chess_v6` (release 1.27),
//! bit for bit.
//!
//! Where its documentation and its code differ, the code counts: castling channels are king side
//! first, a game ends as soon as a draw could be claimed with the next move, and so on; see
//! [`Form`]. [`Env`] is one game, [`Batch`] are many. `mola env` serves them to other programs,
//! by [`json`] lines or binary [`frames`].
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod action;
mod batch;
pub mod command;
pub mod frames;
mod game;
mod history;
pub mod json;
mod observation;
mod pack;
#[cfg(test)]
mod recorded;
mod render;

pub use action::{ACTIONS, decode, encode};
pub use batch::Batch;
pub use game::{Config, Env, EnvError, GameEnd, start_from_fen};
pub use observation::Form;
pub use render::{ansi, svg};
