//! A bot in any language: a program that reads requests as JSON lines and answers some of them.
//!
//! | it reads | it answers |
//! |---|---|
//! | `{"method": "game_start", "color": true, "board": {"type": "Board", "value": "…"}, "opponent_name": "…"}` | |
//! | `{"method": "opponent_move_results", "opponent_move_results": 34}`, or null | |
//! | `{"method": "choose_sense", "sense_actions": [0, …], "move_actions": [{"type": "Move", "value": "e2e4"}, …], "seconds_left": 899.9}` | `{"square": 52}`, or null |
//! | `{"method": "sense_result", "sense_result": [[12, {"type": "Piece", "value": "P"}], [13, null], …]}` | |
//! | `{"method": "choose_move", "move_actions": […], "seconds_left": 899.8}` | `{"requested_move": {"type": "Move", "value": "e2e4"}}`, or null |
//! | `{"method": "move_result", "move_result": [requested, taken, capture square]}` | |
//! | `{"method": "game_end", "winner_color": true, "win_reason": {"type": "WinReason", "value": "KING_CAPTURE"}, "game_history": {…}}` | |
//!
//! The middle five come once a turn. Only the two choices are answered, with one line each. What
//! the program writes to its standard error is shown. It may play several games, one after the other. When
//! its input ends, it is to end, too, within ten seconds.
//!
//! Mola's Python package, which runs bots that were written for reconchess, is also asked `{"method": "ready"}`
//! after the start and the end of a game, and answers with a line when the bot has done its part: as in
//! reconchess, its clock does not run before, and the game is not over before.

use crate::actions::SenseResult;
use crate::board::Board;
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use crate::player::Player;
use crate::wire::{self, MoveRequest, SenseRequest};
use arena::client::{EngineCommand, ErrorKind, Process};
use common::error::Result;
use common::error_text::of_json;
use common::input::shorten;
use common::note;
use crossbeam_channel::Receiver;
use engine_core::{Color, Square};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::{Duration, Instant};

/// What a bot has beyond its clock, to answer late and lose on time.
const TIME_MARGIN: Duration = Duration::from_secs(10);
/// How long it may take without a clock.
const MAX_TIME: Duration = Duration::from_hours(1);
/// How long it may take to end when its input does, and to be told of the end of a game that it has lost
/// because it did not answer.
const FAREWELL: Duration = Duration::from_secs(10);
/// The answer to `ready`.
const READY: &str = "{}";

/// A running program. It is killed when this is dropped, unless it ends at the end of its input.
pub struct ProcessBot {
    process: Process,
    /// Whether it answers `ready`.
    says_ready: bool,
    has_failed: bool,
}

#[derive(Serialize)]
#[serde(tag = "method", rename_all = "snake_case")]
enum BotRequest<'a> {
    GameStart {
        #[serde(with = "wire::color")]
        color: Color,
        board: &'a Board,
        opponent_name: &'a str,
    },
    OpponentMoveResults {
        #[serde(with = "wire::optional_square")]
        opponent_move_results: Option<Square>,
    },
    ChooseSense {
        sense_actions: Vec<u8>,
        move_actions: &'a [UciMove],
        seconds_left: Option<f64>,
    },
    SenseResult {
        #[serde(with = "wire::sense_result")]
        sense_result: SenseResult,
    },
    ChooseMove {
        move_actions: &'a [UciMove],
        seconds_left: Option<f64>,
    },
    MoveResult {
        move_result: wire::MoveRow,
    },
    GameEnd {
        #[serde(with = "wire::optional_color")]
        winner_color: Option<Color>,
        win_reason: Option<WinReason>,
        game_history: &'a GameHistory,
    },
    Ready,
}

impl ProcessBot {
    /// Starts a program, which answers `ready` or not.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(command: &EngineCommand, says_ready: bool) -> Result<ProcessBot> {
        Ok(ProcessBot {
            process: Process::start_aloud(command)?,
            says_ready,
            has_failed: false,
        })
    }

    fn send(&mut self, request: &BotRequest) -> Result {
        let line = wire::to_json(request).map_err(|error| error.to_string())?;
        self.process.send(&line);
        Ok(())
    }

    /// Waits until the program has done what it was asked for, if it can tell.
    fn wait_until_ready(&mut self, doing: &'static str) -> Result {
        if self.says_ready {
            self.send(&BotRequest::Ready)?;
            self.receive(MAX_TIME, doing)?;
        }
        Ok(())
    }

    /// Waits a little for a program that was too slow, so that it can learn of the end of its game. Its late
    /// answers are skipped.
    ///
    /// # Errors
    /// When it has ended.
    fn wait_for_late(&mut self) -> Result {
        if !self.says_ready {
            return Ok(());
        }
        self.send(&BotRequest::Ready)?;
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.process.receive(deadline, "ending a game") {
                Ok(line) if line.text.trim() != READY => {}
                Ok(_) => return Ok(()),
                // The game is over, and this changes nothing any more.
                Err(error) if matches!(error.kind, ErrorKind::TimedOut { .. }) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn receive(&mut self, time: Duration, doing: &'static str) -> Result<String> {
        let line = self.process.receive(Instant::now() + time, doing);
        self.has_failed |= line.is_err();
        Ok(line?.text)
    }

    fn ask<T: DeserializeOwned>(
        &mut self,
        request: &BotRequest,
        seconds_left: f64,
        doing: &'static str,
    ) -> Result<T> {
        self.send(request)?;
        let clock = Duration::try_from_secs_f64(seconds_left.max(0.0)).unwrap_or(MAX_TIME);
        let line = self.receive(clock.min(MAX_TIME) + TIME_MARGIN, doing)?;
        let answer = serde_json::from_str(&line);
        Ok(answer.map_err(|error| {
            format!(
                "{}: {} in {:?}",
                self.process.name(),
                of_json(&error, &line),
                shorten(&line)
            )
        })?)
    }
}

impl Drop for ProcessBot {
    fn drop(&mut self) {
        let time = if self.has_failed {
            Duration::ZERO
        } else {
            FAREWELL
        };
        if self.process.wait(time).is_none() && !self.has_failed {
            let name = self.process.name();
            note!("{name}: still running {time:?} after the end of its input, so it is killed");
        }
    }
}

/// A number of seconds, unless there is no limit.
fn finite(seconds: f64) -> Option<f64> {
    Some(seconds).filter(|seconds| seconds.is_finite())
}

impl Player for ProcessBot {
    fn set_interrupt(&mut self, interrupt: Receiver<()>) {
        self.process.set_interrupt(interrupt);
    }

    fn game_start(&mut self, color: Color, board: &Board, opponent: &str) -> Result {
        self.send(&BotRequest::GameStart {
            color,
            board,
            opponent_name: opponent,
        })?;
        self.wait_until_ready("starting a game")
    }

    fn opponent_move_result(&mut self, capture: Option<Square>) -> Result {
        self.send(&BotRequest::OpponentMoveResults {
            opponent_move_results: capture,
        })
    }

    fn choose_sense(&mut self, moves: &[UciMove], seconds_left: f64) -> Result<Option<Square>> {
        let request = BotRequest::ChooseSense {
            sense_actions: Square::ALL.map(|square| square as u8).to_vec(),
            move_actions: moves,
            seconds_left: finite(seconds_left),
        };
        self.ask(&request, seconds_left, "choosing a sense")
            .map(|answer: SenseRequest| answer.square)
    }

    fn sense_result(&mut self, result: &SenseResult) -> Result {
        self.send(&BotRequest::SenseResult {
            sense_result: result.clone(),
        })
    }

    fn choose_move(&mut self, moves: &[UciMove], seconds_left: f64) -> Result<Option<UciMove>> {
        let request = BotRequest::ChooseMove {
            move_actions: moves,
            seconds_left: finite(seconds_left),
        };
        self.ask(&request, seconds_left, "choosing a move")
            .map(|answer: MoveRequest| answer.requested_move)
    }

    fn move_result(&mut self, result: MoveResult) -> Result {
        self.send(&BotRequest::MoveResult {
            move_result: result.into(),
        })
    }

    fn game_end(
        &mut self,
        winner: Option<Color>,
        reason: Option<WinReason>,
        history: &GameHistory,
    ) -> Result {
        self.send(&BotRequest::GameEnd {
            winner_color: winner,
            win_reason: reason,
            game_history: history,
        })?;
        if self.has_failed {
            self.wait_for_late()
        } else {
            self.wait_until_ready("ending a game")
        }
    }
}
