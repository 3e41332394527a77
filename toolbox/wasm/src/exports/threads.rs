//! Threads that the page starts: other workers, in which the same module runs on the same memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

// SAFETY: js/glue.js provides this function, which takes a number.
#[link(wasm_import_module = "mola")]
unsafe extern "C" {
    /// Starts a worker for the thread of this number: allocates by `mola_thread_memory`, calls
    /// `mola_thread` in the worker and, when that has returned, `mola_thread_end` in another one.
    safe fn spawn(number: usize);
}

/// The unit of allocation, with the alignment of a stack.
type Unit = u128;

struct Thread {
    run: Option<Box<dyn FnOnce() + Send>>,
    /// Its stack and thread-local storage.
    memory: Vec<Unit>,
}

/// The threads that have not ended, by their numbers.
static THREADS: Mutex<Vec<Option<Thread>>> = Mutex::new(Vec::new());

fn threads() -> MutexGuard<'static, Vec<Option<Thread>>> {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn provide() {
    engine_core::search::set_spawn(|run| {
        let thread = Thread {
            run: Some(run),
            memory: Vec::new(),
        };
        let mut threads = threads();
        let free = threads.iter().position(Option::is_none);
        let number = free.unwrap_or_else(|| {
            threads.push(None);
            threads.len() - 1
        });
        threads[number] = Some(thread);
        drop(threads);
        spawn(number);
    });
}

/// Allocates `size` bytes for a new thread and returns their address, a multiple of 16; 0 if memory
/// is short or there is no such thread.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_thread_memory(number: usize, size: usize) -> usize {
    let mut threads = threads();
    let Some(Some(Thread { memory, .. })) = threads.get_mut(number) else {
        return 0;
    };
    match memory.try_reserve_exact(size.div_ceil(size_of::<Unit>())) {
        Ok(()) => memory.as_mut_ptr().expose_provenance(),
        Err(_) => 0,
    }
}

/// Runs the thread, and returns when it has ended.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_thread(number: usize) {
    let run = match threads().get_mut(number) {
        Some(Some(thread)) => thread.run.take(),
        _ => None,
    };
    if let Some(run) = run {
        run();
    }
}

/// Frees the memory of a thread that has ended.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_thread_end(number: usize) {
    if let Some(thread) = threads().get_mut(number) {
        *thread = None;
    }
}
