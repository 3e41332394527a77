//! Signals. Where the system has none, nothing happens.

/// An interrupt (Ctrl-C, SIGINT) does nothing from now on.
pub fn ignore_interrupt() {
    #[cfg(unix)]
    {
        // The handler sets a flag that nobody reads, which is all that is wanted.
        let unread = std::sync::Arc::default();
        if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGINT, unread) {
            log::warn!("interrupts are not ignored: {error}");
        }
    }
}
