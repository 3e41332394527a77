//! The chess engine protocols, and their main loop.

mod conversation;
mod front_end;
mod uci;
mod xboard;

pub use conversation::{Conversation, Interrupt};

use crate::session::Notice;
use crate::{allocator, logging};
use common::error::Result;
use common::input::{self, InputLine};
use common::output::Output;
use crossbeam_channel::{Receiver, select};
use front_end::{Flow, FrontEnd, Inbox};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Which protocol to speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Chess Engine Communication Protocol.
    XBoard,
}

/// Runs a protocol on standard input and output until `quit` or the end of the input. Without a
/// choice, the first line decides which.
///
/// # Errors
/// When the output is closed, or the system allows no thread that reads the input.
pub fn run(choice: Option<Protocol>) -> Result {
    allocator::configure();
    speak(choice, input::spawn(std::io::stdin())?, Output::stdout())
}

/// The same with lines from elsewhere and another output.
///
/// # Errors
/// When the output is closed.
pub fn speak(choice: Option<Protocol>, lines: Receiver<InputLine>, out: Output) -> Result {
    let mut inbox = Inbox::new(lines);
    match choice.unwrap_or_else(|| detect(&mut inbox)) {
        Protocol::Uci => drive(&mut uci::Uci::new(out), &mut inbox),
        Protocol::XBoard => drive(&mut xboard::XBoard::new(out), &mut inbox),
    }
}

/// Waits for the first line that is not blank: UCI, unless it is a command of XBoard.
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

/// The main loop: hands lines, events and timers to a front end, each as it comes.
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
                for event in front.session().handle(event) {
                    front.event(event)?;
                }
            },
        }
    }
    front.end()
}

/// Handles one line. A panic in it is reported and does not end the session.
fn handle(front: &mut impl FrontEnd, line: &InputLine, inbox: &mut Inbox) -> Result<Flow> {
    log::debug!("< {}", line.text);
    if let Some(failure) = logging::take_failure() {
        front.event(Notice::Failure(failure))?;
    }
    front.session().note_arrival(Some(line.at));
    if line.cut {
        front.message("a line of more than 1 MB was cut")?;
    }
    let handled = catch_unwind(AssertUnwindSafe(|| front.line(&line.text, inbox)));
    front.session().note_arrival(None);
    handled.unwrap_or_else(|_| {
        front.message("internal error: the command was dropped")?;
        Ok(Flow::GoOn)
    })
}
