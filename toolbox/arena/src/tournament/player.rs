//! A player: an engine that is started when it is needed, and again when it has failed.

use super::clocks::PlayLimits;
use crate::client::{Engine, EngineCommand, Opponent, Result};
use crate::start;
use crossbeam_channel::Receiver;
use std::time::Duration;

/// An engine with the limits of its searches.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// The command that starts it, and its options.
    pub command: EngineCommand,
    /// The limits of its searches.
    pub limits: PlayLimits,
    /// Whether it may think on the opponent's time.
    pub ponder: bool,
    /// Whether it is started anew for each game.
    pub restart: bool,
}

/// An entrant with its process.
pub struct EnginePlayer {
    entrant: Entrant,
    name: String,
    engine: Option<Engine>,
    has_started: bool,
    options: Vec<(String, String)>,
    interrupt: Receiver<()>,
}

impl EnginePlayer {
    /// A player whose engine is not started yet. When the channel closes, all waits end.
    pub fn new(entrant: Entrant, interrupt: Receiver<()>) -> EnginePlayer {
        EnginePlayer {
            name: entrant.command.label(),
            entrant,
            engine: None,
            has_started: false,
            options: Vec::new(),
            interrupt,
        }
    }

    /// The entrant.
    pub fn entrant(&self) -> &Entrant {
        &self.entrant
    }

    /// The engine's name, if known.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the engine has introduced itself at least once.
    pub fn has_started(&self) -> bool {
        self.has_started
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
            None => start::start(&self.entrant.command, &self.interrupt)?,
        };
        self.has_started = true;
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

impl Drop for EnginePlayer {
    fn drop(&mut self) {
        self.discard();
    }
}
