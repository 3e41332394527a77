//! What a position of a test suite asks for.

use engine_core::notation::{Operand, Operations};
use engine_core::{AnyPosition, Move};

/// What a position asks for; nothing where all is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Goal {
    /// One of these is to be found (`bm`).
    pub(super) best: Vec<Move>,
    /// None of these must be played (`am`).
    pub(super) avoid: Vec<Move>,
    /// A mate in this many moves (`dm`), or in fewer.
    pub(super) mate: Option<u32>,
    /// Points for moves, as the Strategic Test Suite has them in `c0`, or in `c8` and `c9`.
    pub(super) points: Vec<(Move, u32)>,
}

impl Goal {
    /// What the operations of an EPD ask for.
    pub(super) fn of(position: &AnyPosition, operations: &Operations) -> Goal {
        let moves = |opcode| match operations.get(opcode) {
            Some(Operand::Moves(moves)) => moves.iter().copied().flatten().collect(),
            Some(Operand::Move(m)) => m.iter().copied().collect(),
            _ => Vec::new(),
        };
        let text = |opcode| match operations.get(opcode) {
            Some(Operand::Text(text)) => text.as_str(),
            _ => "",
        };
        let mate = match operations.get("dm") {
            Some(Operand::Integer(text)) => text.parse().ok(),
            _ => None,
        };
        let read =
            |(word, points): (&str, &str)| Some((read_move(position, word)?, points.parse().ok()?));
        // The last `=`: that of a promotion stands before it, as in `e8=Q=10`.
        let named = text("c0")
            .split(',')
            .filter_map(|part| part.trim().rsplit_once('='));
        let mut points: Vec<_> = named.filter_map(read).collect();
        if points.is_empty() {
            let pairs = text("c9")
                .split_whitespace()
                .zip(text("c8").split_whitespace());
            points = pairs.filter_map(read).collect();
        }
        Goal {
            best: moves("bm"),
            avoid: moves("am"),
            mate,
            points,
        }
    }

    /// Whether there is a move or a mate to find; points alone can only be won.
    pub(super) fn can_be_met(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty() || self.mate.is_some()
    }

    /// Whether a move, with the mate that was announced with it, is what was asked for; `None`
    /// where points are all there is.
    pub(super) fn is_met(&self, played: Option<Move>, mate: Option<i32>) -> Option<bool> {
        if !self.can_be_met() {
            return None;
        }
        let Some(played) = played else {
            return Some(false);
        };
        let is_best = self.best.is_empty() || self.best.contains(&played);
        let found = mate.and_then(|moves| u32::try_from(moves).ok());
        let is_mate = self
            .mate
            .is_none_or(|most| found.is_some_and(|moves| (1..=most).contains(&moves)));
        Some(is_best && is_mate && !self.avoid.contains(&played))
    }

    /// What was asked for, in words, to stand beside a move that was not it.
    pub(super) fn wanted(&self, position: &AnyPosition) -> Option<String> {
        let text = |moves: &[Move]| {
            let san = |&m| position.to_san(m).to_string();
            moves.iter().map(san).collect::<Vec<_>>().join(" or ")
        };
        let mut parts = Vec::new();
        if !self.best.is_empty() {
            parts.push(format!("expected {}", text(&self.best)));
        }
        if !self.avoid.is_empty() {
            parts.push(format!("to avoid {}", text(&self.avoid)));
        }
        parts.extend(self.mate.map(|moves| format!("mate in {moves}")));
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The points for a move, and the most there are; `None` where none are given.
    pub(super) fn points_for(&self, played: Option<Move>) -> Option<(u32, u32)> {
        let most = self.points.iter().map(|&(_, points)| points).max()?;
        let found = self.points.iter().find(|&&(m, _)| Some(m) == played);
        Some((found.map_or(0, |&(_, points)| points), most))
    }
}

/// Reads a move in SAN or in coordinates.
pub(super) fn read_move(position: &AnyPosition, word: &str) -> Option<Move> {
    position
        .parse_san(word)
        .or_else(|_| position.parse_uci(word))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{CastlingMode, Variant};

    fn goal(operations: &str) -> (Goal, impl Fn(&str) -> Option<Move>) {
        goal_of(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ",
            operations,
        )
    }

    fn goal_of(fields: &str, operations: &str) -> (Goal, impl Fn(&str) -> Option<Move>) {
        let text = format!("{fields}{operations}");
        let (position, operations) =
            AnyPosition::from_epd(Variant::Standard, &text, CastlingMode::Standard).unwrap();
        let goal = Goal::of(&position, &operations);
        (goal, move |word: &str| read_move(&position, word))
    }

    #[test]
    fn best_moves_and_bad_ones() {
        let (asked, m) = goal("bm e4 d4; id \"x\";");
        assert_eq!(asked.is_met(m("e4"), None), Some(true));
        assert_eq!(asked.is_met(m("a3"), None), Some(false));
        assert_eq!(asked.is_met(None, None), Some(false));
        let (asked, m) = goal("am f3;");
        assert_eq!(asked.is_met(m("e4"), None), Some(true));
        assert_eq!(asked.is_met(m("f3"), None), Some(false));
        let (asked, m) = goal("dm 3;");
        assert_eq!(asked.is_met(m("e4"), Some(3)), Some(true));
        assert_eq!(asked.is_met(m("e4"), Some(2)), Some(true));
        for other in [Some(4), Some(-3), Some(0), None] {
            assert_eq!(asked.is_met(m("e4"), other), Some(false));
        }
        assert_eq!(goal("id \"x\";").0, Goal::default());
    }

    #[test]
    fn points() {
        for operations in [
            "bm e4; c0 \"e4=10, d4=7, Nf3=x\";",
            "c8 \"10 7\"; c9 \"e2e4 d2d4\";",
        ] {
            let (asked, m) = goal(operations);
            assert_eq!(asked.points_for(m("d4")), Some((7, 10)));
            assert_eq!(asked.points_for(m("a3")), Some((0, 10)));
        }
        assert_eq!(goal("bm e4;").0.points_for(None), None);
    }

    #[test]
    fn points_for_promotions() {
        let fields = "8/4P3/8/8/8/k7/8/K7 w - - ";
        let (asked, m) = goal_of(fields, "c0 \"e8=Q=10, e8=R=5, Kb1=1\";");
        for (word, points) in [("e8=Q", 10), ("e8=R", 5), ("Kb1", 1), ("e8=N", 0)] {
            assert_eq!(asked.points_for(m(word)), Some((points, 10)), "{word}");
        }
    }

    #[test]
    fn points_alone_cannot_be_met() {
        assert!(!goal("c0 \"e4=10\";").0.can_be_met());
        for operations in ["bm e4;", "am f3;", "dm 3;"] {
            assert!(goal(operations).0.can_be_met(), "{operations}");
        }
    }
}
