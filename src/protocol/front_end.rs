//! The interface between a protocol and its main loop.

use crate::session::{Notice, Session};
use common::error::Result;
use common::input::InputLine;
use crossbeam_channel::{Receiver, TryRecvError, never};
use engine_core::search::Instant;
use std::collections::VecDeque;

/// Whether the session goes on after a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// It goes on.
    GoOn,
    /// It ends, after `quit`.
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
    /// Writes the lines for an event.
    ///
    /// # Errors
    /// When the output is closed.
    fn event(&mut self, event: Notice) -> Result;
    /// Writes a message for the user, in a form that clients cannot mistake for an answer.
    ///
    /// # Errors
    /// When the output is closed.
    fn message(&mut self, text: &str) -> Result;
    /// When [`FrontEnd::on_timer`] is to be called next.
    fn timer(&self) -> Receiver<std::time::Instant> {
        never()
    }
    /// Called when the [`timer`](FrontEnd::timer) has fired.
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

/// The lines of input that a front end has not handled yet.
pub(super) struct Inbox {
    pub(super) lines: Receiver<InputLine>,
    /// Lines that were received already, in their order.
    pub(super) kept: VecDeque<InputLine>,
    /// When the end of the input was noticed.
    ended: Option<Instant>,
}

impl Inbox {
    /// The lines of a reader.
    pub(super) fn new(lines: Receiver<InputLine>) -> Inbox {
        Inbox {
            lines,
            kept: VecDeque::new(),
            ended: None,
        }
    }

    /// Takes the next line that has just arrived, if there is one. The caller handles it or
    /// [keeps](Inbox::keep) it.
    pub(super) fn take_new(&mut self) -> Option<InputLine> {
        let line = self.lines.try_recv();
        if line == Err(TryRecvError::Disconnected) {
            self.ended.get_or_insert_with(Instant::now);
        }
        line.ok()
    }

    /// When [`Inbox::take_new`] noticed the end of the input, if it did.
    pub(super) fn ended(&self) -> Option<Instant> {
        self.ended
    }

    /// Whether a line that starts a search is kept for later.
    pub(super) fn keeps_search(&self) -> bool {
        let is_search = |line: &InputLine| line.text.split_whitespace().next() == Some("go");
        self.kept.iter().any(is_search)
    }

    /// Keeps a line for later, to be handled after the others kept so far.
    pub(super) fn keep(&mut self, line: InputLine) {
        self.kept.push_back(line);
    }
}
