//! The console of Windows, which shows colours and moves its cursor only when it is told to.

/// Has the console, where the program has one, understand the escape sequences that all other
/// terminals do; to be called before anything is written. Whether it does: false on other systems.
pub fn understand_escapes() -> bool {
    #[cfg(windows)]
    {
        use crossterm_winapi::{ConsoleMode, Handle};
        /// `ENABLE_VIRTUAL_TERMINAL_PROCESSING`.
        const ESCAPES: u32 = 4;
        // The console itself, wherever standard output and error go.
        let told = Handle::current_out_handle().and_then(|console| {
            let console = ConsoleMode::from(console);
            console.set_mode(console.mode()? | ESCAPES)
        });
        told.is_ok()
    }
    #[cfg(not(windows))]
    false
}
