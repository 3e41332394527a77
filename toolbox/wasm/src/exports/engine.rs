//! The engine's part of the edge.

use super::taken;
use common::output::Output;
use mola::protocol::{Conversation, Interrupt};
use std::io::{self, Write};
use std::sync::OnceLock;

// SAFETY: these are what js/glue.js gives; it reads no more than the bytes that it is told of.
#[link(wasm_import_module = "mola")]
unsafe extern "C" {
    /// Takes a line of the engine.
    safe fn say(text: *const u8, length: usize);
    /// What the page wants of a search: 1 is its end, 2 a start of the clock.
    safe fn interrupt() -> u32;
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
