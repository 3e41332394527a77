//! Leaves the terminal as it was, on every way out.

/// Restores the settings of the terminal when it goes away: a signal may end the session while
/// the line editor has the terminal in raw mode.
pub(super) struct Restore {
    #[cfg(unix)]
    settings: Option<nix::sys::termios::Termios>,
}

impl Restore {
    /// Remembers the settings as they are now.
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
            // Nothing can be done about a terminal that has gone.
            let _ = tcsetattr(std::io::stdin(), SetArg::TCSANOW, settings);
        }
    }
}
