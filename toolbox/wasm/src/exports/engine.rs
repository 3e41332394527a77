//! The exported functions of the engine.

use super::take_request;
use common::output::Output;
use mola::protocol::{Conversation, Interrupt};
use std::io::{self, Write};
use std::sync::OnceLock;

// SAFETY: js/glue.js provides these functions; they read no more than `length` bytes.
#[link(wasm_import_module = "mola")]
unsafe extern "C" {
    /// Takes a line of the engine.
    safe fn say(text: *const u8, length: usize);
    /// The page's request to a search: 1 ends it, 2 starts its clock, 0 is none.
    safe fn interrupt() -> u32;
}

/// Has the engine handle the line in the buffer. Returns 0 after `quit`, 2 if a best move is held
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
    match engine.line(&take_request()) {
        Ok(true) if engine.is_searching() => 2,
        Ok(true) => 1,
        _ => 0,
    }
}

/// The output of the engine, which writes whole lines.
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
