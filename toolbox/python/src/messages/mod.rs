//! python-chess's messages about texts that it refuses: answers have them beside its names of
//! errors, so that a script can read either program's answers.

mod fen;
mod moves;
mod quote;

pub use fen::{board_part, fen};
pub use moves::{not_uci, san, san_in, uci};
pub use quote::quote;

use engine_core::Variant;
use engine_core::notation::EpdProblem;

/// The message about a text that is no EPD.
pub fn epd(problem: &EpdProblem, variant: Variant) -> String {
    match problem {
        EpdProblem::Position { fen: text, .. } => fen(text, variant),
        EpdProblem::Opcode(text) if text.starts_with(char::is_alphabetic) => {
            let bad = [' ', '\t', '\r', '\n']
                .into_iter()
                .find(|&c| text.contains(c));
            let bad = quote(&bad.unwrap_or(' ').to_string());
            format!("invalid character {bad} in epd opcode: {}", quote(text))
        }
        EpdProblem::Opcode(text) => match text.as_str() {
            "" => "empty string is not a valid epd opcode".to_owned(),
            "-" => "dash (-) is not a valid epd opcode".to_owned(),
            _ => format!(
                "expected epd opcode to start with a letter, got: {}",
                quote(text)
            ),
        },
        EpdProblem::Number(text) if text.contains(['.', 'e', 'E']) => {
            format!("could not convert string to float: {}", quote(text))
        }
        EpdProblem::Number(text) => {
            format!("invalid literal for int() with base 10: {}", quote(text))
        }
        EpdProblem::NumberTooLarge { opcode, number } => format!(
            "invalid numeric operand for epd operation {}: {}",
            quote(opcode),
            quote(number)
        ),
        EpdProblem::Move {
            text,
            error,
            position,
        } => san(text, error, position),
    }
}
