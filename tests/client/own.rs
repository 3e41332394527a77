//! Mola's client with Mola as the engine.

use crate::{depth, game, mola};
use arena::client::{
    Engine, EngineOptionKind, EngineRequest, ErrorKind, Protocol, Score, SearchEvent,
};
use common::option_value::OptionValue;
use engine_core::search::{Clock, Limits};
use engine_core::{AnyPosition, ByColor, CastlingMode, Game, Variant};
use std::time::Duration;

const BOTH: [Protocol; 2] = [Protocol::Uci, Protocol::XBoard];

/// White mates in one.
const MATE_IN_ONE: &str = "e4 e5 Bc4 Nc6 Qh5 Nf6";

fn start(protocol: Protocol) -> Engine {
    Engine::start(&mola(protocol)).unwrap()
}

/// Whether the engine plays a move.
fn moves(engine: &mut Engine, game: &Game, limits: Limits) -> bool {
    let played = engine.play(game, &EngineRequest::new(limits)).unwrap();
    played.best.is_some()
}

#[test]
fn play_to_the_end() {
    for protocol in BOTH {
        let mut engine = start(protocol);
        assert!(engine.name().starts_with("Mola"));
        let mut game = game("e4 e5 Bc4");
        let clock = Some(Clock {
            remaining: Duration::from_secs(1),
            increment: Duration::from_millis(10),
        });
        let limits = Limits {
            clocks: ByColor([clock; 2]),
            depth: Some(3),
            ..Limits::default()
        };
        engine.new_game(None).unwrap();
        // The engine plays both sides, so XBoard is set up anew for each move.
        for _ in 0..12 {
            let played = engine
                .play(&game, &EngineRequest::new(limits.clone()))
                .unwrap();
            assert!(played.info.score.is_some() && played.info.depth.is_some());
            assert_eq!(played.info.pv.first().copied(), played.best);
            game.play(played.best.unwrap());
        }
        // Another line of the same game, then another game.
        let other = crate::game("e4 e5 Bc4 d6");
        assert!(moves(&mut engine, &other, limits.clone()));
        engine.finish("*", "enough").unwrap();
        engine.new_game(None).unwrap();
        assert!(moves(&mut engine, &crate::game("d4"), limits));
        assert_eq!(
            engine.quit(Duration::from_secs(5)).as_deref(),
            Some("exit status: 0")
        );
    }
}

#[test]
fn analysis() {
    for protocol in BOTH {
        let mut engine = start(protocol);
        let mate = game(MATE_IN_ONE);
        let (lines, played) = engine
            .analyse(&mate, &EngineRequest::analysis(depth(4)))
            .unwrap();
        let score = lines[0].score.unwrap();
        assert_eq!(score.relative, Score::Mate(1), "{protocol}");
        let san = mate.position().to_san(played.best.unwrap());
        assert_eq!(san, "Qxf7#");
        // Streaming, until stopped.
        engine
            .begin(&game("d4"), &EngineRequest::analysis(Limits::default()))
            .unwrap();
        let mut told = 0;
        loop {
            match engine.next(Some(Duration::from_secs(10))).unwrap() {
                SearchEvent::Info(info) => {
                    told += 1;
                    assert_eq!(info.pv_fault, None);
                    if told == 5 {
                        engine.stop();
                    }
                }
                SearchEvent::Done(played) => break assert!(played.best.is_some()),
            }
        }
        assert!(told >= 5 && !engine.is_searching());
        let timed = Limits {
            move_time: Some(Duration::from_millis(60)),
            ..Limits::default()
        };
        let (_, played) = engine
            .analyse(&game(""), &EngineRequest::analysis(timed))
            .unwrap();
        assert!(played.elapsed < Duration::from_secs(5));
    }
}

#[test]
fn several_lines_and_root_moves() {
    let mut engine = start(Protocol::Uci);
    let request = EngineRequest {
        multi_pv: Some(3),
        ..EngineRequest::analysis(depth(4))
    };
    let (lines, _) = engine.analyse(&game(""), &request).unwrap();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].score.unwrap().relative >= lines[2].score.unwrap().relative);
    assert_eq!(engine.value("MultiPV"), Some(&OptionValue::Number(3)));
    for protocol in BOTH {
        let mut engine = start(protocol);
        let root = game("");
        // No search likes it, whatever it finds in the table.
        let only = root.position().parse_san("g4").unwrap();
        let limits = Limits {
            search_moves: vec![only],
            ..depth(3)
        };
        let (_, played) = engine
            .analyse(&root, &EngineRequest::analysis(limits))
            .unwrap();
        assert_eq!(played.best, Some(only), "{protocol}");
        // The next search considers all moves again.
        let (_, played) = engine
            .analyse(&root, &EngineRequest::analysis(depth(3)))
            .unwrap();
        assert_ne!(played.best, Some(only), "{protocol}");
    }
}

#[test]
fn requests_that_cannot_be_met_are_refused() {
    for lines in [257, 1 << 30] {
        let request = EngineRequest {
            multi_pv: Some(lines),
            ..EngineRequest::analysis(depth(1))
        };
        let error = start(Protocol::Uci).analyse(&game(""), &request);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("option MultiPV: at most 256"), "{error}");
    }
    for protocol in BOTH {
        let limits = Limits {
            soft_nodes: Some(100),
            ..Limits::default()
        };
        let error = start(protocol).play(&game(""), &EngineRequest::new(limits));
        let error = error.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Unsupported(_)), "{error}");
    }
}

#[test]
fn waits_have_no_greatest_length() {
    for protocol in BOTH {
        let mut engine = start(protocol);
        engine.ping(Duration::MAX).unwrap();
        let limits = Limits {
            move_time: Some(Duration::MAX),
            ..depth(1)
        };
        engine
            .begin(&game(""), &EngineRequest::new(limits))
            .unwrap();
        assert!(engine.next(Some(Duration::MAX)).is_ok());
        assert!(engine.wait().unwrap().best.is_some());
    }
}

#[test]
fn options_of_a_request_are_restored() {
    let mut engine = start(Protocol::Uci);
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    engine
        .configure(&[pair("hash", "4"), pair("Clear Hash", "")])
        .unwrap();
    let request = EngineRequest {
        options: vec![pair("Hash", "2"), pair("Skill Level", "3")],
        ..EngineRequest::new(depth(2))
    };
    engine.play(&game(""), &request).unwrap();
    assert_eq!(engine.value("Hash"), Some(&OptionValue::Number(2)));
    engine
        .play(&game(""), &EngineRequest::new(depth(2)))
        .unwrap();
    assert_eq!(engine.value("Hash"), Some(&OptionValue::Number(4)));
    assert_eq!(engine.value("Skill Level"), Some(&OptionValue::Number(20)));
    assert!(matches!(
        engine.option("Hash").unwrap().kind,
        EngineOptionKind::Spin { min: Some(1), .. }
    ));
    for (name, value) in [
        ("Hash", "0"),
        ("Hush", "1"),
        ("MultiPV", "2"),
        ("UCI_Chess960", "true"),
    ] {
        let error = engine.configure(&[pair(name, value)]).unwrap_err();
        let is_unknown = matches!(error.kind, ErrorKind::NoOption { .. });
        assert_eq!(is_unknown, name == "Hush", "{error}");
        assert!(
            is_unknown || matches!(error.kind, ErrorKind::Unsupported(_)),
            "{error}"
        );
    }
    // XBoard sets some options by commands.
    let mut engine = start(Protocol::XBoard);
    engine
        .configure(&[pair("Hash", "8"), pair("Threads", "1")])
        .unwrap();
    assert_eq!(engine.value("memory"), Some(&OptionValue::Number(8)));
}

#[test]
fn pondering() {
    let mut engine = start(Protocol::Uci);
    let position = game("e4 e5");
    let limits = Limits {
        ponder: true,
        ..depth(3)
    };
    engine
        .begin(&position, &EngineRequest::new(limits.clone()))
        .unwrap();
    // No best move until ponderhit, even when the depth is reached.
    std::thread::sleep(Duration::from_millis(100));
    engine.ponder_hit();
    assert!(engine.wait().unwrap().best.is_some());
    // A wrong guess: the next search starts anyway.
    engine
        .begin(&position, &EngineRequest::new(limits))
        .unwrap();
    assert!(moves(&mut engine, &game("d4"), depth(2)));
    // An XBoard engine continues by itself when the opponent has moved.
    let mut engine = start(Protocol::XBoard);
    let mut game = game("e4");
    let request = EngineRequest {
        may_ponder: true,
        ..EngineRequest::new(depth(4))
    };
    for reply in ["d4", "Nf3"] {
        let played = engine.play(&game, &request).unwrap();
        game.play(played.best.unwrap());
        let m = game.position().parse_san(reply);
        game.play(m.unwrap());
    }
    assert!(engine.play(&game, &request).unwrap().best.is_some());
}

#[test]
fn chess960_and_positions() {
    for protocol in BOTH {
        let mut engine = start(protocol);
        let mut game = Game::new(AnyPosition::chess960(3));
        for _ in 0..20 {
            let played = engine.play(&game, &EngineRequest::new(depth(2))).unwrap();
            game.play(played.best.unwrap());
        }
        let fen = "4k3/8/8/8/8/8/4P3/4K2R b K - 3 20";
        let position =
            AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard).unwrap();
        let game = Game::new(position);
        assert!(moves(&mut engine, &game, depth(3)));
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let mut engine = start(Protocol::Uci);
    let mated = game("f3 e5 g4 Qh4");
    let played = engine.play(&mated, &EngineRequest::new(depth(2))).unwrap();
    assert_eq!(
        (played.best, played.info.score.unwrap().relative),
        (None, Score::Mate(0))
    );
    let start = AnyPosition::start(Variant::Standard);
    assert!(moves(&mut engine, &Game::new(start), depth(1)));
}
