//! Messages about FENs.

use super::quote::quote;
use engine_core::notation::{is_blank, whole_number, words};
use engine_core::{Pockets, Setup, Variant};

/// The message about a text that is no FEN.
pub fn fen(text: &str, variant: Variant) -> String {
    let mut parts: Vec<&str> = words(text).collect();
    match variant {
        Variant::ThreeCheck => {
            let is_lichess = parts.get(6).is_some_and(|part| part.starts_with('+'));
            let at = if is_lichess { 6 } else { 4 };
            if parts.get(at).is_some_and(|part| part.contains('+')) {
                let checks = parts.remove(at);
                let is_number = |text: &str| whole_number(text).is_some();
                let numbers = checks.strip_prefix('+').filter(|_| is_lichess);
                let numbers = numbers.unwrap_or(checks).split_once('+');
                if !numbers.is_some_and(|(white, black)| is_number(white) && is_number(black)) {
                    let kind = if is_lichess { "lichess three" } else { "three" };
                    return format!("invalid check part in {kind}-check fen: {}", quote(checks));
                }
                let rest = parts.join(" ");
                // python-chess allows more checks than can occur in play.
                return match Setup::from_fen(&rest) {
                    Ok(_) => format!("more than 255 checks: {}", quote(checks)),
                    Err(_) => standard(&rest),
                };
            }
            standard(&parts.join(" "))
        }
        Variant::Crazyhouse => crazyhouse(text, &parts),
        _ => standard(text),
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
    if let Some(letter) = pocket.chars().find(|letter| !is_piece(letter)) {
        let letter = quote(&letter.to_lowercase().to_string());
        return format!("{letter} is not in list");
    }
    // All that follows on the pieces is quoted with its blanks.
    let text = text.trim_start_matches(is_blank);
    let rest = text.split_once(is_blank).map_or("", |(_, rest)| rest);
    let text = format!("{board} {}", rest.trim_start_matches(is_blank));
    // python-chess's pockets hold any number of pieces.
    match Setup::from_fen(&text) {
        Ok(_) => format!(
            "more than {} pieces of one kind in the pocket: {}",
            Pockets::MAX_PER_ROLE,
            quote(pocket)
        ),
        Err(_) => standard(&text),
    }
}

/// The message about a text that is no FEN of standard chess.
fn standard(fen: &str) -> String {
    let quoted = quote(fen);
    let mut parts = words(fen);
    let Some(board) = parts.next() else {
        return "empty fen".into();
    };
    if parts.next().is_some_and(|turn| turn != "w" && turn != "b") {
        return format!("expected 'w' or 'b' for turn part of fen: {quoted}");
    }
    if parts.next().is_some_and(|part| !is_castling(part)) {
        return format!("invalid castling part in fen: {quoted}");
    }
    let is_square = |text: &str| text.parse::<engine_core::Square>().is_ok();
    if parts
        .next()
        .is_some_and(|part| part != "-" && !is_square(part))
    {
        return format!("invalid en passant part in fen: {quoted}");
    }
    for (unread, negative) in [
        (
            "invalid half-move clock in fen",
            "half-move clock cannot be negative",
        ),
        (
            "invalid fullmove number in fen",
            "fullmove number cannot be negative",
        ),
    ] {
        match parts.next().map(whole_number) {
            Some(None) => return format!("{unread}: {quoted}"),
            Some(Some(number)) if number.starts_with('-') => {
                return format!("{negative}: {quoted}");
            }
            _ => {}
        }
    }
    if parts.next().is_some() {
        return format!("fen string has more parts than expected: {quoted}");
    }
    board_part(board)
}

fn is_castling(part: &str) -> bool {
    let letters = |range: std::ops::RangeInclusive<char>, extra: [char; 2]| {
        move |c: char| range.contains(&c) || extra.contains(&c)
    };
    let (white, black) = (
        letters('A'..='H', ['K', 'Q']),
        letters('a'..='h', ['k', 'q']),
    );
    let rest = part.trim_start_matches(&white);
    let count = part.len() - rest.len();
    part == "-" || count <= 2 && rest.len() <= 2 && rest.chars().all(black)
}

/// The message about pieces that are not those of a FEN.
pub fn board_part(board: &str) -> String {
    let place = format!("in position part of fen: {}", quote(board));
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 8 {
        return format!("expected 8 rows {place}");
    }
    for row in rows {
        let mut width = 0;
        let (mut after_digit, mut after_piece) = (false, false);
        for c in row.chars() {
            match c {
                '1'..='8' if after_digit => return format!("two subsequent digits {place}"),
                '1'..='8' => width += c.to_digit(10).unwrap_or(0),
                '~' if !after_piece => return format!("'~' not after piece {place}"),
                '~' => {}
                _ if "pnbrqk".contains(c.to_ascii_lowercase()) => width += 1,
                _ => return format!("invalid character {place}"),
            }
            after_digit = c.is_ascii_digit();
            after_piece = c.is_ascii_alphabetic();
        }
        if width != 8 {
            return format!("expected 8 columns per row {place}");
        }
    }
    format!("invalid fen: {}", quote(board))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        assert_eq!(standard(" "), "empty fen");
        assert_eq!(
            standard("nonsense"),
            "expected 8 rows in position part of fen: 'nonsense'"
        );
        assert_eq!(
            standard("8/8/8/8/8/8/8/8 x"),
            "expected 'w' or 'b' for turn part of fen: '8/8/8/8/8/8/8/8 x'"
        );
        for (clock, message) in [
            (
                "٣",
                "invalid character in position part of fen: 'x/8/8/8/8/8/8/8'",
            ),
            (
                "1_0",
                "invalid character in position part of fen: 'x/8/8/8/8/8/8/8'",
            ),
            (
                "-1_0",
                "half-move clock cannot be negative: 'x/8/8/8/8/8/8/8 w - - -1_0'",
            ),
            (
                "1__0",
                "invalid half-move clock in fen: 'x/8/8/8/8/8/8/8 w - - 1__0'",
            ),
        ] {
            assert_eq!(standard(&format!("x/8/8/8/8/8/8/8 w - - {clock}")), message);
        }
        assert_eq!(
            standard("8/8/8/8/8/44/8/8"),
            "two subsequent digits in position part of fen: '8/8/8/8/8/44/8/8'"
        );
    }
}
