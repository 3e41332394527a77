//! What each protocol does for the loop that drives it.

use crate::session::{Notice, Session};
use common::error::Result;
use common::input::Line;
use crossbeam_channel::{Receiver, TryRecvError, never};
use engine_core::search::Instant;
use std::collections::VecDeque;

/// Whether a session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// It does.
    GoOn,
    /// It ends.
    Quit,
}

/// A protocol: translates lines into commands for the session and events into lines.
pub(super) trait FrontEnd {
    /// The session behind it.
    fn session(&mut self) -> &mut Session;
    /// Handles a line.
    ///
    /// # Errors
    /// When the output is closed.
    fn line(&mut self, text: &str, inbox: &mut Inbox) -> Result<Flow>;
    /// Tells an event.
    ///
    /// # Errors
    /// When the output is closed.
    fn event(&mut self, event: Notice) -> Result;
    /// Tells the user something in a form that no client mistakes for an answer.
    ///
    /// # Errors
    /// When the output is closed.
    fn message(&mut self, text: &str) -> Result;
    /// When [`FrontEnd::on_timer`] is to be called next.
    fn timer(&self) -> Receiver<std::time::Instant> {
        never()
    }
    /// The time has come.
    ///
    /// # Errors
    /// When the output is closed.
    fn on_timer(&mut self) -> Result {
        Ok(())
    }
    /// Ends the session.
    ///
    /// # Errors
    /// When the output is closed.
    fn end(&mut self) -> Result;
}

/// The lines that wait for a front end.
pub(super) struct Inbox {
    pub(super) lines: Receiver<Line>,
    pub(super) kept: VecDeque<Line>,
    /// When the end of the input was noticed.
    ended: Option<Instant>,
}

impl Inbox {
    /// The lines of a reader.
    pub(super) fn new(lines: Receiver<Line>) -> Inbox {
        Inbox {
            lines,
            kept: VecDeque::new(),
            ended: None,
        }
    }

    /// A line that has arrived and was not kept for later, if there is one.
    pub(super) fn peek_new(&mut self) -> Option<Line> {
        let line = self.lines.try_recv();
        if line == Err(TryRecvError::Disconnected) {
            self.ended.get_or_insert_with(Instant::now);
        }
        line.ok()
    }

    /// When [`Inbox::peek_new`] noticed the end of the input, if it did.
    pub(super) fn ended(&self) -> Option<Instant> {
        self.ended
    }

    /// Keeps a line until those before it have been handled.
    pub(super) fn keep(&mut self, line: Line) {
        self.kept.push_back(line);
    }
}
