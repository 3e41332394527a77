//! The edge: what the module shares with the scripts of a page. Texts go through one buffer, in which
//! the script writes what it says and reads what it is told.

#![expect(
    unsafe_code,
    reason = "names for the other side of a foreign interface"
)]

use common::output::Output;
use mola::protocol::{Conversation, Interrupt};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

// SAFETY: these are what js/glue.js gives; they read no more than the bytes that they are told of.
#[link(wasm_import_module = "mola")]
unsafe extern "C" {
    /// The time in milliseconds.
    safe fn now() -> f64;
    /// Takes a line of the engine.
    safe fn say(text: *const u8, length: usize);
    /// Takes the reason for which the module ends.
    safe fn fail(text: *const u8, length: usize);
    /// What the page wants of a search: 1 is its end, 2 a start of the clock.
    safe fn interrupt() -> u32;
}

static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn buffer() -> MutexGuard<'static, Vec<u8>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn taken() -> String {
    String::from_utf8_lossy(&std::mem::take(&mut *buffer())).into_owned()
}

/// Makes room for a text of so many bytes, and tells where.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_buffer(length: usize) -> *mut u8 {
    let mut buffer = buffer();
    buffer.resize(length, 0);
    buffer.as_mut_ptr()
}

/// To be called first.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_start() {
    engine_core::search::set_clock(|| now());
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        fail(text.as_ptr(), text.len());
    }));
}

/// Answers the request in the buffer, and tells how long the answer is that is there now.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_answer() -> usize {
    let answer = crate::answer(&taken()).into_bytes();
    let mut buffer = buffer();
    *buffer = answer;
    buffer.len()
}

/// Lets the engine handle the line in the buffer: 0 after `quit`, 2 if it still holds a best move
/// back, else 1.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
extern "C" fn mola_line() -> u32 {
    static ENGINE: OnceLock<Conversation> = OnceLock::new();
    let engine = ENGINE.get_or_init(|| {
        Conversation::new(Output::to(Lines), || match interrupt() {
            1 => Interrupt::Stop,
            2 => Interrupt::PonderHit,
            _ => Interrupt::None,
        })
    });
    match engine.line(&taken()) {
        Ok(true) if engine.is_searching() => 2,
        Ok(true) => 1,
        _ => 0,
    }
}

/// Where the engine writes: each line comes whole.
struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        say(bytes.as_ptr(), bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
