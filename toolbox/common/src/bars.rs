//! Progress bars in characters that the terminal shows.

use crate::locale;
use indicatif::{ProgressBar, ProgressStyle};

/// The bar by a template of indicatif.
#[must_use]
pub fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) if locale::is_unicode() => bar.with_style(style),
        Ok(style) => bar.with_style(style.progress_chars("#-").tick_chars("-\\|/ ")),
        Err(_) => bar,
    }
}
