//! Endgame tables in sessions.

#[path = "sessions/support.rs"]
mod support;

use corpora::path;
use support::Engine;

/// The value of a word of the last line of analysis.
fn told<'a>(lines: &'a [String], word: &str) -> Option<&'a str> {
    let line = lines.iter().rfind(|line| line.starts_with("info depth"))?;
    line.split_once(&format!(" {word} "))?.1.split(' ').next()
}

fn a_win_comes_nearer_with_every_move() {
    let path = path("syzygy").display().to_string();
    let mut engine = Engine::start(&["uci"]);
    let said = engine.reply(&format!("setoption name SyzygyPath value {path}"));
    assert!(said[0].contains("WDL"), "{said:?}");
    // Bishop and knight: the longest mate with three pieces against one.
    let mut moves = String::new();
    let fen = "8/8/8/8/8/2k5/1N6/1B1K4 w - - 0 1";
    let mut plies = 0;
    loop {
        engine.send(&format!("position fen {fen} moves {moves}"));
        engine.send("go nodes 200");
        let lines = engine.until("bestmove");
        if lines.last().is_some_and(|line| line.contains("(none)")) {
            break;
        }
        assert_ne!(told(&lines, "tbhits"), Some("0"));
        let best = lines.last().and_then(|line| line.split(' ').nth(1));
        moves = format!("{moves} {}", best.expect("a best move"));
        plies += 1;
        assert!(plies <= 100, "no mate: {moves}");
    }
    assert!(plies % 2 == 1, "no mate: {moves}");
}

fn a_mate_that_comes_too_late_is_none() {
    let mut engine = Engine::start(&["uci"]);
    // Mate in 7, by the built-in tables.
    for (halfmoves, is_mate) in [(50, true), (88, false)] {
        engine.send(&format!(
            "position fen 8/8/8/4K3/8/2k5/8/q7 w - - {halfmoves} 126"
        ));
        engine.send("go depth 6");
        let lines = engine.until("bestmove");
        assert_eq!(told(&lines, "score") == Some("mate"), is_mate, "{lines:?}");
        let line = lines.iter().rfind(|line| line.starts_with("info depth"));
        let pv = line
            .and_then(|line| line.split_once(" pv "))
            .expect("a line")
            .1;
        assert!(pv.split(' ').count() <= 100 - halfmoves, "{pv}");
    }
}

/// By the built-in tables the best move of either side would be another.
fn third_repetitions_are_draws() {
    let mut engine = Engine::start(&["uci"]);
    let mut best_move = |position: &str| {
        engine.send(&format!("position fen {position}"));
        engine.send("go nodes 3000");
        let lines = engine.until("bestmove");
        lines.last().expect("a line").clone()
    };
    // White to move is a mate ahead; g5e5 would draw.
    let rook = "8/8/8/6R1/6K1/8/5k2/8 w - - 0 1 moves g5e5 f2g2 e5g5 g2f2 g5e5 f2g2 e5g5 g2f2";
    assert!(!best_move(rook).starts_with("bestmove g5e5"));
    // A queen behind, f2g2 draws.
    let queen = "8/8/8/6Q1/6K1/8/5k2/8 b - - 0 1 moves f2g2 g5g8 g2f2 g8g5 f2g2 g5g8 g2f2 g8g5";
    assert!(best_move(queen).starts_with("bestmove f2g2"));
    // After g5e5 the king would draw by f2g2.
    let reply = "8/8/8/4R3/6K1/8/6k1/8 w - - 0 1 moves e5g5 g2f2 g5e5 f2g2 e5g5 g2f2";
    assert!(!best_move(reply).starts_with("bestmove g5e5"));
}

fn mates_are_exact_by_gaviota() {
    let path = path("gaviota").display().to_string();
    let mut engine = Engine::start(&["uci"]);
    let said = engine.reply(&format!("setoption name GaviotaTbPath value {path}"));
    assert!(said[0].contains("Gaviota tables: 5"), "{said:?}");
    engine.send("position fen 8/8/8/8/8/8/1R6/K2k4 w - - 0 1");
    engine.send("go depth 4");
    let lines = engine.until("bestmove");
    assert!(
        lines.iter().any(|line| line.contains("score mate 7 ")),
        "{lines:?}"
    );
}

fn paths_are_told_of() {
    let mut engine = Engine::start(&["uci"]);
    let said = engine.reply("setoption name SyzygyPath value /no/such;/folder");
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[1].contains("/folder: "), "{said:?}");
    assert!(
        engine
            .reply("setoption name SyzygyPath value <empty>")
            .is_empty()
    );
    let (rest, status) = engine.finish();
    assert!(rest.is_empty() && status.success(), "{rest:?} {status}");
}

fn several_folders_with_either_separator() {
    let mut engine = Engine::start(&["uci"]);
    let path = path("tables").display().to_string();
    for separator in [';', ':'] {
        let paths = format!("{path}/atomic{separator}{path}/regular34_ply{separator}");
        let said = engine.reply(&format!("setoption name SyzygyPath value {paths}"));
        assert!(
            said.iter()
                .any(|line| line.contains("Atomic Syzygy tables: 35")),
            "{said:?}"
        );
        assert!(
            said.iter()
                .any(|line| line.contains("is missing: KRPvK needs it")),
            "{said:?}"
        );
        // What is built in is not missing, nor are DTZ tables of other material needed.
        let is_needless = |line: &String| {
            line.contains("vK.rtbw is missing: KPvK") || line.contains("rtbz is missing")
        };
        assert!(!said.iter().any(is_needless), "{said:?}");
    }
}

corpora::tests! {
    a_mate_that_comes_too_late_is_none: [],
    a_win_comes_nearer_with_every_move: ["syzygy"],
    mates_are_exact_by_gaviota: ["gaviota"],
    paths_are_told_of: [],
    several_folders_with_either_separator: ["tables"],
    third_repetitions_are_draws: [],
}
