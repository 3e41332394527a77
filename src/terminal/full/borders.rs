//! The lines between parts of the screen.

use crate::terminal::board::{Theme, View};
use ratatui::symbols::border;

/// The signs that draw lines, as the theme has them.
pub(super) fn borders(view: &View) -> border::Set<'static> {
    match view.theme {
        Theme::Ascii => border::Set {
            horizontal_top: "-",
            horizontal_bottom: "-",
            ..border::PLAIN
        },
        _ => border::PLAIN,
    }
}
