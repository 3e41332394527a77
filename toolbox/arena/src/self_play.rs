//! Pairs of games of an engine against itself with other options.

use crate::tournament::{Plan, PlayedGame, Player, play};
use common::error::Result;
use common::parallel::Interrupt;
use engine_core::Color;

/// How a stopped run with a file of its state goes on.
pub(crate) const RESUMES: &str = "the same command resumes the run";

/// Both sides of a pair; the engine is the same.
pub(crate) fn players(plan: &Plan, interrupt: &Interrupt) -> Result<[Player; 2]> {
    let entrant = plan
        .entrants
        .first()
        .ok_or_else(|| "no engine".to_owned())?;
    let player = || Player::new(entrant.clone(), interrupt.channel().clone());
    Ok([player(), player()])
}

/// The half points of the first player in two games from one opening with colours reversed.
pub(crate) fn play_pair(players: &mut [Player; 2], plan: &Plan, pair: u64) -> Result<[u8; 2]> {
    let [one, two] = players;
    let opening = plan.opening(pair)?;
    let first = play(one, two, &opening, &plan.policy)?;
    let second = play(two, one, &opening, &plan.policy)?;
    let half_points = |game: &PlayedGame, color| game.ending.half_points(color);
    Ok([
        half_points(&first, Color::White),
        half_points(&second, Color::Black),
    ])
}
