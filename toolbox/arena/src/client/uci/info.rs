//! Lines that begin with `info`.

use super::moves::read_move;
use crate::client::info::{Info, read_line};
use crate::client::score::{PovScore, Score};
use crate::client::wdl::{PovWdl, Wdl};
use common::input::{shorten, split_word};
use engine_core::search::Bound;
use engine_core::{AnyPosition, Move};
use std::time::Duration;

/// Words that begin a part; a line of moves ends there.
const KEYS: &[&str] = &[
    "depth",
    "seldepth",
    "multipv",
    "score",
    "wdl",
    "nodes",
    "nps",
    "time",
    "hashfull",
    "tbhits",
    "cpuload",
    "ebf",
    "currmove",
    "currmovenumber",
    "pv",
    "refutation",
    "currline",
    "string",
];

/// Reads what follows `info`. What cannot be read is skipped; `None` if nothing is left.
pub(super) fn read(text: &str, root: &AnyPosition) -> Option<Info> {
    let turn = root.turn();
    let mut info = Info::default();
    let mut text = text;
    let rest = &mut text;
    loop {
        match next_word(rest) {
            "" => break,
            "depth" => info.depth = number(rest),
            "seldepth" => info.seldepth = number(rest),
            "multipv" => info.multipv = number(rest),
            "nodes" => info.nodes = number(rest),
            "nps" => info.nps = number(rest),
            "time" => info.time = number(rest).map(Duration::from_millis),
            "hashfull" => info.hashfull = number(rest),
            "tbhits" => info.tbhits = number(rest),
            "cpuload" => info.cpuload = number(rest),
            "currmovenumber" => info.currmovenumber = number(rest),
            "ebf" => info.ebf = number(rest).filter(|ebf: &f64| ebf.is_finite()),
            "currmove" => info.currmove = read_move(root, next_word(rest)),
            "score" => {
                let (score, bound) = read_score(rest);
                info.score = score.map(|relative| PovScore { relative, turn });
                info.bound = score.map(|_| bound);
            }
            "wdl" => info.wdl = read_wdl(rest).map(|relative| PovWdl { relative, turn }),
            "pv" => {
                let (line, fault) = read_line(root, words(rest).into_iter(), read_move);
                (info.pv, info.pv_fault) = (line, fault.map(shorten));
            }
            "refutation" => {
                info.refutation = read_line(root, words(rest).into_iter(), read_move).0;
            }
            "currline" => info.currline = Some(read_currline(rest, root)),
            "string" => info.string = Some(std::mem::take(rest).to_owned()),
            // A misplaced bound, or something of the engine's own.
            _ => {}
        }
    }
    (info != Info::default()).then_some(info)
}

fn next_word<'t>(rest: &mut &'t str) -> &'t str {
    let (word, after) = split_word(rest);
    *rest = after;
    word
}

/// Reads a number and skips it; another word stays, as it may be a key.
fn number<N: std::str::FromStr>(rest: &mut &str) -> Option<N> {
    let (word, after) = split_word(rest);
    let number = word.parse().ok()?;
    *rest = after;
    Some(number)
}

/// `cp X` or `mate X`, with `lowerbound` or `upperbound` before or behind.
fn read_score(rest: &mut &str) -> (Option<Score>, Bound) {
    let mut score = None;
    let mut bound = Bound::Exact;
    loop {
        let (word, mut after) = split_word(rest);
        match word {
            "lowerbound" => bound = Bound::Lower,
            "upperbound" => bound = Bound::Upper,
            "cp" if score.is_none() => score = number(&mut after).map(Score::Cp),
            "mate" if score.is_none() => score = number(&mut after).map(Score::Mate),
            _ => return (score, bound),
        }
        *rest = after;
    }
}

/// Wins, draws and losses.
fn read_wdl(rest: &mut &str) -> Option<Wdl> {
    Some(Wdl {
        wins: number(rest)?,
        draws: number(rest)?,
        losses: number(rest)?,
    })
}

/// The number of the processor, 1 if there is none, and its line.
fn read_currline(rest: &mut &str, root: &AnyPosition) -> (u32, Vec<Move>) {
    let processor = number(rest).unwrap_or(1);
    (
        processor,
        read_line(root, words(rest).into_iter(), read_move).0,
    )
}

/// The words up to the next key.
fn words<'t>(rest: &mut &'t str) -> Vec<&'t str> {
    let mut words = Vec::new();
    loop {
        let (word, after) = split_word(rest);
        if word.is_empty() || KEYS.contains(&word) {
            return words;
        }
        words.push(word);
        *rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{Color, Variant};

    fn info(text: &str) -> Option<Info> {
        read(text, &AnyPosition::start(Variant::Standard))
    }

    #[test]
    fn a_full_line() {
        let info = info(
            "depth 12 seldepth 20 multipv 2 score cp -34 upperbound wdl 10 900 90 nodes 1234 nps \
             99 hashfull 3 tbhits 0 time 1500 cpuload 990 ebf 1.9 pv e2e4 e7e5 g1f3",
        )
        .unwrap();
        assert_eq!(
            (info.depth, info.seldepth, info.multipv),
            (Some(12), Some(20), Some(2))
        );
        let score = info.score.unwrap();
        assert_eq!((score.relative, score.turn), (Score::Cp(-34), Color::White));
        assert_eq!(info.bound, Some(Bound::Upper));
        assert_eq!(info.wdl.unwrap().pov(Color::Black).wins, 90);
        assert_eq!(info.time, Some(Duration::from_millis(1500)));
        assert_eq!((info.cpuload, info.ebf), (Some(990), Some(1.9)));
        assert_eq!((info.pv.len(), info.pv_fault), (3, None));
    }

    #[test]
    fn lines_of_moves() {
        let found = info("pv e2e4 e7e5 e4e5 g8f6 nodes 5").unwrap();
        assert_eq!((found.pv.len(), found.nodes), (2, Some(5)));
        assert_eq!(found.pv_fault.as_deref(), Some("e4e5"));
        let found = info("currline 2 d2d4 d7d5 refutation d2d4 g8f6").unwrap();
        assert_eq!(
            found.currline.map(|(cpu, line)| (cpu, line.len())),
            Some((2, 2))
        );
        assert_eq!(found.refutation.len(), 2);
        let found = info("currmove e2e4 currmovenumber 1 string pv a b").unwrap();
        assert!(found.currmove.is_some() && found.pv.is_empty());
        assert_eq!(found.string.as_deref(), Some("pv a b"));
    }

    #[test]
    fn each_key_ends_a_line_of_moves_and_is_read() {
        let moves_alone = info("pv e2e4").unwrap();
        let mut all = Info::default();
        for &key in KEYS {
            let value = match key {
                "score" => "cp 5",
                "wdl" => "1 998 1",
                "currmove" | "pv" | "refutation" | "currline" => "d2d4",
                _ => "7",
            };
            let found = info(&format!("pv e2e4 {key} {value}")).unwrap();
            assert_eq!((found.pv.len(), &found.pv_fault), (1, &None), "{key}");
            assert_ne!(found, moves_alone, "{key}");
            all.update(found);
        }
        // No key is missing: together they fill all fields.
        let Info {
            depth: Some(7),
            seldepth: Some(7),
            multipv: Some(7),
            score: Some(_),
            bound: Some(Bound::Exact),
            wdl: Some(_),
            nodes: Some(7),
            nps: Some(7),
            time: Some(_),
            hashfull: Some(7),
            tbhits: Some(7),
            cpuload: Some(7),
            ebf: Some(_),
            currmove: Some(_),
            currmovenumber: Some(7),
            pv: _,
            pv_fault: None,
            refutation,
            currline: Some(_),
            string: Some(_),
        } = all
        else {
            panic!("{all:?}");
        };
        assert_eq!(refutation.len(), 1);
    }

    #[test]
    fn nonsense_is_skipped() {
        assert_eq!(info(""), None);
        assert_eq!(
            info("depth abc score cp x nodes 99999999999999999999999 lowerbound"),
            None
        );
        assert_eq!(
            info("score mate -3 lowerbound depth 2").unwrap().depth,
            Some(2)
        );
        let found = info("depth seldepth 3 score score cp 5").unwrap();
        assert_eq!((found.depth, found.seldepth), (None, Some(3)));
        assert_eq!(found.score.map(|score| score.relative), Some(Score::Cp(5)));
    }
}
