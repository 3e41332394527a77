//! History heuristics for move ordering.

use super::correction::Correction;
use super::order_context::OrderContext;
use super::piece_to::{PieceTo, table};
use super::tunables as tune;
use crate::{Bitboard, Color, Move, Role, Square};

/// The bonus of a move that failed high, and the malus of those searched before it.
#[inline(always)]
pub(super) fn bonus(depth: i32) -> i32 {
    let bonus = tune::history_bonus_factor() * depth - tune::history_bonus_offset();
    bonus.min(tune::history_bonus_most())
}

/// Adds a bonus or malus with "gravity": the nearer a score is to the limit, the less it grows
/// (<https://www.chessprogramming.org/History_Heuristic>).
#[inline(always)]
fn update(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / tune::history_limit()) as i16;
}

/// Continuation history: by an earlier move, then by this move's piece and square.
type ContinuationHistory = [[[i16; 64]; PieceTo::PIECES]; PieceTo::COUNT + 1];

/// Butterfly history of one side: by from and to, in a table for whether the enemy attacks either.
/// To flee an attack is worth more, to walk into one less (threat history, from Berserk).
type Butterfly = [[[i16; 64]; 64]; ATTACK_STATES];

/// Neither, either or both of two squares are attacked.
const ATTACK_STATES: usize = 4;

/// The butterfly table of a move, below [`ATTACK_STATES`].
#[inline(always)]
fn threat_index(m: Move, threats: Bitboard) -> usize {
    2 * usize::from(threats.has(m.from())) + usize::from(threats.has(m.to()))
}

/// The history tables of one thread.
pub(super) struct History {
    /// The tables of White, then those of Black.
    butterfly: Box<[[[i16; 64]; 64]; 2 * ATTACK_STATES]>,
    /// Capture history: by moved piece and target square, and captured role.
    captures: Box<[[[i16; 6]; 64]; PieceTo::PIECES]>,
    /// After the moves one, two and four plies before.
    continuations: Box<ContinuationHistory>,
    pub(super) correction: Correction,
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

    /// Zeroes all tables in place: freed and allocated anew, they would fragment memory.
    pub(super) fn clear(&mut self) {
        self.butterfly.fill([[0; 64]; 64]);
        self.captures.fill([[0; 6]; 64]);
        self.continuations.fill([[0; 64]; PieceTo::PIECES]);
        self.correction.clear();
    }

    /// The history scores of a side's quiet moves.
    #[inline(always)]
    pub(super) fn quiet(&self, color: Color, context: &OrderContext) -> QuietHistory<'_> {
        QuietHistory {
            color,
            butterfly: &self.butterfly.as_chunks().0[color.index()],
            threats: context.threats,
            continuations: context
                .before
                .map(|earlier| &self.continuations[earlier.row()]),
        }
    }

    #[inline(always)]
    pub(super) fn update_quiet(
        &mut self,
        color: Color,
        m: Move,
        piece: PieceTo,
        context: &OrderContext,
        bonus: i32,
    ) {
        let table = color.index() * ATTACK_STATES + threat_index(m, context.threats);
        let butterfly = &mut self.butterfly[table];
        update(&mut butterfly[m.from().index()][m.to().index()], bonus);
        for earlier in context.before {
            let row = self.continuations[earlier.row()].as_flattened_mut();
            update(&mut row[piece.index()], bonus);
        }
    }

    /// The history scores of the captures by one piece.
    #[inline(always)]
    pub(super) fn captures(&self, color: Color, role: Role) -> CaptureHistory<'_> {
        CaptureHistory(&self.captures[PieceTo::piece(color, role)])
    }

    #[inline(always)]
    pub(super) fn update_capture(&mut self, piece: PieceTo, captured: Role, bonus: i32) {
        let history = &mut self.captures.as_flattened_mut()[piece.index()];
        update(&mut history[captured.index()], bonus);
    }
}

/// History scores of the quiet moves of one side.
pub(super) struct QuietHistory<'a> {
    color: Color,
    butterfly: &'a Butterfly,
    threats: Bitboard,
    /// By piece and to.
    continuations: [&'a [[i16; 64]; PieceTo::PIECES]; 3],
}

impl<'a> QuietHistory<'a> {
    /// Those of the moves of a role.
    #[inline(always)]
    pub(super) fn of(&self, role: Role) -> RoleHistory<'a> {
        let piece = PieceTo::piece(self.color, role);
        RoleHistory {
            butterfly: self.butterfly,
            threats: self.threats,
            continuations: self.continuations.map(|row| &row[piece]),
        }
    }
}

/// History scores of the quiet moves of one role.
pub(super) struct RoleHistory<'a> {
    butterfly: &'a Butterfly,
    threats: Bitboard,
    /// By to.
    continuations: [&'a [i16; 64]; 3],
}

impl RoleHistory<'_> {
    #[inline(always)]
    pub(super) fn of(&self, m: Move) -> i32 {
        let (from, to) = (m.from().index(), m.to().index());
        let [one, two, four] = self.continuations.map(|row| i32::from(row[to]));
        let butterfly = &self.butterfly[threat_index(m, self.threats)];
        i32::from(butterfly[from][to]) + one + two + four
    }
}

/// History scores of the captures by one piece: by target square and captured role.
pub(super) struct CaptureHistory<'a>(&'a [[i16; 6]; 64]);

impl CaptureHistory<'_> {
    #[inline(always)]
    pub(super) fn of(&self, to: Square, captured: Role) -> i32 {
        i32::from(self.0[to.index()][captured.index()])
    }
}
