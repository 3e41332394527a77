//! The console of Windows, which interprets escape sequences only in a mode that must be set.

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
