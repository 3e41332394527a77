//! Extended position description: a position and operations, such as
//! `bm Nf3 d4; id "test 1"; ce +30;`.
//!
//! What is accepted and refused follows python-chess, which reads more than the standard
//! (<https://www.chessprogramming.org/Extended_Position_Description>) and recognises the type of an
//! operand by its first character.

mod error;
mod line;
mod opcode;
mod read;
mod write;

pub use error::{EpdError, EpdProblem};
pub use write::float;

use crate::{AnyPosition, Move, Setup};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The operand of an opcode. In place of a move, `None` is the null move.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// Nothing.
    None,
    /// One move in the position.
    Move(Option<Move>),
    /// A line of moves after `pv`, else moves in the position, as after `bm` and `am`.
    Moves(Vec<Option<Move>>),
    /// Text in quotation marks.
    Text(String),
    /// A whole number of any size: digits, perhaps with `-` before them.
    Integer(String),
    /// A number with a fraction or an exponent.
    Float(f64),
}

/// Opcodes with their operands, in the order of the text; each opcode is there once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Operations {
    list: Vec<(String, Operand)>,
    /// The index of each opcode in the list, so that a hostile text with millions of opcodes takes
    /// no quadratic time.
    places: BTreeMap<String, usize>,
}

impl Operations {
    /// Adds an operation. A second operand of an opcode takes the place of the first.
    pub fn set(&mut self, opcode: String, operand: Operand) {
        let place = self.places.get(&opcode);
        if let Some((_, old)) = place.and_then(|&place| self.list.get_mut(place)) {
            *old = operand;
        } else {
            self.places.insert(opcode.clone(), self.list.len());
            self.list.push((opcode, operand));
        }
    }

    /// The operand of an opcode.
    pub fn get(&self, opcode: &str) -> Option<&Operand> {
        let &place = self.places.get(opcode)?;
        self.list.get(place).map(|(_, operand)| operand)
    }

    /// Every opcode with its operand.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Operand)> {
        self.list
            .iter()
            .map(|(opcode, operand)| (opcode.as_str(), operand))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// A position with operations.
///
/// ```
/// use engine_core::notation::{Epd, Operand};
/// use engine_core::{CastlingMode, Variant};
///
/// let text = r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "pawn"; hmvc 3;"#;
/// let epd = Epd::read(text, Variant::Standard, CastlingMode::Standard)?;
/// assert_eq!(epd.setup.halfmoves, 3);
/// assert_eq!(epd.operations.get("id"), Some(&Operand::Text("pawn".to_owned())));
/// assert_eq!(epd.write().as_deref(), Ok(text));
/// # Ok::<(), engine_core::notation::EpdError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position as written, with the clocks of `hmvc` and `fmvn`.
    pub setup: Setup,
    /// What the position was read from: the FEN with the clocks of the operations, or the text as it was, if it
    /// has no operations.
    pub fen: String,
    /// The position of the setup, with its faults.
    pub position: AnyPosition,
    /// The operations.
    pub operations: Operations,
}
