use super::*;

/// Two turns of White, one of Black.
fn history() -> GameHistory {
    played(Board::start(), &["e2e4", "e7e5", "d2d4"])
}

/// A game from a board.
fn played(mut board: Board, moves: &[&str]) -> GameHistory {
    let mut history = GameHistory::default();
    history.set_names(Some("Ann"), Some("Zoë"));
    for text in moves {
        let result = MoveResult {
            requested: text.parse().ok(),
            taken: text.parse().ok(),
            capture: None,
        };
        let (color, before) = (board.turn(), board.clone());
        board.push(result.taken);
        history.add_sense(
            color,
            Some(Square::A1),
            [(Square::A1, None)].into_iter().collect(),
        );
        history.add_move(color, result, before, board.clone());
    }
    history
}

#[test]
fn black_can_begin() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let turns = |history: &GameHistory| -> Vec<String> {
        history.turns().map(|turn| turn.to_string()).collect()
    };
    let all = ["Turn(black, 0)", "Turn(white, 0)", "Turn(black, 1)"];
    let moves = ["e7e5", "d2d4", "d7d5"];
    for number in 1..=all.len() {
        let history = played(Board::from_fen(fen).unwrap(), &moves[..number]);
        let read = GameHistory::from_json(&history.to_json().unwrap()).unwrap();
        for history in [history, read] {
            assert_eq!(turns(&history), all[..number]);
            assert_eq!(history.num_turns(), number);
            assert!(!history.is_empty());
            let last = history.last_turn().unwrap();
            assert_eq!(last.to_string(), all[number - 1]);
            let before = history.turn_before(last).map(|turn| turn.to_string());
            assert_eq!(before.as_deref(), all[..number - 1].last().copied());
        }
    }
    // Black has sensed, and lost on time.
    let mut history = GameHistory::default();
    history.add_sense(Color::Black, None, SenseResult::default());
    assert_eq!(turns(&history), ["Turn(black, 0)"]);
}

#[test]
fn turns_are_in_order() {
    let history = history();
    let texts: Vec<String> = history.turns().map(|turn| turn.to_string()).collect();
    assert_eq!(
        texts,
        ["Turn(white, 0)", "Turn(black, 0)", "Turn(white, 1)"]
    );
    assert_eq!(history.num_turns(), 3);
    assert_eq!(history.turns_of(Color::White).count(), 2);
    assert_eq!(history.turns_of(Color::Black).count(), 1);
    let [first, second, last] = history.turns().collect::<Vec<_>>()[..] else {
        unreachable!()
    };
    assert!(history.is_first_turn(first) && history.is_last_turn(last));
    assert_eq!(history.turn_before(last), Some(second));
    assert_eq!(history.turn_before(first), None);
    assert_eq!(history.last_turn_of(Color::Black), Some(second));
    assert_eq!(GameHistory::default().turns().count(), 0);
    assert_eq!(GameHistory::default().num_turns(), 0);
    assert_eq!(GameHistory::default().last_turn(), None);
}

#[test]
fn queries_give_nothing_for_turns_that_did_not_come() {
    let history = history();
    let last = history.last_turn().unwrap();
    assert!(history.has_sense(last) && history.has_move(last));
    assert_eq!(history.sense(last), Some(Some(Square::A1)));
    assert_eq!(
        history.truth_fen_before_move(last).as_deref(),
        Some("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2")
    );
    let after = history.truth_board_after_move(history.turn_before(last).unwrap());
    assert_eq!(after.unwrap().unwrap().turn(), Color::Black);
    let beyond = Turn {
        color: Color::Black,
        number: 1,
    };
    assert!(!history.has_sense(beyond) && !history.has_move(beyond));
    assert_eq!(history.sense(beyond), None);
    assert_eq!(history.move_result(beyond), None);
    assert_eq!(history.truth_board_after_move(beyond), Ok(None));
    let moves = history.collect(GameHistory::taken_move, history.turns_of(Color::White));
    let moves: Vec<_> = moves.flatten().map(|m| m.to_string()).collect();
    assert_eq!(moves, ["e2e4", "d2d4"]);
}

#[test]
fn json_goes_round() {
    let text = history().to_json().unwrap();
    assert!(
        text.starts_with(
            r#"{"type": "GameHistory", "white_name": "Ann", "black_name": "Zo\u00eb", "#
        )
    );
    assert!(text.ends_with(r#""winner_color": null, "win_reason": null}"#));
    let again = GameHistory::from_json(&text).unwrap();
    assert_eq!(again, history());
    assert_eq!(again.to_json().unwrap(), text);
    let error = GameHistory::from_json(&text.replace("d2d4", "d2d9")).unwrap_err();
    assert!(error.to_string().contains("at character"), "{error}");
}

#[test]
fn an_error_names_its_file_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json");
    for text in [None, Some("{}")] {
        if let Some(text) = text {
            std::fs::write(&path, text).unwrap();
        }
        let error = GameHistory::from_file(&path).unwrap_err().in_file(&path);
        assert_eq!(error.matches("x.json").count(), 1, "{error}");
    }
}
