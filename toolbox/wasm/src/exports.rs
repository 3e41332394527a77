//! The functions that the module exports to the scripts of a page. Texts go through one buffer: the
//! script writes requests into it and reads answers from it.

#![expect(
    unsafe_code,
    reason = "names for the other side of a foreign interface"
)]

#[cfg(feature = "engine")]
mod engine;
#[cfg(all(feature = "engine", target_feature = "atomics"))]
mod threads;

use std::sync::{Mutex, MutexGuard, PoisonError};

// SAFETY: js/glue.js provides these functions; they read no more than `length` bytes.
#[link(wasm_import_module = "mola")]
unsafe extern "C" {
    /// The time in milliseconds.
    safe fn now() -> f64;
    /// Reports the message of a panic, which ends the module.
    safe fn fail(text: *const u8, length: usize);
}

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn buffer() -> MutexGuard<'static, Vec<u8>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn take_request() -> String {
    String::from_utf8_lossy(&std::mem::take(&mut *buffer())).into_owned()
}

/// Resizes the buffer to hold a text of this many bytes, and returns its address.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_buffer(length: usize) -> *mut u8 {
    let mut buffer = buffer();
    buffer.resize(length, 0);
    buffer.as_mut_ptr()
}

/// Initialises the module; call it first.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_start() {
    engine_core::search::set_clock(|| now());
    #[cfg(all(feature = "engine", target_feature = "atomics"))]
    threads::provide();
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        fail(text.as_ptr(), text.len());
    }));
}

/// Replaces the request in the buffer by its answer, and returns the length of that.
// SAFETY: no other function has this name.
#[cfg(feature = "rules")]
#[unsafe(no_mangle)]
extern "C" fn mola_answer() -> usize {
    let answer = crate::answer(&take_request()).into_bytes();
    let mut buffer = buffer();
    *buffer = answer;
    buffer.len()
}
