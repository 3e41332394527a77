//! What python-chess says of a FEN that it refuses.

use super::is_space;

/// What python-chess says of a FEN that it refuses.
pub fn message(fen: &str) -> String {
    let quoted = quote(fen);
    let mut parts = fen.split(is_space).filter(|part| !part.is_empty());
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
        match parts.next().map(str::parse::<i64>) {
            Some(Err(_)) => return format!("{unread}: {quoted}"),
            Some(Ok(..0)) => return format!("{negative}: {quoted}"),
            _ => {}
        }
    }
    if parts.next().is_some() {
        return format!("fen string has more parts than expected: {quoted}");
    }
    board_message(board)
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

fn board_message(board: &str) -> String {
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

/// A text as Python shows it: in single quotes, unless it has some and no double ones.
pub fn quote(text: &str) -> String {
    let mark = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut quoted = String::from(mark);
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c == mark => quoted.extend(['\\', c]),
            c if c.is_ascii_control() => quoted.extend(format!("\\x{:02x}", c as u32).chars()),
            c => quoted.push(c),
        }
    }
    quoted.push(mark);
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        assert_eq!(message(" "), "empty fen");
        assert_eq!(
            message("nonsense"),
            "expected 8 rows in position part of fen: 'nonsense'"
        );
        assert_eq!(
            message("8/8/8/8/8/8/8/8 x"),
            "expected 'w' or 'b' for turn part of fen: '8/8/8/8/8/8/8/8 x'"
        );
        assert_eq!(
            message("8/8/8/8/8/44/8/8"),
            "two subsequent digits in position part of fen: '8/8/8/8/8/44/8/8'"
        );
        assert_eq!(quote("a'b"), "\"a'b\"");
    }
}
