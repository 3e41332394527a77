//! What bounds a game, as options.

use crate::game::Limits;
use common::arguments::real;

/// The limits of a game.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct LimitArgs {
    /// Seconds for all turns of a player; 0 is no limit
    #[arg(long, alias = "seconds_per_player", value_name = "SECONDS", default_value = "900", value_parser = seconds)]
    seconds_per_player: f64,
    /// Seconds that each turn adds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    seconds_increment: f64,
    /// Draw after this many turns without capture or pawn move; 0 is no limit
    #[arg(long, value_name = "TURNS", default_value = "100")]
    reversible_moves_limit: u32,
    /// Draw after this many turns of each player; 0 is no limit
    #[arg(long, value_name = "TURNS", default_value = "0")]
    full_turn_limit: u32,
}

impl LimitArgs {
    /// The limits.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            seconds_per_player: Some(self.seconds_per_player).filter(|&seconds| seconds > 0.0),
            seconds_increment: self.seconds_increment,
            reversible_moves: Some(self.reversible_moves_limit).filter(|&turns| turns > 0),
            full_turns: Some(self.full_turn_limit).filter(|&turns| turns > 0),
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    real(text, 0.0..=1e9)
}
