//! Pruning, reductions and extensions: each rule is a small function with its reason. The numbers
//! and their sources are in [`tunables`](super::tunables).

use super::node_state::{NodeMove, NodeState};
use super::picker::Picker;
use super::rules::SearchRules;
use super::score::Score;
use super::see;
use super::tunables as tune;
use crate::Position;

/// Reverse futility: a position so far above beta near the leaves will not fall below it. The score
/// then is between beta and the evaluation.
#[inline(always)]
pub(super) fn reverse_futility<R: SearchRules>(node: &NodeState, beta: Score) -> Option<Score> {
    let margin = tune::reverse_futility_margin() * node.depth
        - tune::reverse_futility_improving() * node.improving as i32;
    let is_above = node.depth <= R::reverse_futility_depth()
        && node.eval - margin >= beta
        && node.eval < Score::TB_BOUND
        && beta > -Score::TB_BOUND;
    is_above.then(|| Score(i32::midpoint(node.eval.0, beta.0)))
}

/// Razoring: a position so far below alpha near the leaves is left to quiescence, as only captures
/// could help.
#[inline(always)]
pub(super) fn is_razored(node: &NodeState, alpha: Score) -> bool {
    let margin = tune::razor_base() + tune::razor_factor() * node.depth * node.depth;
    node.depth <= tune::razor_depth() && node.eval + margin <= alpha
}

/// Null move: whether the evaluation is so good that even passing may keep it above beta.
#[inline(always)]
pub(super) fn null_move_condition(node: &NodeState, beta: Score) -> bool {
    node.depth >= tune::null_move_depth()
        && node.static_eval + tune::null_move_eval_factor() * node.depth
            >= beta + tune::null_move_eval_base()
}

/// Null move: the depth to which the opponent's reply is searched, less for better positions.
#[inline(always)]
pub(super) fn null_move_depth(node: &NodeState, beta: Score) -> i32 {
    let margin = (node.eval.0 - beta.0) / tune::null_move_margin();
    let reduction = tune::null_move_base()
        + node.depth / tune::null_move_divisor()
        + margin.min(tune::null_move_margin_max());
    node.depth - reduction
}

/// Futility: what a quiet move can reach at most at this depth, reduced or not.
#[inline(always)]
pub(super) fn futility(node: &NodeState, depth: i32) -> Score {
    node.static_eval + tune::futility_base() + tune::futility_factor() * depth
}

/// Late move pruning: how many moves of a shallow node are tried before quiet ones are skipped.
#[inline(always)]
fn late_moves(depth: i32, improving: bool) -> i32 {
    // Half as many if not improving: a shift, since the compiler would emit a division.
    (tune::late_moves_base() + depth * depth) >> !improving as i32
}

/// Pruning of quiet moves near the leaves: if the move is not worth a search, what it could have
/// reached, or minus infinity if that is unknown.
#[inline(always)]
pub(super) fn prune_quiet(
    node: &NodeState,
    current: &NodeMove,
    alpha: Score,
    picker: &mut Picker,
) -> Option<Score> {
    if !current.is_quiet {
        return None;
    }
    let depth = node.depth;
    if current.move_count as i32 > late_moves(depth, node.improving) {
        picker.skip_quiets();
    }
    // A check may justify a sacrifice.
    if current.is_urgent {
        return None;
    }
    let lmr_depth = current.lmr_depth(depth);
    let futility_value = futility(node, lmr_depth);
    let may_fail_low = !node.in_check && lmr_depth <= tune::futility_depth();
    if may_fail_low && futility_value <= alpha {
        return Some(futility_value);
    }
    // History pruning: the move has often failed.
    let least = -tune::history_pruning_margin() * depth;
    let has_failed = lmr_depth <= tune::history_pruning_depth() && current.history_score < least;
    has_failed.then_some(-Score::INFINITE)
}

/// SEE pruning: whether a move loses too much material for its depth.
#[inline(always)]
pub(super) fn fails_see<R: SearchRules>(
    position: &Position<R>,
    depth: i32,
    current: &NodeMove,
    picker: &Picker,
) -> bool {
    // Where checks are counted, one is worth what it costs.
    if R::COUNTS_CHECKS && current.gives_check {
        return false;
    }
    let (is_tested, least) = if current.is_quiet {
        let lmr_depth = current.lmr_depth(depth);
        let is_tested = current.gives_check || !current.is_urgent;
        let least = if current.gives_check {
            -tune::see_check_margin() * (lmr_depth + 1)
        } else {
            -tune::see_quiet_margin() * lmr_depth * lmr_depth
        };
        (is_tested && lmr_depth <= tune::see_quiet_depth(), least)
    } else {
        let may_prune = R::PRUNES_BAD_CAPTURES && depth <= tune::see_noisy_depth();
        let is_tested = may_prune && picker.is_bad_noisy();
        (is_tested, -tune::see_noisy_margin() * depth)
    };
    is_tested && !see::at_least(position, current.info, least)
}

/// Singular extension: the bound that no other move may reach.
#[inline(always)]
pub(super) fn singular_bound(depth: i32, lower: Score) -> Score {
    lower - tune::singular_margin() * depth
}

/// Late move reductions: how much less deep a late move is searched, in 1024ths of a ply.
#[inline(always)]
pub(super) fn reduction(
    node: &NodeState,
    current: &NodeMove,
    is_killer: bool,
    cutoffs: i32,
) -> i32 {
    let mut reduction = current.reduction;
    if current.is_quiet {
        reduction -= current.history_score / tune::reduction_history_divisor();
        reduction += i32::from(node.cut_node) * tune::reduction_cut_node();
        reduction += i32::from(!node.improving) * tune::reduction_not_improving();
        let is_noisy = node.tt_move.is_some_and(|info| !info.is_quiet());
        reduction += i32::from(is_noisy) * tune::reduction_noisy_table_move();
        reduction -= i32::from(is_killer) * tune::reduction_killer();
    } else {
        reduction -= tune::reduction_noisy();
        reduction -= current.history_score / tune::reduction_noisy_history_divisor();
        reduction += i32::from(node.cut_node) * tune::reduction_noisy_cut_node();
    }
    reduction += i32::from(cutoffs > tune::reduction_cutoffs_least()) * tune::reduction_cutoffs();
    let is_known = node
        .entry
        .is_some_and(|entry| i32::from(entry.depth) >= node.depth);
    reduction -= i32::from(is_known) * tune::reduction_table_depth();
    reduction - i32::from(node.tt_pv) * tune::reduction_pv()
}

/// Late move reductions by depth and place in the move order, in 1024ths of a ply: a constant and the
/// product of both logarithms.
pub(super) struct Reductions(Box<[[i32; 64]; 64]>);

impl Reductions {
    pub(super) fn new() -> Reductions {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, reduction) in row.iter_mut().enumerate().skip(1) {
                *reduction = late_reduction(depth, count);
            }
        }
        Reductions(table)
    }

    #[inline(always)]
    pub(super) fn get(&self, depth: i32, count: usize) -> i32 {
        let (depth, count) = (depth.clamp(0, 63) as usize, count.min(63));
        if cfg!(feature = "tune") && depth.min(count) > 0 {
            // The numbers may have changed since the table was made.
            return late_reduction(depth, count);
        }
        self.0[depth][count]
    }
}

fn late_reduction(depth: usize, count: usize) -> i32 {
    let base = f64::from(tune::reduction_base()) / 100.0;
    let divisor = f64::from(tune::reduction_divisor()) / 100.0;
    let product = (depth as f64).ln() * (count as f64).ln();
    (1024.0 * (base + product / divisor)) as i32
}
