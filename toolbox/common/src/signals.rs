//! Signals. Where the system has none, none ever comes.

use crossbeam_channel::{Receiver, never};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether an interrupt, and any other signal, has somebody who decides what comes of it.
static INTERRUPT_IS_HANDLED: AtomicBool = AtomicBool::new(false);
static ALL_ARE_HANDLED: AtomicBool = AtomicBool::new(false);

/// What a signal asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// The program is to end.
    Terminate,
}

/// An interrupt does nothing from now on.
pub fn ignore_interrupt() {
    INTERRUPT_IS_HANDLED.store(true, Relaxed);
    #[cfg(unix)]
    {
        // The handler sets a flag that nobody reads, which is all that is wanted.
        let unread = std::sync::Arc::default();
        if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGINT, unread) {
            log::warn!("interrupts are not ignored: {error}");
        }
    }
}

/// Signals are told from now on, instead of ending the program.
pub fn watch() -> Receiver<Signal> {
    ALL_ARE_HANDLED.store(true, Relaxed);
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let (sender, signals) = crossbeam_channel::unbounded();
        match signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM]) {
            Ok(mut caught) => {
                std::thread::spawn(move || {
                    for signal in caught.forever() {
                        let signal = match signal {
                            SIGINT => Signal::Interrupt,
                            _ => Signal::Terminate,
                        };
                        if sender.send(signal).is_err() {
                            break;
                        }
                    }
                });
                return signals;
            }
            Err(error) => log::warn!("signals are not caught: {error}"),
        }
    }
    never()
}

/// Before a signal that nobody watches or ignores ends the program, `clean` is called.
pub fn before_end(clean: fn()) {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        match signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) {
            Ok(mut caught) => {
                std::thread::spawn(move || {
                    for signal in caught.forever() {
                        let is_handled = ALL_ARE_HANDLED.load(Relaxed)
                            || signal == SIGINT && INTERRUPT_IS_HANDLED.load(Relaxed);
                        if !is_handled {
                            clean();
                            let _ = signal_hook::low_level::emulate_default_handler(signal);
                        }
                    }
                });
            }
            Err(error) => log::warn!("signals are not caught: {error}"),
        }
    }
    #[cfg(not(unix))]
    let _ = clean;
}
