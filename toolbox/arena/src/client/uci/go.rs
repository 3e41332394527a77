//! Limits as the command `go` has them.

use engine_core::search::Limits;
use engine_core::{AnyPosition, Color};
use std::fmt::Write;

/// The command for a search of this position.
pub(super) fn write(limits: &Limits, position: &AnyPosition) -> String {
    let mut text = String::from("go");
    let mut add = |word: &str, value: u128| {
        // Writing to a string cannot fail.
        let _ = write!(text, " {word} {value}");
    };
    for (color, time, increment) in [
        (Color::White, "wtime", "winc"),
        (Color::Black, "btime", "binc"),
    ] {
        if let Some(clock) = limits.clocks[color] {
            // Some engines take no time for no clock.
            add(time, clock.remaining.as_millis().max(1));
            add(increment, clock.increment.as_millis());
        }
    }
    if let Some(moves) = limits.moves_to_go {
        add("movestogo", moves.max(1).into());
    }
    if let Some(depth) = limits.depth {
        add("depth", depth.max(1).into());
    }
    if let Some(nodes) = limits.nodes {
        add("nodes", nodes.max(1).into());
    }
    if let Some(mate) = limits.mate {
        add("mate", mate.max(1).into());
    }
    if let Some(time) = limits.move_time {
        add("movetime", time.as_millis().max(1));
    }
    if text == "go" || limits.infinite {
        text.push_str(" infinite");
    }
    if limits.ponder {
        text.insert_str(2, " ponder");
    }
    if !limits.search_moves.is_empty() {
        text.push_str(" searchmoves");
        for &m in &limits.search_moves {
            text.push(' ');
            text.push_str(&position.to_uci(m));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::search::Clock;
    use engine_core::{ByColor, Move, Square, Variant};
    use std::time::Duration;

    #[test]
    fn every_limit() {
        let position = AnyPosition::start(Variant::Standard);
        let clock = |ms| {
            Some(Clock {
                remaining: Duration::from_millis(ms),
                increment: Duration::from_millis(10),
            })
        };
        let mut limits = Limits {
            clocks: ByColor([clock(1500), clock(0)]),
            moves_to_go: Some(40),
            depth: Some(8),
            nodes: Some(1000),
            mate: Some(3),
            move_time: Some(Duration::from_secs(2)),
            search_moves: vec![Move::normal(Square::E2, Square::E4)],
            ..Limits::default()
        };
        let full = "wtime 1500 winc 10 btime 1 binc 10 movestogo 40 depth 8 nodes 1000 mate 3 \
                    movetime 2000";
        assert_eq!(
            write(&limits, &position),
            format!("go {full} searchmoves e2e4")
        );
        limits.ponder = true;
        assert!(write(&limits, &position).starts_with("go ponder wtime 1500"));
        assert_eq!(write(&Limits::default(), &position), "go infinite");
    }
}
