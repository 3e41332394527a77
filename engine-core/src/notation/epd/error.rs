//! What can be wrong with an EPD.

use crate::AnyPosition;
use crate::notation::{FenError, MoveError};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use core::fmt;

/// What is wrong with an EPD.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EpdProblem {
    /// The position cannot be read, or `hmvc` and `fmvn` are no clocks.
    Position {
        /// The position with these clocks.
        fen: String,
        /// What is wrong with it.
        error: FenError,
    },
    /// An opcode that does not begin with a letter, or holds a blank.
    Opcode(String),
    /// An operand that begins like a number but is not one.
    Number(String),
    /// A number too large for any operation.
    NumberTooLarge {
        /// The operation.
        opcode: String,
        /// The number.
        number: String,
    },
    /// An operand that is no legal move.
    Move {
        /// The operand.
        text: String,
        /// Why it is not a move.
        error: MoveError,
        /// Where it should be one.
        position: Box<AnyPosition>,
    },
}

/// A text that is no EPD, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdError {
    /// The character of the text, from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: EpdProblem,
}

impl EpdError {
    /// The same error, with its columns mapped to those of the enclosing text.
    pub(super) fn map_columns(self, place: impl Fn(usize) -> usize) -> EpdError {
        let problem = match self.problem {
            EpdProblem::Position { fen, error } => EpdProblem::Position {
                fen,
                error: error.map_columns(&place),
            },
            problem => problem,
        };
        EpdError {
            column: place(self.column),
            problem,
        }
    }
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let EpdProblem::Position { error, .. } = &self.problem {
            return error.fmt(f);
        }
        write!(f, "bad EPD: column {}: {}", self.column, self.problem)
    }
}

impl fmt::Display for EpdProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdProblem::Position { error, .. } => error.fmt(f),
            EpdProblem::Opcode(text) => {
                write!(f, "an opcode begins with a letter, unlike {}", quoted(text))
            }
            EpdProblem::Number(text) => write!(f, "{} is not a number", quoted(text)),
            EpdProblem::NumberTooLarge { number, .. } => {
                write!(f, "the number {} is too large", quoted(number))
            }
            EpdProblem::Move { text, error, .. } => write!(f, "{}: {error}", quoted(text)),
        }
    }
}

impl core::error::Error for EpdError {}

impl core::error::Error for EpdProblem {}

/// The beginning of a text, without control characters.
fn quoted(text: &str) -> String {
    const MAX_LENGTH: usize = 40;
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{:?}...", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}
