//! The value of a move on a known board.

use crate::board::Board;
use crate::moves::UciMove;
use common::error::Result;
use engine_core::search::{Limits, Root, Score, ScoreKind, SearchOptions, Searcher};
use engine_core::{AnyPosition, CastlingMode, Position, Role};

/// The table of the search, in MB.
const HASH: usize = 4;
/// The cost of losing the king, where capturing the opponent's is worth 1. Boards on which it is
/// lost are likelier than their number says, as the opponent aims at them.
pub(super) const LOSS: f64 = 4.0;
/// The value of a forced mate. It is less than 1, as players do not know the board.
const MATE: f64 = 0.97;
/// What each move of a mate takes off its value, up to [`LONGEST_MATE`] of them, so that shorter
/// mates are preferred.
const MATE_DISTANCE_COST: f64 = 0.002;
/// See [`MATE_DISTANCE_COST`].
const LONGEST_MATE: i32 = 30;
/// The limit of the value of material, which is never reached.
const MATERIAL_LIMIT: f64 = 0.9;
/// The centipawns at which the value is half of [`MATERIAL_LIMIT`].
const SCALE: f64 = 400.0;

/// What a move does to the kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KingOutcome {
    /// It has captured the king.
    Won,
    /// The opponent can capture the king.
    Exposed,
    /// The game continues.
    Open,
}

/// The board after a request, and what it does to the kings.
pub(super) fn outcome(board: &Board, request: Option<UciMove>) -> (Board, KingOutcome) {
    let us = board.turn();
    let mut after = board.clone();
    after.push(request.and_then(|m| board.taken_move(m)));
    let outcome = if after.pieces().king(!us).is_none() {
        KingOutcome::Won
    } else if after.is_attacked(us) {
        KingOutcome::Exposed
    } else {
        KingOutcome::Open
    };
    (after, outcome)
}

/// Centipawns of the roles, for a quick estimate.
const MATERIAL: [i32; 6] = [100, 300, 320, 500, 900, 0];

/// The value of a board where the outcome is [`KingOutcome::Open`] for the player who has just moved,
/// from -1 to 1, by material less what the opponent can win by one capture.
pub(super) fn estimate(board: &Board) -> f64 {
    let pieces = board.pieces();
    let us = !board.turn();
    let worth = |role: Role| MATERIAL.get(role.index()).copied().unwrap_or_default();
    let occupied = pieces.occupied();
    let mut balance = 0;
    let mut loss = 0;
    for (square, piece) in pieces.iter() {
        if piece.color != us {
            balance -= worth(piece.role);
            continue;
        }
        balance += worth(piece.role);
        let attackers = pieces.attackers(square, !us, occupied);
        let least = Role::ALL
            .into_iter()
            .find(|&role| (attackers & pieces.role(role)).any());
        if let Some(attacker) = least {
            let is_guarded = pieces.attackers(square, us, occupied).any();
            let price = if is_guarded { worth(attacker) } else { 0 };
            loss = loss.max(worth(piece.role) - price);
        }
    }
    material(balance - loss)
}

/// Searches boards.
pub(super) struct BoardSearcher {
    searcher: Searcher,
}

impl BoardSearcher {
    pub(super) fn new() -> Result<BoardSearcher> {
        Ok(BoardSearcher {
            searcher: Searcher::new(HASH)?,
        })
    }

    /// Clears the table and histories of the search.
    pub(super) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// The value of a board where the outcome is [`KingOutcome::Open`] for the player who has just
    /// moved, from [`-LOSS`](LOSS) to 1, by a search of about this many nodes.
    pub(super) fn value(&mut self, board: &Board, nodes: u64) -> f64 {
        let position = Position::from_setup_unchecked(board.setup(), CastlingMode::Standard);
        let root = Root::from(AnyPosition::Standard(position));
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes * 4),
            depth: Some(32),
            ..Limits::default()
        };
        let (best, _) = self.searcher.search(root, limits, SearchOptions::default());
        squash(best.score)
    }
}

/// The value of a score of the opponent, from [`-LOSS`](LOSS) to 1.
fn squash(score: Score) -> f64 {
    match score.kind() {
        ScoreKind::Centipawns(centipawns) => material(-centipawns),
        ScoreKind::Mate(moves) => {
            let value = MATE - MATE_DISTANCE_COST * f64::from(moves.abs().min(LONGEST_MATE));
            if moves > 0 {
                // The nearer it is, the less can come between.
                -value - (LOSS - 1.0) / f64::from(moves)
            } else {
                value
            }
        }
    }
}

/// The value of an advantage in centipawns.
fn material(centipawns: i32) -> f64 {
    let ratio = f64::from(centipawns) / SCALE;
    MATERIAL_LIMIT * ratio / (1.0 + ratio.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_better() {
        let of_the_opponent = [
            Score::mate_in(1),
            Score::mate_in(3),
            Score::mate_in(99),
            Score(5000),
            Score(100),
            Score::DRAW,
            Score(-100),
            Score(-3000),
            Score(-5000),
            Score::mated_in(20),
            Score::mated_in(2),
            Score::mated_in(0),
        ];
        let values = of_the_opponent.map(squash);
        assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
        assert!(values.iter().all(|value| (-LOSS..1.0).contains(value)));
    }
}
