//! Endgame tablebases as the search sees them: a crate that reads them implements [`Probe`].

use super::limits::SearchOptions;
use super::score::Score;
use crate::rules::Rules;
use crate::{AnyPosition, Move, Position, Variant};
use std::fmt::Debug;
use std::sync::Arc;

/// A source of endgame tablebases. Any number of threads may probe at once.
pub trait Probe: Debug + Send + Sync {
    /// The largest number of pieces of this variant's tables; 0 if there are none.
    fn most_pieces(&self, variant: Variant) -> u32;

    /// The WDL value of a position without castling rights and with a zero fifty-move counter: from
    /// -2 (loss) to 2 (win); -1 and 1 are blessed losses and cursed wins.
    fn wdl(&self, position: &AnyPosition) -> Option<i8>;

    /// The exact score of a position by distance to mate, ignoring the fifty-move rule.
    fn mate(&self, position: &AnyPosition) -> Option<Score>;

    /// The rank of every legal move at the root: always playing the best-ranked move makes
    /// progress in won positions and holds drawn ones. `fifty_moves` says whether the fifty-move
    /// rule counts.
    fn rank(&self, position: &AnyPosition, fifty_moves: bool) -> Option<Ranking>;
}

/// The tablebase ranking of the root moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// Every legal move.
    pub moves: Vec<Ranked>,
    /// Whether the ranking alone leads to the end of the game: probing inside the search would
    /// then only keep it from distinguishing moves of one rank.
    pub leads_to_end: bool,
}

/// The tablebase rank of a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranked {
    /// The move.
    pub m: Move,
    /// Of two moves the better has the higher rank.
    pub rank: i32,
    /// The score for the side that plays it.
    pub score: Score,
}

/// The tablebases of a search and when to probe them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tablebases {
    probe: Option<Arc<dyn Probe>>,
    /// The largest number of pieces to probe; 0 disables probing with a single comparison.
    pub(super) max_pieces: u32,
    /// Positions with that many pieces are probed from this depth on, smaller ones always.
    depth: i32,
    fifty_moves: bool,
}

/// What the tablebases know of a node's score.
#[derive(Clone, Copy, Debug)]
pub(super) enum TbScore {
    Exact(Score),
    AtLeast(Score),
    AtMost(Score),
}

impl Tablebases {
    pub(super) fn new(
        probe: Option<&Arc<dyn Probe>>,
        options: &SearchOptions,
        variant: Variant,
    ) -> Tablebases {
        let most = probe.map_or(0, |probe| probe.most_pieces(variant));
        let limit = most.min(options.probe_limit);
        // The depth limit is meant for the largest tables only.
        let depth = if most > options.probe_limit {
            1
        } else {
            options.probe_depth
        };
        Tablebases {
            probe: probe.filter(|_| limit > 0).cloned(),
            max_pieces: limit,
            depth: depth as i32,
            fifty_moves: options.fifty_moves,
        }
    }

    /// Disables probing.
    pub(super) fn disable(&mut self) {
        self.max_pieces = 0;
    }

    /// The ranking of the root moves.
    pub(super) fn rank(&self, root: &AnyPosition) -> Option<Ranking> {
        self.probe.as_ref()?.rank(root, self.fifty_moves)
    }

    /// The exact score of a position at a ply, if tables with distance to mate have it.
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

    /// Probes a position that is about to be searched to a depth.
    pub(super) fn probe<R: Rules>(
        &self,
        position: &Position<R>,
        depth: i32,
        ply: usize,
    ) -> Option<TbScore> {
        let pieces = position.board().occupied().count();
        if pieces > self.max_pieces
            || pieces == self.max_pieces && depth < self.depth
            || position.castling().any()
        {
            return None;
        }
        let probe = self.probe.as_ref()?;
        let halfmoves = position.halfmoves();
        let position = AnyPosition::of(position)?;
        if let Some(score) = probe.mate(&position) {
            // A mate within the fifty moves is a mate for sure.
            if !self.fifty_moves || score.fits_fifty_moves(0, halfmoves) {
                let from_root = score.0.signum() * ply as i32;
                return Some(TbScore::Exact(score - from_root));
            }
        }
        // WDL tables assume a fifty-move counter of zero.
        if halfmoves != 0 {
            return None;
        }
        let spoiled = i8::from(self.fifty_moves);
        let wdl = probe.wdl(&position)?;
        Some(if wdl > spoiled {
            TbScore::AtLeast(Score::tb_win(ply))
        } else if wdl < -spoiled {
            TbScore::AtMost(-Score::tb_win(ply))
        } else {
            // A cursed win is still better than a plain draw.
            TbScore::Exact(Score::DRAW + i32::from(wdl) * i32::from(self.fifty_moves) * 2)
        })
    }
}
