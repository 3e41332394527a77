//! The arbiter: enforces the phases of turns, carries out senses and moves, and ends the game.

use crate::actions::SenseResult;
use crate::board::Board;
use crate::clock::Clock;
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use engine_core::{Color, Square};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The limits of a game. The default is that of reconchess.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Seconds for all turns of a player; no limit if `None`.
    pub seconds_per_player: Option<f64>,
    /// Seconds that each turn adds.
    pub seconds_increment: f64,
    /// The game is a draw after this many turns without capture or pawn move.
    pub reversible_moves: Option<u32>,
    /// The game is a draw after this many turns of each player, counted from where it starts.
    pub full_turns: Option<u32>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            seconds_per_player: Some(900.0),
            seconds_increment: 5.0,
            reversible_moves: Some(100),
            full_turns: None,
        }
    }
}

/// Whether the phases of a turn are enforced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phases {
    /// Sense once, move once, end the turn; anything else is an error.
    #[default]
    Strict,
    /// As reconchess's `LocalGame`: any action at any time, until the game is ended.
    Free,
}

/// The phase of a turn: the next action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Sense,
    Move,
    End,
}

/// Why an action is refused. The game is as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionError {
    /// The clocks have not been started.
    NotStarted,
    /// The game is over.
    Over,
    /// The player has sensed in this turn.
    HasSensed,
    /// The player must sense before.
    NotSensed,
    /// The player has moved in this turn.
    HasMoved,
    /// The player must move before.
    NotMoved,
    /// The move is not one of the move actions.
    NoAction(UciMove),
}

impl fmt::Display for ActionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ActionError::NotStarted => "the game has not started",
            ActionError::Over => "the game is over",
            ActionError::HasSensed => "you have already sensed in this turn",
            ActionError::NotSensed => "you have not sensed in this turn",
            ActionError::HasMoved => "you have already moved in this turn",
            ActionError::NotMoved => "you have not moved in this turn",
            ActionError::NoAction(m) => return write!(f, "{m} is not a move action"),
        })
    }
}

impl std::error::Error for ActionError {}

/// A game between two players, with its true board, its clocks and its history.
#[derive(Clone, Debug)]
pub struct Game {
    board: Board,
    /// Whose turn it is: that of the board, except in a game without phases.
    turn: Color,
    phases: Phases,
    phase: Phase,
    limits: Limits,
    clock: Clock,
    history: GameHistory,
    last_capture: Option<Square>,
    /// Moves and passes of both players so far.
    plies: u32,
    resigned: Option<Color>,
    is_finished: bool,
}

impl Game {
    /// A game that has not started.
    pub fn new(board: Board, limits: Limits, phases: Phases) -> Game {
        Game {
            turn: board.turn(),
            board,
            phases,
            phase: Phase::Sense,
            limits,
            clock: Clock::new(limits.seconds_per_player, limits.seconds_increment),
            history: GameHistory::default(),
            last_capture: None,
            plies: 0,
            resigned: None,
            is_finished: false,
        }
    }

    /// Writes the players into the history.
    pub fn set_names(&mut self, white: Option<&str>, black: Option<&str>) {
        self.history.set_names(white, black);
    }

    /// Starts the clock of the player to move.
    pub fn start(&mut self) {
        self.clock.start();
    }

    /// The true board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The limits of the game.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The clocks.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Sets the clocks of an interrupted game.
    pub fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// Seconds that the player to move has left; negative when the clock is overrun, infinite
    /// when there is none.
    pub fn seconds_left(&self) -> f64 {
        self.clock.left(self.turn)
    }

    /// The squares that can be sensed: all of them, until the game has been ended.
    pub fn sense_actions(&self) -> Option<&'static [Square]> {
        (!self.is_finished).then_some(&Square::ALL)
    }

    /// The moves that can be asked for (see [`Board::move_actions`]), until the game has been
    /// ended. Passing is possible, too.
    pub fn move_actions(&self) -> Option<Vec<UciMove>> {
        (!self.is_finished).then(|| self.board.move_actions())
    }

    /// Where the opponent captured in the turn before.
    pub fn opponent_move_results(&self) -> Option<Square> {
        self.last_capture
    }

    /// Refuses an action of another phase than the present one, in a strict game.
    fn check_phase(&self, wanted: Phase) -> Result<(), ActionError> {
        match (wanted, self.phase) {
            _ if self.phases == Phases::Free || self.phase == wanted => Ok(()),
            (Phase::Sense, _) => Err(ActionError::HasSensed),
            (_, Phase::Sense) => Err(ActionError::NotSensed),
            (Phase::Move, _) => Err(ActionError::HasMoved),
            (Phase::End, _) => Err(ActionError::NotMoved),
        }
    }

    fn check_running(&self) -> Result<(), ActionError> {
        match self.phases {
            Phases::Strict if self.is_finished => Err(ActionError::Over),
            Phases::Strict if !self.clock.has_started() => Err(ActionError::NotStarted),
            _ => Ok(()),
        }
    }

    /// Senses around a square, or nowhere. In a free game that has ended it shows nothing.
    ///
    /// # Errors
    /// When it is not time to sense, in a strict game.
    pub fn sense(&mut self, square: Option<Square>) -> Result<&SenseResult, ActionError> {
        static NOTHING: SenseResult = SenseResult::new_const();
        self.check_running()?;
        if self.is_finished {
            return Ok(&NOTHING);
        }
        self.check_phase(Phase::Sense)?;
        let result = square
            .map(|square| self.board.sense(square))
            .unwrap_or_default();
        self.phase = Phase::Move;
        self.history.add_sense(self.turn, square, result);
        Ok(self
            .history
            .last_sense_result(self.turn)
            .unwrap_or(&NOTHING))
    }

    /// Moves, or passes. In a free game that has ended nothing is done.
    ///
    /// # Errors
    /// When the move is not one of the move actions, and in a strict game when it is not time to
    /// move.
    pub fn make_move(&mut self, requested: Option<UciMove>) -> Result<MoveResult, ActionError> {
        self.check_running()?;
        let mut result = MoveResult {
            requested,
            ..MoveResult::default()
        };
        if self.is_finished {
            return Ok(result);
        }
        self.check_phase(Phase::Move)?;
        if let Some(m) = requested {
            let m = self.board.request(m).ok_or(ActionError::NoAction(m))?;
            result.taken = self.board.taken_move(m);
            result.capture = result.taken.and_then(|m| self.board.capture_square(m));
        }
        let before = self.board.clone();
        self.board.push(result.taken);
        self.plies = self.plies.saturating_add(1);
        self.history
            .add_move(self.turn, result, before, self.board.clone());
        self.last_capture = result.capture;
        self.phase = Phase::End;
        Ok(result)
    }

    /// Hands the turn over. A strict game ends here if it is over.
    ///
    /// # Errors
    /// When the clocks have not been started, and in a strict game before the move.
    pub fn end_turn(&mut self) -> Result<(), ActionError> {
        self.end_turn_with(self.seconds_left())
    }

    /// Hands the turn over with the seconds that the player had left: a game that is replayed must not depend
    /// on the time that this takes.
    pub(crate) fn end_turn_with(&mut self, left: f64) -> Result<(), ActionError> {
        self.check_running()?;
        self.check_phase(Phase::End)?;
        if !self.clock.has_started() {
            return Err(ActionError::NotStarted);
        }
        self.clock.switch(self.turn, left);
        self.turn = !self.turn;
        self.phase = Phase::Sense;
        if self.phases == Phases::Strict && self.has_ended() {
            self.finish();
        }
        Ok(())
    }

    /// The player to move resigns.
    ///
    /// # Errors
    /// When a strict game is over.
    pub fn resign(&mut self) -> Result<(), ActionError> {
        self.resign_as(self.turn)
    }

    /// A player resigns, in or out of turn.
    ///
    /// # Errors
    /// When a strict game is over.
    pub fn resign_as(&mut self, color: Color) -> Result<(), ActionError> {
        let is_strict = self.phases == Phases::Strict;
        if is_strict && self.is_finished {
            return Err(ActionError::Over);
        }
        self.resigned = Some(color);
        if is_strict {
            self.finish();
        }
        Ok(())
    }

    /// Whether the game is over, as things stand: it has been ended, a clock has run out, a king
    /// is gone, a player has resigned or a limit is reached.
    pub fn is_over(&self) -> bool {
        self.has_ended() || self.seconds_left() <= 0.0
    }

    /// Whether the game is over when a turn begins, before the clock of its player has run.
    pub(super) fn has_ended(&self) -> bool {
        self.is_finished
            || self.resigned.is_some()
            || self.board_reason().is_some()
            || self.timed_out().is_some()
    }

    /// Whether the player to move could not save the game by ending the turn now: then not even
    /// the increment gives time.
    pub fn is_out_of_time(&self) -> bool {
        self.seconds_left() + self.limits.seconds_increment <= 0.0
    }

    /// Ends the game and writes the result into the history. Nothing changes if it has ended.
    pub fn finish(&mut self) {
        if !self.is_finished {
            self.clock.stop(self.turn);
            self.is_finished = true;
            self.history.set_results(self.winner(), self.win_reason());
        }
    }

    /// Forgets the turns of a history that is kept elsewhere.
    pub(crate) fn forget_turns(&mut self) {
        self.history.forget_turns();
    }

    /// Whether the game has been ended.
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// The winner, once the game is over; `None` in a draw.
    pub fn winner(&self) -> Option<Color> {
        if !self.is_over() {
            return None;
        }
        let loser = self
            .resigned
            .or_else(|| self.timed_out())
            .or_else(|| self.kingless());
        loser.map(|color| !color)
    }

    /// Why the game ended, once it is over; `None` if it was ended without a reason.
    pub fn win_reason(&self) -> Option<WinReason> {
        if !self.is_over() {
            None
        } else if self.resigned.is_some() {
            Some(WinReason::Resign)
        } else if self.timed_out().is_some() {
            Some(WinReason::Timeout)
        } else {
            self.board_reason()
        }
    }

    /// The side whose clock had run out when its last turn ended.
    fn timed_out(&self) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.clock.stored(color) <= 0.0)
    }

    fn board_reason(&self) -> Option<WinReason> {
        let reached = |limit: Option<u32>, count: u32| limit.is_some_and(|limit| count >= limit);
        if self.kingless().is_some() {
            Some(WinReason::KingCapture)
        } else if reached(self.limits.full_turns, self.plies / 2) {
            Some(WinReason::TurnLimit)
        } else if reached(self.limits.reversible_moves, self.board.halfmoves()) {
            Some(WinReason::MoveLimit)
        } else {
            None
        }
    }

    /// Whether a king was captured.
    pub fn is_king_captured(&self) -> bool {
        self.kingless().is_some()
    }

    /// The side whose king was captured.
    fn kingless(&self) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.board.pieces().king(color).is_none())
    }

    /// The history so far. Players may see it when the game is over.
    pub fn history(&self) -> &GameHistory {
        &self.history
    }
}
