//! The console of Windows, which interprets escape sequences only in a mode that must be set, and takes
//! UTF-8 alone.

use std::io::{self, IsTerminal, Stdout, Write, stdout};
use std::mem::take;

/// Sets the mode in which the console, if the program has one, interprets escape sequences; to be
/// called before anything is written. Returns whether that succeeded: false on other systems.
pub fn understand_escapes() -> bool {
    #[cfg(windows)]
    {
        use crossterm_winapi::{ConsoleMode, Handle};
        /// `ENABLE_VIRTUAL_TERMINAL_PROCESSING`.
        const ESCAPES: u32 = 4;
        // The console itself, even where standard output and error are redirected.
        let set = Handle::current_out_handle().and_then(|console| {
            let console = ConsoleMode::from(console);
            console.set_mode(console.mode()? | ESCAPES)
        });
        set.is_ok()
    }
    #[cfg(not(windows))]
    false
}

/// The standard output for texts that may be no UTF-8, such as old games in Latin-1. The console of
/// Windows would refuse these: there, a replacement character stands for each byte that is none.
pub struct TextOutput {
    stdout: Stdout,
    /// Where it is that console.
    replacement: Option<Replacement>,
}

impl TextOutput {
    /// The standard output.
    pub fn new() -> TextOutput {
        let is_console = cfg!(windows) && stdout().is_terminal();
        TextOutput {
            stdout: stdout(),
            replacement: is_console.then(Replacement::default),
        }
    }
}

impl Default for TextOutput {
    fn default() -> TextOutput {
        TextOutput::new()
    }
}

impl Write for TextOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(replacement) = &mut self.replacement else {
            return self.stdout.write(bytes);
        };
        let text = replacement.text(bytes);
        self.stdout.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let end = self.replacement.as_mut().map(Replacement::end);
        self.stdout.write_all(end.unwrap_or_default().as_bytes())?;
        self.stdout.flush()
    }
}

/// Makes UTF-8 of bytes that come in pieces.
#[derive(Default)]
struct Replacement {
    /// A character that the last piece has only the beginning of.
    begun: Vec<u8>,
}

impl Replacement {
    /// The text of the next piece.
    fn text(&mut self, bytes: &[u8]) -> String {
        self.begun.extend_from_slice(bytes);
        let bytes = take(&mut self.begun);
        let mut text = String::new();
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            let is_last = chunks.peek().is_none();
            match std::str::from_utf8(chunk.invalid()) {
                Ok(_) => {}
                Err(error) if is_last && error.error_len().is_none() => {
                    chunk.invalid().clone_into(&mut self.begun);
                }
                Err(_) => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
        text
    }

    /// What is left when nothing more comes.
    fn end(&mut self) -> String {
        String::from_utf8_lossy(&take(&mut self.begun)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_replaced() {
        for (bytes, text) in [
            ("Größe 馬".as_bytes(), "Größe 馬"),
            (b"Gr\xf6\xdfe\n", "Gr\u{fffd}\u{fffd}e\n"),
            (b"\xe9\xa6", "\u{fffd}"),
            (b"\xe9\xa6x", "\u{fffd}x"),
            (b"", ""),
        ] {
            for cut in 0..=bytes.len() {
                let (first, second) = bytes.split_at(cut);
                let mut replacement = Replacement::default();
                let parts = [first, second].map(|part| replacement.text(part));
                assert_eq!(parts.concat() + &replacement.end(), text, "{cut}");
            }
        }
    }
}
