//! Games between engines, and their statistics.
//!
//! A [`Plan`] plays paired openings with colours reversed, several games at a time, and passes on
//! each [`MatchGame`] in its order; [`Results`] add them up; [`Estimate`] is the difference in
//! strength and [`Sprt`] the sequential test. A game ends by the rules, by a fault of an engine, or
//! by adjudication.

mod adjudicate;
mod clocks;
mod ending;
mod game;
mod move_data;
mod opening;
mod pair_tally;
mod pgn;
mod player;
mod results;
mod runner;
mod schedule;
mod sprt;
mod stats;
mod time_control;

pub use adjudicate::{AdjudicationPolicy, Adjudicator, Draw, Resign};
pub use clocks::{Clocks, PlayLimits};
pub use ending::{EngineFault, GameEnding, reason_of};
pub use game::{PlayedGame, play};
pub use move_data::MoveData;
pub use opening::{Opening, Order, read_book, starts};
pub use pair_tally::{GameResult, PairTally, tally_of_each_result, tally_of_results};
pub use pgn::{bad_lines, ending, results, write};
pub use player::{EnginePlayer, Entrant};
pub use results::Results;
pub use runner::{MatchGame, Plan};
pub use schedule::{Schedule, ScheduledGame};
pub use sprt::{EloModel, Sprt, Verdict};
pub use stats::{Estimate, Tally};
pub use time_control::TimeControl;
