//! Players, and games between two of them.

use crate::actions::SenseResult;
use crate::board::Board;
use crate::game::{ActionError, Game};
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use common::error::{Error, Result};
use common::random::Random;
use crossbeam_channel::Receiver;
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

    /// The closing of this channel ends every wait for another program, such as an engine. Of no use to
    /// a player who waits for none.
    fn set_interrupt(&mut self, _: Receiver<()>) {}

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
pub struct PlayerFault {
    /// Whose fault it is.
    pub color: Color,
    /// What happened.
    pub error: Error,
}

/// Plays a game from its present position to its end, or until it is stopped. Who fails resigns, or
/// has lost on time if the clock has run out, and is asked for nothing more; the other is told of the
/// end as of any.
///
/// # Errors
/// When a player failed; the game is over all the same.
pub fn play_game(
    game: &mut Game,
    names: ByColor<&str>,
    players: ByColor<&mut dyn Player>,
    stop: &AtomicBool,
) -> std::result::Result<(), PlayerFault> {
    let ByColor([white, black]) = players;
    let mut players = [(Color::White, white), (Color::Black, black)];
    let mut started = 0;
    let played = start_game(game, names, &mut players, &mut started)
        .and_then(|()| play(game, &mut players, stop));
    if let Err(fault) = &played
        && !game.is_finished()
        && game.seconds_left() > 0.0
    {
        // A game that is over for another reason keeps it.
        let _ = game.resign_as(fault.color);
    }
    game.finish();
    let faulty = played.as_ref().err().map(|fault| fault.color);
    let healthy = players.iter_mut().take(started);
    let told = tell_end(game, healthy.filter(|(color, _)| Some(*color) != faulty));
    played.and(told)
}

/// The players in the order in which they are told of the start and the end.
type Seats<'a> = [(Color, &'a mut dyn Player); 2];

fn blame(color: Color) -> impl FnOnce(Error) -> PlayerFault {
    move |error| PlayerFault { color, error }
}

/// Starts the game, and counts the players for whom it has started.
fn start_game(
    game: &mut Game,
    names: ByColor<&str>,
    players: &mut Seats,
    started: &mut usize,
) -> std::result::Result<(), PlayerFault> {
    game.set_names(Some(names[Color::White]), Some(names[Color::Black]));
    for (color, player) in players {
        let start = player.game_start(*color, game.board(), names[!*color]);
        start.map_err(blame(*color))?;
        *started += 1;
    }
    game.start();
    Ok(())
}

fn play(
    game: &mut Game,
    players: &mut Seats,
    stop: &AtomicBool,
) -> std::result::Result<(), PlayerFault> {
    let [(_, white), (_, black)] = players;
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
    Ok(())
}

/// Tells all of these players of the end, even if one of them fails; the first fault counts.
fn tell_end<'a, 'p: 'a>(
    game: &Game,
    players: impl Iterator<Item = &'a mut (Color, &'p mut dyn Player)>,
) -> std::result::Result<(), PlayerFault> {
    let (winner, reason) = (game.winner(), game.win_reason());
    let mut told = Ok(());
    for (color, player) in players {
        let end = player.game_end(winner, reason, game.history());
        told = told.and(end.map_err(blame(*color)));
    }
    told
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Limits, Phases};

    /// A player that passes, fails in one of its methods, and remembers how its games began and ended.
    #[derive(Default)]
    struct Passer {
        fails_in: &'static str,
        told: Vec<String>,
    }

    impl Passer {
        fn try_to(&self, method: &str) -> Result {
            if method == self.fails_in {
                return Err(Error::Message("alas".to_owned()));
            }
            Ok(())
        }
    }

    impl Player for Passer {
        fn game_start(&mut self, _: Color, _: &Board, _: &str) -> Result {
            self.told.push("start".to_owned());
            self.try_to("start")
        }
        fn opponent_move_result(&mut self, _: Option<Square>) -> Result {
            Ok(())
        }
        fn choose_sense(&mut self, _: &[UciMove], _: f64) -> Result<Option<Square>> {
            Ok(None)
        }
        fn sense_result(&mut self, _: &SenseResult) -> Result {
            Ok(())
        }
        fn choose_move(&mut self, _: &[UciMove], _: f64) -> Result<Option<UciMove>> {
            self.try_to("move").map(|()| None)
        }
        fn move_result(&mut self, _: MoveResult) -> Result {
            Ok(())
        }
        fn game_end(
            &mut self,
            winner: Option<Color>,
            reason: Option<WinReason>,
            _: &GameHistory,
        ) -> Result {
            self.told.push(format!("{winner:?} {reason:?}"));
            self.try_to("end")
        }
    }

    /// What each player is told in a game of a few turns, in which one may fail somewhere.
    fn told(faulty: Color, fails_in: &'static str) -> ([Vec<String>; 2], Option<Color>) {
        let [mut white, mut black] = Color::ALL.map(|color| Passer {
            fails_in: if color == faulty { fails_in } else { "" },
            told: Vec::new(),
        });
        let limits = Limits {
            full_turns: Some(2),
            ..Limits::default()
        };
        let mut game = Game::new(Board::start(), limits, Phases::Strict);
        let played = play_game(
            &mut game,
            ByColor(["a", "b"]),
            ByColor([&mut white, &mut black]),
            &AtomicBool::new(false),
        );
        assert!(game.is_finished());
        (
            [white.told, black.told],
            played.err().map(|fault| fault.color),
        )
    }

    #[test]
    fn who_is_without_fault_is_told_of_the_end() {
        let drawn = ["start", "None Some(TurnLimit)"];
        assert_eq!(told(Color::White, "nothing"), ([drawn; 2].map(texts), None));
        for faulty in Color::ALL {
            let winner = format!("Some({:?}) Some(Resign)", !faulty);
            let (told_both, fault) = told(faulty, "move");
            let mut expected = [texts(["start"]), texts(["start"])];
            expected[usize::from(faulty.is_white())].push(winner);
            assert_eq!((told_both, fault), (expected, Some(faulty)));
            // Both are told, even if the first cannot bear it.
            assert_eq!(told(faulty, "end"), ([drawn; 2].map(texts), Some(faulty)));
        }
        // For Black the game has not begun when White cannot start.
        let (told_both, _) = told(Color::White, "start");
        assert_eq!(told_both, [texts(["start"]), texts([])]);
        let (told_both, _) = told(Color::Black, "start");
        assert_eq!(told_both[0], ["start", "Some(White) Some(Resign)"]);
        assert_eq!(told_both[1], ["start"]);
    }

    fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
        texts.map(str::to_owned).to_vec()
    }
}
