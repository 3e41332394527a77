//! Tables with a line for each bot.

/// The width of the column of a table that the bots' names are in.
pub(super) fn width_of_bots(names: &[String]) -> usize {
    let widths = names.iter().map(|name| name.chars().count());
    // The heading and a blank at least.
    widths.max().unwrap_or(0).max("bot ".len())
}
