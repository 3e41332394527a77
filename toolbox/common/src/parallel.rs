//! Ordered parallel work: several threads work on items, and their results are taken one at a time
//! in the order of the items, however long each has needed.
//!
//! Memory is bounded, as no thread runs further ahead than [`Workers::ahead`]; the work ends early
//! when the consumer has enough, at the first error, when a thread panics, and on a signal.

use crate::error::{Error, Result};
use crate::signals::{self, Signal};
use crate::threads::none_left;
use crossbeam_channel::{Receiver, Sender, bounded, never, select};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};

/// The number of threads and their limits.
#[derive(Clone, Debug)]
pub struct Workers {
    /// How many threads.
    pub threads: usize,
    /// How many items, from the first one without a result on, may be in work or done.
    pub ahead: usize,
    /// Signals that end the work; [`crossbeam_channel::never`] where none shall.
    pub signals: Receiver<Signal>,
}

/// How the work ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// There are no more items.
    Done,
    /// The consumer of the results broke off.
    Enough,
    /// A signal came.
    Interrupted,
}

impl Ended {
    /// Fails only if a signal came.
    ///
    /// # Errors
    /// When a signal came; `how_to_resume` is added to its words.
    pub fn or_interrupted(self, how_to_resume: Option<&str>) -> Result {
        match (self, how_to_resume) {
            (Ended::Done | Ended::Enough, _) => Ok(()),
            (Ended::Interrupted, None) => Err(Error::Interrupted("interrupted".into())),
            (Ended::Interrupted, Some(how)) => {
                Err(Error::Interrupted(format!("interrupted; {how}")))
            }
        }
    }
}

/// Notifies work in progress that its result is no longer wanted.
#[derive(Clone, Debug)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    closed: Receiver<()>,
}

impl Interrupt {
    /// Set when the work is to end, for loops that look at it.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Closed when the work is to end, for waits.
    pub fn channel(&self) -> &Receiver<()> {
        &self.closed
    }
}

/// The stack of a thread, which may search.
const STACK: usize = 16 << 20;

/// Works on all items. Every thread calls `worker` once, for the function that works on its items.
/// `take` is called with each result, in the order of the items, and returns whether to continue. The
/// first error in that order ends the work. On a signal no thread begins another item; results up
/// to the first one missing are still taken, and errors that come after it are ignored. A second
/// signal ends the program.
///
/// # Errors
/// When `worker`, the work or `take` fails, or no thread can be started.
pub fn in_order<I, T, W>(
    workers: &Workers,
    items: impl Iterator<Item = I> + Send,
    worker: impl Fn(&Interrupt) -> Result<W> + Sync,
    take: impl FnMut(T) -> Result<ControlFlow<()>> + Send,
) -> Result<Ended>
where
    I: Send,
    T: Send,
    W: FnMut(I) -> Result<T>,
{
    let shared = Shared::<_, T, _>::new(workers.ahead, items, take);
    let (working, done) = bounded::<()>(0);
    let is_interrupted = thread::scope(|scope| {
        let (shared, worker) = (&shared, &worker);
        let mut threads = Vec::new();
        for _ in 0..workers.threads.max(1) {
            let working = working.clone();
            let spawned = Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || {
                    let _working = working;
                    let _guard = EndOnPanic(shared);
                    match worker(&shared.interrupt) {
                        Ok(work) => shared.work(work),
                        Err(_) if shared.is_over() => {}
                        Err(error) => shared.end(Err(error)),
                    }
                });
            match spawned {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    shared.end(Err(none_left(&error).into()));
                    break;
                }
            }
        }
        drop(working);
        let is_interrupted = shared.watch(&done, &workers.signals);
        for thread in threads {
            if let Err(panic) = thread.join() {
                resume_unwind(panic);
            }
        }
        is_interrupted
    });
    match shared.into_end() {
        Some(end) => end,
        None if is_interrupted => Ok(Ended::Interrupted),
        None => Ok(Ended::Done),
    }
}

/// The state that the threads share.
struct Shared<N, T, F> {
    ahead: u64,
    /// The number of the next item, and the items.
    items: Mutex<(u64, N)>,
    results: Mutex<Results<T, F>>,
    /// Notified when results have been taken.
    room: Condvar,
    /// Dropped to close the channel of the interrupt.
    open: Mutex<Option<Sender<()>>>,
    interrupt: Interrupt,
}

struct Results<T, F> {
    /// The number of the result that is taken next.
    next: u64,
    /// Results that came before their turn.
    early: BTreeMap<u64, Result<T>>,
    take: F,
    end: Option<Result<Ended>>,
}

impl<I, T, N, F> Shared<N, T, F>
where
    N: Iterator<Item = I>,
    F: FnMut(T) -> Result<ControlFlow<()>>,
{
    /// The loop of one thread, until no item is left or the work has ended.
    fn work(&self, mut work: impl FnMut(I) -> Result<T>) {
        while let Some((number, item)) = self.next_item() {
            self.hand_over(number, work(item));
        }
    }

    /// The next item, as soon as there is room for its result.
    fn next_item(&self) -> Option<(u64, I)> {
        let mut items = self.items.lock().ok()?;
        let (number, items) = &mut *items;
        let mut results = self.results.lock().ok()?;
        while *number >= results.next + self.ahead && !self.is_over() {
            results = self.room.wait(results).ok()?;
        }
        drop(results);
        if self.is_over() {
            return None;
        }
        let item = items.next()?;
        *number += 1;
        Some((*number - 1, item))
    }

    /// Takes this result and those that have waited for it, or stores it until its turn.
    fn hand_over(&self, number: u64, result: Result<T>) {
        if result.is_err() && self.is_over() {
            return;
        }
        let Ok(mut results) = self.results.lock() else {
            return;
        };
        let Results {
            next,
            early,
            take,
            end,
        } = &mut *results;
        early.insert(number, result);
        while end.is_none()
            && let Some(result) = early.remove(next)
        {
            *next += 1;
            match result.and_then(&mut *take) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => *end = Some(Ok(Ended::Enough)),
                Err(error) => *end = Some(Err(error)),
            }
        }
        if end.is_some() {
            self.interrupt();
        }
        self.room.notify_all();
    }

    /// Ends the work with this result unless it has ended already.
    fn end(&self, end: Result<Ended>) {
        self.interrupt();
        let mut results = self.results();
        results.end.get_or_insert(end);
        self.room.notify_all();
    }

    /// Waits until all threads are done; returns whether a signal came before.
    fn watch(&self, done: &Receiver<()>, signals: &Receiver<Signal>) -> bool {
        let never = never();
        let (mut signals, mut is_interrupted) = (signals, false);
        loop {
            select! {
                recv(done) -> _ => return is_interrupted,
                recv(signals) -> signal => match signal {
                    Ok(signal) if is_interrupted => signals::end_program(signal),
                    Ok(_) => {
                        is_interrupted = true;
                        self.interrupt_all();
                    }
                    Err(_) => signals = &never,
                },
            }
        }
    }
}

impl<N, T, F> Shared<N, T, F> {
    fn new(ahead: usize, items: N, take: F) -> Shared<N, T, F> {
        let (open, closed) = bounded(0);
        Shared {
            ahead: ahead.max(1) as u64,
            items: Mutex::new((0, items)),
            results: Mutex::new(Results {
                next: 0,
                early: BTreeMap::new(),
                take,
                end: None,
            }),
            room: Condvar::new(),
            open: Mutex::new(Some(open)),
            interrupt: Interrupt {
                flag: Arc::default(),
                closed,
            },
        }
    }

    /// How the work ended before its time, if it did.
    fn into_end(self) -> Option<Result<Ended>> {
        let results = self.results.into_inner();
        results.unwrap_or_else(PoisonError::into_inner).end
    }

    fn is_over(&self) -> bool {
        self.interrupt.flag.load(Relaxed)
    }

    fn interrupt(&self) {
        self.interrupt.flag.store(true, Relaxed);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        *open = None;
    }

    /// The same, and wakes the threads that wait for room.
    fn interrupt_all(&self) {
        self.interrupt();
        let _results = self.results();
        self.room.notify_all();
    }

    fn results(&self) -> MutexGuard<'_, Results<T, F>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the work of all threads when one panics.
struct EndOnPanic<'l, N, T, F>(&'l Shared<N, T, F>);

impl<N, T, F> Drop for EndOnPanic<'_, N, T, F> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.interrupt_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;

    const GO_ON: Result<ControlFlow<()>> = Ok(ControlFlow::Continue(()));

    fn workers(threads: usize) -> Workers {
        Workers {
            threads,
            ahead: 8,
            signals: never(),
        }
    }

    /// Later items are done sooner.
    #[expect(clippy::unnecessary_wraps, reason = "work can fail")]
    fn slow(number: u64) -> Result<u64> {
        thread::sleep(Duration::from_micros(50 * (7 - number % 8)));
        Ok(number)
    }

    #[test]
    fn results_come_in_order_and_nobody_runs_ahead() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            let taken = AtomicU64::new(0);
            let items = (0..200).inspect(|number| assert!(*number < taken.load(Relaxed) + 8));
            let ended = in_order(
                &workers(threads),
                items,
                |_| Ok(slow),
                |number| {
                    seen.push(number);
                    taken.fetch_add(1, Relaxed);
                    GO_ON
                },
            );
            assert_eq!(ended.unwrap(), Ended::Done);
            assert!(seen.into_iter().eq(0..200));
        }
    }

    #[test]
    fn one_thread_takes_a_result_before_it_asks_for_the_next_item() {
        let sum = AtomicU64::new(0);
        let items = (1..=10).map(|number| (number, sum.load(Relaxed)));
        let work = |_: &Interrupt| Ok(Ok);
        let ended = in_order(&workers(1), items, work, |(number, before): (u64, u64)| {
            assert_eq!(sum.swap(before + number, Relaxed), before);
            GO_ON
        });
        assert_eq!((ended.unwrap(), sum.into_inner()), (Ended::Done, 55));
    }

    #[test]
    fn enough_is_enough() {
        let mut last = 0;
        let ended = in_order(
            &workers(4),
            0..,
            |_| Ok(slow),
            |number| {
                last = number;
                Ok(if number == 20 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            },
        );
        assert_eq!((ended.unwrap(), last), (Ended::Enough, 20));
    }

    #[test]
    fn the_first_failure_in_order_is_told() {
        let work = |_: &Interrupt| {
            Ok(|number: u64| match number {
                0..30 => slow(number),
                _ => Err(Error::Message(format!("no {number}"))),
            })
        };
        let mut count = 0;
        let failed = in_order(&workers(4), 0..100, work, |_| {
            count += 1;
            GO_ON
        });
        assert_eq!(
            (failed.unwrap_err().to_string(), count),
            ("no 30".into(), 30)
        );
        let none = |_: &Interrupt| -> Result<fn(u64) -> Result<u64>> {
            Err(Error::Message("no worker".into()))
        };
        let failed = in_order(&workers(2), 0..100, none, |_| GO_ON);
        assert_eq!(failed.unwrap_err().to_string(), "no worker");
        let failed = in_order(
            &workers(2),
            0..100,
            |_| Ok(slow),
            |_| Err(Error::Message("full".into())),
        );
        assert_eq!(failed.unwrap_err().to_string(), "full");
    }

    #[test]
    #[should_panic(expected = "at 5")]
    fn panics_are_passed_on() {
        let work = |_: &Interrupt| {
            Ok(|number: u64| {
                assert!(number != 5, "at 5");
                Ok(number)
            })
        };
        let _ = in_order(&workers(3), 0.., work, |_| GO_ON);
    }

    #[test]
    fn a_signal_ends_waits_and_keeps_what_is_done() {
        let (sender, signals) = bounded(1);
        let workers = Workers {
            signals,
            ..workers(2)
        };
        let work = |interrupt: &Interrupt| {
            let closed = interrupt.channel().clone();
            Ok(move |number: u64| {
                if number < 10 {
                    return Ok(number);
                }
                // An engine that thinks for long.
                let _ = closed.recv();
                Err(Error::Message("interrupted".into()))
            })
        };
        let mut count = 0;
        let ended = in_order(&workers, 0.., work, |_| {
            count += 1;
            if count == 10 {
                sender.send(Signal::Interrupt).unwrap();
            }
            GO_ON
        });
        assert_eq!((ended.unwrap(), count), (Ended::Interrupted, 10));
    }

    #[test]
    fn a_worker_that_fails_after_a_signal_is_no_failure() {
        let (sender, signals) = bounded(1);
        sender.send(Signal::Interrupt).unwrap();
        let workers = Workers {
            signals,
            ..workers(2)
        };
        let worker = |interrupt: &Interrupt| -> Result<fn(u64) -> Result<u64>> {
            // An engine whose start is given up.
            let _ = interrupt.channel().recv();
            Err(Error::Message("not started".into()))
        };
        let ended = in_order(&workers, 0.., worker, |_| GO_ON);
        assert_eq!(ended.unwrap(), Ended::Interrupted);
    }
}
