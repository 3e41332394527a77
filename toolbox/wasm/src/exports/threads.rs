//! Threads that the page begins: other workers, in which the same module runs on the same memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

// SAFETY: this is what js/glue.js gives; it takes a number.
#[link(wasm_import_module = "mola")]
unsafe extern "C" {
    /// Begins a worker for the thread of this number: it asks for memory by `mola_thread_memory`, calls
    /// `mola_thread` there, and when that has returned, `mola_thread_end` elsewhere.
    safe fn spawn(number: usize);
}

/// What is aligned as a stack has to be.
type Unit = u128;

struct Thread {
    run: Option<Box<dyn FnOnce() + Send>>,
    /// Its stack and what is local to it.
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

/// Gives a thread that is to begin so many bytes, and tells where: at a multiple of 16, or 0 if there
/// are none.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_thread_memory(number: usize, size: usize) -> usize {
    let mut threads = threads();
    let Some(Some(Thread { memory, .. })) = threads.get_mut(number) else {
        return 0;
    };
    match memory.try_reserve_exact(size.div_ceil(size_of::<Unit>())) {
        Ok(()) => memory.as_ptr().expose_provenance(),
        Err(_) => 0,
    }
}

/// Does what the thread is for, and returns when that is done.
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

/// Takes the memory of a thread back that has ended.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_thread_end(number: usize) {
    if let Some(thread) = threads().get_mut(number) {
        *thread = None;
    }
}
