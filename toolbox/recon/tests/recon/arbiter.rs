//! Whole games replayed, action lists, and single moves.

use crate::data;
use engine_core::{Color, Piece, Role, Square};
use recon::{Board, Game, GameHistory, Limits, Phases, UciMove, WinReason};
use serde::Deserialize;

fn limits(bounds: &data::Bounds) -> Limits {
    let usual = Limits::default();
    Limits {
        seconds_per_player: None,
        reversible_moves: bounds.reversible_moves_limit.or(usual.reversible_moves),
        full_turns: bounds.full_turn_limit,
        ..usual
    }
}

/// Plays the requests of a history once more.
fn replay(history: &GameHistory, limits: Limits, phases: Phases) -> Game {
    let mut game = Game::new(Board::start(), limits, phases);
    game.set_names(history.white_name(), history.black_name());
    game.start();
    for turn in history.turns() {
        assert!(!game.is_over(), "{turn}");
        assert_eq!(game.turn(), turn.color, "{turn}");
        let sense = history.sense(turn).unwrap();
        assert_eq!(
            game.sense(sense).unwrap(),
            history.sense_result(turn).unwrap(),
            "{turn}"
        );
        let fen = game.board().fen();
        assert_eq!(fen, history.truth_fen_before_move(turn).unwrap(), "{turn}");
        let result = game.make_move(history.requested_move(turn)).unwrap();
        assert_eq!(Some(result), history.move_result(turn), "{turn} on {fen}");
        assert_eq!(
            Some(game.board().fen().as_str()),
            history.truth_fen_after_move(turn).as_deref()
        );
        game.end_turn().unwrap();
        assert_eq!(game.opponent_move_results(), history.capture_square(turn));
    }
    if history.win_reason() == Some(WinReason::Resign) {
        game.resign().unwrap();
    }
    assert!(game.is_over());
    game.finish();
    game
}

pub(crate) fn histories_are_equal_byte_for_byte() {
    for (entry, text) in data::histories() {
        let history = GameHistory::from_json(&text).unwrap();
        assert_eq!(history.to_json().unwrap(), text, "{}", entry.file);
        for phases in [Phases::Strict, Phases::Free] {
            let game = replay(&history, limits(&entry.limits), phases);
            assert_eq!(game.winner(), history.winner(), "{}", entry.file);
            assert_eq!(game.win_reason(), history.win_reason(), "{}", entry.file);
            assert_eq!(game.history().to_json().unwrap(), text, "{}", entry.file);
        }
    }
}

fn parse(text: &str) -> UciMove {
    text.parse().unwrap()
}

fn texts(moves: &[UciMove]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

#[derive(Deserialize)]
struct Step {
    color: bool,
    fen: String,
    move_actions: Vec<String>,
    omr: Option<usize>,
    sense: Option<usize>,
    sense_result: Vec<(usize, Option<char>)>,
    requested: Option<String>,
    taken: Option<String>,
    capture: Option<usize>,
    fen_after: String,
}

pub(crate) fn traces_are_equal() {
    for file in std::fs::read_dir(corpora::path("recon/traces")).unwrap() {
        let mut game = Game::new(Board::start(), Limits::default(), Phases::Strict);
        game.start();
        for line in corpora::text(&file.unwrap().path()).lines() {
            let step: Step = serde_json::from_str(line).unwrap();
            assert_eq!(game.turn(), Color::from_white(step.color));
            assert_eq!(game.board().fen(), step.fen);
            assert_eq!(
                texts(&game.move_actions().unwrap()),
                step.move_actions,
                "{}",
                step.fen
            );
            assert_eq!(game.opponent_move_results().map(Square::index), step.omr);
            let seen = game.sense(step.sense.and_then(Square::from_index)).unwrap();
            let seen = seen
                .iter()
                .map(|(square, piece)| (square.index(), piece.map(Piece::letter)));
            assert_eq!(seen.collect::<Vec<_>>(), step.sense_result);
            let result = game
                .make_move(step.requested.as_deref().map(parse))
                .unwrap();
            assert_eq!(result.taken, step.taken.as_deref().map(parse));
            assert_eq!(result.capture.map(Square::index), step.capture);
            assert_eq!(game.board().fen(), step.fen_after);
            game.end_turn().unwrap();
        }
    }
}

/// Of all possible moves, those can be requested that are listed, or whose promotion to a queen
/// is left out.
fn requests_are_those_of_the_list(board: &Board) {
    let actions = board.move_actions();
    let roles = Role::ALL.into_iter().map(Some).chain([None]);
    for promotion in roles {
        for from in Square::ALL {
            for to in Square::ALL.into_iter().filter(|&to| to != from) {
                let m = UciMove {
                    from,
                    to,
                    promotion,
                };
                let queen = m.promoting(Role::Queen);
                let understood = if promotion.is_none() && actions.contains(&queen) {
                    queen
                } else {
                    m
                };
                let expected = actions.contains(&understood).then_some(understood);
                assert_eq!(board.request(m), expected, "{m} on {}", board.fen());
            }
        }
    }
}

/// Requested, taken, capture square, FEN after.
type Row = (Option<String>, Option<String>, Option<usize>, String);

#[derive(Deserialize)]
struct Scenario {
    fen: String,
    actions: Vec<String>,
    rows: Vec<Row>,
}

pub(crate) fn scenarios_are_equal() {
    for line in corpora::text(&corpora::path("recon/scenarios.jsonl.gz")).lines() {
        let scenario: Scenario = serde_json::from_str(line).unwrap();
        let board = Board::from_fen(&scenario.fen).unwrap();
        assert_eq!(
            texts(&board.move_actions()),
            scenario.actions,
            "{}",
            scenario.fen
        );
        requests_are_those_of_the_list(&board);
        let mut possible = vec![None];
        board.possible_moves(|m| possible.push(Some(m.to_string())));
        for (requested, taken, capture, after) in scenario.rows {
            let what = format!("{requested:?} on {}", scenario.fen);
            let mut game = Game::new(board.clone(), Limits::default(), Phases::Strict);
            game.start();
            game.sense(None).unwrap();
            let result = game.make_move(requested.as_deref().map(parse)).unwrap();
            assert_eq!(result.taken, taken.as_deref().map(parse), "{what}");
            assert_eq!(result.capture.map(Square::index), capture, "{what}");
            assert_eq!(game.board().fen(), after, "{what}");
            assert!(possible.contains(&taken), "{what}");
        }
    }
}
