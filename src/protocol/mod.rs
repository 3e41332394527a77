//! The chess engine protocols, and the loop that drives a front end.

mod uci;
mod xboard;

use crate::allocator;
use crate::session::{Notice, Session};
use common::error::Result;
use common::input::{self, Line};
use common::output::Output;
use crossbeam_channel::{Receiver, TryRecvError, never, select};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// Whether a session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// It does.
    GoOn,
    /// It ends.
    Quit,
}

/// A protocol: translates lines into commands for the session and events into lines.
pub(crate) trait FrontEnd {
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
    fn timer(&self) -> Receiver<Instant> {
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
pub(crate) struct Inbox {
    lines: Receiver<Line>,
    kept: VecDeque<Line>,
    /// When the end of the input was noticed.
    ended: Option<Instant>,
}

impl Inbox {
    /// The lines of a reader.
    pub(crate) fn new(lines: Receiver<Line>) -> Inbox {
        Inbox {
            lines,
            kept: VecDeque::new(),
            ended: None,
        }
    }

    /// A line that has arrived and was not kept for later, if there is one.
    pub(crate) fn peek_new(&mut self) -> Option<Line> {
        let line = self.lines.try_recv();
        if line == Err(TryRecvError::Disconnected) {
            self.ended.get_or_insert_with(Instant::now);
        }
        line.ok()
    }

    /// When [`Inbox::peek_new`] noticed the end of the input, if it did.
    pub(crate) fn ended(&self) -> Option<Instant> {
        self.ended
    }

    /// Keeps a line until those before it have been handled.
    pub(crate) fn keep(&mut self, line: Line) {
        self.kept.push_back(line);
    }
}

/// Which protocol to speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Chess Engine Communication Protocol.
    XBoard,
}

/// Speaks a protocol on standard input and output until `quit` or the end of the input. Without a
/// choice the first line decides.
///
/// # Errors
/// When the output is closed.
pub fn run(choice: Option<Protocol>) -> Result {
    allocator::prepare();
    speak(choice, input::spawn(std::io::stdin()), Output::stdout())
}

/// The same with lines from elsewhere and another output.
///
/// # Errors
/// When the output is closed.
pub fn speak(choice: Option<Protocol>, lines: Receiver<Line>, out: Output) -> Result {
    let mut inbox = Inbox::new(lines);
    match choice.unwrap_or_else(|| detect(&mut inbox)) {
        Protocol::Uci => drive(&mut uci::Uci::new(out), &mut inbox),
        Protocol::XBoard => drive(&mut xboard::XBoard::new(out), &mut inbox),
    }
}

/// Waits for the first line that is not blank: UCI, unless it begins XBoard's way.
fn detect(inbox: &mut Inbox) -> Protocol {
    while let Ok(line) = inbox.lines.recv() {
        let first = line.text.split_whitespace().next();
        let protocol = match first {
            Some("xboard" | "protover") => Protocol::XBoard,
            Some(_) => Protocol::Uci,
            None => continue,
        };
        inbox.keep(line);
        return protocol;
    }
    Protocol::Uci
}

/// Hands lines and events to a front end, each as it comes.
fn drive(front: &mut impl FrontEnd, inbox: &mut Inbox) -> Result {
    let events = front.session().events().clone();
    loop {
        if let Some(line) = inbox.kept.pop_front() {
            if handle(front, &line, inbox)? == Flow::Quit {
                break;
            }
            continue;
        }
        select! {
            recv(inbox.lines) -> line => match line {
                Ok(line) => inbox.keep(line),
                Err(_) => break,
            },
            recv(front.timer()) -> _ => front.on_timer()?,
            recv(events) -> event => if let Ok(event) = event {
                for event in front.session().hear(event) {
                    front.event(event)?;
                }
            },
        }
    }
    front.end()
}

/// One line. A fault of ours in it must not take the session with it.
fn handle(front: &mut impl FrontEnd, line: &Line, inbox: &mut Inbox) -> Result<Flow> {
    log::debug!("< {}", line.text);
    front.session().note_arrival(line.at);
    if line.cut {
        front.message("a line of more than 1 MB was cut")?;
    }
    catch_unwind(AssertUnwindSafe(|| front.line(&line.text, inbox))).unwrap_or_else(|_| {
        front.message("internal error: the command was dropped")?;
        Ok(Flow::GoOn)
    })
}
