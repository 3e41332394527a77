//! The margins and reductions of the selective search, each with its reason. Units are
//! centipawns and plies.

/// Reverse futility: a position this far above beta at this depth will not fall below it.
pub(super) const fn reverse_futility(depth: i32, improving: bool) -> i32 {
    75 * depth - 60 * improving as i32
}

/// Razoring: a position this far below alpha at this depth is left to quiescence.
pub(super) const fn razor(depth: i32) -> i32 {
    220 + 190 * depth * depth
}

/// Null move: how much shallower the opponent's free move is searched. The better the position
/// stands, the more.
pub(super) const fn null_move(depth: i32, above_beta: i32) -> i32 {
    let bonus = above_beta / 180;
    4 + depth / 4 + if bonus < 3 { bonus } else { 3 }
}

/// Late move pruning: after this many moves of a shallow node the quiet ones are not tried.
pub(super) const fn late_moves(depth: i32, improving: bool) -> i32 {
    (4 + depth * depth) / (2 - improving as i32)
}

/// Futility: a quiet move does not gain more than this at this (reduced) depth.
pub(super) const fn futility(depth: i32) -> i32 {
    90 + 85 * depth
}

/// History pruning: a quiet move with less merit than this is not tried.
pub(super) const fn history(depth: i32) -> i32 {
    -3000 * depth
}

/// SEE pruning of quiet moves: the loss that is tolerated at this (reduced) depth.
pub(super) const fn see_quiet(depth: i32) -> i32 {
    -22 * depth * depth
}

/// SEE pruning of captures: the loss that is tolerated at this depth.
pub(super) const fn see_noisy(depth: i32) -> i32 {
    -95 * depth
}

/// Singular extension: the table move must beat all others by this much.
pub(super) const fn singular_margin(depth: i32) -> i32 {
    2 * depth
}

/// Beaten by this much more, all other moves are so bad that the table move is extended twice.
pub(super) const DOUBLY_SINGULAR: i32 = 18;

/// The bonus of the move that cut off, and the malus of those tried before it.
pub(super) const fn history_bonus(depth: i32) -> i32 {
    let bonus = 180 * depth - 80;
    if bonus < 1800 { bonus } else { 1800 }
}

/// Late move reductions in 1024ths of a ply, growing with the logarithms of depth and count.
pub(super) struct Reductions(Box<[[i32; 64]; 64]>);

impl Reductions {
    pub(super) fn new() -> Reductions {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, reduction) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (count as f64).ln();
                *reduction = (1024.0 * (0.75 + product / 2.3)) as i32;
            }
        }
        Reductions(table)
    }

    #[inline(always)]
    pub(super) fn get(&self, depth: i32, count: i32) -> i32 {
        self.0[depth.clamp(0, 63) as usize][count.clamp(0, 63) as usize]
    }
}
