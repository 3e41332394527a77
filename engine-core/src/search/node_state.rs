//! What a node knows of its position, and of the move that it is about to search.

use super::move_info::MoveInfo;
use super::node_type::NodeType;
use super::piece_to::PieceTo;
use super::score::Score;
use super::tt::TtEntry;
use crate::Color;

/// What a node knows before it searches its moves.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct NodeState {
    pub(super) turn: Color,
    pub(super) in_check: bool,
    /// In check or bound to capture, so that the static evaluation is unreliable.
    pub(super) forced: bool,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// An expected cut node: a null-window node that should fail high.
    pub(super) cut_node: bool,
    /// The transposition entry, and its move if that is legal.
    pub(super) entry: Option<TtEntry>,
    pub(super) tt_move: Option<MoveInfo>,
    /// Whether the node is or was on a principal variation.
    pub(super) tt_pv: bool,
    /// The static evaluation with correction history.
    pub(super) static_eval: Score,
    /// The static evaluation, adjusted to the bounds of the transposition entry.
    pub(super) eval: Score,
    /// Whether the evaluation is better than two plies ago.
    pub(super) improving: bool,
}

impl NodeState {
    /// Adds the transposition entry, and adjusts the eval to its bounds.
    #[inline(always)]
    pub(super) fn apply_entry<N: NodeType>(&mut self, entry: Option<TtEntry>) {
        self.tt_pv = N::PV;
        if let Some(entry) = entry {
            self.entry = Some(entry);
            self.tt_pv |= entry.pv;
            self.eval = entry.refine(self.static_eval);
        }
    }
}

/// A move that a node is about to search.
#[derive(Clone, Copy)]
pub(super) struct NodeMove {
    pub(super) info: MoveInfo,
    pub(super) piece: PieceTo,
    /// Neither a capture nor a promotion.
    pub(super) is_quiet: bool,
    pub(super) gives_check: bool,
    /// Whether it gives check or brings the king to its goal.
    pub(super) is_urgent: bool,
    pub(super) history_score: i32,
    /// Its place in the move order, from 1.
    pub(super) move_count: usize,
    /// The late move reduction by depth and place, in 1024ths of a ply.
    pub(super) reduction: i32,
}

impl NodeMove {
    /// The depth after the reduction.
    #[inline(always)]
    pub(super) fn lmr_depth(&self, depth: i32) -> i32 {
        (depth - self.reduction / 1024).max(0)
    }
}
