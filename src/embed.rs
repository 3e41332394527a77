//! The engine as a library: the session without a protocol.

use crate::options::{OptionId, Spec, TABLE};
use crate::session::{Command, Notice, Session};
use crossbeam_channel::Receiver;
use engine_core::Game;
use engine_core::search::{Event, Limits};

/// An engine with options, books and tables, which searches on its own threads.
#[derive(Default)]
pub struct Engine {
    session: Session,
}

impl Engine {
    /// The lines that declare the options in UCI.
    pub fn options() -> impl Iterator<Item = String> {
        TABLE.iter().filter(|spec| spec.is_uci()).map(Spec::uci)
    }

    /// Sets an option as UCI does, and returns messages for the user. Threads, hash size and
    /// weights change after a running search.
    ///
    /// # Errors
    /// When there is no such option, the value is invalid, or it names a file or folder that cannot
    /// be used; and for `Debug Log File`, as there is no protocol whose lines it could have.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<Vec<String>, String> {
        let spec = Spec::find(name).ok_or_else(|| format!("no option {name}"))?;
        if spec.id == OptionId::DebugLogFile {
            let name = spec.name;
            return Err(format!(
                "option {name}: only an engine that speaks UCI or XBoard has lines to log"
            ));
        }
        let notices = self
            .session
            .execute(Command::Set(spec.id, spec.parse(value)?));
        let failures = notices.iter().filter_map(|notice| match notice {
            Notice::Failure(text) => Some(text.as_str()),
            Notice::Message(_) | Notice::Search(_) => None,
        });
        let failures: Vec<&str> = failures.collect();
        if failures.is_empty() {
            Ok(messages(notices))
        } else {
            Err(failures.join("; "))
        }
    }

    /// The number of lines that a search reports (`MultiPV`).
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.session.options().number(OptionId::MultiPv)
    }

    /// Whether scores are wanted with the chances to win, draw and lose (`UCI_ShowWDL`), for which
    /// there is [`wdl::of`](engine_core::search::wdl::of).
    #[must_use]
    pub fn shows_wdl(&self) -> bool {
        self.session.options().flag(OptionId::ShowWdl)
    }

    /// Starts a new game: clears hash table and histories.
    pub fn new_game(&mut self) {
        self.session.execute(Command::NewGame);
    }

    /// Starts to search the position of a game, and returns messages for the user. A running search
    /// is stopped first, without further events.
    pub fn go(&mut self, game: Game, limits: Limits) -> Vec<String> {
        self.stop();
        self.session.execute(Command::Game(Box::new(game)));
        messages(self.session.execute(Command::Go(limits)))
    }

    /// Stops the search, and returns its remaining events, the best move last.
    pub fn stop(&mut self) -> Vec<Event> {
        events(self.session.execute(Command::Stop)).collect()
    }

    /// Whether a search runs whose best move has not been returned yet.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.session.is_searching()
    }

    /// A channel that is ready to receive when [`Engine::poll`] has events. Do not receive from it.
    #[must_use]
    pub fn wakeups(&self) -> Receiver<Event> {
        self.session.events().clone()
    }

    /// The events of the search since the last call.
    pub fn poll(&mut self) -> Vec<Event> {
        let mut ready = Vec::new();
        while let Ok(event) = self.session.events().try_recv() {
            ready.extend(events(self.session.handle(event)));
        }
        ready
    }
}

fn events(notices: Vec<Notice>) -> impl Iterator<Item = Event> {
    notices.into_iter().filter_map(|notice| match notice {
        Notice::Search(event) => Some(event),
        Notice::Message(_) | Notice::Failure(_) => None,
    })
}

fn messages(notices: Vec<Notice>) -> Vec<String> {
    let texts = notices.into_iter().filter_map(|notice| match notice {
        Notice::Message(text) | Notice::Failure(text) => Some(text),
        Notice::Search(_) => None,
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{AnyPosition, Variant};

    #[test]
    fn what_cannot_be_used_is_an_error() {
        let mut engine = Engine::default();
        for (name, value, error) in [
            ("EvalFile", "Cargo.toml", "Cargo.toml: not a weights file"),
            ("EvalFile", "none", "cannot read weights none: "),
            ("BookFile", "none", "cannot open book none: "),
            ("SyzygyPath", "src", "no tables: src has none of Syzygy"),
            ("GaviotaTbPath", "src", "no tables: src has none of Gaviota"),
            (
                "Debug Log File",
                "target/none/log",
                "option Debug Log File: only an engine that speaks",
            ),
        ] {
            let set = engine.set_option(name, value);
            assert!(set.is_err_and(|said| said.starts_with(error)), "{name}");
        }
        assert_eq!(engine.set_option("EvalFile", ""), Ok(Vec::new()));
    }

    #[test]
    fn a_search_tells_its_lines_and_ends_with_a_move() {
        let mut engine = Engine::default();
        assert_eq!(engine.set_option("hash", "2"), Ok(Vec::new()));
        assert!(engine.set_option("Hash", "none").is_err());
        assert!(engine.set_option("no such", "1").is_err());
        let game = Game::new(AnyPosition::start(Variant::Standard));
        let limits = Limits {
            depth: Some(4),
            ..Limits::default()
        };
        engine.go(game, limits);
        let wakeups = engine.wakeups();
        let mut polled = Vec::new();
        while engine.is_searching() {
            let mut select = crossbeam_channel::Select::new();
            select.recv(&wakeups);
            select.ready();
            polled.extend(engine.poll());
        }
        assert!(matches!(polled.first(), Some(Event::Info(_))));
        assert!(matches!(polled.last(), Some(Event::BestMove(best)) if best.best.is_some()));
    }
}
