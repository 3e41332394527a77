//! What a move is worth on a board that is known.

use crate::error::Result;
use crate::recon::{Board, UciMove};
use engine_core::search::{Limits, Root, Score, SearchOptions, Searcher};
use engine_core::{AnyPosition, CastlingMode, Position, Role};

/// The table of the search, in MB.
const HASH: usize = 4;
/// The value of a position that chess counts as won by force. The opponent may not see it.
const MATE: f64 = 0.97;
/// Centipawns that make a game rather likely to be won.
const SCALE: f64 = 500.0;

/// What is plain after a move, without any search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It has captured the king.
    Won,
    /// The opponent can capture the king.
    Exposed,
    /// The game goes on.
    Open,
}

/// The board after a request, and its fate.
pub(super) fn outcome(board: &Board, request: Option<UciMove>) -> (Board, Fate) {
    let us = board.turn();
    let mut after = board.clone();
    after.push(request.and_then(|m| board.taken_move(m)));
    let fate = if after.pieces().king(!us).is_none() {
        Fate::Won
    } else if after.is_attacked(us) {
        Fate::Exposed
    } else {
        Fate::Open
    };
    (after, fate)
}

/// Centipawns of the roles, for a quick estimate.
const MATERIAL: [i32; 6] = [100, 300, 320, 500, 900, 0];

/// The value of a board of fate [`Fate::Open`] for the player who has just moved, from -1 to 1, by
/// material less what the opponent can win by one capture.
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
    (f64::from(balance - loss) / SCALE).tanh() * MATE
}

/// Searches boards.
pub(super) struct Judge {
    searcher: Searcher,
}

impl Judge {
    pub(super) fn new() -> Result<Judge> {
        Ok(Judge {
            searcher: Searcher::new(HASH)?,
        })
    }

    /// Forgets everything learned.
    pub(super) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// The value of a board of fate [`Fate::Open`] for the player who has just moved, from -1 to
    /// 1, by a search of about this many nodes.
    pub(super) fn value(&mut self, board: &Board, nodes: u64) -> f64 {
        let position = Position::from_setup_unchecked(board.setup(), CastlingMode::Standard);
        let root = Root {
            position: AnyPosition::Standard(position),
            history: Vec::new(),
        };
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes * 4),
            depth: Some(32),
            ..Limits::default()
        };
        let (best, _) = self.searcher.search(root, limits, SearchOptions::default());
        -squash(best.score)
    }
}

/// A score as a value from -1 to 1.
fn squash(score: Score) -> f64 {
    if score > Score::MATE_BOUND {
        MATE
    } else if score < -Score::MATE_BOUND {
        -MATE
    } else {
        (f64::from(score.0) / SCALE).tanh() * MATE
    }
}
