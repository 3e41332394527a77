//! UCI for a host without threads, such as a browser page, which passes one line after the
//! other: a search runs in the call that starts it.

use super::front_end::{Flow, FrontEnd, Inbox};
use super::uci::Uci;
use crate::session::Command;
use common::error::Result;
use common::input::InputLine;
use common::output::Output;
use crossbeam_channel::{Sender, unbounded};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How a host may interrupt a search while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// Not at all.
    None,
    /// End it with its best move, as `stop` does.
    Stop,
    /// Start its clock, as `ponderhit` does.
    PonderHit,
}

/// A UCI session, line by line.
///
/// ```
/// use common::output::Output;
/// use mola::protocol::{Conversation, Interrupt};
///
/// let engine = Conversation::new(Output::stdout(), || Interrupt::None);
/// assert!(engine.line("go depth 2")?, "the session goes on; the best move is written");
/// assert!(!engine.line("quit")?);
/// # Ok::<(), common::error::Error>(())
/// ```
pub struct Conversation {
    front: Arc<Mutex<Uci>>,
    /// Keeps the inbox open: the end of the input would stop `bench` and `perft`.
    _lines: Sender<InputLine>,
    inbox: Mutex<Inbox>,
}

impl Conversation {
    /// Begins a session that writes its lines to this output. A search asks the host every few
    /// hundred nodes for an interrupt.
    pub fn new(
        out: Output,
        interrupt: impl Fn() -> Interrupt + Send + Sync + 'static,
    ) -> Conversation {
        let (sender, lines) = unbounded();
        let front = Arc::new(Mutex::new(Uci::new(out)));
        // A weak reference, since the session owns the poll.
        let weak = Arc::downgrade(&front);
        lock(&front)
            .session()
            .search_in_owner_thread(Arc::new(move || {
                let Some(front) = weak.upgrade() else { return };
                if let Ok(mut front) = front.try_lock() {
                    // A failure to write is no reason to end the search.
                    let _ = report_events(&mut front);
                    match interrupt() {
                        Interrupt::None => {}
                        Interrupt::Stop => front.session().request_stop(),
                        Interrupt::PonderHit => {
                            front.session().execute(Command::PonderHit(None));
                        }
                    }
                }
            }));
        Conversation {
            front,
            _lines: sender,
            inbox: Mutex::new(Inbox::new(lines)),
        }
    }

    /// Handles a line, and returns when its command has ended, including a search: false after `quit`.
    /// An infinite search or one on the opponent's time may still hold its best move back, until
    /// `stop` or `ponderhit`.
    ///
    /// # Errors
    /// When the output is closed.
    pub fn line(&self, text: &str) -> Result<bool> {
        let line = InputLine::new(text.to_owned());
        let flow = {
            let inbox = &mut *self.inbox.lock().unwrap_or_else(PoisonError::into_inner);
            super::handle(&mut *lock(&self.front), &line, inbox)?
        };
        let owner_thread = lock(&self.front).session().owner_thread();
        // The lock of the front end is not held here, because the poll takes it.
        if let Some(owner_thread) = owner_thread {
            owner_thread.work();
        }
        let front = &mut *lock(&self.front);
        report_events(front)?;
        if flow == Flow::Quit {
            front.end()?;
        }
        Ok(flow == Flow::GoOn)
    }

    /// Whether the best move of a search is still to come.
    pub fn is_searching(&self) -> bool {
        lock(&self.front).session().is_searching()
    }
}

fn lock(front: &Mutex<Uci>) -> MutexGuard<'_, Uci> {
    front.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the events of the search since the last call.
fn report_events(front: &mut Uci) -> Result {
    let events = front.session().events().clone();
    for event in events.try_iter() {
        for notice in front.session().handle(event) {
            front.event(notice)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Written {
        fn take(&self) -> String {
            String::from_utf8(std::mem::take(&mut self.0.lock().unwrap())).unwrap()
        }
    }

    fn begin(interrupt: impl Fn() -> Interrupt + Send + Sync + 'static) -> (Conversation, Written) {
        let written = Written::default();
        let engine = Conversation::new(Output::to(written.clone()), interrupt);
        (engine, written)
    }

    #[test]
    fn each_line_is_answered_before_it_returns() {
        let (engine, written) = begin(|| Interrupt::None);
        engine.line("uci").unwrap();
        assert!(written.take().ends_with("uciok\n"));
        engine.line("position startpos moves e2e4").unwrap();
        engine.line("go depth 5").unwrap();
        let text = written.take();
        assert!(
            text.contains("info depth 1 ") && text.contains("info depth 5 "),
            "{text}"
        );
        assert!(
            text.lines().last().unwrap().starts_with("bestmove "),
            "{text}"
        );
        engine.line("go perft 2").unwrap();
        assert!(written.take().contains("Nodes searched: 600"));
        engine
            .line("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
            .unwrap();
        engine.line("go infinite").unwrap();
        assert!(engine.is_searching() && !written.take().contains("bestmove"));
        engine.line("stop").unwrap();
        assert_eq!(written.take(), "bestmove (none)\n");
        assert!(!engine.line("quit").unwrap());
    }

    #[test]
    fn a_host_interrupts_what_never_ends() {
        let polls = Arc::new(AtomicU8::new(0));
        let counter = Arc::clone(&polls);
        let (engine, written) = begin(move || match counter.fetch_add(1, Relaxed) {
            40 => Interrupt::PonderHit,
            90 => Interrupt::Stop,
            _ => Interrupt::None,
        });
        engine.line("go infinite").unwrap();
        assert!(written.take().contains("bestmove "));
        assert_eq!(polls.swap(20, Relaxed), 91);
        engine.line("go ponder movetime 1").unwrap();
        assert!(written.take().contains("bestmove "));
        let polls = polls.load(Relaxed);
        assert!(
            (41..91).contains(&polls),
            "{polls}: the hit started the clock"
        );
    }
}
