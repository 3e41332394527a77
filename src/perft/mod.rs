//! perft of one position or a suite.

pub(crate) mod command;
mod suite;

use engine_core::{AnyPosition, MAX_PERFT_DEPTH, Move, Position, Rules, dispatch};
use std::time::Duration;

/// Counts the tree of each root move. `report` is called with each count, and with `None` some
/// hundred times a second in between; it returns whether to continue. If not, the result is `None`.
pub(crate) fn divide(
    position: &AnyPosition,
    depth: u32,
    report: &mut dyn FnMut(Option<(Move, u64)>) -> bool,
) -> Option<u64> {
    let Some(below) = depth.min(MAX_PERFT_DEPTH).checked_sub(1) else {
        return Some(1);
    };
    dispatch!(position, |position| {
        let mut total = 0;
        for m in &position.legal_moves() {
            let nodes = count(&position.after(m), below, report)?;
            total += nodes;
            if !report(Some((m, nodes))) {
                return None;
            }
        }
        Some(total)
    })
}

/// Trees of this depth are counted without interruption: they take some milliseconds.
const ONE_GO: u32 = 4;

fn count<R: Rules>(
    position: &Position<R>,
    depth: u32,
    report: &mut dyn FnMut(Option<(Move, u64)>) -> bool,
) -> Option<u64> {
    if depth <= ONE_GO {
        return report(None).then(|| engine_core::perft(position, depth));
    }
    let mut nodes = 0;
    for m in &position.legal_moves() {
        nodes += count(&position.after(m), depth - 1, report)?;
    }
    Some(nodes)
}

/// `1.234 s, 567.8 million a second`.
fn speed(nodes: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    format!("{seconds:.3} s, {rate:.1} million a second")
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Variant;

    #[test]
    fn counts_and_stops() {
        let start = AnyPosition::start(Variant::Standard);
        assert_eq!(divide(&start, 0, &mut |_| true), Some(1));
        let mut lines = 0;
        let total = divide(&start, 4, &mut |progress| {
            lines += usize::from(progress.is_some());
            true
        });
        assert_eq!((total, lines), (Some(197_281), 20));
        assert_eq!(divide(&start, 30, &mut |_| false), None);
        assert_eq!(divide(&start, u32::MAX, &mut |_| false), None);
    }
}
