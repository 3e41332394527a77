//! Progress bars.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on a terminal, nothing elsewhere: by a template of indicatif, with this much done.
pub(crate) fn bar(template: &str, all: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(all).with_position(done);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
