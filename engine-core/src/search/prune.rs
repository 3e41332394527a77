//! The margins and reductions of the selective search, each with its reason. Units are
//! centipawns and plies; the numbers are in [`tunables`](super::tunables).

use super::tunables as tune;

/// Reverse futility: a position this far above beta at this depth will not fall below it.
#[inline(always)]
pub(super) fn reverse_futility(depth: i32, improving: bool) -> i32 {
    tune::reverse_futility_margin() * depth - tune::reverse_futility_improving() * improving as i32
}

/// Razoring: a position this far below alpha at this depth is left to quiescence.
#[inline(always)]
pub(super) fn razor(depth: i32) -> i32 {
    tune::razor_base() + tune::razor_factor() * depth * depth
}

/// Null move: how much shallower the opponent's free move is searched. The better the position
/// stands, the more.
#[inline(always)]
pub(super) fn null_move(depth: i32, above_beta: i32) -> i32 {
    let bonus = (above_beta / tune::null_move_margin()).min(tune::null_move_margin_max());
    tune::null_move_base() + depth / tune::null_move_divisor() + bonus
}

/// Late move pruning: after this many moves of a shallow node the quiet ones are not tried.
#[inline(always)]
pub(super) fn late_moves(depth: i32, improving: bool) -> i32 {
    // Half as many if not improving. The compiler would divide, as it cannot see that it is by 1 or 2.
    (tune::late_moves_base() + depth * depth) >> !improving as i32
}

/// Futility: a quiet move does not gain more than this at this (reduced) depth.
#[inline(always)]
pub(super) fn futility(depth: i32) -> i32 {
    tune::futility_base() + tune::futility_factor() * depth
}

/// History pruning: a quiet move with a lower history score than this is not tried.
#[inline(always)]
pub(super) fn history(depth: i32) -> i32 {
    -tune::history_pruning_margin() * depth
}

/// SEE pruning of quiet moves: the loss that is tolerated at this (reduced) depth.
#[inline(always)]
pub(super) fn see_quiet(depth: i32) -> i32 {
    -tune::see_quiet_margin() * depth * depth
}

/// SEE pruning of captures: the loss that is tolerated at this depth.
#[inline(always)]
pub(super) fn see_noisy(depth: i32) -> i32 {
    -tune::see_noisy_margin() * depth
}

/// Singular extension: the table move must beat all others by this much.
#[inline(always)]
pub(super) fn singular_margin(depth: i32) -> i32 {
    tune::singular_margin() * depth
}

/// Beaten by this much more, all other moves are so bad that the table move is extended twice.
#[inline(always)]
pub(super) fn doubly_singular() -> i32 {
    tune::doubly_singular_margin()
}

/// The bonus of the move that cut off, and the malus of those searched before it.
#[inline(always)]
pub(super) fn history_bonus(depth: i32) -> i32 {
    let bonus = tune::history_bonus_factor() * depth - tune::history_bonus_offset();
    bonus.min(tune::history_bonus_most())
}

/// Late move reductions in 1024ths of a ply, growing with the logarithms of depth and count.
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
            // The table is older than the numbers.
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
