//! A game on a server.

use super::http::{Empty, Http, HttpError};
use crate::actions::SenseResult;
use crate::board::Board;
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use crate::player::Player;
use crate::wire::{self, MoveRequest, SeenTurn, SenseRequest};
use common::error::Result;
use engine_core::{Color, Square};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::thread::sleep;
use std::time::Duration;

/// How long to wait before the server is asked again whose turn it is: little at first, in case the
/// opponent is fast.
const SHORTEST_WAIT: Duration = Duration::from_millis(20);
const LONGEST_WAIT: Duration = Duration::from_millis(500);

#[derive(Deserialize)]
struct IsWhite {
    #[serde(with = "wire::color")]
    color: Color,
}

#[derive(Deserialize)]
struct StartingBoard {
    board: Board,
}

#[derive(Deserialize)]
struct OpponentName {
    opponent_name: String,
}

#[derive(Deserialize)]
struct Status {
    is_my_turn: bool,
    is_over: bool,
}

#[derive(Deserialize)]
struct MoveActions {
    move_actions: Option<Vec<UciMove>>,
}

#[derive(Deserialize)]
struct OpponentMove {
    #[serde(with = "wire::optional_square")]
    opponent_move_results: Option<Square>,
}

#[derive(Deserialize)]
struct SecondsLeft {
    seconds_left: Option<f64>,
}

#[derive(Deserialize)]
struct Sensed {
    #[serde(with = "wire::sense_result")]
    sense_result: SenseResult,
}

#[derive(Deserialize)]
struct Moved {
    move_result: wire::MoveRow,
}

#[derive(Deserialize)]
struct MyTurns {
    my_turns: Vec<SeenTurn>,
}

#[derive(Deserialize)]
struct Winner {
    #[serde(with = "wire::optional_color")]
    winner_color: Option<Color>,
}

#[derive(Deserialize)]
struct Reason {
    win_reason: Option<WinReason>,
}

#[derive(Deserialize)]
struct HistoryReply {
    game_history: GameHistory,
}

/// A game on a server.
struct RemoteGame<'a> {
    http: &'a Http,
    number: u64,
}

/// Plays a game on a server to its end, and returns its history. If it was begun before, the player
/// receives the results of its earlier turns, if the server has them.
///
/// # Errors
/// When the server refuses what it should not, and when the player fails.
pub(crate) fn play_remote_game(
    http: &Http,
    number: u64,
    player: &mut dyn Player,
) -> Result<GameHistory> {
    let game = RemoteGame { http, number };
    let IsWhite { color } = game.get("color")?;
    let StartingBoard { board } = game.get("starting_board")?;
    let OpponentName { opponent_name } = game.get("opponent_name")?;
    player.game_start(color, &board, &opponent_name)?;
    match game.tell("ready") {
        // It is ready already.
        Ok(()) | Err(HttpError::Refused { status: 400, .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let mut has_sensed = game.catch_up(player)?;
    let mut wait = SHORTEST_WAIT;
    loop {
        let status: Status = game.get("game_status")?;
        if status.is_over {
            break;
        }
        if !status.is_my_turn {
            sleep(wait);
            wait = (wait * 5 / 4).min(LONGEST_WAIT);
            continue;
        }
        wait = SHORTEST_WAIT;
        let result = game.play_turn(player, std::mem::take(&mut has_sensed));
        if let Err(error) = result {
            // A turn may be cut short by the clock, or by the opponent's resigning.
            let status: Status = game.get("game_status")?;
            if status.is_over {
                break;
            }
            return Err(error);
        }
    }
    tell_end(http, number, player)
}

/// Informs the player how a game on a server has ended, and returns its history.
///
/// # Errors
/// When the server refuses, as it does while the game goes on, and when the player fails.
pub(crate) fn tell_end(http: &Http, number: u64, player: &mut dyn Player) -> Result<GameHistory> {
    let game = RemoteGame { http, number };
    let Winner { winner_color } = game.get("winner_color")?;
    let Reason { win_reason } = game.get("win_reason")?;
    let HistoryReply { game_history } = game.get("game_history")?;
    player.game_end(winner_color, win_reason, &game_history)?;
    Ok(game_history)
}

impl RemoteGame<'_> {
    fn get<T: DeserializeOwned>(&self, what: &str) -> std::result::Result<T, HttpError> {
        self.http.get(&format!("/api/games/{}/{what}", self.number))
    }

    fn post<T: DeserializeOwned>(
        &self,
        what: &str,
        body: &impl Serialize,
    ) -> std::result::Result<T, HttpError> {
        self.http
            .post(&format!("/api/games/{}/{what}", self.number), body)
    }

    fn tell(&self, what: &str) -> std::result::Result<(), HttpError> {
        let Empty {} = self.post(what, &Empty {})?;
        Ok(())
    }

    /// Passes the results of earlier turns to the player, ends the last one if that was not done,
    /// and returns whether the player has sensed in the present turn. Only Mola's server has these.
    fn catch_up(&self, player: &mut dyn Player) -> Result<bool> {
        let turns = match self.get::<MyTurns>("my_turns") {
            Ok(seen) => seen.my_turns,
            Err(HttpError::Refused { .. }) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let has_sensed = turns.last().map(|turn| turn.move_result.is_none());
        for turn in turns {
            player.opponent_move_result(turn.opponent_move_results)?;
            player.sense_result(&turn.sense_result)?;
            if let Some(result) = turn.move_result {
                player.move_result(result.into())?;
            }
        }
        if has_sensed == Some(false) {
            match self.tell("end_turn") {
                // It was ended before the interruption.
                Ok(()) | Err(HttpError::Refused { status: 400, .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(has_sensed == Some(true))
    }

    /// The present turn as the server saw it, if a reply was lost on the way.
    fn lost_reply(&self, error: HttpError) -> std::result::Result<SeenTurn, HttpError> {
        match error {
            HttpError::Refused {
                status: 400,
                repeated: true,
                ..
            } => self.get::<MyTurns>("my_turns")?.my_turns.pop().ok_or(error),
            _ => Err(error),
        }
    }

    fn seconds_left(&self) -> std::result::Result<f64, HttpError> {
        let SecondsLeft { seconds_left } = self.get("seconds_left")?;
        // Mola's server says so where there is no limit, as JSON has no infinity.
        let limited = seconds_left.filter(|&seconds| seconds < f64::MAX);
        Ok(limited.unwrap_or(f64::INFINITY))
    }

    fn play_turn(&self, player: &mut dyn Player, has_sensed: bool) -> Result {
        let MoveActions { move_actions } = self.get("move_actions")?;
        let moves = move_actions.unwrap_or_default();
        if !has_sensed {
            let OpponentMove {
                opponent_move_results,
            } = self.get("opponent_move_results")?;
            player.opponent_move_result(opponent_move_results)?;
            let square = player.choose_sense(&moves, self.seconds_left()?)?;
            let sensed = self.post("sense", &SenseRequest { square });
            let result = match sensed {
                Ok(Sensed { sense_result }) => sense_result,
                Err(error) => self.lost_reply(error)?.sense_result,
            };
            player.sense_result(&result)?;
        }
        let requested_move = player.choose_move(&moves, self.seconds_left()?)?;
        let result: MoveResult = match self.post("move", &MoveRequest { requested_move }) {
            Ok(Moved { move_result }) => move_result.into(),
            Err(error) => {
                let seen = self.lost_reply(error.clone())?;
                seen.move_result.ok_or(error)?.into()
            }
        };
        match self.tell("end_turn") {
            Ok(())
            | Err(HttpError::Refused {
                status: 400,
                repeated: true,
                ..
            }) => {}
            Err(error) => return Err(error.into()),
        }
        player.move_result(result)
    }
}
