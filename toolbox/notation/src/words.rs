//! What python-chess says of text that it refuses: answers to `--batch` have its words beside its
//! names of errors, so that a script that reads them need not know who answers.

use engine_core::notation::{EpdProblem, MoveError, is_blank};
use engine_core::{AnyPosition, Variant};
use pgn::compat::{fen_message, move_message, quote, uci_message};

/// Of a FEN.
pub fn fen(text: &str, variant: Variant) -> String {
    let mut parts: Vec<&str> = text
        .split(is_blank)
        .filter(|part| !part.is_empty())
        .collect();
    match variant {
        Variant::ThreeCheck => {
            let is_lichess = parts.get(6).is_some_and(|part| part.starts_with('+'));
            let at = if is_lichess { 6 } else { 4 };
            if parts.get(at).is_some_and(|part| part.contains('+')) {
                let checks = parts.remove(at);
                let is_number = |text: &str| engine_core::notation::whole_number(text).is_some();
                let numbers = checks.strip_prefix('+').filter(|_| is_lichess);
                let numbers = numbers.unwrap_or(checks).split_once('+');
                if !numbers.is_some_and(|(white, black)| is_number(white) && is_number(black)) {
                    let kind = if is_lichess { "lichess three" } else { "three" };
                    return format!("invalid check part in {kind}-check fen: {}", quote(checks));
                }
            }
            fen_message(&parts.join(" "))
        }
        Variant::Crazyhouse => crazyhouse(text, &parts),
        _ => fen_message(text),
    }
}

fn crazyhouse(text: &str, parts: &[&str]) -> String {
    let [position, rest @ ..] = parts else {
        return "not enough values to unpack (expected 2, got 0)".to_owned();
    };
    if rest.is_empty() {
        return "not enough values to unpack (expected 2, got 1)".to_owned();
    }
    let slashes = |text: &str| text.matches('/').count();
    let position = match position.strip_suffix(']') {
        Some(_) if slashes(position) != 7 => {
            return format!(
                "expected 8 rows in position part of zh fen: {}",
                quote(text)
            );
        }
        Some(open) => open.replacen('[', "/", 1),
        None => (*position).to_owned(),
    };
    let (board, pocket) = match position.rsplit_once('/') {
        Some((board, pocket)) if slashes(&position) == 8 => (board, pocket),
        _ => (position.as_str(), ""),
    };
    let is_piece = |letter: &char| "pnbrqk".contains(letter.to_ascii_lowercase());
    match pocket.chars().find(|letter| !is_piece(letter)) {
        Some(letter) => format!(
            "{} is not in list",
            quote(&letter.to_lowercase().to_string())
        ),
        None => fen_message(&format!("{board} {}", rest.join(" "))),
    }
}

/// Of a move in SAN.
pub fn san(text: &str, error: &MoveError, position: &AnyPosition) -> String {
    let message = move_message(position, text, error);
    let bare = message.split_once(": ").map(|(_, words)| words.to_owned());
    bare.unwrap_or(message)
}

/// Of a move in UCI notation.
pub fn uci(text: &str, error: &MoveError, position: &AnyPosition) -> String {
    if *error == MoveError::Syntax {
        return uci_message(text);
    }
    let fen = position.fen();
    format!("illegal uci: {} in {fen}", quote(text))
}

/// Of an EPD.
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
        EpdProblem::Move {
            text,
            error,
            position,
        } => san(text, error, position),
    }
}
