//! Signals. Windows has Ctrl-C, Ctrl-Break and the end of the console: its window is closed, or the
//! user logs off. Other systems but Unix have none.
//!
//! Signals go to all watchers; without a watcher they end the program. So a command watches them
//! only while it can act on them, not while it waits for input that may never come. Signals that
//! the program was started to ignore are ignored.

use crossbeam_channel::{Receiver, Sender, unbounded};
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The exit code of a command stopped by a signal: 128 + SIGINT, as in shells.
pub const INTERRUPTED: u8 = 130;

/// A signal to the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// A request to end, such as SIGTERM.
    Terminate,
    /// The terminal is gone, or is about to go.
    HangUp,
}

/// What handles a signal.
struct Handlers {
    watchers: Vec<Sender<Signal>>,
    ignores_interrupts: bool,
    /// Called before a signal ends the program.
    exit_hooks: Vec<fn()>,
}

static HANDLERS: Mutex<Handlers> = Mutex::new(Handlers {
    watchers: Vec::new(),
    ignores_interrupts: false,
    exit_hooks: Vec::new(),
});

fn handlers() -> MutexGuard<'static, Handlers> {
    HANDLERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ignores interrupts from now on.
pub fn ignore_interrupt() {
    handlers().ignores_interrupts = true;
    listen();
}

/// The signals that come as long as this lives; they do not end the program. One that nobody has
/// received by then ends it.
pub struct Watch {
    sender: Sender<Signal>,
    signals: Receiver<Signal>,
}

/// Watches signals.
pub fn watch() -> Watch {
    let (sender, signals) = unbounded();
    handlers().watchers.push(sender.clone());
    listen();
    Watch { sender, signals }
}

impl Deref for Watch {
    type Target = Receiver<Signal>;

    fn deref(&self) -> &Receiver<Signal> {
        &self.signals
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let is_other = |watcher: &Sender<Signal>| !watcher.same_channel(&self.sender);
        handlers().watchers.retain(is_other);
        if let Ok(signal) = self.signals.try_recv() {
            handle(signal);
        }
    }
}

/// Registers a function that is called before a signal ends the program.
pub fn before_end(clean: fn()) {
    handlers().exit_hooks.push(clean);
    listen();
}

/// From now on, a write beyond the limit of the size of files (`ulimit -f`) is an error as on a full disk,
/// and does not end the program.
pub fn outlive_size_limit() {
    system::outlive_size_limit();
}

/// Ends the program as a signal does without a watcher.
pub fn end_program(signal: Signal) -> ! {
    end(signal, &handlers())
}

fn end(signal: Signal, handlers: &Handlers) -> ! {
    handlers.exit_hooks.iter().for_each(|clean| clean());
    system::end(signal)
}

/// Sends a signal to all watchers; without a watcher it ends the program, unless it is ignored.
fn handle(signal: Signal) {
    let handlers = handlers();
    for watcher in &handlers.watchers {
        // Fails only without a receiver, which the watcher holds.
        let _ = watcher.send(signal);
    }
    let is_ignored = signal == Signal::Interrupt && handlers.ignores_interrupts;
    if handlers.watchers.is_empty() && !is_ignored {
        end(signal, &handlers);
    }
}

/// Catches signals from now on.
fn listen() {
    static LISTEN: Once = Once::new();
    LISTEN.call_once(|| {
        if let Err(error) = system::listen() {
            log::warn!("cannot catch signals: {error}");
        }
    });
}

#[cfg(unix)]
mod system {
    use super::{INTERRUPTED, Signal, handle};
    use crate::threads;
    use crossbeam_channel::bounded;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::io;
    use std::sync::Arc;

    pub(super) fn listen() -> io::Result<()> {
        let (hand_over, caught) = bounded::<Signals>(1);
        // The thread first: without it, a signal that is caught would have no effect.
        threads::spawn(move || {
            let Ok(mut caught) = caught.recv() else {
                return;
            };
            for number in caught.forever() {
                handle(match number {
                    SIGINT => Signal::Interrupt,
                    SIGHUP => Signal::HangUp,
                    _ => Signal::Terminate,
                });
            }
        })?;
        let handled = [SIGINT, SIGTERM, SIGHUP];
        let handled = handled.iter().filter(|&&number| !is_ignored(number));
        // The thread waits for it.
        let _ = hand_over.send(Signals::new(handled)?);
        Ok(())
    }

    pub(super) fn outlive_size_limit() {
        // Not ignored, as the engines that this program starts would then ignore it as well.
        if let Err(error) = flag::register(SIGXFSZ, Arc::default()) {
            log::warn!("a file that becomes too large ends the program: {error}");
        }
    }

    /// Whether we were started to ignore a signal, as `nohup` has a program outlive its terminal.
    #[cfg(target_os = "linux")]
    pub(super) fn is_ignored(number: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (number - 1) & 1 == 1)
    }

    /// Whether we were started to ignore a signal, as `nohup` has a program outlive its terminal.
    /// An ignored signal stays ignored in a child: a shell that survives sending it to itself shows
    /// that we ignore it.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn is_ignored(number: i32) -> bool {
        let kill = format!("kill -{number} $$");
        let shell = std::process::Command::new("sh")
            .args(["-c", &kill])
            .status();
        shell.is_ok_and(|status| status.success())
    }

    pub(super) fn end(signal: Signal) -> ! {
        let number = match signal {
            Signal::Interrupt => SIGINT,
            Signal::Terminate => SIGTERM,
            Signal::HangUp => SIGHUP,
        };
        let _ = emulate_default_handler(number);
        std::process::exit(INTERRUPTED.into())
    }
}

#[cfg(windows)]
mod system {
    use super::{Signal, handle};
    use crate::threads;
    use std::future::poll_fn;
    use std::io;
    use std::task::{Context, Poll};
    use tokio::runtime::Builder;
    use tokio::signal::windows::{
        CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close,
        ctrl_logoff, ctrl_shutdown,
    };

    /// The exit code of a program that Ctrl-C has ended: `STATUS_CONTROL_C_EXIT`.
    const CONTROL_C_EXIT: i32 = 0xC000_013A_u32 as i32;

    pub(super) fn listen() -> io::Result<()> {
        let runtime = Builder::new_current_thread().build()?;
        let mut events = Events::new()?;
        threads::spawn(move || {
            loop {
                handle(runtime.block_on(poll_fn(|context| events.poll(context))));
            }
        })?;
        Ok(())
    }

    /// What the console tells the program. Windows ends the program as soon as the function that it
    /// calls for a close, a logoff or a shutdown returns: tokio's does not, so that there are some
    /// seconds to save a game in.
    struct Events {
        interrupt: CtrlC,
        interruption: CtrlBreak,
        close: CtrlClose,
        logoff: CtrlLogoff,
        shutdown: CtrlShutdown,
    }

    impl Events {
        fn new() -> io::Result<Events> {
            Ok(Events {
                interrupt: ctrl_c()?,
                interruption: ctrl_break()?,
                close: ctrl_close()?,
                logoff: ctrl_logoff()?,
                shutdown: ctrl_shutdown()?,
            })
        }

        fn poll(&mut self, context: &mut Context<'_>) -> Poll<Signal> {
            let is_over = self.close.poll_recv(context).is_ready()
                || self.logoff.poll_recv(context).is_ready()
                || self.shutdown.poll_recv(context).is_ready();
            let is_interrupted = self.interrupt.poll_recv(context).is_ready()
                || self.interruption.poll_recv(context).is_ready();
            match (is_over, is_interrupted) {
                (true, _) => Poll::Ready(Signal::HangUp),
                (false, true) => Poll::Ready(Signal::Interrupt),
                (false, false) => Poll::Pending,
            }
        }
    }

    pub(super) fn outlive_size_limit() {}

    pub(super) fn end(_: Signal) -> ! {
        std::process::exit(CONTROL_C_EXIT)
    }
}

#[cfg(not(any(unix, windows)))]
mod system {
    use super::{INTERRUPTED, Signal};

    pub(super) fn listen() -> std::io::Result<()> {
        Ok(())
    }

    pub(super) fn outlive_size_limit() {}

    pub(super) fn end(_: Signal) -> ! {
        std::process::exit(INTERRUPTED.into())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::low_level::raise;
    use std::time::Duration;

    #[test]
    fn a_signal_goes_to_all_watchers() {
        let first = watch();
        {
            let second = watch();
            let signals = [
                (SIGINT, Signal::Interrupt),
                (SIGTERM, Signal::Terminate),
                (SIGHUP, Signal::HangUp),
            ];
            // These tests may be run by `nohup`.
            let is_handled = |&(number, _): &(i32, Signal)| !system::is_ignored(number);
            for (number, signal) in signals.into_iter().filter(is_handled) {
                raise(number).unwrap();
                for watcher in [&first, &second] {
                    let told = watcher.recv_timeout(Duration::from_secs(10));
                    assert_eq!(told, Ok(signal));
                }
            }
        }
        raise(SIGTERM).unwrap();
        let told = first.recv_timeout(Duration::from_secs(10));
        assert_eq!(
            (told, handlers().watchers.len()),
            (Ok(Signal::Terminate), 1)
        );
    }
}
