//! Terminal play through a pipe: the same output, without escape codes.

use crate::support::Engine;

/// The output for a script of lines.
fn play(args: &[&str], script: &str) -> String {
    let mut all = vec!["play", "--theme", "mono", "--depth", "2"];
    all.extend(args);
    let mut engine = Engine::start(&all);
    engine.write(script.as_bytes());
    let (lines, status) = engine.finish();
    assert!(status.success(), "{lines:?}");
    let text = lines.join("\n");
    assert!(!text.contains('\x1b'), "{text}");
    // Lines of analysis are whole.
    let is_whole = |line: &str| line.starts_with('d') && line.contains(" nodes ");
    let wide = lines
        .iter()
        .find(|line| line.chars().count() >= 80 && !is_whole(line));
    assert_eq!(wide, None, "{text}");
    text
}

#[test]
fn moves_in_any_notation() {
    let text = play(
        &["--color", "both"],
        "e4\ne7e5\nnf3\nb8-c6\nBf1b5\nhistory\n",
    );
    assert!(
        text.ends_with("1. e4 e5 2. Nf3 Nc6 3. Bb5\nC60 Ruy Lopez"),
        "{text}"
    );
}

#[test]
fn wrong_moves_get_a_reason() {
    let text = play(&["--color", "both"], "Nf4\nhello world\nh\n");
    assert!(
        text.contains("Nf4: no knight can go to f4; did you mean Nf3?"),
        "{text}"
    );
    assert!(text.contains("hello world: not a move"), "{text}");
    assert!(
        text.contains("h is ambiguous: help, hint, history."),
        "{text}"
    );
}

#[test]
fn mola_answers_and_takes_back() {
    let text = play(&[], "e4\nundo\nhistory\nredo\nhistory\n");
    assert!(text.contains("Mola plays 1... "), "{text}");
    assert!(text.contains("\nNo moves yet."), "{text}");
    // The moves, then the name of the opening.
    assert!(
        text.lines()
            .nth_back(1)
            .is_some_and(|line| line.starts_with("1. e4 ")),
        "{text}"
    );
}

#[test]
fn the_end_of_a_game() {
    let script = "Ra8#\nKe2\npgn\n";
    let text = play(&["--fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - -"], script);
    assert!(text.contains("1-0  checkmate"), "{text}");
    assert!(text.contains("The game is over"), "{text}");
    assert!(text.contains("[Result \"1-0\"]"), "{text}");
    assert!(text.ends_with("1. Ra8# 1-0"), "{text}");
}

#[test]
fn games_are_saved_and_loaded() {
    let path = std::env::temp_dir().join(format!("mola-test-{}.pgn", std::process::id()));
    let name = path.to_str().expect("the path is text");
    play(&["--color", "both", "--pgn", name], "d4\nd5\nc4\nresign\n");
    let saved = std::fs::read_to_string(&path).expect("the game was saved");
    assert!(saved.ends_with("1. d4 d5 2. c4 1-0\n\n"), "{saved}");
    let text = play(
        &["--color", "both"],
        &format!("load {name}\nhistory\nload /\n"),
    );
    assert!(text.contains("\n1. d4 d5 2. c4\n"), "{text}");
    std::fs::remove_file(path).expect("the file is there");
}

#[test]
fn every_word_is_understood() {
    let script = "help\nboard\nclock\ntime 5+3\nclock\ntime 0\ntime x\ndepth 1\ndepth x\ndraw\neval\nfen\n\
                  fen x\nflip\nlevel 3\nlevel 99\nmoves\nnew\nnew 960\nnew 960 518\nnew 960 x\npgn\nsetup\n\
                  theme\ntheme ascii\nundo\nredo\nsave\nload\nanalyze 0.05\nanalyze x\nhint\nresign\n/quit\n";
    let text = play(&[], script);
    assert!(!text.contains("not a move"), "{text}");
}
