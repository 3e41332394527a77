//! Writing an EPD.

use super::opcode::is_opcode;
use super::{Epd, EpdProblem, Operand, Operations};
use crate::notation::{EnPassant, MoveText};
use crate::rules::Rules;
use crate::{AnyPosition, Move, Position, dispatch};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write;

impl Epd {
    /// The EPD; see [`Operations::write`].
    ///
    /// # Errors
    /// When an opcode is invalid.
    pub fn write(&self) -> Result<String, EpdProblem> {
        self.operations.write(&self.position)
    }
}

impl Operations {
    /// The EPD of a position with these operations. Moves after `bm` and `am` are sorted.
    ///
    /// # Errors
    /// When an opcode does not begin with a letter or holds a blank.
    pub fn write(&self, position: &AnyPosition) -> Result<String, EpdProblem> {
        dispatch!(position, |position| self.write_for(position))
    }

    fn write_for<R: Rules>(&self, position: &Position<R>) -> Result<String, EpdProblem> {
        let mut text = position.epd(EnPassant::Legal);
        for (opcode, operand) in self.iter() {
            if !is_opcode(opcode) {
                return Err(EpdProblem::Opcode(opcode.to_owned()));
            }
            // Writing to a string cannot fail.
            let _ = write!(text, " {opcode}");
            match operand {
                Operand::None => {}
                Operand::Move(m) => push_word(&mut text, &san(position, *m)),
                Operand::Moves(moves) if opcode == "pv" => push_line(&mut text, position, moves),
                Operand::Moves(moves) if opcode == "am" || opcode == "bm" => {
                    let mut sans: Vec<String> = moves
                        .iter()
                        .map(|&m| san(position, m).to_string())
                        .collect();
                    sans.sort_unstable();
                    for san in &sans {
                        push_word(&mut text, san);
                    }
                }
                Operand::Moves(moves) => push_text(&mut text, &listed(position, moves)),
                Operand::Text(value) => push_text(&mut text, value),
                Operand::Integer(digits) => push_word(&mut text, digits),
                Operand::Float(number) => push_word(&mut text, &float(*number)),
            }
            text.push(';');
        }
        Ok(text)
    }
}

fn push_word(text: &mut String, word: &str) {
    text.push(' ');
    text.push_str(word);
}

fn push_line<R: Rules>(text: &mut String, position: &Position<R>, moves: &[Option<Move>]) {
    let mut position = *position;
    for &m in moves {
        push_word(text, &san(&position, m));
        match m {
            Some(m) => position.play(m),
            None => position.play_null(),
        }
    }
}

fn push_text(text: &mut String, value: &str) {
    text.push_str(" \"");
    for letter in value.chars() {
        match letter {
            '\\' => text.push_str("\\\\"),
            '"' => text.push_str("\\\""),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            '\n' => text.push_str("\\n"),
            other => text.push(other),
        }
    }
    text.push('"');
}

fn san<R: Rules>(position: &Position<R>, m: Option<Move>) -> MoveText {
    m.map_or_else(MoveText::null, |m| position.to_san(m))
}

/// Moves under an opcode that takes none: a text of them in UCI notation.
fn listed<R: Rules>(position: &Position<R>, moves: &[Option<Move>]) -> String {
    let uci = |m: &Option<Move>| m.map_or_else(MoveText::null_uci, |m| position.to_uci(m));
    let texts: Vec<String> = moves.iter().map(|m| uci(m).to_string()).collect();
    texts.join(" ")
}

/// The shortest text that reads as this number, with a point or an exponent, plain from 1e-4 up to
/// 1e16: what Python's `repr` writes.
pub fn float(number: f64) -> String {
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if number == 0.0 || (-4..16).contains(&exponent) {
        format!("{number:?}")
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{digits}e{sign}{:02}", exponent.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_a_point_or_an_exponent() {
        for text in [
            "0.0",
            "-0.0",
            "1.0",
            "-2.5",
            "0.0001",
            "1e-05",
            "1.5e-09",
            "1e+16",
            "123456789012345.6",
            "1.7976931348623157e+308",
            "5e-324",
            "9007199254740993.0",
        ] {
            let expected = if text == "9007199254740993.0" {
                "9007199254740992.0"
            } else {
                text
            };
            assert_eq!(text.parse().map(float).as_deref(), Ok(expected));
        }
    }
}
