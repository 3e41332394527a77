//! A bot that tracks every board that the true one can be.
//!
//! It senses where what it will see should improve its move most and leave the fewest boards, and
//! makes the move that is best on the average of a sample of the boards, by search. It does not
//! leave its king where more than a small share of the boards lets it be captured.

mod beliefs;
mod choose;
mod evaluate;
mod options;
mod packed;
mod recovery;
mod sense;

use crate::actions::SenseResult;
use crate::board::Board;
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use crate::player::Player;
pub use beliefs::Beliefs;
use choose::{Budget, Chooser};
use common::error::Result;
use common::random::Random;
use common::threads;
use engine_core::{Color, Square};
pub use options::MolaOptions;
use options::affordable;
use std::time::{Duration, Instant};

/// The strongest bot of Mola.
pub struct MolaBot {
    options: MolaOptions,
    random: Random,
    chooser: Chooser,
    beliefs: Beliefs,
}

impl MolaBot {
    /// The bot with this stream of random numbers.
    ///
    /// # Errors
    /// When there is no memory for its searches, or the system allows no threads.
    pub fn new(random: Random, options: MolaOptions) -> Result<MolaBot> {
        threads::start_pool()?;
        Ok(MolaBot {
            chooser: Chooser::new(options.threads)?,
            beliefs: Beliefs::new(Color::White, &Board::start(), options.cap, random.clone()),
            options,
            random,
        })
    }

    /// Tracks fewer boards from now on if little time is left.
    fn track_within(&mut self, seconds_left: f64) {
        self.beliefs
            .set_cap(affordable(self.options.cap, seconds_left));
    }

    /// How long the choice of a move may take.
    fn budget(&self, seconds_left: f64) -> Budget {
        /// A game rarely takes more turns than this from any of its positions.
        const TURNS: f64 = 40.0;
        let time = self.options.time.as_secs_f64();
        let allowed = (seconds_left / TURNS).max(0.0);
        Budget {
            deadline: Instant::now() + Duration::from_secs_f64(time.min(allowed)),
            is_short: allowed < time,
        }
    }
}

impl Player for MolaBot {
    fn seed(&mut self, random: Random) {
        self.random = random;
    }

    fn game_start(&mut self, color: Color, board: &Board, _: &str) -> Result {
        let random = Random::new(self.random.draw(), 0);
        self.beliefs = Beliefs::new(color, board, self.options.cap, random);
        self.chooser.clear();
        Ok(())
    }

    fn opponent_move_result(&mut self, capture: Option<Square>) -> Result {
        self.beliefs.opponent_moved(capture);
        Ok(())
    }

    fn choose_sense(&mut self, moves: &[UciMove], seconds_left: f64) -> Result<Option<Square>> {
        self.track_within(seconds_left);
        Ok(sense::choose(&mut self.beliefs, moves, seconds_left))
    }

    fn sense_result(&mut self, result: &SenseResult) -> Result {
        self.beliefs.sensed(result);
        Ok(())
    }

    fn choose_move(&mut self, moves: &[UciMove], seconds_left: f64) -> Result<Option<UciMove>> {
        self.track_within(seconds_left);
        let budget = self.budget(seconds_left);
        Ok(self.chooser.choose(&mut self.beliefs, moves, budget))
    }

    fn move_result(&mut self, result: MoveResult) -> Result {
        self.beliefs.moved(result);
        Ok(())
    }

    fn game_end(&mut self, _: Option<Color>, _: Option<WinReason>, _: &GameHistory) -> Result {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many boards the bot tracks after a few turns without seeing anything.
    fn tracked(seconds_left: f64) -> usize {
        let options = MolaOptions {
            time: Duration::from_millis(1),
            ..MolaOptions::default()
        };
        let mut bot = MolaBot::new(Random::new(1, 0), options).unwrap();
        bot.game_start(Color::Black, &Board::start(), "").unwrap();
        for _ in 0..3 {
            bot.opponent_move_result(None).unwrap();
            bot.choose_sense(&[], seconds_left).unwrap();
            bot.sense_result(&SenseResult::default()).unwrap();
            bot.choose_move(&[], seconds_left).unwrap();
            bot.move_result(MoveResult::default()).unwrap();
        }
        bot.beliefs.boards().len()
    }

    #[test]
    fn a_short_clock_means_less_work() {
        let (ample, short) = (tracked(f64::INFINITY), tracked(0.1));
        assert!(ample > 1000, "{ample}");
        assert!(
            short <= affordable(MolaOptions::default().cap, 0.1),
            "{short}"
        );
        assert!(short < ample / 2, "{short} of {ample}");
    }
}
