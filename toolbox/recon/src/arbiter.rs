//! The arbiter for other programs, by JSON lines: a request a line, and for each a reply of one
//! line. The player to move acts. Bodies and replies are those of the HTTP API of reconchess.
//!
//! | request | reply |
//! |---|---|
//! | `{"method":"start"}`, see [`Start`] | `{"color": true, "board": {"type": "Board", "value": "…"}}`: who begins, and where |
//! | `{"method":"sense_actions"}` | `{"sense_actions": [0, 1, …]}`, null once the game has been ended |
//! | `{"method":"move_actions"}` | `{"move_actions": [{"type": "Move", "value": "e2e4"}, …]}`, null once the game has been ended |
//! | `{"method":"opponent_move_results"}` | `{"opponent_move_results": 34}`, or null |
//! | `{"method":"sense","square":5}`, or null | `{"sense_result": [[12, {"type": "Piece", "value": "P"}], [13, null], …]}` |
//! | `{"method":"move","requested_move":{"type":"Move","value":"e2e4"}}`, or null to pass | `{"move_result": [requested, taken, capture square]}` |
//! | `{"method":"end_turn"}`, `{"method":"resign"}` | `{}` |
//! | `{"method":"turn"}` | `{"color": false}` |
//! | `{"method":"seconds_left"}` | `{"seconds_left": 899.9}`, null without a limit |
//! | `{"method":"is_over"}` | `{"is_over": false}` |
//! | `{"method":"winner_color"}` | `{"winner_color": true}`, or null |
//! | `{"method":"win_reason"}` | `{"win_reason": {"type": "WinReason", "value": "KING_CAPTURE"}}`, or null |
//! | `{"method":"game_history"}` | `{"game_history": {"type": "GameHistory", …}}`, null until the game is over |
//! | `{"method":"end"}` | `{}`: ends the game, over or not |
//!
//! A request that is refused is answered with `{"error": "…"}` and changes nothing. A game that is
//! over is ended, its clocks stopped and its result written, when its result or history is asked
//! for; with strict phases already when a turn ends it, or a player resigns. With `"phases":"free"`
//! phases are not watched, as in reconchess's `LocalGame`.

use crate::actions::SenseResult;
use crate::board::Board;
use crate::game::{ActionError, Game, Limits, Phases};
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::WinReason;
use crate::wire;
use common::error::Result;
use common::input::read_line;
use common::output::Output;
use engine_core::{Color, Square};
use serde::{Deserialize, Serialize};
use std::io::BufRead;

#[derive(Deserialize)]
#[serde(tag = "method", rename_all = "snake_case", deny_unknown_fields)]
enum ArbiterRequest {
    Start(Box<Start>),
    SenseActions {},
    MoveActions {},
    OpponentMoveResults {},
    Sense {
        #[serde(with = "wire::optional_square")]
        square: Option<Square>,
    },
    Move {
        #[serde(deserialize_with = "Option::deserialize")]
        requested_move: Option<UciMove>,
    },
    EndTurn {},
    Resign {},
    Turn {},
    SecondsLeft {},
    IsOver {},
    WinnerColor {},
    WinReason {},
    GameHistory {},
    End {},
}

/// How a game starts. All of it may be left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// Where it starts, by FEN.
    pub fen: Option<String>,
    /// The name of White.
    pub white_name: Option<String>,
    /// The name of Black.
    pub black_name: Option<String>,
    /// Seconds for each player, 900 if left out; no limit if null.
    pub seconds_per_player: Option<f64>,
    /// Seconds that each turn adds, 5 if left out; none if null.
    pub seconds_increment: Option<f64>,
    /// Turns without capture or pawn move that make a draw, 100 if left out; no limit if null.
    pub reversible_moves_limit: Option<u32>,
    /// Turns of each player that make a draw; no limit if left out or null.
    pub full_turn_limit: Option<u32>,
    /// `strict` if left out, or `free`.
    pub phases: Phases,
}

impl Default for Start {
    fn default() -> Start {
        let limits = Limits::default();
        Start {
            fen: None,
            white_name: None,
            black_name: None,
            seconds_per_player: limits.seconds_per_player,
            seconds_increment: Some(limits.seconds_increment),
            reversible_moves_limit: limits.reversible_moves,
            full_turn_limit: limits.full_turns,
            phases: Phases::default(),
        }
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum ArbiterReply<'a> {
    Started {
        #[serde(with = "wire::color")]
        color: Color,
        board: Board,
    },
    SenseActions {
        sense_actions: Option<Vec<u8>>,
    },
    MoveActions {
        move_actions: Option<Vec<UciMove>>,
    },
    OpponentMoveResults {
        #[serde(with = "wire::optional_square")]
        opponent_move_results: Option<Square>,
    },
    Sense {
        #[serde(with = "wire::sense_result")]
        sense_result: SenseResult,
    },
    Move {
        move_result: wire::MoveRow,
    },
    Done {},
    Turn {
        #[serde(with = "wire::color")]
        color: Color,
    },
    SecondsLeft {
        seconds_left: Option<f64>,
    },
    IsOver {
        is_over: bool,
    },
    WinnerColor {
        #[serde(with = "wire::optional_color")]
        winner_color: Option<Color>,
    },
    WinReason {
        win_reason: Option<WinReason>,
    },
    GameHistory {
        game_history: Option<&'a GameHistory>,
    },
    Error {
        error: String,
    },
}

/// Answers requests until the input ends.
///
/// # Errors
/// When reading or writing fails.
pub fn serve(input: &mut impl BufRead, output: &mut Output) -> Result {
    let mut game = None;
    while let Some(line) = read_line(input)? {
        let reply = line
            .json_object()
            .and_then(|request| answer(&mut game, &request));
        let reply = reply.unwrap_or_else(|error| ArbiterReply::Error { error });
        output.line(wire::to_json(&reply).map_err(|error| error.to_string())?)?;
    }
    Ok(())
}

/// Carries out a request. There is no game before the first start.
fn answer<'a>(
    slot: &'a mut Option<Game>,
    request: &ArbiterRequest,
) -> std::result::Result<ArbiterReply<'a>, String> {
    if let ArbiterRequest::Start(start) = request {
        *slot = Some(begin(start)?);
    }
    let game = slot.as_mut().ok_or("no game has been started")?;
    let asks_for_result = matches!(
        request,
        ArbiterRequest::WinnerColor {}
            | ArbiterRequest::WinReason {}
            | ArbiterRequest::GameHistory {}
    );
    if asks_for_result && game.is_over() {
        game.finish();
    }
    let refused = |error: ActionError| error.to_string();
    Ok(match request {
        ArbiterRequest::Start(_) => ArbiterReply::Started {
            color: game.turn(),
            board: game.board().clone(),
        },
        ArbiterRequest::SenseActions {} => ArbiterReply::SenseActions {
            sense_actions: game
                .sense_actions()
                .map(|squares| squares.iter().map(|&square| square as u8).collect()),
        },
        ArbiterRequest::MoveActions {} => ArbiterReply::MoveActions {
            move_actions: game.move_actions(),
        },
        ArbiterRequest::OpponentMoveResults {} => ArbiterReply::OpponentMoveResults {
            opponent_move_results: game.opponent_move_results(),
        },
        ArbiterRequest::Sense { square } => ArbiterReply::Sense {
            sense_result: game.sense(*square).map_err(refused)?.clone(),
        },
        ArbiterRequest::Move { requested_move } => ArbiterReply::Move {
            move_result: game.make_move(*requested_move).map_err(refused)?.into(),
        },
        ArbiterRequest::EndTurn {} => {
            game.end_turn().map_err(refused)?;
            ArbiterReply::Done {}
        }
        ArbiterRequest::Resign {} => {
            game.resign().map_err(refused)?;
            ArbiterReply::Done {}
        }
        ArbiterRequest::Turn {} => ArbiterReply::Turn { color: game.turn() },
        ArbiterRequest::SecondsLeft {} => ArbiterReply::SecondsLeft {
            seconds_left: Some(game.seconds_left()).filter(|seconds| seconds.is_finite()),
        },
        ArbiterRequest::IsOver {} => ArbiterReply::IsOver {
            is_over: game.is_over(),
        },
        ArbiterRequest::WinnerColor {} => ArbiterReply::WinnerColor {
            winner_color: game.winner(),
        },
        ArbiterRequest::WinReason {} => ArbiterReply::WinReason {
            win_reason: game.win_reason(),
        },
        ArbiterRequest::GameHistory {} => ArbiterReply::GameHistory {
            game_history: game.is_finished().then_some(game.history()),
        },
        ArbiterRequest::End {} => {
            game.finish();
            ArbiterReply::Done {}
        }
    })
}

fn begin(start: &Start) -> std::result::Result<Game, String> {
    let board = match &start.fen {
        Some(fen) => Board::from_fen(fen).map_err(|error| error.to_string())?,
        None => Board::start(),
    };
    let limits = Limits {
        seconds_per_player: start.seconds_per_player,
        seconds_increment: start.seconds_increment.unwrap_or(0.0),
        reversible_moves: start.reversible_moves_limit,
        full_turns: start.full_turn_limit,
    };
    let mut game = Game::new(board, limits, start.phases);
    game.set_names(start.white_name.as_deref(), start.black_name.as_deref());
    game.start();
    Ok(game)
}
