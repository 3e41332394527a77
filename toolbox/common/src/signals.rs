//! Signals. Windows has only Ctrl-C and Ctrl-Break; other systems but Unix have none.

use crossbeam_channel::Receiver;
#[cfg(not(windows))]
use crossbeam_channel::never;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether an interrupt, and any other signal, is ignored or watched, so that it does not end the
/// program.
static INTERRUPT_IS_HANDLED: AtomicBool = AtomicBool::new(false);
static ALL_ARE_HANDLED: AtomicBool = AtomicBool::new(false);

/// A signal to the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// A request to end, such as SIGTERM, or that the terminal is gone.
    Terminate,
}

/// Ignores interrupts from now on.
pub fn ignore_interrupt() {
    INTERRUPT_IS_HANDLED.store(true, Relaxed);
    #[cfg(unix)]
    {
        // Installing a handler is enough; the flag that it sets is not used.
        let unread = std::sync::Arc::default();
        if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGINT, unread) {
            log::warn!("cannot ignore interrupts: {error}");
        }
    }
    #[cfg(windows)]
    console::listen();
}

/// Signals are sent to this channel from now on, instead of ending the program.
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
            Err(error) => log::warn!("cannot catch signals: {error}"),
        }
    }
    #[cfg(windows)]
    return console::watch();
    #[cfg(not(windows))]
    never()
}

/// Registers a function that is called before a signal ends the program, that is if the signal is
/// neither watched nor ignored.
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
            Err(error) => log::warn!("cannot catch signals: {error}"),
        }
    }
    #[cfg(windows)]
    console::before_end(clean);
    #[cfg(not(any(unix, windows)))]
    let _ = clean;
}

/// One handler for all: Windows calls handlers on a separate thread.
#[cfg(windows)]
mod console {
    use super::{ALL_ARE_HANDLED, INTERRUPT_IS_HANDLED, Signal};
    use crossbeam_channel::{Receiver, Sender, unbounded};
    use std::sync::atomic::Ordering::Relaxed;
    use std::sync::{Mutex, Once, PoisonError};

    /// The exit status of a program that Ctrl-C has ended: `STATUS_CONTROL_C_EXIT`.
    const INTERRUPTED: i32 = 0xC000_013A_u32 as i32;

    static WATCHERS: Mutex<Vec<Sender<Signal>>> = Mutex::new(Vec::new());
    static ENDINGS: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

    pub(super) fn watch() -> Receiver<Signal> {
        let (sender, signals) = unbounded();
        let mut watchers = WATCHERS.lock().unwrap_or_else(PoisonError::into_inner);
        watchers.push(sender);
        drop(watchers);
        listen();
        signals
    }

    pub(super) fn before_end(clean: fn()) {
        let mut endings = ENDINGS.lock().unwrap_or_else(PoisonError::into_inner);
        endings.push(clean);
        drop(endings);
        listen();
    }

    pub(super) fn listen() {
        static LISTEN: Once = Once::new();
        LISTEN.call_once(|| {
            if let Err(error) = ctrlc::set_handler(interrupted) {
                log::warn!("cannot catch interrupts: {error}");
            }
        });
    }

    fn interrupted() {
        let mut watchers = WATCHERS.lock().unwrap_or_else(PoisonError::into_inner);
        watchers.retain(|watcher| watcher.send(Signal::Interrupt).is_ok());
        drop(watchers);
        if !ALL_ARE_HANDLED.load(Relaxed) && !INTERRUPT_IS_HANDLED.load(Relaxed) {
            let endings = ENDINGS.lock().unwrap_or_else(PoisonError::into_inner);
            for clean in endings.iter() {
                clean();
            }
            std::process::exit(INTERRUPTED);
        }
    }
}
