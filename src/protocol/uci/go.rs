//! The command `go`: any limits in any order.

use engine_core::search::{Clock, Limits};
use engine_core::{AnyPosition, ByColor, Color};
use std::time::Duration;

/// A parsed `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Go {
    /// A search.
    Search(Limits),
    /// A count of the tree of legal moves.
    Perft(u32),
}

/// Reads the arguments of `go`; also returns those that it ignores. Unknown words and values out of range
/// are ignored: a GUI must always get its move. If that leaves no limit, the search is short, not infinite.
pub(super) fn parse<'a>(text: &'a str, position: &AnyPosition) -> (Go, Vec<&'a str>) {
    let mut limits = Limits::default();
    let mut times = ByColor([None; 2]);
    let mut increments = ByColor([None; 2]);
    let mut is_damaged = false;
    let mut ignored = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => {
                while let Some(word) = words.next_if(|word| !is_keyword(word)) {
                    match position.parse_uci(word) {
                        Ok(m) => limits.search_moves.push(m),
                        Err(_) => ignored.push(word),
                    }
                }
            }
            word if is_keyword(word) => {
                let value = words.next_if(|word| !is_keyword(word));
                let Some(value) = value.and_then(number) else {
                    is_damaged = true;
                    ignored.push(word);
                    ignored.extend(value);
                    continue;
                };
                match word {
                    "wtime" => times[Color::White] = Some(value),
                    "btime" => times[Color::Black] = Some(value),
                    "winc" => increments[Color::White] = Some(value),
                    "binc" => increments[Color::Black] = Some(value),
                    "movestogo" => limits.moves_to_go = positive(value),
                    "movetime" => limits.move_time = Some(milliseconds(value)),
                    // Impossible limits count as not given.
                    "depth" | "nodes" | "mate" if value <= 0 => {
                        is_damaged = true;
                        ignored.push(word);
                    }
                    "depth" => limits.depth = positive(value),
                    "nodes" => limits.nodes = Some(value.unsigned_abs()),
                    "mate" => limits.mate = positive(value),
                    _ => return (Go::Perft(positive(value).unwrap_or(0)), ignored),
                }
            }
            _ => {
                is_damaged = true;
                ignored.push(word);
            }
        }
    }
    for color in Color::ALL {
        limits.clocks[color] = times[color].map(|time| Clock {
            remaining: milliseconds(time),
            increment: milliseconds(increments[color].unwrap_or(0)),
        });
    }
    let turn = position.turn();
    // A single clock counts for both sides.
    limits.clocks[turn] = limits.clocks[turn].or(limits.clocks[!turn]);
    if !is_limited(&limits) && !limits.infinite {
        if is_damaged {
            limits.depth = Some(1);
        } else {
            limits.infinite = true;
        }
    }
    (Go::Search(limits), ignored)
}

/// The limits in words, for `debug on`.
pub(super) fn describe(limits: &Limits, position: &AnyPosition) -> String {
    let mut parts = Vec::new();
    for color in Color::ALL {
        if let Some(clock) = limits.clocks[color] {
            let (left, more) = (clock.remaining.as_millis(), clock.increment.as_millis());
            parts.push(format!("{color} has {left} ms and {more} ms a move"));
        }
    }
    let number = |what: &str, number: Option<u64>| number.map(|number| format!("{what} {number}"));
    parts.extend(number("moves to go", limits.moves_to_go.map(u64::from)));
    let time = limits.move_time.map(|time| time.as_millis() as u64);
    parts.extend(number("milliseconds", time));
    parts.extend(number("depth", limits.depth.map(u64::from)));
    parts.extend(number("nodes", limits.nodes));
    parts.extend(number("mate in", limits.mate.map(u64::from)));
    if limits.infinite {
        parts.push("until stop".to_owned());
    }
    if limits.ponder {
        parts.push("pondering".to_owned());
    }
    if !limits.search_moves.is_empty() {
        let words = limits
            .search_moves
            .iter()
            .map(|&m| position.to_uci(m).to_string());
        let words: Vec<String> = words.collect();
        parts.push(format!("only {}", words.join(" ")));
    }
    parts.join(", ")
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "searchmoves"
            | "ponder"
            | "infinite"
            | "wtime"
            | "btime"
            | "winc"
            | "binc"
            | "movestogo"
            | "movetime"
            | "depth"
            | "nodes"
            | "mate"
            | "perft"
    )
}

fn is_limited(limits: &Limits) -> bool {
    limits.clocks.0.iter().any(Option::is_some)
        || limits.move_time.is_some()
        || limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
}

/// A whole number; one too large for a machine word counts as the largest.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let extreme = if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    is_number.then(|| text.parse().unwrap_or(extreme))
}

fn positive(value: i64) -> Option<u32> {
    (value > 0).then(|| u32::try_from(value).unwrap_or(u32::MAX))
}

/// GUIs send zero or negative times when the flag has fallen. Times are limited to a thousand
/// days, so that no sum overflows.
fn milliseconds(value: i64) -> Duration {
    const DAYS: u64 = 1000 * 24 * 60 * 60 * 1000;
    Duration::from_millis(value.max(0).unsigned_abs().min(DAYS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Variant;

    fn limits(text: &str) -> Limits {
        match parse(text, &AnyPosition::start(Variant::Standard)) {
            (Go::Search(limits), _) => limits,
            (Go::Perft(_), _) => panic!("{text} is a perft"),
        }
    }

    #[test]
    fn any_order() {
        let limits = limits("searchmoves e2e4 d2d4 e7e5 depth 5 ponder wtime 1000 winc 10 nodes 9");
        assert_eq!(limits.search_moves.len(), 2);
        assert_eq!(limits.depth, Some(5));
        assert_eq!(limits.nodes, Some(9));
        assert!(limits.ponder && !limits.infinite);
        let clock = limits.clocks[Color::White].unwrap();
        assert_eq!(clock.remaining, Duration::from_secs(1));
        assert_eq!(clock.increment, Duration::from_millis(10));
    }

    #[test]
    fn limits_in_words() {
        let start = AnyPosition::start(Variant::Standard);
        let text = "wtime 1000 winc 10 movestogo 9 depth 5 nodes 7 searchmoves e2e4 d2d4 ponder";
        assert_eq!(
            describe(&limits(text), &start),
            "White has 1000 ms and 10 ms a move, moves to go 9, depth 5, nodes 7, pondering, \
             only e2e4 d2d4"
        );
        assert_eq!(describe(&limits(""), &start), "until stop");
    }

    #[test]
    fn nothing_is_infinite() {
        assert!(limits("").infinite);
        assert!(limits("searchmoves e2e4").infinite);
        assert!(!limits("movetime 5").infinite);
    }

    #[test]
    fn clocks_that_ran_out() {
        let limits = limits("wtime -5 btime 0 movestogo 0");
        assert_eq!(limits.clocks[Color::White], Some(Clock::default()));
        assert_eq!(limits.moves_to_go, None);
        assert!(!limits.infinite);
    }

    #[test]
    fn one_clock_counts_for_both() {
        let limits = limits("btime 700");
        assert_eq!(limits.clocks[Color::White], limits.clocks[Color::Black]);
    }

    #[test]
    fn damaged_values_never_search_for_ever() {
        for text in [
            "depth", "depth x", "depth 0", "depth -3", "movetime", "mate x", "mate 0", "nodes -1",
        ] {
            let limits = limits(text);
            assert_eq!(limits.depth, Some(1), "{text}");
            assert!(!limits.infinite, "{text}");
        }
        assert_eq!(limits("depth bar depth 2").depth, Some(2));
        assert_eq!(limits("depth depth 2").depth, Some(2));
        assert_eq!(limits("depth 0 nodes 7").depth, None);
        assert_eq!(limits("depth 99999999999999999999").depth, Some(u32::MAX));
        assert!(limits("movetime 99999999999999999999").move_time.is_some());
    }

    #[test]
    fn perft() {
        let start = AnyPosition::start(Variant::Standard);
        assert_eq!(parse("perft 4", &start), (Go::Perft(4), Vec::new()));
    }

    #[test]
    fn what_is_ignored() {
        let start = AnyPosition::start(Variant::Standard);
        for (text, ignored) in [
            ("wtime 9 depth 3 searchmoves e2e4 infinite", ""),
            ("foo depth 3", "foo"),
            ("depth abc movetime", "depth abc movetime"),
            ("nodes 0", "nodes"),
            ("depth 3 searchmoves e2e5 e2e4 e1e8", "e2e5 e1e8"),
        ] {
            assert_eq!(parse(text, &start).1.join(" "), ignored, "{text}");
        }
    }
}
