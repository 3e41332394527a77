//! Queries of players about their games, and their actions.

use crate::actions::SenseResult;
use crate::board::Board;
use crate::history::{GameHistory, Turn};
use crate::server::event::Event;
use crate::server::game::ServedGame;
use crate::server::refusal::Refusal;
use crate::server::reply::{JsonReply, done, json, read, reply};
use crate::server::route::GameEndpoint;
use crate::server::state::ServerState;
use crate::wire::{self, MoveRequest, SeenTurn, SenseRequest};
use engine_core::{Color, Square};
use serde::Serialize;

fn no_such_game() -> Refusal {
    Refusal::not_found("no such game")
}

fn no_player() -> Refusal {
    Refusal::unauthorized("you are not a player in this game")
}

/// Answers a query about a game.
pub(super) fn answer(
    state: &ServerState,
    me: usize,
    number: usize,
    endpoint: GameEndpoint,
) -> JsonReply {
    if endpoint.is_posted() {
        return Err(Refusal::not_allowed());
    }
    let game = state.game(number).ok_or_else(no_such_game)?;
    match game.color_of(me) {
        Some(color) => answer_player(game, color, endpoint),
        // Others than the players may know what is public.
        None if endpoint.is_public() => answer_player(game, Color::White, endpoint),
        None => Err(no_player()),
    }
}

/// Lets a player act.
pub(super) fn act(
    state: &mut ServerState,
    me: usize,
    number: usize,
    endpoint: GameEndpoint,
    body: &[u8],
) -> JsonReply {
    if !endpoint.is_posted() {
        return Err(Refusal::not_allowed());
    }
    let game = state.game(number).ok_or_else(no_such_game)?;
    let color = game.color_of(me).ok_or_else(no_player)?;
    let may_repeat = game.may_repeat(color);
    let mut answer = act_as(state, number, color, endpoint, body);
    let game = state.game_mut(number).ok_or_else(no_such_game)?;
    if may_repeat && answer.is_err() {
        answer = repeated(game, color, endpoint, body).unwrap_or(answer);
    }
    if answer.is_ok() {
        game.forbid_repeat(color);
    }
    answer
}

/// The answer to an action that the player has done already, before the server was started again.
fn repeated(
    game: &ServedGame,
    color: Color,
    endpoint: GameEndpoint,
    body: &[u8],
) -> Option<JsonReply> {
    let history = game.game().history();
    let begun = game.begun_turn(color);
    let is_done = match endpoint {
        GameEndpoint::Sense => {
            let turn = begun.filter(|&turn| !history.has_move(turn))?;
            let SenseRequest { square } = read(body).ok()?;
            return (history.sense(turn) == Some(square)).then(|| sense_result(history, turn));
        }
        GameEndpoint::Move => {
            let turn = begun.filter(|&turn| history.has_move(turn))?;
            let MoveRequest { requested_move } = read(body).ok()?;
            let is_same = history.requested_move(turn) == requested_move;
            return is_same.then(|| move_result(game, color));
        }
        GameEndpoint::Ready => game.is_ready(game.user(color)),
        GameEndpoint::EndTurn => begun.is_none() && has_moved(game, color),
        GameEndpoint::Resign => game.game().is_finished(),
        _ => false,
    };
    is_done.then(|| Ok(done()))
}

/// Whether a player's last turn has a move. The game may be over, and its turns in its file alone.
fn has_moved(game: &ServedGame, color: Color) -> bool {
    game.history().is_ok_and(|history| {
        let last = history.last_turn_of(color);
        last.is_some_and(|turn| history.has_move(turn))
    })
}

fn sense_result(history: &GameHistory, turn: Turn) -> JsonReply {
    let result = history.sense_result(turn).cloned();
    json(&SenseReply {
        sense_result: result.unwrap_or_default(),
    })
}

fn move_result(game: &ServedGame, color: Color) -> JsonReply {
    reply(
        "move_result",
        game.last_move(color).map(wire::MoveRow::from),
    )
}

#[derive(Serialize)]
struct Status {
    is_my_turn: bool,
    is_over: bool,
}

#[derive(Serialize)]
struct SenseReply {
    #[serde(with = "wire::sense_result")]
    sense_result: SenseResult,
}

/// Answers a player's query about a game.
fn answer_player(served: &ServedGame, color: Color, endpoint: GameEndpoint) -> JsonReply {
    let game = served.game();
    let square = |square: Option<Square>| square.map(wire::Number);
    match endpoint {
        GameEndpoint::Color => reply("color", color.is_white()),
        GameEndpoint::StartingBoard => reply("board", Board::start()),
        GameEndpoint::OpponentName => reply("opponent_name", served.name(!color)),
        GameEndpoint::SenseActions => {
            let squares = game.sense_actions();
            reply(
                "sense_actions",
                squares.map(|squares| squares.iter().map(|&s| wire::Number(s)).collect::<Vec<_>>()),
            )
        }
        GameEndpoint::MoveActions if game.is_finished() => reply("move_actions", ()),
        GameEndpoint::MoveActions => {
            // The moves show where the pieces are, so only the player to move may see them.
            served.check_turn(color)?;
            reply("move_actions", game.move_actions())
        }
        // Without a limit as well it is a number: bots of reconchess compare and divide it.
        GameEndpoint::SecondsLeft => {
            reply("seconds_left", served.left_of(color).unwrap_or(f64::MAX))
        }
        GameEndpoint::OpponentMoveResults => {
            let history = served.history()?;
            let theirs = history
                .last_turn_of(!color)
                .and_then(|turn| history.capture_square(turn));
            reply("opponent_move_results", square(theirs))
        }
        GameEndpoint::IsOver => reply("is_over", game.is_finished()),
        GameEndpoint::IsMyTurn => reply("is_my_turn", served.is_turn_of(color)),
        GameEndpoint::GameStatus => json(&Status {
            is_my_turn: served.is_turn_of(color),
            is_over: game.is_finished(),
        }),
        GameEndpoint::WinnerColor => reply("winner_color", served.result()?.0.map(Color::is_white)),
        GameEndpoint::WinReason => reply("win_reason", served.result()?.1),
        GameEndpoint::GameHistory => reply("game_history", &*served.finished()?),
        GameEndpoint::MyTurns => reply("my_turns", seen_turns(&*served.history()?, color)),
        _ => Err(Refusal::not_allowed()),
    }
}

/// What a player has seen so far, for one that was interrupted.
fn seen_turns(history: &GameHistory, color: Color) -> Vec<SeenTurn> {
    let turns = history.turns_of(color);
    let seen = turns.map(|turn| SeenTurn {
        opponent_move_results: history
            .turn_before(turn)
            .and_then(|turn| history.capture_square(turn)),
        sense_result: history.sense_result(turn).cloned().unwrap_or_default(),
        move_result: history.move_result(turn).map(Into::into),
    });
    seen.collect()
}

/// Lets the player of a colour act.
fn act_as(
    state: &mut ServerState,
    game: usize,
    color: Color,
    endpoint: GameEndpoint,
    body: &[u8],
) -> JsonReply {
    if endpoint == GameEndpoint::Ready {
        state.commit(&Event::Ready { game, color })?;
        return Ok(done());
    }
    if endpoint == GameEndpoint::Resign {
        state.commit(&Event::Resign { game, color })?;
        return Ok(done());
    }
    // A malformed request is refused as such, in or out of turn.
    let sense = (endpoint == GameEndpoint::Sense)
        .then(|| read::<SenseRequest>(body))
        .transpose()?;
    let requested = (endpoint == GameEndpoint::Move)
        .then(|| read::<MoveRequest>(body))
        .transpose()?;
    // What cannot be saved is to be repeated, also where it would be refused.
    state.check_can_save()?;
    let served = state.game(game).ok_or_else(no_such_game)?;
    served.check_turn(color)?;
    if served.game().is_out_of_time() {
        let end = served.out_of_time(game);
        state.commit(&end)?;
        return match (end, endpoint) {
            (Event::EndTurn { .. }, GameEndpoint::EndTurn) => Ok(done()),
            _ => Err(Refusal::bad("your time is up")),
        };
    }
    let left = served.left();
    if let Some(SenseRequest { square }) = sense {
        state.commit(&Event::Sense { game, square, left })?;
        let history = state.game(game).ok_or_else(no_such_game)?.game().history();
        let turn = history.last_turn_of(color).ok_or_else(no_such_game)?;
        sense_result(history, turn)
    } else if let Some(MoveRequest { requested_move }) = requested {
        state.commit(&Event::Move {
            game,
            requested_move,
            left,
        })?;
        move_result(state.game(game).ok_or_else(no_such_game)?, color)
    } else {
        state.commit(&Event::EndTurn { game, left })?;
        Ok(done())
    }
}
