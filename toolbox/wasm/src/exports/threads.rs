//! Threads that the page begins: other workers, in which the same module runs on the same memory.

use std::alloc::{Layout, alloc, dealloc};

// SAFETY: this is what js/glue.js gives; it hands the pointer on and reads nothing there.
#[link(wasm_import_module = "mola")]
unsafe extern "C" {
    /// Begins a worker that calls `mola_thread` with this.
    safe fn spawn(job: *mut Job);
}

/// What a thread does.
#[repr(transparent)]
struct Job(Box<dyn FnOnce() + Send>);

pub(super) fn provide() {
    engine_core::search::set_spawn(|run| spawn(Box::into_raw(Box::new(Job(run)))));
}

/// Does the job, and returns when it is done.
///
/// # Safety
/// The pointer must have come from `spawn`, and is used once.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn mola_thread(job: *mut Job) {
    // SAFETY: `provide` has made it of a box that nothing else owns.
    let job = unsafe { Box::from_raw(job) };
    (job.0)();
}

/// The memory of a thread: its stack and what is local to it.
const fn layout(size: usize) -> Option<Layout> {
    match Layout::from_size_align(size, 16) {
        Ok(layout) if size > 0 => Some(layout),
        _ => None,
    }
}

/// So many bytes for a thread that is to begin, at a multiple of 16; null if there are none.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_allocate(size: usize) -> *mut u8 {
    // SAFETY: the size is not zero.
    layout(size).map_or(std::ptr::null_mut(), |layout| unsafe { alloc(layout) })
}

/// Takes them back, when the thread has ended.
///
/// # Safety
/// The pointer must have come from `mola_allocate`, with the same size, and is used once.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
unsafe extern "C" fn mola_free(memory: *mut u8, size: usize) {
    if let Some(layout) = layout(size) {
        // SAFETY: the caller says so.
        unsafe { dealloc(memory, layout) }
    }
}
