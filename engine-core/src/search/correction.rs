//! Correction history: the difference between search and evaluation in similar positions.

use super::piece_to::{PieceTo, table};
use super::tunables as tune;
use crate::eval::{EvalRules, Tracker};
use crate::{ByColor, Color, zobrist};

/// What positions have in common that share a correction.
#[derive(Clone, Copy)]
pub(super) struct CorrectionKeys([u64; TABLES]);

/// Keys, and tables.
const TABLES: usize = 5;

impl CorrectionKeys {
    /// Those of a position, given the last two moves.
    #[inline(always)]
    pub(super) fn new<R: EvalRules>(eval: &Tracker<R>, [last, before]: [PieceTo; 2]) -> Self {
        let [pawns, white, black, minor] = eval.keys;
        let moves = zobrist::splitmix64(last.number() << 10 | before.number());
        CorrectionKeys([pawns, white, black, minor, moves])
    }
}

/// Correction history by pawn structure, by each side's pieces, by minor pieces with kings and by the
/// last two moves (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>). The
/// tables share one error: each learns what the sum of all has left of it. If each learned the
/// whole, the sum would correct too much, the more so the longer a search.
pub(super) struct Correction {
    /// By key, then by the side to move.
    tables: [Box<[ByColor<i16>; Correction::SIZE]>; TABLES],
}

impl Correction {
    const SIZE: usize = 1 << 14;
    /// Table units per centipawn.
    const GRAIN: i32 = 1 << Correction::GRAIN_BITS;
    const GRAIN_BITS: u32 = 8;

    pub(super) fn new() -> Correction {
        Correction {
            tables: std::array::from_fn(|_| table(ByColor([0; 2]))),
        }
    }

    pub(super) fn clear(&mut self) {
        for table in &mut self.tables {
            table.fill(ByColor([0; 2]));
        }
    }

    /// The expected error of the evaluation, in centipawns.
    #[inline(always)]
    pub(super) fn get(&self, turn: Color, keys: CorrectionKeys) -> i32 {
        let tables = self.tables.iter().zip(keys.0);
        let sum: i32 = tables
            .map(|(table, key)| i32::from(table[key as usize % Correction::SIZE][turn]))
            .sum();
        sum >> Correction::GRAIN_BITS
    }

    /// Learns that a search of this depth exceeded the corrected evaluation by `error`.
    #[inline(always)]
    pub(super) fn update(&mut self, turn: Color, keys: CorrectionKeys, depth: i32, error: i32) {
        let weight = (depth + 1).min(tune::correction_weight_max());
        let max = tune::correction_max() * Correction::GRAIN;
        let step = (error * Correction::GRAIN).clamp(-max, max) * weight
            / tune::correction_weight_divisor();
        for (table, key) in self.tables.iter_mut().zip(keys.0) {
            let value = &mut table[key as usize % Correction::SIZE][turn];
            *value = (i32::from(*value) + step).clamp(-max, max) as i16;
        }
    }
}
