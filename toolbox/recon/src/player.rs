//! Players, and games between two of them.

use crate::actions::SenseResult;
use crate::board::Board;
use crate::game::{ActionError, Game};
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use common::error::{Error, Result};
use common::random::Random;
use engine_core::{ByColor, Color, Square};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A player. Its methods are called in this order; those between the start and the end of the game
/// once for each of the player's turns.
///
/// An error ends the game: the player could not continue.
pub trait Player: Send {
    /// Random numbers for the next game, so that it does not depend on the games before. Of no use
    /// to a player who draws none.
    fn seed(&mut self, _: Random) {}

    /// A game begins.
    ///
    /// # Errors
    /// When the player cannot play.
    fn game_start(&mut self, color: Color, board: &Board, opponent: &str) -> Result;

    /// The opponent has moved, and has captured here if anywhere.
    ///
    /// # Errors
    /// When the player cannot continue.
    fn opponent_move_result(&mut self, capture: Option<Square>) -> Result;

    /// Where to sense; nowhere if `None`. The clock shows this many seconds.
    ///
    /// # Errors
    /// When the player cannot continue.
    fn choose_sense(&mut self, moves: &[UciMove], seconds_left: f64) -> Result<Option<Square>>;

    /// The result of the sense.
    ///
    /// # Errors
    /// When the player cannot continue.
    fn sense_result(&mut self, result: &SenseResult) -> Result;

    /// Which of the moves to ask for; `None` passes.
    ///
    /// # Errors
    /// When the player cannot continue.
    fn choose_move(&mut self, moves: &[UciMove], seconds_left: f64) -> Result<Option<UciMove>>;

    /// The result of the request.
    ///
    /// # Errors
    /// When the player cannot continue.
    fn move_result(&mut self, result: MoveResult) -> Result;

    /// The game is over.
    ///
    /// # Errors
    /// When the player is in trouble, which changes nothing for this game.
    fn game_end(
        &mut self,
        winner: Option<Color>,
        reason: Option<WinReason>,
        history: &GameHistory,
    ) -> Result;
}

/// A player that could not continue.
#[derive(Debug)]
pub struct Fault {
    /// Whose fault it is.
    pub color: Color,
    /// What happened.
    pub error: Error,
}

/// Plays a game from its present position to its end, or until it is stopped. Who fails resigns, or
/// has lost on time if the clock has run out.
///
/// # Errors
/// When a player failed; the game is over all the same.
pub fn play_game(
    game: &mut Game,
    names: ByColor<&str>,
    players: ByColor<&mut dyn Player>,
    stop: &AtomicBool,
) -> std::result::Result<(), Fault> {
    let ByColor(mut players) = players;
    let result = play(game, names, &mut players, stop);
    if let Err(fault) = &result
        && !game.is_finished()
    {
        // A game that is over for another reason keeps it.
        if game.seconds_left() > 0.0 {
            let _ = game.resign_as(fault.color);
        }
        game.finish();
    }
    result
}

fn play(
    game: &mut Game,
    names: ByColor<&str>,
    players: &mut [&mut dyn Player; 2],
    stop: &AtomicBool,
) -> std::result::Result<(), Fault> {
    let [white, black] = players;
    let blame = |color| move |error| Fault { color, error };
    game.set_names(Some(names[Color::White]), Some(names[Color::Black]));
    let board = game.board();
    let started = white.game_start(Color::White, board, names[Color::Black]);
    started.map_err(blame(Color::White))?;
    let started = black.game_start(Color::Black, board, names[Color::White]);
    started.map_err(blame(Color::Black))?;
    game.start();
    let mut moves = Vec::with_capacity(64);
    while !game.has_ended() && !stop.load(Relaxed) {
        let turn = game.turn();
        let player = if turn.is_white() {
            &mut *white
        } else {
            &mut *black
        };
        play_turn(game, &mut **player, &mut moves).map_err(blame(turn))?;
    }
    game.finish();
    let (winner, reason) = (game.winner(), game.win_reason());
    let history = game.history();
    white
        .game_end(winner, reason, history)
        .map_err(blame(Color::White))?;
    black
        .game_end(winner, reason, history)
        .map_err(blame(Color::Black))
}

/// Plays a turn. The list is for the move actions, and is used again for the next turn.
fn play_turn(game: &mut Game, player: &mut dyn Player, moves: &mut Vec<UciMove>) -> Result {
    let refused = |error: ActionError| error.to_string();
    game.board().list_actions(moves);
    player.opponent_move_result(game.opponent_move_results())?;
    let sense = player.choose_sense(moves, game.seconds_left())?;
    player.sense_result(game.sense(sense).map_err(refused)?)?;
    let requested = player.choose_move(moves, game.seconds_left())?;
    player.move_result(game.make_move(requested).map_err(refused)?)?;
    game.end_turn().map_err(refused)?;
    Ok(())
}
