//! UCI sessions through the real binary: above all, what no well-behaved GUI sends.

use crate::support::Engine;

/// After any input, the engine answers.
fn assert_alive(engine: &mut Engine) {
    engine.send("stop");
    engine.reply("position startpos");
    engine.send("go depth 1");
    let lines = engine.until("bestmove");
    assert!(
        lines
            .last()
            .is_some_and(|line| line.len() >= "bestmove e2e4".len())
    );
}

#[test]
fn greets() {
    let mut engine = Engine::start(&[]);
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Mola"));
    assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
    engine.send("quit");
    assert!(engine.finish().1.success());
}

#[test]
fn odd_bytes_are_survived() {
    let mut engine = Engine::start(&["uci"]);
    for bytes in [
        b"uci\r\n".as_slice(),
        b"\r\n\n \t \n",
        b"\xff\xfe\xfd position \xc3\x28\n",
        b"is\0ready\n\x1b[A\x1b[2J\n",
        "setoption name H\u{e4}sh value \u{265e}\n".as_bytes(),
        b"go depth 1 searchmoves \xff\xff\n",
    ] {
        engine.write(bytes);
    }
    assert_alive(&mut engine);
}

#[test]
fn a_line_of_ten_megabytes_costs_one_message() {
    let mut engine = Engine::start(&["uci"]);
    engine.write(&vec![b'x'; 10 << 20]);
    let said = engine.reply("");
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("was cut"), "{said:?}");
    assert!(said[1].len() < 200, "{said:?}");
    assert_alive(&mut engine);
}

#[test]
fn bad_input_gets_one_line() {
    let mut engine = Engine::start(&["uci"]);
    for line in [
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen what is this",
        "position fen",
        "position",
        "position startpos moves e2e4 e2e4",
        "position startpos moves 0000",
        "setoption name Hash value 0",
        "setoption name Hash value 99999999999999999999",
        "setoption name Threads value -1",
        "setoption name Nothing value 3",
        "setoption",
        "abracadabra",
    ] {
        let said = engine.reply(line);
        assert_eq!(said.len(), 1, "{line}: {said:?}");
        assert!(said[0].starts_with("info string "), "{line}: {said:?}");
    }
    assert_alive(&mut engine);
}

#[test]
fn an_illegal_move_keeps_those_before_it() {
    let mut engine = Engine::start(&["uci"]);
    engine.reply("position startpos moves e2e4 e7e5 e1e3 d7d5");
    let shown = engine.reply("d");
    let fen = "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert!(shown.contains(&fen.to_owned()), "{shown:?}");
}

#[test]
fn numbers_of_twenty_digits() {
    let mut engine = Engine::start(&["uci"]);
    for go in [
        "go depth 99999999999999999999 movetime 20",
        "go movetime 20 nodes 99999999999999999999",
        "go wtime 99999999999999999999 btime 99999999999999999999 depth 2",
        "go wtime -99999999999999999999 btime -99999999999999999999",
        "go mate 99999999999999999999 depth 2",
        "go movestogo 99999999999999999999 wtime 100 btime 100",
    ] {
        engine.send(go);
        engine.until("bestmove");
    }
}

#[test]
fn words_before_a_command_are_skipped() {
    let mut engine = Engine::start(&["uci"]);
    engine.send("joho isready");
    engine.until("readyok");
}

#[test]
fn every_go_has_one_bestmove() {
    let mut engine = Engine::start(&["uci"]);
    engine.send("go infinite");
    engine.send("go infinite");
    engine.until("bestmove");
    assert!(
        engine
            .reply("stop")
            .iter()
            .any(|line| line.starts_with("bestmove"))
    );
    let said = engine.reply("stop");
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn end_of_input_while_searching_still_gives_the_move() {
    for go in [
        "go infinite",
        "go depth 90",
        "go ponder wtime 1000 btime 1000",
    ] {
        let mut engine = Engine::start(&["uci"]);
        engine.write(go.as_bytes());
        let (rest, status) = engine.finish();
        assert!(
            rest.last().is_some_and(|line| line.starts_with("bestmove")),
            "{rest:?}"
        );
        assert!(status.success());
    }
}

#[test]
fn perft_divides_and_can_be_stopped() {
    let mut engine = Engine::start(&["uci"]);
    engine.send("go perft 3");
    let lines = engine.until("Nodes searched: 8902");
    assert!(lines.contains(&"e2e4: 600".to_owned()));
    engine.send("go perft 30");
    engine.send("isready");
    engine.until("readyok");
    engine.send("stop");
    engine.until("info string perft stopped");
    assert_alive(&mut engine);
}

#[test]
fn both_castlings_in_chess960() {
    let mut engine = Engine::start(&["uci"]);
    engine.reply("setoption name UCI_Chess960 value true");
    engine.reply("position fen 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1 moves e1g1");
    let shown = engine.reply("d");
    assert!(
        shown.iter().any(|line| line.contains("/1R3RK1 b")),
        "{shown:?}"
    );
}
