//! The terminal as a screen of its own: entered, read from, and left on every way out.

use common::error::Result;
use crossbeam_channel::{Receiver, unbounded};
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::prelude::CrosstermBackend;
use std::io::{Stdout, stdout};
use std::sync::Once;
use std::{panic, thread};

/// The terminal, which is as it was when this goes away.
pub(super) struct FullTerminal {
    pub(super) canvas: ratatui::Terminal<CrosstermBackend<Stdout>>,
    /// Keys, the mouse, and new sizes of the window.
    pub(super) events: Receiver<Event>,
}

impl FullTerminal {
    /// Takes the whole screen.
    ///
    /// # Errors
    /// When there is no terminal, or it takes no commands.
    pub(super) fn enter() -> Result<FullTerminal> {
        leave_on_panic();
        enable_raw_mode()?;
        let entered = execute!(
            stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste
        )
        .and_then(|()| ratatui::Terminal::new(CrosstermBackend::new(stdout())));
        match entered {
            Ok(canvas) => Ok(FullTerminal {
                canvas,
                events: listen(),
            }),
            Err(error) => {
                leave();
                Err(error.into())
            }
        }
    }
}

impl Drop for FullTerminal {
    fn drop(&mut self) {
        leave();
    }
}

/// Gives the screen back. Nothing can be done about a terminal that has gone.
fn leave() {
    let _ = execute!(
        stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

/// What a panic says is to be read, on a terminal that works.
fn leave_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let told = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            leave();
            told(panic);
        }));
    });
}

/// Events come from a thread of their own, so that the session can wait for them, for the engine
/// and for signals at once. The channel closes when the terminal goes away.
fn listen() -> Receiver<Event> {
    let (sender, events) = unbounded();
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            if sender.send(event).is_err() {
                break;
            }
        }
    });
    events
}
