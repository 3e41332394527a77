//! What both dialects share: the process, the options, and the game that is being searched.

use super::error::{Error, ErrorKind, Result};
use super::option::{EngineOption, OptionSet, is_managed};
use super::process::{EngineLine, Process};
use super::request::{EngineRequest, Opponent, PlayResult, SearchEvent};
use common::option_value::OptionValue;
use engine_core::search::Limits;
use engine_core::{AnyPosition, Game};
use std::time::{Duration, Instant};

/// An introduction that takes longer is reported as a delay.
const NOTICE: Duration = Duration::from_secs(3);

/// More remarks of an engine are not kept.
pub(super) const MAX_REMARKS: usize = 16;

/// A protocol between us and an engine. A method may be called during a search only where it says
/// so.
pub(super) trait Dialect: Send {
    /// Introduces us, and reads the engine's name and options.
    fn handshake(&mut self, link: &mut Link, deadline: Instant) -> Result;

    /// Sends the value of an option.
    fn set(&mut self, link: &mut Link, option: &EngineOption, value: &OptionValue);

    /// The option that is meant by a name of the other protocol.
    fn alias(&self, name: &str) -> Option<&'static str> {
        let _ = name;
        None
    }

    /// Waits until the engine has carried out all commands; returns at once where the protocol has
    /// no way to ask.
    fn ping(&mut self, link: &mut Link, deadline: Instant) -> Result;

    /// Waits as [`Dialect::ping`] does, and returns what the engine says to the user meanwhile, as far
    /// as the protocol tells that from other lines.
    fn remarks(&mut self, link: &mut Link, deadline: Instant) -> Result<Vec<String>> {
        self.ping(link, deadline)?;
        Ok(Vec::new())
    }

    /// Refuses a game that begins with this position, or searches with these limits, where the engine or
    /// the protocol does not support them.
    fn check_game(&self, link: &Link, start: &AnyPosition, limits: &Limits) -> Result;

    /// The next search belongs to another game.
    fn new_game(&mut self, link: &mut Link, opponent: Option<&Opponent>);

    /// Sends position and limits and starts the search.
    fn begin(&mut self, link: &mut Link, game: &Game, request: &EngineRequest) -> Result;

    /// Understands a line that came during a search.
    fn handle_line(&mut self, link: &mut Link, line: &EngineLine) -> Result<Option<SearchEvent>>;

    /// When a search is to be stopped that the engine does not end itself.
    fn stop_at(&self) -> Option<Instant> {
        None
    }

    /// The end of a search that the engine does not announce.
    fn unannounced_end(&mut self) -> Option<PlayResult> {
        None
    }

    /// Asks for the end of the search that runs.
    fn stop(&mut self, link: &mut Link);

    /// The move that is pondered on has been played.
    fn ponder_hit(&mut self, link: &mut Link);

    /// Whether the engine can play another game.
    fn is_reusable(&self) -> bool {
        true
    }

    /// The game is over with this result (`1-0`, `0-1`, `1/2-1/2` or `*`), for this reason.
    fn finish(&mut self, link: &mut Link, result: &str, reason: &str);
}

/// The engine's side of the wire.
pub(super) struct Link {
    pub(super) process: Process,
    pub(super) name: String,
    pub(super) author: String,
    pub(super) options: OptionSet,
    /// Called when the introduction takes long, with how long it may take in total.
    pub(super) on_delay: fn(&Error, Duration),
}

impl Link {
    pub(super) fn send(&mut self, line: &str) {
        self.process.send(line);
    }

    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        self.process.error(kind)
    }

    pub(super) fn unsupported(&self, what: impl Into<String>) -> Error {
        self.error(ErrorKind::Unsupported(what.into()))
    }

    /// Whether the engine has an option of this name.
    pub(super) fn has_option(&self, name: &str) -> bool {
        self.options.find(name).is_some()
    }

    /// Waits for the end of the introduction, with a report of a delay.
    pub(super) fn wait_for_introduction(
        &mut self,
        deadline: Instant,
        doing: &'static str,
        mut is_it: impl FnMut(&mut Link, &str) -> bool,
    ) -> Result {
        let began = Instant::now();
        let notice = began + NOTICE;
        match self.wait_since(began, notice.min(deadline), doing, &mut is_it) {
            Err(error) if matches!(error.kind, ErrorKind::TimedOut { .. }) && notice < deadline => {
                (self.on_delay)(&error, deadline - began);
                self.wait_since(began, deadline, doing, is_it)
            }
            result => result,
        }
    }

    /// Waits for a line that satisfies the caller; what else comes is handed to it, too.
    pub(super) fn wait_for(
        &mut self,
        deadline: Instant,
        doing: &'static str,
        is_it: impl FnMut(&mut Link, &str) -> bool,
    ) -> Result {
        self.wait_since(Instant::now(), deadline, doing, is_it)
    }

    /// Waits for a line, since a time at which the wait began.
    fn wait_since(
        &mut self,
        began: Instant,
        deadline: Instant,
        doing: &'static str,
        mut is_it: impl FnMut(&mut Link, &str) -> bool,
    ) -> Result {
        loop {
            let line = self.process.receive_since(began, deadline, doing)?;
            if is_it(self, line.text.trim()) {
                return Ok(());
            }
        }
    }
}

/// Sets an option, unless the engine has that value already.
pub(super) fn set(dialect: &mut dyn Dialect, link: &mut Link, name: &str, value: &OptionValue) {
    if let Some((index, option)) = link.options.find(name) {
        let option = option.clone();
        if link.options.change(index, value) {
            dialect.set(link, &option, value);
        }
    }
}

/// The option of a name, which may be that of the other protocol.
pub(super) fn find_option<'l>(
    dialect: &dyn Dialect,
    link: &'l Link,
    name: &str,
) -> Option<(usize, &'l EngineOption)> {
    let found = link.options.find(name);
    found.or_else(|| link.options.find(dialect.alias(name)?))
}

/// Finds an option that a user sets by name and reads its value.
fn read_option(
    dialect: &dyn Dialect,
    link: &Link,
    (name, text): &(String, String),
) -> Result<(usize, String, OptionValue)> {
    let Some((index, option)) = find_option(dialect, link, name) else {
        return Err(link.error(link.options.unknown(name)));
    };
    if is_managed(&option.name) {
        let name = &option.name;
        return Err(link.unsupported(format!("option {name} is set automatically")));
    }
    let value = option
        .parse(text)
        .map_err(|error| link.unsupported(error))?;
    Ok((index, option.name.clone(), value))
}

/// Sets options for good.
pub(super) fn configure(
    dialect: &mut dyn Dialect,
    link: &mut Link,
    options: &[(String, String)],
) -> Result {
    for option in options {
        let (index, name, value) = read_option(dialect, link, option)?;
        link.options.want(index, &value);
        set(dialect, link, &name, &value);
    }
    Ok(())
}

/// Sets options for one search, and all others to what they shall be.
pub(super) fn configure_once(
    dialect: &mut dyn Dialect,
    link: &mut Link,
    options: &[(String, String)],
) -> Result {
    let mut read = Vec::with_capacity(options.len());
    for option in options {
        read.push(read_option(dialect, link, option)?);
    }
    let changed: Vec<usize> = read.iter().map(|(index, ..)| *index).collect();
    for (option, value) in link.options.to_restore(&changed) {
        set(dialect, link, &option.name, &value);
    }
    for (_, name, value) in read {
        set(dialect, link, &name, &value);
    }
    Ok(())
}
