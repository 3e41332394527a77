//! XBoard sessions through the real binary.

use crate::support::Engine;

fn greeted() -> Engine {
    let mut engine = Engine::start(&[]);
    engine.send("xboard");
    engine.send("protover 2");
    engine.until("feature done=1");
    engine.send("accepted exclude");
    engine
}

/// The output for a line, before the answer to a ping.
fn reply(engine: &mut Engine, line: &str) -> Vec<String> {
    engine.send(line);
    engine.send("ping 7");
    let mut lines = engine.until("pong 7");
    lines.pop();
    lines
}

#[test]
fn plays_and_takes_back() {
    let mut engine = greeted();
    for line in ["new", "level 0 1 0", "sd 3", "post", "usermove e2e4"] {
        engine.send(line);
    }
    let thought = engine.until("move ");
    let last = &thought[thought.len() - 2];
    assert!(
        last.split('\t')
            .next()
            .is_some_and(|head| head.split(' ').count() == 7),
        "{last}"
    );
    assert!(reply(&mut engine, "remove").is_empty());
    assert!(
        reply(&mut engine, "usermove e2e4")
            .iter()
            .any(|line| line.starts_with("move "))
    );
}

#[test]
fn illegal_moves_and_positions() {
    let mut engine = greeted();
    for line in ["usermove e2e5", "e7e5", "usermove", "usermove \u{265e}"] {
        let said = reply(&mut engine, line);
        assert!(
            said.len() == 1 && said[0].starts_with("Illegal move"),
            "{line}: {said:?}"
        );
    }
    let said = reply(&mut engine, "setboard 8/8/8/8/8/8/8/8 w - - 0 1");
    assert!(
        said[0].starts_with("tellusererror Illegal position"),
        "{said:?}"
    );
    let said = reply(&mut engine, "usermove e2e4");
    assert!(said[0].starts_with("Illegal move"), "{said:?}");
    engine.send("new");
    engine.send("sd 1");
    engine.send("usermove e2e4");
    engine.until("move ");
}

#[test]
fn rough_lines_are_survived() {
    let mut engine = greeted();
    for line in [
        "level",
        "level x y z",
        "level 40 99999999999999999999 1e400",
        "st nan",
        "sd 99999999999999999999",
        "time -5",
        "otim x",
        "memory 99999999999999999999",
        "memory 0",
        "cores -3",
        "option MultiPV=x",
        "option Nothing",
        "exclude e2e5",
        "variant bughouse",
        "nps x",
        "undo",
        "remove",
        "resume",
        ".",
        "?",
        "nonsense",
    ] {
        let said = reply(&mut engine, line);
        assert!(said.len() <= 1, "{line}: {said:?}");
    }
    engine.write(b"\xff\xfe\r\n\0\n");
    for line in ["memory 8", "cores 1", "new", "st 0.05", "usermove d2d4"] {
        engine.send(line);
    }
    engine.until("move ");
}

#[test]
fn analysis_answers_a_dot_and_leaves() {
    let mut engine = greeted();
    engine.send("post");
    engine.send("analyze");
    engine.until("4 ");
    engine.send(".");
    engine.until("stat01: ");
    engine.send("usermove e2e4");
    engine.send("undo");
    engine.send("exit");
    assert!(
        reply(&mut engine, "")
            .iter()
            .all(|line| !line.starts_with("move"))
    );
}

#[test]
fn the_end_is_announced_after_the_move() {
    let mut engine = greeted();
    for line in ["setboard 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "sd 4", "go"] {
        engine.send(line);
    }
    engine.until("move a1a8");
    engine.until("1-0 {White mates}");
    drop(engine.finish());
}

#[test]
fn a_score_of_another_game_accepts_no_draw() {
    let mut engine = greeted();
    for line in ["new", "sd 3", "setboard 6k1/8/8/8/8/8/3Q4/6K1 w - - 0 40"] {
        engine.send(line);
    }
    engine.send("usermove d2d7");
    engine.until("move ");
    let accepted = "offer draw".to_owned();
    assert!(reply(&mut engine, "draw").contains(&accepted), "it is lost");
    reply(&mut engine, "setboard 6k1/3q4/8/8/8/8/8/6K1 w - - 0 40");
    let said = reply(&mut engine, "draw");
    assert!(!said.contains(&accepted), "it is won: {said:?}");
}
