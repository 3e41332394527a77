//! What earlier cutoffs teach about the order of moves and the error of the evaluation.

use crate::eval::Accumulator;
use crate::rules::Rules;
use crate::{ByColor, Color, Move, Role, Square};

/// Every history value stays within plus and minus this.
pub(super) const LIMIT: i32 = 16_384;

/// A piece that goes to a square, as one number: what continuations are indexed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NONE
    }
}

impl PieceTo {
    const COUNT: usize = PieceTo::PIECES * 64;
    /// Roles of both colours.
    const PIECES: usize = 12;
    /// No move, or a null move. It has a row among the continuations like the others.
    pub(super) const NONE: PieceTo = PieceTo(PieceTo::COUNT as u16);

    #[inline(always)]
    pub(super) fn new(color: Color, role: Role, to: Square) -> PieceTo {
        PieceTo((PieceTo::piece(color, role) * 64 + to.index()) as u16)
    }

    #[inline(always)]
    fn piece(color: Color, role: Role) -> usize {
        color.index() * 6 + role.index()
    }

    #[inline(always)]
    fn index(self) -> usize {
        // Below COUNT by construction; the minimum lets the compiler see it.
        usize::from(self.0).min(PieceTo::COUNT - 1)
    }

    /// The row of the continuations of this move.
    #[inline(always)]
    fn row(self) -> usize {
        usize::from(self.0).min(PieceTo::COUNT)
    }
}

/// Moves a value towards the limit by a bonus or malus; the further it is, the slower.
#[inline(always)]
fn update(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// By earlier move, then by this move's piece and square.
type Continuations = [[[i16; 64]; PieceTo::PIECES]; PieceTo::COUNT + 1];

/// A table of equal entries, made on the heap as it would not fit on a stack.
#[expect(
    clippy::unnecessary_box_returns,
    reason = "some are larger than a stack"
)]
fn table<T: Clone, const N: usize>(zero: T) -> Box<[T; N]> {
    match vec![zero; N].into_boxed_slice().try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("the vector has exactly N entries"),
    }
}

/// One thread's histories.
pub(super) struct History {
    /// By colour, from and to.
    butterfly: Box<[[[i16; 64]; 64]; 2]>,
    /// By moved piece and square, and captured role.
    captures: Box<[[[i16; 6]; 64]; PieceTo::PIECES]>,
    /// By an earlier move's piece and square, then this move's.
    continuations: Box<Continuations>,
    correction: Correction,
}

impl History {
    pub(super) fn new() -> History {
        History {
            butterfly: table([[0; 64]; 64]),
            captures: table([[0; 6]; 64]),
            continuations: table([[0; 64]; PieceTo::PIECES]),
            correction: Correction::new(),
        }
    }

    /// Forgets everything, in place: memory that is given back and asked for again elsewhere stays
    /// with the process.
    pub(super) fn clear(&mut self) {
        self.butterfly.fill([[0; 64]; 64]);
        self.captures.fill([[0; 6]; 64]);
        self.continuations.fill([[0; 64]; PieceTo::PIECES]);
        for table in &mut self.correction.tables {
            table.fill(ByColor([0; 2]));
        }
    }

    /// The merits of a side's quiet moves after the moves one and two plies before.
    #[inline(always)]
    pub(super) fn quiet(&self, color: Color, before: [PieceTo; 2]) -> Merits<'_> {
        Merits {
            color,
            butterfly: &self.butterfly[color.index()],
            continuations: before.map(|earlier| &self.continuations[earlier.row()]),
        }
    }

    #[inline(always)]
    pub(super) fn update_quiet(
        &mut self,
        color: Color,
        m: Move,
        piece: PieceTo,
        before: [PieceTo; 2],
        bonus: i32,
    ) {
        update(
            &mut self.butterfly[color.index()][m.from().index()][m.to().index()],
            bonus,
        );
        for earlier in before {
            let row = self.continuations[earlier.row()].as_flattened_mut();
            update(&mut row[piece.index()], bonus);
        }
    }

    /// The merits of the captures of one role.
    #[inline(always)]
    pub(super) fn captures(&self, color: Color, role: Role) -> CaptureMerits<'_> {
        CaptureMerits(&self.captures[PieceTo::piece(color, role)])
    }

    #[inline(always)]
    pub(super) fn update_capture(&mut self, piece: PieceTo, captured: Role, bonus: i32) {
        let merits = &mut self.captures.as_flattened_mut()[piece.index()];
        update(&mut merits[captured.index()], bonus);
    }

    /// What the evaluation was wrong by in positions like this one, in centipawns.
    #[inline(always)]
    pub(super) fn correction<R: Rules>(&self, turn: Color, eval: &Accumulator<R>) -> i32 {
        self.correction.get(turn, eval)
    }

    /// Learns that a search of this depth found this much more than the evaluation.
    #[inline(always)]
    pub(super) fn update_correction<R: Rules>(
        &mut self,
        turn: Color,
        eval: &Accumulator<R>,
        depth: i32,
        error: i32,
    ) {
        self.correction.update(turn, eval, depth, error);
    }
}

/// What history says of the quiet moves of one side.
pub(super) struct Merits<'a> {
    color: Color,
    /// By from and to.
    butterfly: &'a [[i16; 64]; 64],
    /// By piece and to.
    continuations: [&'a [[i16; 64]; PieceTo::PIECES]; 2],
}

impl<'a> Merits<'a> {
    /// Of the moves of a role.
    #[inline(always)]
    pub(super) fn of(&self, role: Role) -> QuietMerits<'a> {
        let piece = PieceTo::piece(self.color, role);
        QuietMerits {
            butterfly: self.butterfly,
            continuations: self.continuations.map(|row| &row[piece]),
        }
    }
}

/// What history says of the quiet moves of one role.
pub(super) struct QuietMerits<'a> {
    butterfly: &'a [[i16; 64]; 64],
    /// By to.
    continuations: [&'a [i16; 64]; 2],
}

impl QuietMerits<'_> {
    #[inline(always)]
    pub(super) fn of(&self, m: Move) -> i32 {
        let (from, to) = (m.from().index(), m.to().index());
        let [one, two] = self.continuations;
        i32::from(self.butterfly[from][to]) + i32::from(one[to]) + i32::from(two[to])
    }
}

/// What history says of the captures of one role: by the square and what is taken there.
pub(super) struct CaptureMerits<'a>(&'a [[i16; 6]; 64]);

impl CaptureMerits<'_> {
    #[inline(always)]
    pub(super) fn of(&self, to: Square, captured: Role) -> i32 {
        i32::from(self.0[to.index()][captured.index()])
    }
}

/// The mean difference between search and evaluation, by pawn structure and by each side's pieces.
struct Correction {
    /// By key, then by the side to move.
    tables: [Box<[ByColor<i16>; Correction::SIZE]>; 3],
}

impl Correction {
    const SIZE: usize = 1 << 14;
    /// Table units in a centipawn.
    const GRAIN: i32 = 1 << Correction::GRAIN_BITS;
    const GRAIN_BITS: u32 = 8;
    /// No table may change the value by more than this.
    const MOST: i32 = 64 * Correction::GRAIN;

    fn new() -> Correction {
        let table = || table(ByColor([0; 2]));
        Correction {
            tables: [table(), table(), table()],
        }
    }

    #[inline(always)]
    fn get<R: Rules>(&self, turn: Color, eval: &Accumulator<R>) -> i32 {
        let [pawns, white, black] = eval.keys;
        let of = |table: usize, key: u64| {
            i32::from(self.tables[table][key as usize % Correction::SIZE][turn])
        };
        (2 * of(0, pawns) + of(1, white) + of(2, black)) >> (Correction::GRAIN_BITS + 1)
    }

    #[inline(always)]
    fn update<R: Rules>(&mut self, turn: Color, eval: &Accumulator<R>, depth: i32, error: i32) {
        let weight = (depth + 1).min(16);
        let target = (error * Correction::GRAIN).clamp(-Correction::MOST, Correction::MOST);
        for (table, key) in self.tables.iter_mut().zip(eval.keys) {
            let value = &mut table[key as usize % Correction::SIZE][turn];
            let mixed = (i32::from(*value) * (256 - weight) + target * weight) / 256;
            *value = mixed as i16;
        }
    }
}
