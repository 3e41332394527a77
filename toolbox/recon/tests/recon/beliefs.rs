//! The bot's set of boards in recorded games: the true board is in it as long as the set is whole.
//! `$RECON_CAP` is how large the set may get (default 2,000, some seconds).

use crate::data;
use common::random::Random;
use engine_core::Color;
use recon::bots::Beliefs;
use recon::{Board, GameHistory};

pub(crate) fn the_true_board_is_never_lost() {
    let cap = std::env::var("RECON_CAP").map_or(2000, |text| text.parse().unwrap());
    let mut turns = 0;
    for (entry, text) in data::histories() {
        let history = GameHistory::from_json(&text).unwrap();
        for color in Color::ALL {
            let mut beliefs = Beliefs::new(color, &Board::start(), cap, Random::new(1, 1));
            for turn in history.turns_of(color) {
                let capture = history
                    .turn_before(turn)
                    .and_then(|turn| history.capture_square(turn));
                beliefs.opponent_moved(capture);
                let before = history.truth_board_before_move(turn).unwrap().unwrap();
                assert!(beliefs.contains(&before), "{}, {turn}", entry.file);
                beliefs.sensed(history.sense_result(turn).unwrap());
                if !beliefs.is_complete() {
                    break;
                }
                assert!(beliefs.contains(&before), "{}, {turn}", entry.file);
                beliefs.moved(history.move_result(turn).unwrap());
                let after = history.truth_board_after_move(turn).unwrap().unwrap();
                assert!(
                    beliefs.contains(&after.with_turn(!color)),
                    "{}, {turn}",
                    entry.file
                );
                turns += 1;
            }
        }
    }
    println!("{turns} turns");
}
