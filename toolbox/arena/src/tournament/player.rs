//! Who plays: an engine that is started when it is needed, and again when it has failed.

use super::control::Pace;
use crate::client::{Command, Engine, Opponent, Result};
use crossbeam_channel::Receiver;
use std::time::Duration;

/// An engine with the pace at which it plays.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// How it is started, and its options.
    pub command: Command,
    /// What bounds its searches.
    pub pace: Pace,
    /// Whether it may think on the opponent's time.
    pub ponder: bool,
    /// Whether it is started anew for each game.
    pub restart: bool,
}

/// An entrant with its process.
pub struct Player {
    entrant: Entrant,
    name: String,
    engine: Option<Engine>,
    options: Vec<(String, String)>,
    interrupt: Receiver<()>,
}

/// How long an engine may take to introduce itself.
const START: Duration = Duration::from_secs(30);

impl Player {
    /// A player whose engine is not started yet. When the channel closes, all waits end.
    pub fn new(entrant: Entrant, interrupt: Receiver<()>) -> Player {
        Player {
            name: entrant.command.label(),
            entrant,
            engine: None,
            options: Vec::new(),
            interrupt,
        }
    }

    /// The entrant.
    pub fn entrant(&self) -> &Entrant {
        &self.entrant
    }

    /// The engine's name, as far as it is known.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Options for the games that follow, beside those of the entrant.
    pub fn set_options(&mut self, options: Vec<(String, String)>) {
        self.options = options;
    }

    /// The engine, started if need be and prepared for a game against this opponent.
    ///
    /// # Errors
    /// When it cannot be started or prepared.
    pub fn prepare(&mut self, opponent: &str) -> Result<&mut Engine> {
        let is_stale =
            self.entrant.restart || self.engine.as_ref().is_some_and(|e| !e.is_reusable());
        if is_stale {
            self.discard();
        }
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::start_with(&self.entrant.command, START, self.interrupt.clone())?,
        };
        engine.name().clone_into(&mut self.name);
        let engine = self.engine.insert(engine);
        engine.configure(&self.options)?;
        engine.new_game(Some(&Opponent {
            name: opponent.to_owned(),
            is_engine: true,
            ..Opponent::default()
        }))?;
        Ok(engine)
    }

    /// The engine, if it runs.
    pub fn engine(&mut self) -> Option<&mut Engine> {
        self.engine.as_mut()
    }

    /// Ends the engine; the next game starts it again.
    pub fn discard(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.quit(Duration::from_millis(500));
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.discard();
    }
}
