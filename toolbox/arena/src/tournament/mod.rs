//! Games between engines, and what they prove.
//!
//! A [`Tournament`] plays paired openings with colours reversed, several games at a time, and
//! tells each [`Report`] as it comes; a [`Tally`] adds them up, [`Estimate`] and [`Sprt`] say
//! what they mean. A game ends by the rules, by a fault of an engine, or by adjudication.

mod adjudicate;
mod control;
mod game;
mod opening;
mod pairing;
mod pgn;
mod player;
mod runner;
mod sprt;
mod stats;

pub use adjudicate::{Adjudication, Draw, Judge, Resign};
pub use control::{Clocks, Pace, TimeControl};
pub use game::{Ending, Fault, Note, Played, play};
pub use opening::{Opening, Order, read_book, starts};
pub use pairing::{Meeting, Pairing, tally_of_meetings};
pub use pgn::{meetings, write};
pub use player::{Entrant, Player};
pub use runner::{Plan, Report, Tournament};
pub use sprt::{Model, Sprt, Verdict};
pub use stats::{Estimate, Tally};
