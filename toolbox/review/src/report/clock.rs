//! The time that moves took, by the clocks in the comments.

use engine_core::Color;
use pgn::{Headers, NodeId, TimeControlTag, Tree};

/// The clocks of a game, move by move.
pub(super) struct Clocks {
    /// The last time left of each side after a move, White's first, in seconds.
    last: [Option<f64>; 2],
    /// The time at the start.
    base: Option<f64>,
    increment: f64,
}

impl Clocks {
    /// Clocks as the tag `TimeControl` sets them.
    pub(super) fn of(headers: &Headers) -> Clocks {
        let first = match headers.time_control() {
            Some(TimeControlTag::Periods(periods)) => periods.first().copied(),
            _ => None,
        };
        Clocks {
            last: [None; 2],
            base: first.map(|period| period.seconds),
            increment: first.map_or(0.0, |period| period.increment),
        }
    }

    /// The time left after a move of `color`, and the seconds that the move took: by `%emt`, else
    /// by the difference, which is unknown if the clock was set forward.
    pub(super) fn after(
        &mut self,
        color: Color,
        tree: &Tree,
        id: NodeId,
    ) -> (Option<f64>, Option<f64>) {
        let clock = tree.clock(id);
        let [white, black] = &mut self.last;
        let last = if color.is_white() { white } else { black };
        // Clocks of lichess begin with the second move, and show the time at the start till then.
        let is_stopped = last.is_none() && clock == self.base;
        let spent = last
            .or(self.base)
            .zip(clock.filter(|_| !is_stopped))
            .map(|(before, after)| before + self.increment - after);
        // Decimals of a second, not of rounding.
        let spent = spent.map(|spent| (spent * 1000.0).round() / 1000.0);
        let spent = spent.filter(|spent| *spent >= 0.0);
        *last = clock.or(*last);
        (clock, tree.move_time(id).or(spent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let text = b"[TimeControl \"300+3\"]\n\n1. e4 {[%clk 0:05:01.5]} e5 {[%emt 0:00:09]} 2. d4 {[%clk 0:04:00]} d5 {[%clk 0:09:00]} *";
        let (tree, _) = pgn::read_tree(text).unwrap();
        let mut clocks = Clocks::of(&tree.headers);
        let line = tree.main_line(tree.root());
        let sides = Color::ALL.into_iter().cycle();
        let found: Vec<_> = line
            .zip(sides)
            .map(|(id, color)| clocks.after(color, &tree, id))
            .collect();
        assert_eq!(
            found,
            [
                (Some(301.5), Some(1.5)),
                (None, Some(9.0)),
                (Some(240.0), Some(64.5)),
                (Some(540.0), None),
            ]
        );
    }

    #[test]
    fn a_clock_that_has_not_begun_tells_no_time() {
        let text = b"[TimeControl \"300+3\"]\n\n1. e4 {[%clk 0:05:00]} 1... e5 {[%clk 0:05:00]} 2. d4 {[%clk 0:05:00]} *";
        let (tree, _) = pgn::read_tree(text).unwrap();
        let mut clocks = Clocks::of(&tree.headers);
        let line = tree.main_line(tree.root());
        let sides = Color::ALL.into_iter().cycle();
        let times = line
            .zip(sides)
            .map(|(id, color)| clocks.after(color, &tree, id).1);
        assert_eq!(times.collect::<Vec<_>>(), [None, None, Some(3.0)]);
    }
}
