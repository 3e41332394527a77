//! A bot that senses and moves at random.

use crate::actions::SenseResult;
use crate::board::Board;
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use crate::player::Player;
use common::error::Result;
use common::random::Random;
use engine_core::{Color, Square};

/// A player without any plan.
#[derive(Clone, Debug)]
pub struct RandomBot(Random);

impl RandomBot {
    /// The bot with this stream of random numbers.
    pub fn new(random: Random) -> RandomBot {
        RandomBot(random)
    }
}

impl Player for RandomBot {
    fn seed(&mut self, random: Random) {
        self.0 = random;
    }

    fn game_start(&mut self, _: Color, _: &Board, _: &str) -> Result {
        Ok(())
    }

    fn opponent_move_result(&mut self, _: Option<Square>) -> Result {
        Ok(())
    }

    fn choose_sense(&mut self, _: &[UciMove], _: f64) -> Result<Option<Square>> {
        Ok(Square::from_index(self.0.below(64)))
    }

    fn sense_result(&mut self, _: &SenseResult) -> Result {
        Ok(())
    }

    /// Each move is as likely as passing.
    fn choose_move(&mut self, moves: &[UciMove], _: f64) -> Result<Option<UciMove>> {
        Ok(moves.get(self.0.below(moves.len() + 1)).copied())
    }

    fn move_result(&mut self, _: MoveResult) -> Result {
        Ok(())
    }

    fn game_end(&mut self, _: Option<Color>, _: Option<WinReason>, _: &GameHistory) -> Result {
        Ok(())
    }
}
