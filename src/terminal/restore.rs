//! Restores the terminal's settings on exit.

/// Restores the settings of the terminal when dropped: a signal may end the session while
/// the line editor has the terminal in raw mode.
pub(super) struct Restore {
    #[cfg(unix)]
    settings: Option<nix::sys::termios::Termios>,
}

impl Restore {
    /// Saves the current settings.
    pub(super) fn new() -> Restore {
        Restore {
            #[cfg(unix)]
            settings: nix::sys::termios::tcgetattr(std::io::stdin()).ok(),
        }
    }
}

#[cfg(unix)]
impl Drop for Restore {
    fn drop(&mut self) {
        use nix::sys::termios::{SetArg, tcsetattr};
        if let Some(settings) = &self.settings {
            // If the terminal is gone, there is nothing to restore.
            let _ = tcsetattr(std::io::stdin(), SetArg::TCSANOW, settings);
        }
    }
}
