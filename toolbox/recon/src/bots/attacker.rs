//! A bot that attacks the king by the shortest way, whatever it senses.

use crate::actions::SenseResult;
use crate::board::Board;
use crate::history::GameHistory;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use crate::player::Player;
use common::error::Result;
use common::random::Random;
use engine_core::{Color, Square};

/// Plays one of four prepared attacks on the square where the king stood, then passes.
#[derive(Clone, Debug)]
pub struct AttackerBot {
    random: Random,
    plan: std::vec::IntoIter<UciMove>,
}

/// The attacks, from White's side: by each of the knights, and the scholar's mate to its end.
const ATTACKS: [&[(Square, Square)]; 4] = [
    &[
        (Square::B1, Square::C3),
        (Square::C3, Square::B5),
        (Square::B5, Square::D6),
        (Square::D6, Square::E8),
    ],
    &[
        (Square::B1, Square::C3),
        (Square::C3, Square::E4),
        (Square::E4, Square::F6),
        (Square::F6, Square::E8),
    ],
    &[
        (Square::G1, Square::H3),
        (Square::H3, Square::F4),
        (Square::F4, Square::H5),
        (Square::H5, Square::F6),
        (Square::F6, Square::E8),
    ],
    &[
        (Square::E2, Square::E4),
        (Square::F1, Square::C4),
        (Square::D1, Square::H5),
        (Square::C4, Square::F7),
        (Square::F7, Square::E8),
        (Square::H5, Square::E8),
    ],
];

impl AttackerBot {
    /// The bot with this stream of random numbers.
    pub fn new(random: Random) -> AttackerBot {
        AttackerBot {
            random,
            plan: Vec::new().into_iter(),
        }
    }
}

impl Player for AttackerBot {
    fn seed(&mut self, random: Random) {
        self.random = random;
    }

    fn game_start(&mut self, color: Color, _: &Board, _: &str) -> Result {
        let attack = ATTACKS
            .get(self.random.below(ATTACKS.len()))
            .copied()
            .unwrap_or_default();
        let step =
            |&(from, to): &(Square, Square)| UciMove::new(from.relative(color), to.relative(color));
        self.plan = attack.iter().map(step).collect::<Vec<_>>().into_iter();
        Ok(())
    }

    fn opponent_move_result(&mut self, _: Option<Square>) -> Result {
        Ok(())
    }

    fn choose_sense(&mut self, _: &[UciMove], _: f64) -> Result<Option<Square>> {
        Ok(Square::from_index(self.random.below(64)))
    }

    fn sense_result(&mut self, _: &SenseResult) -> Result {
        Ok(())
    }

    /// The next step that is a move action; passes when the plan has failed.
    fn choose_move(&mut self, moves: &[UciMove], _: f64) -> Result<Option<UciMove>> {
        Ok(self.plan.find(|m| moves.contains(m)))
    }

    fn move_result(&mut self, _: MoveResult) -> Result {
        Ok(())
    }

    fn game_end(&mut self, _: Option<Color>, _: Option<WinReason>, _: &GameHistory) -> Result {
        Ok(())
    }
}
