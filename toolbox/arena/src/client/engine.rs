//! An engine: a process that we ask and that answers.

use super::command::{EngineCommand, Protocol};
use super::error::{Error, ErrorKind, Result};
use super::info::Info;
use super::link::{self, Dialect, Link};
use super::option::{EngineOption, OptionSet};
use super::process::{Process, deadline};
use super::request::{EngineRequest, Opponent, PlayResult, SearchEvent};
use super::uci::Uci;
use super::xboard::XBoard;
use common::input::shorten;
use common::option_value::OptionValue;
use crossbeam_channel::Receiver;
use engine_core::search::Limits;
use engine_core::{AnyPosition, Color, Game};
use std::fmt;
use std::time::{Duration, Instant};
use tablebases::split_paths;

/// How long an engine may take to introduce itself, to begin a game, or to end a search.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long a search may go on beyond its clock.
const TIME_MARGIN: Duration = Duration::from_secs(10);
/// How long a search may take that nothing but nodes, plies or a mate bounds.
const LONGEST_SEARCH: Duration = Duration::from_hours(1);

/// An engine that has introduced itself. Dropping it kills its process.
pub struct Engine {
    link: Link,
    dialect: Box<dyn Dialect>,
    search: Option<Search>,
    /// What it has said to its options.
    remarks: Vec<String>,
}

/// A search that runs.
struct Search {
    began: Instant,
    deadline: Option<Duration>,
    /// The deadline after a ponder hit.
    deadline_after_hit: Option<Duration>,
    /// The latest information about the best line.
    best: Info,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut engine = f.debug_struct("Engine");
        engine.field("name", &self.link.name);
        engine.finish_non_exhaustive()
    }
}

impl Engine {
    /// Starts an engine, reads its introduction and sets its options.
    ///
    /// # Errors
    /// When it cannot be started, does not introduce itself, or refuses an option.
    pub fn start(command: &EngineCommand) -> Result<Engine> {
        Engine::start_with(command, TIMEOUT, crossbeam_channel::never())
    }

    /// Starts an engine with a time limit for its introduction, and a channel whose closing ends every
    /// wait with [`ErrorKind::Interrupted`].
    ///
    /// # Errors
    /// As [`Engine::start`].
    pub fn start_with(
        command: &EngineCommand,
        timeout: Duration,
        interrupt: Receiver<()>,
    ) -> Result<Engine> {
        let log = |error: &Error, _| log::warn!("{error}");
        Engine::start_reporting(command, timeout, interrupt, log)
    }

    /// Starts an engine as [`Engine::start_with`]; `on_delay` is called when the introduction takes longer
    /// than some seconds, with how long it may take in total.
    ///
    /// # Errors
    /// As [`Engine::start`].
    pub fn start_reporting(
        command: &EngineCommand,
        timeout: Duration,
        interrupt: Receiver<()>,
        on_delay: fn(&Error, Duration),
    ) -> Result<Engine> {
        let mut process = Process::start(command)?;
        process.set_interrupt(interrupt);
        let mut link = Link {
            // An interpreter alone would not tell which engine it is.
            name: command.label_with_arguments(),
            author: String::new(),
            options: OptionSet::default(),
            on_delay,
            process,
        };
        let mut dialect: Box<dyn Dialect> = match command.protocol {
            Protocol::Uci => Box::new(Uci::default()),
            Protocol::XBoard => Box::new(XBoard::default()),
        };
        dialect.handshake(&mut link, deadline(Instant::now(), timeout))?;
        let name = match (&command.name, link.name.trim()) {
            (Some(name), _) => name.clone(),
            (None, "") => shorten(&command.label_with_arguments()),
            (None, own) => shorten(own),
        };
        link.process.rename(&name);
        link.name = name;
        let mut engine = Engine {
            link,
            dialect,
            search: None,
            remarks: Vec::new(),
        };
        engine.configure(&command.options)?;
        for option in &command.options_if_supported {
            if engine.has_option(&option.0) {
                engine.configure(std::slice::from_ref(option))?;
            }
        }
        engine.hear_of_options(command)?;
        Ok(engine)
    }

    /// Reads what the engine says to the options that it was started with. Without one that it could not
    /// use, such as a file of weights, it would search with another value than the user thinks.
    fn hear_of_options(&mut self, command: &EngineCommand) -> Result {
        if command.all_options().next().is_none() {
            return Ok(());
        }
        let deadline = Instant::now() + TIMEOUT;
        // One that fails here does so in its first search, too, which tells more.
        let remarks = self.dialect.remarks(&mut self.link, deadline);
        self.remarks = remarks.unwrap_or_default();
        for why in self.remarks.iter().filter_map(|remark| error_of(remark)) {
            let named = command.all_options().filter(|option| names(why, option));
            let named: Vec<&str> = named.map(|(name, _)| name.as_str()).collect();
            let options = match named.len() {
                // Perhaps it lacks a file of its own, without which it plays as well.
                0 => continue,
                1 => "option",
                _ => "options",
            };
            let names = named.join(", ");
            return Err(self.link.unsupported(format!("{options} {names}: {why}")));
        }
        Ok(())
    }

    /// The closing of this channel ends every wait from now on, in place of the channel before.
    pub fn set_interrupt(&mut self, interrupt: Receiver<()>) {
        self.link.process.set_interrupt(interrupt);
    }

    /// The name that it was given, or that it gave itself.
    pub fn name(&self) -> &str {
        &self.link.name
    }

    /// Who has made it, if it said so.
    pub fn author(&self) -> &str {
        &self.link.author
    }

    /// The options that it has declared.
    pub fn options(&self) -> &[EngineOption] {
        self.link.options.declared()
    }

    /// The option of this name, in any case.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        let (_, option) = self.link.options.find(name)?;
        Some(option)
    }

    /// Whether it has an option of this name, which may be that of the other protocol.
    pub fn has_option(&self, name: &str) -> bool {
        link::find_option(&*self.dialect, &self.link, name).is_some()
    }

    /// What an option has been set to last.
    pub fn value(&self, name: &str) -> Option<&OptionValue> {
        self.link.options.value(name)
    }

    /// Sets options for good. A search that runs ends first.
    ///
    /// # Errors
    /// When there is no such option, the value is out of range, or the option follows from what
    /// is asked: `UCI_Variant`, `UCI_Chess960`, `MultiPV`, `Ponder`.
    pub fn configure(&mut self, options: &[(String, String)]) -> Result {
        self.end_search()?;
        link::configure(&mut *self.dialect, &mut self.link, options)
    }

    /// Waits until it has carried out all commands sent so far.
    ///
    /// # Errors
    /// When there is no answer in this time.
    pub fn ping(&mut self, timeout: Duration) -> Result {
        self.dialect
            .ping(&mut self.link, deadline(Instant::now(), timeout))
    }

    /// What it has said to the options that it was started with, as far as the protocol tells that from
    /// other lines.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Checks that it can play a game that begins with this position, with searches of these limits.
    ///
    /// # Errors
    /// When it, or its protocol, does not support the rules or the limits.
    pub fn check_game(&self, start: &AnyPosition, limits: &Limits) -> Result {
        self.dialect.check_game(&self.link, start, limits)
    }

    /// The next search belongs to another game, with this opponent.
    ///
    /// # Errors
    /// When a search that still ran could not be ended.
    pub fn new_game(&mut self, opponent: Option<&Opponent>) -> Result {
        self.end_search()?;
        self.dialect.new_game(&mut self.link, opponent);
        Ok(())
    }

    /// Starts a search of the game's position; [`Engine::next`] returns its events. A search that
    /// still runs, such as pondering on the wrong move, ends first.
    ///
    /// # Errors
    /// When the engine does not support the request, or fails.
    pub fn begin(&mut self, game: &Game, request: &EngineRequest) -> Result {
        if request.limits.soft_nodes.is_some() {
            return Err(self
                .link
                .unsupported("no protocol has a soft limit of nodes"));
        }
        self.end_search()?;
        link::configure_once(&mut *self.dialect, &mut self.link, &request.options)?;
        self.dialect.begin(&mut self.link, game, request)?;
        let turn = game.position().turn();
        self.search = Some(Search {
            began: Instant::now(),
            deadline: time_limit(request, turn, request.limits.ponder),
            deadline_after_hit: time_limit(request, turn, false),
            best: Info::default(),
        });
        Ok(())
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// The next event of the search, waited for at most this long; `None` waits as long as the
    /// limits of the search allow, and at most an hour where they bound no time.
    ///
    /// # Errors
    /// When there is no answer in time, or the engine fails. A time-out leaves the search running.
    pub fn next(&mut self, timeout: Option<Duration>) -> Result<SearchEvent> {
        let Some(search) = &self.search else {
            return Err(self.link.unsupported("no search is running"));
        };
        let (began, timeout) = match timeout {
            Some(timeout) => (Instant::now(), timeout),
            None => (search.began, search.deadline.unwrap_or(LONGEST_SEARCH)),
        };
        self.next_within(began, timeout)
    }

    /// The next event of the search that runs, for which the wait began at this time.
    fn next_within(&mut self, began: Instant, timeout: Duration) -> Result<SearchEvent> {
        let deadline = deadline(began, timeout);
        loop {
            if let Some(played) = self.dialect.unannounced_end() {
                return Ok(self.finish_search(played, Instant::now()));
            }
            let stop_at = self.dialect.stop_at();
            let until = stop_at.map_or(deadline, |stop_at| stop_at.min(deadline));
            let line = match self.link.process.receive_since(began, until, "searching") {
                Err(error)
                    if matches!(error.kind, ErrorKind::TimedOut { .. }) && until < deadline =>
                {
                    self.dialect.stop(&mut self.link);
                    continue;
                }
                line => line?,
            };
            let event = self.dialect.handle_line(&mut self.link, &line);
            // What cannot be understood is the end of the search all the same.
            let event = event.inspect_err(|_| self.search = None)?;
            match event {
                Some(SearchEvent::Info(info)) => {
                    if let Some(search) = &mut self.search
                        && info.multipv.unwrap_or(1) == 1
                    {
                        search.best.update((*info).clone());
                    }
                    return Ok(SearchEvent::Info(info));
                }
                Some(SearchEvent::Done(played)) => return Ok(self.finish_search(*played, line.at)),
                None => {}
            }
        }
    }

    fn finish_search(&mut self, mut played: PlayResult, at: Instant) -> SearchEvent {
        if let Some(search) = self.search.take() {
            played.elapsed = at.saturating_duration_since(search.began);
            played.info = search.best;
        }
        SearchEvent::Done(Box::new(played))
    }

    /// Asks for the end of the search, which [`Engine::next`] still returns.
    pub fn stop(&mut self) {
        if self.search.is_some() {
            self.dialect.stop(&mut self.link);
        }
    }

    /// The expected move that is pondered on has been played: from now on the limits count.
    pub fn ponder_hit(&mut self) {
        if let Some(search) = &mut self.search {
            search.began = Instant::now();
            search.deadline = search.deadline_after_hit;
            self.dialect.ponder_hit(&mut self.link);
        }
    }

    /// Searches and waits for the move.
    ///
    /// # Errors
    /// As [`Engine::begin`] and [`Engine::next`].
    pub fn play(&mut self, game: &Game, request: &EngineRequest) -> Result<PlayResult> {
        self.begin(game, request)?;
        self.wait()
    }

    /// Waits for the end of the search that runs.
    ///
    /// # Errors
    /// As [`Engine::next`].
    pub fn wait(&mut self) -> Result<PlayResult> {
        loop {
            if let SearchEvent::Done(played) = self.next(None)? {
                return Ok(*played);
            }
        }
    }

    /// Analyses, and returns the last information about each line, the best first, with the result.
    ///
    /// # Errors
    /// As [`Engine::begin`] and [`Engine::next`].
    pub fn analyse(
        &mut self,
        game: &Game,
        request: &EngineRequest,
    ) -> Result<(Vec<Info>, PlayResult)> {
        let lines = request.multi_pv.unwrap_or(1).max(1);
        let mut found = vec![Info::default(); lines.min(256)];
        self.begin(game, request)?;
        loop {
            match self.next(None)? {
                SearchEvent::Info(info) => {
                    let number = info.multipv.unwrap_or(1).saturating_sub(1);
                    if let Some(line) = found.get_mut(number) {
                        line.update(*info);
                    }
                }
                SearchEvent::Done(played) => {
                    // A position with few moves has fewer lines.
                    found.retain(|line| *line != Info::default());
                    return Ok((found, *played));
                }
            }
        }
    }

    /// Informs the engine that the game is over with this result (`1-0`, `0-1`, `1/2-1/2` or `*`).
    ///
    /// # Errors
    /// When a search that still ran could not be ended.
    pub fn finish(&mut self, result: &str, reason: &str) -> Result {
        self.end_search()?;
        self.dialect.finish(&mut self.link, result, reason);
        Ok(())
    }

    /// Asks it to quit, waits at most this long, and returns its exit status in words; `None` if it
    /// had to be killed.
    pub fn quit(mut self, timeout: Duration) -> Option<String> {
        self.link.send("quit");
        let status = self.link.process.wait(timeout);
        status.map(|status| status.to_string())
    }

    /// Whether it can play another game without being started again.
    pub fn is_reusable(&self) -> bool {
        self.dialect.is_reusable()
    }

    /// Stops the search that runs, if any, and lets its answer go.
    fn end_search(&mut self) -> Result {
        if self.search.is_some() {
            self.stop();
        }
        let began = Instant::now();
        while self.search.is_some() {
            match self.next_within(began, TIMEOUT) {
                // Nobody wants the answer, so it may be no move, such as `0000`.
                Ok(_)
                | Err(Error {
                    kind: ErrorKind::IllegalMove { .. },
                    ..
                }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The error that a remark tells of: many engines, such as Mola and Stockfish, begin these so.
fn error_of(remark: &str) -> Option<&str> {
    let (word, why) = remark.split_once(':')?;
    word.eq_ignore_ascii_case("error").then(|| why.trim())
}

/// Whether an error names an option: by its name, its value, or a folder in that.
fn names(why: &str, (name, value): &(String, String)) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '/');
    let has = |word: &str| {
        let is_whole = |at: usize| {
            let (before, after) = (&why[..at], &why[at + word.len()..]);
            !is_part(before.chars().next_back()) && !is_part(after.chars().next())
        };
        !word.is_empty() && why.match_indices(word).any(|(at, _)| is_whole(at))
    };
    let folders = split_paths(value);
    has(name) || has(value) || folders.iter().any(|folder| has(&folder.to_string_lossy()))
}

/// How long a search may take by its limits, which do not count while it ponders.
fn time_limit(request: &EngineRequest, turn: Color, is_pondering: bool) -> Option<Duration> {
    let Limits {
        clocks,
        move_time,
        infinite,
        ..
    } = &request.limits;
    let margin = request.time_margin.unwrap_or(TIME_MARGIN);
    if *infinite || is_pondering {
        return request.time_margin;
    }
    let clock = clocks[turn].map(|clock| clock.remaining);
    match move_time.or(clock) {
        Some(time) => Some(time.saturating_add(margin)),
        None => request.time_margin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_about_options_that_they_name() {
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let why = "cannot read weights /x/nope16.bin.";
        assert!(names(why, &set("EvalFile", "/x/nope16.bin")));
        assert!(!names(why, &set("Hash", "16")) && !names(why, &set("Book", "/x/nope")));
        assert!(!names(why, &set("Threads", "")));
        assert!(names("no tables in /b", &set("SyzygyPath", "/a;/b")));
        assert!(names("The option EvalFile is wrong", &set("EvalFile", "x")));
    }
}
