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

/// Waits until an editor of lines that uses the terminal has set it to raw mode.
#[cfg(unix)]
pub(super) fn wait_for_raw_mode(is_editing: impl Fn() -> bool) {
    use nix::sys::termios::{LocalFlags, tcgetattr};
    use std::time::{Duration, Instant};
    let is_raw = || {
        let settings = tcgetattr(std::io::stdin());
        settings.is_ok_and(|settings| !settings.local_flags.contains(LocalFlags::ICANON))
    };
    let deadline = Instant::now() + Duration::from_secs(1);
    while is_editing() && !is_raw() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(not(unix))]
pub(super) fn wait_for_raw_mode(_is_editing: impl Fn() -> bool) {}
