//! The record of a game: senses, requests and their results, and the true boards.

mod json;
mod recorded_board;
mod sides;
mod turn;

use crate::actions::SenseResult;
use crate::board::{Board, BoardError};
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use crate::wire;
use engine_core::{Color, Square};
pub use json::HistoryError;
use recorded_board::RecordedBoard;
use serde::{Deserialize, Serialize};
use sides::Sides;
use std::borrow::Cow;
pub use turn::Turn;

/// The record of a game, with the queries of reconchess's `GameHistory`. As JSON it is equal to
/// reconchess's byte for byte.
///
/// Queries by turn give `None` for a turn that did not come so far.
///
/// ```
/// use engine_core::Color;
/// use recon::{Board, Game, GameHistory, Limits, Phases};
///
/// let mut game = Game::new(Board::start(), Limits::default(), Phases::Strict);
/// game.start();
/// game.sense(None)?;
/// game.make_move("e2e4".parse().ok())?;
/// game.end_turn()?;
/// game.resign()?;
/// let history = game.history();
/// let moves: Vec<_> = history.collect(GameHistory::taken_move, history.turns()).collect();
/// assert_eq!(moves[0].map(|m| m.to_string()).as_deref(), Some("e2e4"));
/// assert_eq!(history.winner(), Some(Color::White));
/// # Ok::<(), recon::ActionError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "type")]
pub struct GameHistory {
    white_name: Option<String>,
    black_name: Option<String>,
    #[serde(with = "sides::senses")]
    senses: Sides<Option<Square>>,
    #[serde(with = "sides::sense_results")]
    sense_results: Sides<SenseResult>,
    requested_moves: Sides<Option<UciMove>>,
    taken_moves: Sides<Option<UciMove>>,
    #[serde(with = "sides::senses")]
    capture_squares: Sides<Option<Square>>,
    fens_before_move: Sides<RecordedBoard>,
    fens_after_move: Sides<RecordedBoard>,
    #[serde(with = "wire::optional_color")]
    winner_color: Option<Color>,
    win_reason: Option<WinReason>,
}

impl GameHistory {
    /// Sets the names of the players.
    pub fn set_names(&mut self, white: Option<&str>, black: Option<&str>) {
        self.white_name = white.map(str::to_owned);
        self.black_name = black.map(str::to_owned);
    }

    /// Adds a sense of a player.
    pub fn add_sense(&mut self, color: Color, square: Option<Square>, result: SenseResult) {
        self.senses.push(color, square);
        self.sense_results.push(color, result);
    }

    /// What the last sense of a player showed.
    pub fn last_sense_result(&self, color: Color) -> Option<&SenseResult> {
        self.sense_results.of(color).last()
    }

    /// Adds a move of a player, with the true boards before and after it.
    pub fn add_move(&mut self, color: Color, result: MoveResult, before: Board, after: Board) {
        self.requested_moves.push(color, result.requested);
        self.taken_moves.push(color, result.taken);
        self.capture_squares.push(color, result.capture);
        self.fens_before_move
            .push(color, RecordedBoard::Board(before));
        self.fens_after_move
            .push(color, RecordedBoard::Board(after));
    }

    /// Sets how the game ended.
    pub fn set_results(&mut self, winner: Option<Color>, reason: Option<WinReason>) {
        self.winner_color = winner;
        self.win_reason = reason;
    }

    /// Forgets the turns; names and results stay.
    pub(crate) fn forget_turns(&mut self) {
        *self = GameHistory {
            white_name: self.white_name.take(),
            black_name: self.black_name.take(),
            winner_color: self.winner_color,
            win_reason: self.win_reason,
            ..GameHistory::default()
        };
    }

    /// The name of White.
    pub fn white_name(&self) -> Option<&str> {
        self.white_name.as_deref()
    }

    /// The name of Black.
    pub fn black_name(&self) -> Option<&str> {
        self.black_name.as_deref()
    }

    /// The name of a side.
    pub fn name(&self, color: Color) -> Option<&str> {
        match color {
            Color::White => self.white_name(),
            Color::Black => self.black_name(),
        }
    }

    /// The winner; `None` in a draw or a game that was not finished.
    pub fn winner(&self) -> Option<Color> {
        self.winner_color
    }

    /// Why the game ended; `None` if it was not finished.
    pub fn win_reason(&self) -> Option<WinReason> {
        self.win_reason
    }

    /// Whether the player who begins has not sensed once.
    pub fn is_empty(&self) -> bool {
        self.senses.of(self.beginner()).is_empty()
    }

    /// Who has the first turn: Black in a game from a position in which it is Black's move. Files
    /// do not say so, but the boards have the numbers of their moves.
    fn beginner(&self) -> Color {
        let first = |&color: &Color| {
            let turn = Turn { color, number: 0 };
            match self.truth_board_before_move(turn) {
                Ok(Some(board)) => (board.fullmoves(), false),
                _ => (u32::MAX, self.senses.of(color).is_empty()),
            }
        };
        // White, if nothing speaks for Black.
        let beginner = Color::ALL.into_iter().min_by_key(first);
        beginner.unwrap_or(Color::White)
    }

    /// How many turns were begun.
    pub fn num_turns(&self) -> usize {
        self.num_turns_from(self.beginner())
    }

    fn num_turns_from(&self, beginner: Color) -> usize {
        let turns = |color| self.senses.of(color).len();
        match (turns(beginner), turns(!beginner)) {
            (0, _) => 0,
            (first, second) if first > second => 2 * first - 1,
            (_, second) => 2 * second,
        }
    }

    /// All turns in order. For some of them, [`Turn::number`] can be compared: `turns` 1 to 2 are
    /// `turns().filter(|turn| (1..3).contains(&turn.number))`.
    pub fn turns(&self) -> impl Iterator<Item = Turn> + use<> {
        let beginner = self.beginner();
        let numbers = 0..self.num_turns_from(beginner);
        numbers.map(move |number| Turn::nth(number, beginner))
    }

    /// The turns of a player.
    pub fn turns_of(&self, color: Color) -> impl Iterator<Item = Turn> + use<> {
        self.turns().filter(move |turn| turn.color == color)
    }

    /// The first turn of the game.
    pub fn first_turn(&self) -> Option<Turn> {
        self.turns().next()
    }

    /// The last turn of the game.
    pub fn last_turn(&self) -> Option<Turn> {
        let beginner = self.beginner();
        let last = self.num_turns_from(beginner).checked_sub(1)?;
        Some(Turn::nth(last, beginner))
    }

    /// The last turn of a player.
    pub fn last_turn_of(&self, color: Color) -> Option<Turn> {
        let number = self.senses.of(color).len().checked_sub(1)?;
        Some(Turn { color, number })
    }

    /// The opponent's turn before another; none before the first of the game.
    pub fn turn_before(&self, turn: Turn) -> Option<Turn> {
        let back = usize::from(turn.color == self.beginner());
        Some(Turn {
            color: !turn.color,
            number: turn.number.checked_sub(back)?,
        })
    }

    /// Whether a turn is the first of the game.
    pub fn is_first_turn(&self, turn: Turn) -> bool {
        Some(turn) == self.first_turn()
    }

    /// Whether a turn is the last of the game.
    pub fn is_last_turn(&self, turn: Turn) -> bool {
        Some(turn) == self.last_turn()
    }

    /// Whether the player sensed in a turn; not if the time was up before.
    pub fn has_sense(&self, turn: Turn) -> bool {
        self.senses.at(turn).is_some()
    }

    /// Where the player sensed in a turn; `Some(None)` is nowhere.
    pub fn sense(&self, turn: Turn) -> Option<Option<Square>> {
        self.senses.at(turn).copied()
    }

    /// What the sense of a turn showed.
    pub fn sense_result(&self, turn: Turn) -> Option<&SenseResult> {
        self.sense_results.at(turn)
    }

    /// Whether the player moved in a turn; not if the time was up before.
    pub fn has_move(&self, turn: Turn) -> bool {
        self.requested_moves.at(turn).is_some()
    }

    /// What the player asked for; `None` for a pass, too.
    pub fn requested_move(&self, turn: Turn) -> Option<UciMove> {
        self.requested_moves.at(turn).copied().flatten()
    }

    /// What was done; `None` if nothing was.
    pub fn taken_move(&self, turn: Turn) -> Option<UciMove> {
        self.taken_moves.at(turn).copied().flatten()
    }

    /// Where a piece was captured.
    pub fn capture_square(&self, turn: Turn) -> Option<Square> {
        self.capture_squares.at(turn).copied().flatten()
    }

    /// Request, result and capture together.
    pub fn move_result(&self, turn: Turn) -> Option<MoveResult> {
        self.has_move(turn).then(|| MoveResult {
            requested: self.requested_move(turn),
            taken: self.taken_move(turn),
            capture: self.capture_square(turn),
        })
    }

    /// The FEN of the true board before the move of a turn.
    pub fn truth_fen_before_move(&self, turn: Turn) -> Option<Cow<'_, str>> {
        self.fens_before_move.at(turn).map(RecordedBoard::fen)
    }

    /// The FEN of the true board after the move of a turn.
    pub fn truth_fen_after_move(&self, turn: Turn) -> Option<Cow<'_, str>> {
        self.fens_after_move.at(turn).map(RecordedBoard::fen)
    }

    /// The true board before the move of a turn, its player to move.
    ///
    /// # Errors
    /// When the history has something there that is no FEN.
    pub fn truth_board_before_move(&self, turn: Turn) -> Result<Option<Board>, BoardError> {
        board_of(self.fens_before_move.at(turn), turn)
    }

    /// The true board after the move of a turn, said to be its player's move once more.
    ///
    /// # Errors
    /// When the history has something there that is no FEN.
    pub fn truth_board_after_move(&self, turn: Turn) -> Result<Option<Board>, BoardError> {
        board_of(self.fens_after_move.at(turn), turn)
    }

    /// One of the queries above for many turns.
    pub fn collect<'a, T>(
        &'a self,
        query: impl Fn(&'a GameHistory, Turn) -> T,
        turns: impl IntoIterator<Item = Turn>,
    ) -> impl Iterator<Item = T> {
        turns.into_iter().map(move |turn| query(self, turn))
    }
}

fn board_of(recorded: Option<&RecordedBoard>, turn: Turn) -> Result<Option<Board>, BoardError> {
    let board = recorded.map(|recorded| recorded.board(turn.color));
    board.transpose()
}

#[cfg(test)]
mod tests;
