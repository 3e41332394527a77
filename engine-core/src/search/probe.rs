//! Endgame tables, as the search asks them. Whoever has tables implements [`Probe`].

use super::limits::SearchOptions;
use super::score::Score;
use crate::rules::Rules;
use crate::{AnyPosition, Move, Position, Variant};
use std::fmt::Debug;
use std::sync::Arc;

/// What endgame tables tell a search. Any number of threads ask at once.
pub trait Probe: Debug + Send + Sync {
    /// The most pieces of a position of this variant that a table may know; 0 for none.
    fn most_pieces(&self, variant: Variant) -> u32;

    /// The value of a position without castling rights whose last move was a capture or pawn
    /// move: from -2 for a loss to 2 for a win, -1 and 1 being losses and wins that the fifty-move
    /// rule spoils.
    fn wdl(&self, position: &AnyPosition) -> Option<i8>;

    /// The exact score of a position, mates counted from it, the fifty-move rule left aside.
    fn mate(&self, position: &AnyPosition) -> Option<Score>;

    /// The merit of every legal move of the position where a search starts, so that playing the
    /// best again and again converts what is won and holds what is drawn. `fifty_moves` says
    /// whether the fifty-move rule counts.
    fn rank(&self, position: &AnyPosition, fifty_moves: bool) -> Option<Ranking>;
}

/// What tables tell of the moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// Every legal move.
    pub moves: Vec<Ranked>,
    /// Whether the best moves lead to the end of the game by themselves, so that looking up more
    /// would only keep the search from telling them apart.
    pub leads_to_end: bool,
}

/// What tables tell of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// The move.
    pub m: Move,
    /// Of two moves the better has the higher rank.
    pub rank: i32,
    /// The score for the side that plays it.
    pub score: Score,
}

/// The tables of a search and when to ask them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    probe: Option<Arc<dyn Probe>>,
    /// The most pieces of positions that are looked up; 0 without tables, so that one comparison
    /// settles the matter.
    pub(super) most_pieces: u32,
    /// Positions of that many pieces are looked up from this depth on, those of fewer always.
    depth: i32,
    fifty_moves: bool,
}

/// What a table says of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer {
    Exact(Score),
    AtLeast(Score),
    AtMost(Score),
}

impl Tables {
    pub(super) fn new(
        probe: Option<&Arc<dyn Probe>>,
        options: &SearchOptions,
        variant: Variant,
    ) -> Tables {
        let most = probe.map_or(0, |probe| probe.most_pieces(variant));
        let limit = most.min(options.probe_limit);
        // Fewer pieces than any table is limited to may be looked up at any depth.
        let depth = if most > options.probe_limit {
            1
        } else {
            options.probe_depth
        };
        Tables {
            probe: probe.filter(|_| limit > 0).cloned(),
            most_pieces: limit,
            depth: depth as i32,
            fifty_moves: options.fifty_moves,
        }
    }

    /// Looks nothing up any more.
    pub(super) fn rest(&mut self) {
        self.most_pieces = 0;
    }

    /// What is known of the root's moves.
    pub(super) fn rank(&self, root: &AnyPosition) -> Option<Ranking> {
        self.probe.as_ref()?.rank(root, self.fifty_moves)
    }

    /// The exact score of a position at a ply, where tables know the distance to mate.
    pub(super) fn mate<R: Rules>(&self, position: &Position<R>, ply: usize) -> Option<Score> {
        let probe = self.probe.as_ref()?;
        if position.castling().any() {
            return None;
        }
        if position.in_check() && position.legal_moves().is_empty() {
            return Some(Score::mated_in(ply));
        }
        let score = probe.mate(&AnyPosition::of(position)?)?;
        Some(score - score.0.signum() * ply as i32)
    }

    /// What tables say of a position that is to be searched to a depth.
    pub(super) fn ask<R: Rules>(
        &self,
        position: &Position<R>,
        depth: i32,
        ply: usize,
    ) -> Option<Answer> {
        let pieces = position.board().occupied().count();
        if pieces > self.most_pieces
            || pieces == self.most_pieces && depth < self.depth
            || position.castling().any()
        {
            return None;
        }
        let probe = self.probe.as_ref()?;
        let halfmoves = position.halfmoves();
        let position = AnyPosition::of(position)?;
        if let Some(score) = probe.mate(&position) {
            // A mate within the fifty moves is a mate for sure.
            if !self.fifty_moves || score.comes_in_time(0, halfmoves) {
                let from_root = score.0.signum() * ply as i32;
                return Some(Answer::Exact(score - from_root));
            }
        }
        // Whether the counter leaves time for a win is not told.
        if halfmoves != 0 {
            return None;
        }
        let spoiled = i8::from(self.fifty_moves);
        let wdl = probe.wdl(&position)?;
        Some(if wdl > spoiled {
            Answer::AtLeast(Score::table_win(ply))
        } else if wdl < -spoiled {
            Answer::AtMost(-Score::table_win(ply))
        } else {
            // A win that the rule spoils is still the better draw.
            Answer::Exact(Score::DRAW + i32::from(wdl) * i32::from(self.fifty_moves) * 2)
        })
    }
}
