//! The terminal in full screen: entering, reading events, and leaving, also after a panic.

use crate::terminal::stop;
use common::error::{Error, Result};
use common::threads;
use crossbeam_channel::{Receiver, unbounded};
use ratatui::backend::Backend;
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
use std::time::Duration;
use std::{io, panic};

/// The terminal in full screen, restored when dropped.
pub(super) struct FullTerminal {
    pub(super) canvas: ratatui::Terminal<CrosstermBackend<Stdout>>,
    /// Keys, the mouse, and new sizes of the window; an error is the last.
    pub(super) events: Receiver<Result<Event>>,
}

impl FullTerminal {
    /// Enters full screen.
    ///
    /// # Errors
    /// When there is no terminal, or it cannot be controlled.
    pub(super) fn enter() -> Result<FullTerminal> {
        leave_on_panic();
        let entered = enter().and_then(|()| {
            let canvas = ratatui::Terminal::new(CrosstermBackend::new(stdout()))?;
            let events = listen()?;
            Ok(FullTerminal { canvas, events })
        });
        match entered {
            Ok(terminal) => Ok(terminal),
            Err(error) => {
                leave();
                Err(error.into())
            }
        }
    }
}

impl FullTerminal {
    /// Empties the screen, so that all of the next frame is drawn. `ratatui`'s own `clear` asks the
    /// terminal where its cursor is, and some give no answer.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn clear(&mut self) -> Result {
        self.canvas.backend_mut().clear()?;
        // Swapping the two buffers empties one of them.
        self.canvas.swap_buffers();
        self.canvas.swap_buffers();
        Ok(())
    }
}

impl Drop for FullTerminal {
    fn drop(&mut self) {
        leave();
    }
}

fn enter() -> std::io::Result<()> {
    enable_raw_mode()?;
    execute!(
        stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableBracketedPaste
    )
}

/// Leaves full screen, stops until the shell lets the program go on, and enters full screen again.
///
/// # Errors
/// When the terminal is gone.
pub(super) fn suspend() -> Result {
    leave();
    stop::stop();
    Ok(enter()?)
}

/// Leaves full screen. Errors are ignored: the terminal may be gone.
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

/// Leaves full screen before a panic's message is printed, so that it can be read.
fn leave_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print_message = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            leave();
            print_message(panic);
        }));
    });
}

/// Crossterm panics at some reports that no terminal sends.
const BAD_INPUT: &str = "bad input from the terminal";

/// Events come from a separate thread, so that the session can wait for them, for the engine
/// and for signals at the same time. The channel closes when the terminal is gone.
fn listen() -> io::Result<Receiver<Result<Event>>> {
    let (sender, events) = unbounded();
    // The first call makes crossterm watch the size of the window: from here on, not from when the thread
    // begins, so that no change is missed after the first frame.
    if panic::catch_unwind(|| event::poll(Duration::ZERO)).is_err() {
        return Err(io::Error::other(BAD_INPUT));
    }
    threads::spawn(move || {
        loop {
            let event = match panic::catch_unwind(event::read) {
                Ok(Ok(event)) => Ok(event),
                Ok(Err(_)) => break,
                Err(_) => Err(Error::Message(BAD_INPUT.to_owned())),
            };
            let is_last = event.is_err();
            if sender.send(event).is_err() || is_last {
                break;
            }
        }
    })?;
    Ok(events)
}
