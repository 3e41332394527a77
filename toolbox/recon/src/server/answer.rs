//! What is answered to whom.

use super::auth::LONGEST_PASSWORD;
use super::refusal::Refusal;
use super::route::{Endpoint, GameEndpoint};
use super::state::{Event, State};
use crate::server::table::Table;
use crate::{Board, SenseResult, UciMove, wire};
use axum::http::{Method, StatusCode};
use engine_core::{Color, Square};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The JSON of a reply, or why there is none.
pub(super) type Answer = Result<String, Refusal>;

/// The JSON of anything.
fn json<T: Serialize>(value: &T) -> Answer {
    wire::to_json(value).map_err(|error| Refusal::internal(error.to_string()))
}

/// `{"key": value}`.
pub(super) fn reply<T: Serialize>(key: &str, value: T) -> Answer {
    json(&BTreeMap::from([(key, value)]))
}

/// `{}`: every success has a JSON body, or the client of reconchess fails.
fn done() -> String {
    "{}".to_owned()
}

/// The JSON of a request, whatever its content type says: the client of reconchess says nothing.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("malformed request: {error}")))
}

/// No such method here.
fn not_allowed() -> Refusal {
    Refusal::status(
        StatusCode::METHOD_NOT_ALLOWED,
        "this address is not for this method",
    )
}

/// Somebody who wants to play.
#[derive(Deserialize)]
pub(super) struct Registration {
    pub(super) username: String,
    pub(super) password: String,
    pub(super) email: Option<String>,
    pub(super) affiliation: Option<String>,
}

impl Registration {
    /// Checks what anybody may have written.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let name = &self.username;
        let is_fine = |c: char| !c.is_control() && c != ':';
        if name.is_empty() || name.chars().count() > 64 || !name.chars().all(is_fine) {
            return Err(Refusal::bad(
                "a username has 1 to 64 characters, none of them a colon",
            ));
        }
        if self.password.is_empty() || self.password.len() > LONGEST_PASSWORD {
            return Err(Refusal::bad(format!(
                "a password has 1 to {LONGEST_PASSWORD} bytes"
            )));
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Profile<'a> {
    id: usize,
    username: &'a str,
    max_games: u32,
    ranked: bool,
}

/// Who a user is.
pub(super) fn profile(state: &State, number: usize) -> Answer {
    let user = state
        .user(number)
        .ok_or_else(|| Refusal::not_found("no such user"))?;
    json(&Profile {
        id: number,
        username: &user.name,
        max_games: user.max_games,
        ranked: user.ranked,
    })
}

#[derive(Deserialize)]
struct MaxGames {
    max_games: u32,
}

#[derive(Deserialize)]
struct Ranked {
    ranked: bool,
}

#[derive(Deserialize)]
struct Invite {
    opponent: String,
    #[serde(with = "wire::color")]
    color: Color,
}

/// Answers a user.
pub(super) fn answer(
    state: &mut State,
    me: usize,
    method: &Method,
    endpoint: Endpoint,
    body: &[u8],
) -> Answer {
    let is_post = method == Method::POST;
    if !is_post && method != Method::GET {
        return Err(not_allowed());
    }
    match (is_post, endpoint) {
        (false, Endpoint::Users) => {
            let active = state.users().filter(|(_, user)| State::is_active(user));
            reply(
                "usernames",
                active.map(|(_, user)| &user.name).collect::<Vec<_>>(),
            )
        }
        (_, Endpoint::Me) => profile(state, me),
        (true, Endpoint::MaxGames) => {
            let MaxGames { max_games } = read(body)?;
            state.commit(&Event::MaxGames {
                user: me,
                max_games,
            })?;
            profile(state, me)
        }
        (true, Endpoint::Ranked) => {
            let Ranked { ranked } = read(body)?;
            state.commit(&Event::Ranked { user: me, ranked })?;
            profile(state, me)
        }
        (_, Endpoint::MyVersion) => {
            if is_post {
                state.commit(&Event::Version { user: me })?;
            }
            reply("version", state.user(me).map(|user| user.version))
        }
        (false, Endpoint::Invitations) => reply("invitations", state.open_invitations(me)),
        (true, Endpoint::Invitations) => {
            let Invite { opponent, color } = read(body)?;
            let found = state.find_user(&opponent).map(|(number, _)| number);
            let to = found.filter(|&number| number != me);
            let to =
                to.ok_or_else(|| Refusal::bad(format!("nobody to invite is called {opponent:?}")))?;
            let (white, black) = if color.is_white() { (me, to) } else { (to, me) };
            let game = state.add_game(white, black, false)?;
            state.commit(&Event::Invitation { game, from: me, to })?;
            reply("game_id", game)
        }
        (true, Endpoint::Invitation(number)) => {
            let game = my_invitation(state, me, number)?;
            state.commit(&Event::Accepted { invitation: number })?;
            reply("game_id", game)
        }
        (true, Endpoint::FinishInvitation(number)) => {
            my_invitation(state, me, number)?;
            state.commit(&Event::Finished { invitation: number })?;
            Ok(done())
        }
        (is_post, Endpoint::Game(number, endpoint)) if is_post == endpoint.is_posted() => {
            let table = state
                .table(number)
                .ok_or_else(|| Refusal::not_found("no such game"))?;
            let color = table.color_of(me);
            let is_public = matches!(
                endpoint,
                GameEndpoint::IsOver
                    | GameEndpoint::WinnerColor
                    | GameEndpoint::WinReason
                    | GameEndpoint::GameHistory
            );
            match color {
                Some(color) if is_post => act(state, number, color, endpoint, body),
                Some(color) => tell(table, color, endpoint),
                // Whoever is no player sees what all may see.
                None if is_public => tell(table, Color::White, endpoint),
                None => Err(Refusal::unauthorized("you are not a player in this game")),
            }
        }
        _ => Err(not_allowed()),
    }
}

/// The game of an invitation, which must be to this user.
fn my_invitation(state: &State, me: usize, number: usize) -> Result<usize, Refusal> {
    let invitation = state
        .invitation(number)
        .filter(|invitation| invitation.to == me);
    invitation
        .map(|invitation| invitation.game)
        .ok_or_else(|| Refusal::bad("no such invitation to you"))
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

/// A turn as its player saw it.
#[derive(Serialize, Deserialize)]
pub(crate) struct SeenTurn {
    #[serde(with = "wire::optional_square")]
    pub(crate) opponent_move_results: Option<Square>,
    #[serde(with = "wire::sense_result")]
    pub(crate) sense_result: SenseResult,
    pub(crate) move_result: Option<wire::MoveRow>,
}

/// Tells a player about a game.
fn tell(table: &Table, color: Color, endpoint: GameEndpoint) -> Answer {
    let game = table.game();
    let square = |square: Option<Square>| square.map(wire::Number);
    match endpoint {
        GameEndpoint::Color => reply("color", color.is_white()),
        GameEndpoint::StartingBoard => reply("board", Board::start()),
        GameEndpoint::OpponentName => reply("opponent_name", table.name(!color)),
        GameEndpoint::SenseActions => {
            let squares = game.sense_actions();
            reply(
                "sense_actions",
                squares.map(|squares| squares.iter().map(|&s| wire::Number(s)).collect::<Vec<_>>()),
            )
        }
        GameEndpoint::MoveActions if game.is_finished() => reply("move_actions", ()),
        GameEndpoint::MoveActions => {
            // The moves tell where the pieces are.
            table.check_turn(color)?;
            reply("move_actions", game.move_actions())
        }
        GameEndpoint::SecondsLeft => reply("seconds_left", table.left_of(color)),
        GameEndpoint::OpponentMoveResults => {
            let history = game.history();
            let theirs = history
                .last_turn_of(!color)
                .and_then(|turn| history.capture_square(turn));
            reply("opponent_move_results", square(theirs))
        }
        GameEndpoint::IsOver => reply("is_over", game.is_finished()),
        GameEndpoint::IsMyTurn => reply("is_my_turn", table.is_turn_of(color)),
        GameEndpoint::GameStatus => json(&Status {
            is_my_turn: table.is_turn_of(color),
            is_over: game.is_finished(),
        }),
        GameEndpoint::WinnerColor => reply("winner_color", table.result()?.0.map(Color::is_white)),
        GameEndpoint::WinReason => reply("win_reason", table.result()?.1),
        GameEndpoint::GameHistory => reply("game_history", table.finished()?),
        GameEndpoint::MyTurns => reply("my_turns", seen_turns(table, color)),
        _ => Err(not_allowed()),
    }
}

/// What a player has seen so far, for one that was interrupted.
fn seen_turns(table: &Table, color: Color) -> Vec<SeenTurn> {
    let history = table.game().history();
    let turns = history.turns_of(color);
    let seen = turns.map(|turn| SeenTurn {
        opponent_move_results: turn
            .previous()
            .and_then(|turn| history.capture_square(turn)),
        sense_result: history.sense_result(turn).cloned().unwrap_or_default(),
        move_result: history.move_result(turn).map(Into::into),
    });
    seen.collect()
}

#[derive(Deserialize)]
struct Sense {
    #[serde(with = "wire::optional_square")]
    square: Option<Square>,
}

#[derive(Deserialize)]
struct Move {
    #[serde(deserialize_with = "Option::deserialize")]
    requested_move: Option<UciMove>,
}

/// Lets a player act.
fn act(
    state: &mut State,
    game: usize,
    color: Color,
    endpoint: GameEndpoint,
    body: &[u8],
) -> Answer {
    let missing = || Refusal::not_found("no such game");
    if endpoint == GameEndpoint::Ready {
        state.commit(&Event::Ready { game, color })?;
        return Ok(done());
    }
    if endpoint == GameEndpoint::Resign {
        state.commit(&Event::Resign { game, color })?;
        return Ok(done());
    }
    // What makes no sense is refused as such at any time.
    let sense = (endpoint == GameEndpoint::Sense)
        .then(|| read::<Sense>(body))
        .transpose()?;
    let requested = (endpoint == GameEndpoint::Move)
        .then(|| read::<Move>(body))
        .transpose()?;
    let table = state.table(game).ok_or_else(missing)?;
    table.check_turn(color)?;
    let left = table.left();
    if table.game().is_out_of_time() {
        state.commit(&Event::TimedOut { game, left })?;
        return Err(Refusal::bad("your time is up"));
    }
    if let Some(Sense { square }) = sense {
        state.commit(&Event::Sense { game, square, left })?;
        let history = state.table(game).ok_or_else(missing)?.game().history();
        let turn = history.last_turn_of(color);
        let result = turn.and_then(|turn| history.sense_result(turn)).cloned();
        json(&SenseReply {
            sense_result: result.unwrap_or_default(),
        })
    } else if let Some(Move { requested_move }) = requested {
        state.commit(&Event::Move {
            game,
            requested_move,
            left,
        })?;
        let result = state.table(game).and_then(|table| table.last_move(color));
        reply("move_result", result.map(wire::MoveRow::from))
    } else {
        state.commit(&Event::EndTurn { game, left })?;
        Ok(done())
    }
}
