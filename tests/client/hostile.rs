//! Engines that hang, crash, flood, and print nonsense.
#![cfg(unix)]

use crate::{depth, game};
use arena::client::{
    Engine, EngineCommand, EngineRequest, Error, ErrorKind, PlayResult, Protocol, Result,
};
use engine_core::search::Limits;
use engine_core::{AnyPosition, Game, Variant};
use std::time::{Duration, Instant};

/// A UCI engine that answers `go` with these shell commands.
fn uci(go: &str) -> EngineCommand {
    script(
        &format!(
            "while read -r line; do case $line in
               uci) echo 'id name Fake'; echo uciok;; isready) echo readyok;;
               go*) {go};; quit) exit 0;; esac; done"
        ),
        Protocol::Uci,
    )
}

/// An XBoard engine that answers `go` with these shell commands.
fn xboard(go: &str) -> EngineCommand {
    script(
        &format!(
            "while read -r line; do case $line in
               protover*) echo 'feature ping=1 setboard=1 myname=\"Fake\" done=1';;
               ping*) echo pong ${{line#ping }};; go) {go};; quit) exit 0;; esac; done"
        ),
        Protocol::XBoard,
    )
}

fn script(text: &str, protocol: Protocol) -> EngineCommand {
    EngineCommand {
        program: "sh".to_owned(),
        args: vec!["-c".to_owned(), text.to_owned()],
        protocol,
        ..EngineCommand::default()
    }
}

/// Plays from the start position with a second for the move and a margin of half a second.
fn play(command: &EngineCommand) -> Result<PlayResult> {
    let limits = Limits {
        move_time: Some(Duration::from_secs(1)),
        ..Limits::default()
    };
    let request = EngineRequest {
        time_margin: Some(Duration::from_millis(500)),
        ..EngineRequest::new(limits)
    };
    Engine::start(command)?.play(&game(""), &request)
}

fn start(command: &EngineCommand) -> std::result::Result<Engine, Error> {
    Engine::start_with(
        command,
        Duration::from_millis(500),
        crossbeam_channel::never(),
    )
}

#[test]
fn what_cannot_be_started_is_told() {
    let command: EngineCommand = "/no/such/engine".parse().unwrap();
    let error = Engine::start(&command).err().unwrap();
    assert!(matches!(error.kind, ErrorKind::Start(_)), "{error}");
    assert!(
        error.to_string().starts_with("engine: cannot be started"),
        "{error}"
    );
}

#[test]
fn the_death_of_an_engine_is_told_with_its_last_words() {
    for command in [
        uci("echo info depth 1; echo 'out of wits' >&2; exit 3"),
        xboard("echo '1 2 3 4 e2e4'; echo 'out of wits' >&2; exit 3"),
    ] {
        let error = play(&command).err().unwrap();
        assert_eq!(error.engine, "Fake");
        let ErrorKind::Ended { status, .. } = &error.kind else {
            panic!("{error}");
        };
        assert_eq!(status.as_deref(), Some("exit status: 3"));
        assert!(
            error.last_lines.iter().any(|line| line == "out of wits"),
            "{error}"
        );
    }
    let error = play(&uci("kill -9 $$")).err().unwrap();
    assert!(error.to_string().contains("signal: 9"), "{error}");
    let error = start(&script("exit 0", Protocol::Uci)).err().unwrap();
    assert!(matches!(error.kind, ErrorKind::Ended { .. }), "{error}");
    // Something that it has started holds its output open.
    let error = play(&uci("sleep 100 & exit 7")).err().unwrap();
    assert!(error.to_string().contains("exit status: 7"), "{error}");
}

#[test]
fn what_an_engine_has_started_ends_with_it() {
    let late = std::env::temp_dir().join(format!("mola-test-late-{}", std::process::id()));
    let text = format!(
        "while read -r line; do case $line in uci) echo uciok;;
         quit) (sleep 1; echo >{}) & exit 0;; esac; done",
        late.display()
    );
    let engine = start(&script(&text, Protocol::Uci)).unwrap();
    let status = engine.quit(Duration::from_secs(10));
    assert_eq!(status.as_deref(), Some("exit status: 0"));
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!late.exists());
}

#[test]
fn an_xboard_engine_may_ask_for_patience() {
    let text = "while read -r line; do case $line in
        protover*) echo feature done=0; sleep 1; echo feature ping=1 done=1;; esac; done";
    start(&script(text, Protocol::XBoard)).unwrap();
}

#[test]
fn an_engine_may_have_no_name_or_a_long_one() {
    // Without a name it is called `sh -c`.
    for (name, shown) in [(0, 5), (500, 83)] {
        let name = "x".repeat(name);
        let text = format!(
            "while read -r line; do case $line in
             protover*) echo 'feature myname=\"{name}\" done=1';;
             uci) echo 'id name {name}'; echo uciok;; esac; done"
        );
        for protocol in [Protocol::Uci, Protocol::XBoard] {
            let engine = start(&script(&text, protocol)).unwrap();
            assert_eq!(engine.name().len(), shown, "{}", engine.name());
        }
    }
}

#[test]
fn a_hanging_engine_costs_its_time_and_no_more() {
    for command in [
        uci("sleep 100"),
        xboard("sleep 100"),
        uci("exec >&-; sleep 100"),
    ] {
        let began = Instant::now();
        let error = play(&command).err().unwrap();
        assert!(
            matches!(
                error.kind,
                ErrorKind::TimedOut { .. } | ErrorKind::Ended { .. }
            ),
            "{error}"
        );
        assert!(began.elapsed() < Duration::from_secs(5));
    }
    let error = start(&script("sleep 100", Protocol::Uci)).err().unwrap();
    assert!(matches!(error.kind, ErrorKind::TimedOut { .. }), "{error}");
    // An engine that does not read: writing to it does not block.
    let mut engine = start(&uci("sleep 100")).unwrap();
    let long = game(&"Nf3 Nf6 Ng1 Ng8 ".repeat(1500));
    let request = EngineRequest {
        time_margin: Some(Duration::from_millis(10)),
        ..EngineRequest::new(depth(1))
    };
    let began = Instant::now();
    for _ in 0..5 {
        assert!(engine.play(&long, &request).is_err());
        drop(std::mem::replace(
            &mut engine,
            start(&uci("sleep 100")).unwrap(),
        ));
    }
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn floods_take_bounded_memory_and_do_not_hide_the_answer() {
    // The peak memory of this process, in kB.
    let peak = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    let before = peak();
    let lines = "i=0; while [ $i -lt 20000 ]; do echo info depth $i; i=$((i+1)); done";
    assert!(
        play(&uci(&format!("{lines}; echo bestmove e2e4")))
            .unwrap()
            .best
            .is_some()
    );
    let one = "head -c 100000000 /dev/zero | tr '\\0' x; echo; echo bestmove e2e4";
    assert!(play(&uci(one)).unwrap().best.is_some());
    let error = play(&uci("yes info depth 1")).err().unwrap();
    // All of the wait, not only that since the last line.
    let is_late = |after: Duration| after >= Duration::from_secs(1);
    assert!(
        matches!(error.kind, ErrorKind::TimedOut { after, .. } if is_late(after)),
        "{error}"
    );
    let error = play(&xboard("head -c 100000000 /dev/urandom; sleep 9"))
        .err()
        .unwrap();
    assert!(!error.last_lines.is_empty());
    if let (Some(before), Some(after)) = (before, peak()) {
        assert!(after - before < 100_000, "{before} kB, then {after} kB");
    }
}

#[test]
fn wrong_moves_are_told_with_their_position() {
    for answer in ["e2e5", "e7e5", "xyzzy", "(none)", "0000", ""] {
        let error = play(&uci(&format!("echo 'bestmove {answer}'")))
            .err()
            .unwrap();
        let ErrorKind::IllegalMove { text, fen } = &error.kind else {
            panic!("{error}");
        };
        assert_eq!(text, answer);
        assert!(fen.starts_with("rnbqkbnr/"));
    }
    let error = play(&xboard("echo move e2e5")).err().unwrap();
    assert!(
        matches!(error.kind, ErrorKind::IllegalMove { .. }),
        "{error}"
    );
    let error = play(&xboard("echo 'Illegal move: e7e5'")).err().unwrap();
    assert!(matches!(error.kind, ErrorKind::Refused(_)), "{error}");
}

#[test]
fn oddities_are_understood() {
    let nonsense =
        "echo readyok; echo bestmov x; printf '\\377\\001\\n'; echo info score cp; echo option";
    let played = play(&uci(&format!(
        "{nonsense}; echo '  bestmove   E2E4  ponder  e7e5 x'"
    )))
    .unwrap();
    assert!(played.best.is_some() && played.ponder.is_some());
    let played = play(&xboard(
        "echo 'Error (unknown command): easy'; echo '# e'; echo move Nf3",
    ));
    assert!(played.unwrap().best.is_some());
    let played = play(&xboard("echo offer draw; echo move e2e4")).unwrap();
    assert!(played.draw_offered && played.best.is_some());
    assert!(play(&xboard("echo resign")).unwrap().resigned);
    let played = play(&xboard("echo '0-1 {White resigns}'")).unwrap();
    assert!(played.resigned && played.claim == Some("0-1"));
    let played = play(&xboard("echo '1-0 {Black resigns}'")).unwrap();
    assert!(!played.resigned && played.claim == Some("1-0"));
    let claim = play(&xboard("echo '1/2-1/2 {Repetition}'")).unwrap().claim;
    assert_eq!(claim, Some("1/2-1/2"));
    // GNU Chess sends a move as in protocol version 1, and twice.
    let gnu = play(&xboard(
        "echo '1. e7e5'; echo '1. ... e2e4'; echo 'My move is : e2e4'",
    ));
    assert!(gnu.unwrap().best.is_some());
    // An engine of protocol version 1 has no features and does not answer.
    let old = "while read -r l; do case $l in xboard) echo Hello;; go) echo move e2e4;; esac; done";
    let error = play(&script(old, Protocol::XBoard));
    assert!(error.unwrap().best.is_some());
}

#[test]
fn a_draw_is_accepted_without_a_move() {
    let mut engine = start(&xboard("echo offer draw")).unwrap();
    let request = EngineRequest {
        draw_offered: true,
        ..EngineRequest::new(depth(1))
    };
    let played = engine.play(&game("e4"), &request).unwrap();
    assert!(played.draw_offered && played.best.is_none());
}

#[test]
fn an_engine_may_resign_on_the_time_of_its_opponent() {
    let mut engine = start(&xboard("echo move e2e4; echo resign")).unwrap();
    let request = EngineRequest::new(depth(1));
    assert!(engine.play(&game(""), &request).unwrap().best.is_some());
    std::thread::sleep(Duration::from_millis(300));
    let played = engine.play(&game("e4 e5"), &request).unwrap();
    assert!(played.resigned && played.best.is_none());
    // What it said after the end of a game is not about the next one.
    for _ in 0..2 {
        engine.new_game(None).unwrap();
        let played = engine.play(&game(""), &request).unwrap();
        assert!(!played.resigned && played.best.is_some());
        std::thread::sleep(Duration::from_millis(300));
    }
}

/// After a ponder hit the limits count as in any search.
#[test]
fn an_engine_that_hangs_after_a_ponder_hit_has_its_time() {
    let limits = Limits {
        move_time: Some(Duration::from_secs(1)),
        ponder: true,
        ..Limits::default()
    };
    let request = EngineRequest {
        time_margin: Some(Duration::ZERO),
        ..EngineRequest::new(limits)
    };
    let mut engine = start(&uci("true")).unwrap();
    engine.begin(&game("e4 e5"), &request).unwrap();
    engine.ponder_hit();
    let began = Instant::now();
    let error = engine.wait().unwrap_err();
    assert!(matches!(error.kind, ErrorKind::TimedOut { .. }), "{error}");
    let took = began.elapsed();
    assert!((900..5000).contains(&took.as_millis()), "{took:?}");
}

#[test]
fn the_answer_to_an_abandoned_search_may_be_no_move() {
    let text = "while read -r line; do case $line in
        uci) echo uciok;; isready) echo readyok;; stop) echo bestmove 0000;;
        *infinite) ;; go*) echo bestmove e2e4;; esac; done";
    let mut engine = start(&script(text, Protocol::Uci)).unwrap();
    let endless = Limits {
        infinite: true,
        ..Limits::default()
    };
    engine
        .begin(&game(""), &EngineRequest::new(endless))
        .unwrap();
    let played = engine.play(&game(""), &EngineRequest::new(depth(1)));
    assert!(played.unwrap().best.is_some());
}

#[test]
fn a_variant_that_is_not_listed_is_not_played() {
    let text = "while read -r line; do case $line in
        uci) echo option name UCI_Variant type combo default chess var chess; echo uciok;;
        isready) echo readyok;; go*) echo bestmove e2e4;; esac; done";
    let mut engine = start(&script(text, Protocol::Uci)).unwrap();
    let request = EngineRequest::new(depth(1));
    assert!(engine.play(&game(""), &request).unwrap().best.is_some());
    let atomic = Game::new(AnyPosition::start(Variant::Atomic));
    let error = engine.play(&atomic, &request).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Unsupported(_)), "{error}");
}

/// An XBoard engine that forgets at the start of an analysis what is excluded, and one that never
/// heeds it.
#[test]
fn root_moves_are_excluded_in_the_analysis() {
    let xboard = |heeds: &str| {
        let text = format!(
            "while read -r line; do case $line in
               protover*) echo 'feature ping=1 setboard=1 analyze=1 exclude=1 done=1';;
               analyze) out=; echo 3 90 1 100 e2e4;; exclude*) out=$out$line;;
               ping*) echo pong ${{line#ping }}; case $out in
                 {heeds}) echo 3 10 1 100 d2d4;; *) echo 3 90 1 100 e2e4;; esac;; esac; done"
        );
        script(&text, Protocol::XBoard)
    };
    let root = game("");
    let only = root.position().parse_san("d4").unwrap();
    let limits = Limits {
        search_moves: vec![only],
        ..depth(3)
    };
    let request = EngineRequest::analysis(limits);
    let mut engine = start(&xboard("*e2e4*")).unwrap();
    let (lines, played) = engine.analyse(&root, &request).unwrap();
    assert_eq!(
        (lines[0].pv.as_slice(), played.best),
        ([only].as_slice(), Some(only))
    );
    let mut engine = start(&xboard("never")).unwrap();
    let error = engine.analyse(&root, &request).unwrap_err();
    assert!(error.to_string().contains("excluded"), "{error}");
}

#[test]
fn an_interrupt_ends_every_wait() {
    let (sender, interrupt) = crossbeam_channel::bounded::<()>(0);
    let command = uci("sleep 100");
    let mut engine = Engine::start_with(&command, Duration::from_secs(5), interrupt).unwrap();
    let waiting = std::thread::spawn(move || engine.play(&game(""), &EngineRequest::new(depth(1))));
    std::thread::sleep(Duration::from_millis(100));
    drop(sender);
    let error = waiting.join().unwrap().err().unwrap();
    assert!(matches!(error.kind, ErrorKind::Interrupted), "{error}");
}
