//! Thinking output: `ply score time nodes [seldepth nps tbhits] line`.

use super::moves::read_move;
use crate::client::info::{Info, read_line};
use crate::client::score::{PovScore, Score};
use engine_core::AnyPosition;
use engine_core::search::Bound;
use std::time::Duration;

/// Reads a line of thinking output; `None` if it is something else. The score is in centipawns,
/// the time in hundredths of a second.
pub(super) fn read(text: &str, root: &AnyPosition) -> Option<Info> {
    let mut words = text.split_whitespace().peekable();
    // Old engines mark the state of the iteration behind the depth: `9.`, `9&`, `9+`.
    let depth = words
        .next()?
        .trim_end_matches(['.', '&', '+', '-', '>', ':']);
    let depth = depth.parse().ok()?;
    let score: i32 = words.next()?.parse().ok()?;
    let time: u64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let mut more = Vec::new();
    while let Some(number) = words.peek().and_then(|word| word.parse::<u64>().ok()) {
        more.push(number);
        words.next();
    }
    let mut bound = Bound::Exact;
    let mut line = Vec::new();
    for word in words {
        match word.trim_matches(['(', ')', '<', '>', '[', ']', ',', '{', '}']) {
            "" => {}
            // The number of a move.
            word if word
                .trim_end_matches('.')
                .bytes()
                .all(|byte| byte.is_ascii_digit()) => {}
            "!" => bound = Bound::Lower,
            "?" => bound = Bound::Upper,
            word => line.push(word.trim_end_matches(['!', '?'])),
        }
    }
    let (pv, _) = read_line(root, line.into_iter(), read_move);
    let turn = root.turn();
    Some(Info {
        depth: Some(depth),
        score: Some(PovScore {
            relative: read_score(score),
            turn,
        }),
        bound: Some(bound),
        time: Some(Duration::from_millis(time.saturating_mul(10))),
        nodes: Some(nodes),
        seldepth: more.first().and_then(|&ply| u32::try_from(ply).ok()),
        nps: more.get(1).copied(),
        tbhits: more.get(2..).and_then(<[u64]>::last).copied(),
        pv,
        ..Info::default()
    })
}

/// The protocol writes a mate in N as 100000 + N. Older engines count down in plies from a round
/// number: 1000000 (Sjeng), 100000, 32767 or 32000 (Crafty).
fn read_score(score: i32) -> Score {
    let size = score.unsigned_abs() as i32;
    let down =
        |from: i32| (from - size).div_euclid(2) + i32::from(score > 0 && (from - size) % 2 != 0);
    let moves = match size {
        100_000..=110_000 => size - 100_000,
        990_000..=1_000_000 => down(1_000_000),
        99_500..=99_999 => down(100_000),
        32_501..=32_767 => down(32_767),
        31_500..=32_000 => down(32_000),
        _ => return Score::Cp(score),
    };
    match (score > 0, moves) {
        (true, 0) => Score::MateGiven,
        (true, moves) => Score::Mate(moves),
        (false, moves) => Score::Mate(-moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Variant;

    fn info(text: &str) -> Option<Info> {
        read(text, &AnyPosition::start(Variant::Standard))
    }

    #[test]
    fn thinking_lines() {
        let found = info("8 34 150 2000 12 13333 7\te2e4 e7e5 g1f3").unwrap();
        assert_eq!((found.depth, found.seldepth), (Some(8), Some(12)));
        assert_eq!(found.time, Some(Duration::from_millis(1500)));
        assert_eq!(
            (found.nodes, found.nps, found.tbhits),
            (Some(2000), Some(13_333), Some(7))
        );
        assert_eq!(found.pv.len(), 3);
        let found = info("  7  10  7  39279  1. e4 e6 2. <Nc3> <d5> ?").unwrap();
        assert_eq!((found.pv.len(), found.bound), (4, Some(Bound::Upper)));
        assert_eq!(info("0  0 0 0 (e2-e4  d2-d4 , book1)").unwrap().pv.len(), 1);
        for other in [
            "",
            "move e2e4",
            "1 2 3",
            "1 2 3 x",
            "16+16 pieces, centr = (1,1)",
        ] {
            assert_eq!(info(other), None, "{other}");
        }
    }

    #[test]
    fn mates() {
        assert_eq!(read_score(100_003), Score::Mate(3));
        assert_eq!(read_score(-100_003), Score::Mate(-3));
        assert_eq!(read_score(100_000), Score::MateGiven);
        assert_eq!(read_score(-100_000), Score::Mate(0));
        assert_eq!(read_score(999_999), Score::Mate(1));
        assert_eq!(read_score(999_997), Score::Mate(2));
        assert_eq!(read_score(-999_996), Score::Mate(-2));
        assert_eq!(read_score(32_766), Score::Mate(1));
        assert_eq!(read_score(-31_996), Score::Mate(-2));
        assert_eq!(read_score(i32::MIN), Score::Cp(i32::MIN));
        assert_eq!(read_score(9_000), Score::Cp(9_000));
    }
}
