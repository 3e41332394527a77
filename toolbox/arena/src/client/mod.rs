//! Drives other engines, over UCI or the XBoard protocol.
//!
//! An [`Engine`] is a process with a dialect. [`Engine::play`] and [`Engine::analyse`] search and
//! answer; [`Engine::begin`], [`Engine::next`], [`Engine::stop`] and [`Engine::ponder_hit`] are
//! what they are made of, for analysis that streams and for thinking on the opponent's time. Every
//! wait has a deadline, whatever the engine prints takes bounded memory, and an [`Error`] holds the
//! engine's last lines and its exit status. [`UciCommand`] and [`UciMessage`] are the lines of UCI
//! themselves.
//!
//! ```no_run
//! use engine_core::search::Limits;
//! use engine_core::{AnyPosition, Game, Variant};
//! use arena::client::{Engine, EngineCommand, EngineRequest};
//!
//! let command: EngineCommand = "stockfish".parse()?;
//! let mut engine = Engine::start(&command)?;
//! let game = Game::new(AnyPosition::start(Variant::Standard));
//! let limits = Limits { depth: Some(10), ..Limits::default() };
//! let played = engine.play(&game, &EngineRequest::new(limits))?;
//! println!("{:?}, {:?}", played.best, played.info.score);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod command;
mod engine;
mod error;
mod info;
mod link;
mod option;
mod process;
#[cfg(unix)]
mod process_group;
mod program;
mod request;
mod score;
mod uci;
mod wdl;
mod xboard;

pub use command::{EngineCommand, Protocol};
pub use common::option_value::OptionValue;
pub use engine::Engine;
pub use error::{Error, ErrorKind, Result};
pub use info::Info;
pub use option::{EngineOption, EngineOptionKind};
pub use process::Process;
pub use request::{EngineRequest, Opponent, PlayResult, SearchEvent};
pub use score::{PovScore, Score};
pub use uci::{BestMove, UciCommand, UciMessage};
pub use wdl::{PovWdl, Wdl, WdlModel};
