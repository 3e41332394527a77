//! Every parameter of the search, with its effect and the source of its rule.
//!
//! In an ordinary build each is a constant. With the feature `tune` they can be set at run time:
//! `mola spsa` tunes them, and `mola ablate` turns rules off to measure what they gain. The search
//! is then a little slower. `bench/experiments.md` has what each rule was worth.

use std::sync::atomic::AtomicI32;
#[cfg(feature = "tune")]
use std::sync::atomic::Ordering::Relaxed;

/// A search parameter that can be set.
#[derive(Debug)]
pub struct Tunable {
    /// Its name.
    pub name: &'static str,
    /// Its value in an ordinary build.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// The value that turns its rule off, if there is one.
    pub off: Option<i32>,
    value: &'static AtomicI32,
}

impl Tunable {
    /// Its value now.
    pub fn get(&self) -> i32 {
        self.value.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Sets it for all later searches; returns whether the value makes sense.
    pub fn set(&self, value: i32) -> bool {
        let fits = (self.min..=self.max).contains(&value) || self.off == Some(value);
        if fits {
            self.value
                .store(value, std::sync::atomic::Ordering::Relaxed);
        }
        fits
    }
}

/// `name = default, min..=max [, off value];` defines a function and, with the feature `tune`, an
/// entry of [`TUNABLES`].
macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..=$max:literal $(, off $off:literal)?;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(super) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub(super) fn $name() -> i32 {
                values::$name.load(Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "a macro cannot change the case of a name")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// The parameters that can be set: none in an ordinary build.
        #[cfg(feature = "tune")]
        pub static TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            off: off!($($off)?),
            value: &values::$name,
        }),*];
    };
}

#[cfg(feature = "tune")]
macro_rules! off {
    () => {
        None
    };
    ($off:literal) => {
        Some($off)
    };
}

/// The parameters that can be set: none in an ordinary build.
#[cfg(not(feature = "tune"))]
pub static TUNABLES: &[Tunable] = &[];

// Units are centipawns, plies and moves unless a line says otherwise. CPW is the Chess Programming
// Wiki, <https://www.chessprogramming.org>; a number without a source is Mola's own.
tunables! {
    // Reverse futility pruning (CPW "Reverse Futility Pruning", also static null move pruning).

    /// Reverse futility: greatest depth in standard chess.
    reverse_futility_depth = 5, 3..=14, off 0;
    /// Reverse futility: greatest depth in the variants.
    reverse_futility_depth_of_variants = 8, 3..=14, off 0;
    /// Reverse futility: margin above beta for each ply of depth.
    reverse_futility_margin = 85, 30..=150;
    /// Reverse futility: what the margin shrinks by in an improving position (Stockfish).
    reverse_futility_improving = 42, 0..=150;

    // Razoring (CPW "Razoring").

    /// Razoring: greatest depth.
    razor_depth = 3, 1..=8, off 0;
    /// Razoring: margin below alpha at depth 0.
    razor_base = 218, 50..=500;
    /// Razoring: growth of the margin with the square of the depth (Stockfish).
    razor_factor = 194, 50..=400;

    // Null move pruning (CPW "Null Move Pruning").

    /// Null move: least depth.
    null_move_depth = 3, 1..=8, off 1000;
    /// Null move: how far above beta the evaluation must be at depth 0.
    null_move_eval_base = 142, 0..=300;
    /// Null move: what each ply of depth takes off that margin (Stockfish).
    null_move_eval_factor = 23, 0..=50;
    /// Null move: reduction at depth 0.
    null_move_base = 4, 2..=6;
    /// Null move: plies of depth that reduce by one more.
    null_move_divisor = 4, 2..=8;
    /// Null move: centipawns above beta that reduce by one more (Stockfish).
    null_move_margin = 204, 80..=400;
    /// Null move: greatest reduction for being above beta.
    null_move_margin_max = 3, 1..=6;

    // Internal iterative reduction (CPW "Internal Iterative Reductions", by Ed Schröder).

    /// Without a transposition table move, nodes from this depth on are searched one ply less.
    internal_reduction_depth = 4, 2..=10, off 1000;

    // Late move pruning (CPW "Futility Pruning", move count based pruning).

    /// Late move pruning: moves before quiet ones are skipped, at depth 0; the square of the depth is
    /// added, and half of the sum counts if the position does not improve.
    late_moves_base = 6, 1..=12, off 100_000;

    // Futility pruning (CPW "Futility Pruning").

    /// Futility: greatest depth, reduced for the move's place in the order.
    futility_depth = 8, 4..=14;
    /// Futility: what a quiet move may gain at depth 0.
    futility_base = 78, 20..=250, off 100_000;
    /// Futility: what it may gain more for each ply.
    futility_factor = 71, 30..=200;

    // History pruning (CPW "History Leaf Pruning").

    /// History pruning: greatest reduced depth.
    history_pruning_depth = 5, 1..=10, off -1;
    /// History pruning: the negative history score tolerated for each ply of depth.
    history_pruning_margin = 3514, 1000..=6000;

    // SEE pruning (CPW "Static Exchange Evaluation"; margins as in Stockfish).

    /// SEE pruning of quiet moves: greatest reduced depth.
    see_quiet_depth = 7, 2..=12, off -1;
    /// SEE pruning of quiet moves: tolerated loss times the square of the depth.
    see_quiet_margin = 19, 8..=60;
    /// SEE pruning of quiet checks: tolerated loss for each ply, and one more (Stockfish).
    see_check_margin = 100, 20..=300, off 100_000;
    /// SEE pruning of captures: greatest depth.
    see_noisy_depth = 8, 2..=12, off -1;
    /// SEE pruning of captures: tolerated loss for each ply.
    see_noisy_margin = 88, 40..=200;

    // Extensions (CPW "Extensions").

    /// Extensions end at this multiple of the iteration's depth.
    extension_limit = 2, 1..=4;
    /// Singular extensions (CPW): least depth.
    singular_depth = 7, 4..=12, off 1000;
    /// Singular extensions: how many plies less deep the entry may be (Stockfish).
    singular_entry_depth = 3, 1..=6;
    /// Singular extensions: margin below the entry's bound for each ply of depth.
    singular_margin = 2, 1..=5;
    /// Singular extensions: plies less if the table move is not singular, but above beta (Stockfish).
    singular_negative = 2, 0..=3;
    /// Singular extensions: the other moves are searched to the depth divided by this (Stockfish).
    singular_divisor = 2, 2..=4;
    /// Double extensions (Stockfish): additional margin.
    doubly_singular_margin = 17, 4..=60;
    /// Double extensions: the most on one path.
    doubly_singular_max = 6, 0..=16;

    // Late move reductions (CPW "Late Move Reductions"), in 1024ths of a ply.

    /// Late move reductions: least depth.
    reduction_depth = 2, 1..=5, off 1000;
    /// Late move reductions: the constant term, in hundredths of a ply.
    reduction_base = 102, 0..=150;
    /// Late move reductions: divisor of ln(depth) * ln(count), in hundredths (Ethereal's formula).
    reduction_divisor = 203, 150..=400;
    /// Late move reductions: what is added for quiet moves at an expected cut node (Stockfish).
    reduction_cut_node = 1216, 0..=3072;
    /// Late move reductions: what is added for quiet moves if the position does not improve.
    reduction_not_improving = 705, 0..=2048;
    /// Late move reductions: what is taken off for killer moves (Ethereal).
    reduction_killer = 973, 0..=3072;
    /// Late move reductions: what is added for quiet moves if the table move is a capture (Stockfish).
    reduction_noisy_table_move = 718, 0..=2048;
    /// Late move reductions: the history score of a quiet move is divided by this (Stockfish).
    reduction_history_divisor = 8, 4..=40;
    /// Late move reductions: what is taken off for captures and promotions.
    reduction_noisy = 927, 0..=3072;
    /// Late move reductions: what is added for captures at an expected cut node.
    reduction_noisy_cut_node = 312, 0..=2048;
    /// Late move reductions: the history score of a capture is divided by this.
    reduction_noisy_history_divisor = 10, 4..=40;
    /// Late move reductions: what is taken off where a principal variation was (Stockfish's ttPv).
    reduction_pv = 1501, 0..=3072;
    /// Late move reductions: what is added if many nodes at the next ply have failed high (Stockfish's
    /// cutoffCnt).
    reduction_cutoffs = 687, 0..=2048;
    /// Late move reductions: how many such nodes are not too many.
    reduction_cutoffs_least = 2, 1..=6;
    /// Late move reductions: what is taken off if the transposition entry is as deep as the node
    /// (Stockfish).
    reduction_table_depth = 900, 0..=2048;

    // Quiescence (CPW "Quiescence Search", "Delta Pruning").

    /// Delta pruning: what a capture may gain beyond the captured piece.
    delta_margin = 182, 60..=400, off 100_000;

    // Piece values of static exchange evaluation and capture order (CPW "Point Value").

    /// The value of a pawn in exchanges.
    value_pawn = 100, 50..=150;
    /// The value of a knight in exchanges.
    value_knight = 320, 200..=500;
    /// The value of a bishop in exchanges.
    value_bishop = 330, 200..=500;
    /// The value of a rook in exchanges.
    value_rook = 500, 350..=750;
    /// The value of a queen in exchanges.
    value_queen = 950, 700..=1400;

    // History heuristics (CPW "History Heuristic").

    /// History: limit of each score, which slows its growth ("gravity").
    history_limit = 11_890, 8192..=32_000;
    /// History: bonus of a cutoff for each ply of depth.
    history_bonus_factor = 199, 60..=400;
    /// History: what is taken off the bonus.
    history_bonus_offset = 56, 0..=250;
    /// History: the greatest bonus.
    history_bonus_most = 1741, 600..=3600;
    /// History: plies of depth more for a cutoff that the evaluation did not expect (Stockfish).
    history_surprise = 1, 0..=3;

    // Move order of captures (CPW "MVV-LVA", with capture history instead of the attacker).

    /// Capture order: factor of the captured piece's value.
    capture_value_factor = 16, 4..=24;
    /// Capture order: capture history is shifted right by this many bits.
    capture_history_shift = 2, 0..=5;

    // The static evaluation as the search sees it.

    /// Material scaling (Stockfish): what the evaluation of standard chess would lose without any
    /// pieces, in percent. With 32 pieces it loses nothing.
    material_scaling = 20, 0..=60, off 0;

    // Correction history (CPW "Static Evaluation Correction History", from Caissa).

    /// Correction history: the greatest correction by one table.
    correction_max = 45, 16..=120, off 0;
    /// Correction history: the weight of a search is its depth plus one, at most this ...
    correction_weight_max = 21, 4..=64;
    /// Correction history: ... divided by this.
    correction_weight_divisor = 427, 128..=1024;
    /// Corrected evaluations are rounded to this power of two, for MTD(f) to converge.
    correction_grain_bits = 2, 0..=4;

    // Transposition table (CPW "Transposition Table").

    /// No cutoffs by the table from this fifty-move counter on (Stockfish).
    tt_cutoff_halfmoves = 90, 50..=100;
    /// Replacement: depth that a generation of age is worth (Stockfish).
    tt_age_weight = 4, 1..=16;
    /// Replacement: an entry of the same search that is more than this much deeper is not replaced by a bound.
    tt_keep_depth = 3, 0..=8;
    /// Tablebase results are stored with this much more depth (Stockfish).
    tablebase_depth_bonus = 6, 0..=12;

    // MTD(f) (Plaat and others 1996; CPW "MTD(f)").

    /// MTD(f): after this many probes the remaining interval is searched with an open window.
    mtdf_max_probes = 12, 4..=40;
    /// MTD(f): the first probe asks for so much less than the guess.
    mtdf_first_probe = 3, -10..=10;
    /// MTD(f): the first step away from the guess, which doubles.
    mtdf_first_step = 6, 1..=40;
    /// MTD(f): what a change of the score by the last iteration adds to that step, in percent.
    mtdf_step_change = 79, 0..=200;
    /// What the guess keeps of the one before, in percent, as scores of odd and even depths differ.
    guess_kept = 29, 0..=60;
    /// MTD(f): bounds this close are a score: the last probes cost most and hardly change the move.
    mtdf_tolerance = 9, 0..=15;

    // Aspiration windows (CPW "Aspiration Windows").

    /// Aspiration: least depth.
    aspiration_depth = 4, 2..=10;
    /// Aspiration: half the width of the first window, which doubles.
    aspiration_width = 14, 5..=60;
    /// Aspiration: a window of a greater half-width is opened entirely.
    aspiration_max = 600, 200..=2000;

    // Lazy SMP (CPW "Lazy SMP").

    /// Lazy SMP: helper threads search all depths up to this one.
    smp_full_depth = 3, 1..=10;
    /// Lazy SMP: beyond, they skip one depth in this many (as in older versions of Stockfish).
    smp_skip_cycle = 3, 2..=8;

    // Time management (CPW "Time Management"), in percent unless a line says otherwise.

    /// Time: moves that a game without a move limit is expected to last.
    time_horizon = 24, 10..=60;
    /// Time: milliseconds kept on the clock for when the system does not run the engine.
    time_reserve = 150, 0..=500;
    /// Time: the share of the clock without increment that the reserve may take.
    time_reserve_share = 50, 10..=100;
    /// Time: the share of the increment that is spent at once.
    time_increment = 75, 25..=100;
    /// Time: the hard limit in soft limits.
    time_hard_factor = 3, 2..=8;
    /// Time: the greatest share of the clock for one move.
    time_max_share = 60, 20..=90;
    /// Time: the same for the last move of a time control.
    time_max_share_last = 80, 40..=95;
    /// Time: factor of the soft limit, less the best move's share of the nodes (Ethereal).
    time_effort_base = 155, 100..=250;
    /// Time: the least value of that factor.
    time_effort_min = 50, 20..=100;
    /// Time: factor of the soft limit when the best move has just changed (Stockfish).
    time_stability_base = 125, 100..=200;
    /// Time: what each further iteration with the same best move takes off that factor.
    time_stability_step = 5, 0..=15;
    /// Time: the greatest number of such iterations.
    time_stability_max = 8, 2..=12;
    /// Time: the greatest fall of the score, each centipawn of which adds one percent (Stockfish).
    time_fall_max = 60, 0..=150;
    /// Time: a mate is played at once in iterations deeper than this multiple of its distance.
    time_mate_depth = 2, 1..=6;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinary_build_has_constants_and_a_tuning_build_has_values() {
        assert_eq!(TUNABLES.is_empty(), !cfg!(feature = "tune"));
        for tunable in TUNABLES {
            assert_eq!(tunable.get(), tunable.default, "{}", tunable.name);
            assert!((tunable.min..=tunable.max).contains(&tunable.default));
            assert!(!tunable.set(tunable.max + 1) || tunable.off == Some(tunable.max + 1));
        }
    }
}
