//! Arguments of `chess.svg.board` as records hold them: JSON, or text in Python's notation such as
//! `[Arrow(E2, E4, color='red'), (12, 28)]`.

use diagram::Arrow;
use engine_core::notation::float;
use engine_core::{Bitboard, Square};
use serde_json::Value;

/// A word of either notation.
#[derive(Clone, PartialEq, Debug)]
enum Word {
    Number(u64),
    Name(String),
    Text(String),
}

/// The words of a value; everything else only parts them.
fn words(value: &Value) -> Vec<Word> {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut words = Vec::new();
    let mut rest = text.as_str();
    while let Some(letter) = rest.chars().next() {
        if letter == '\'' || letter == '"' {
            let inner = rest.get(1..).unwrap_or_default();
            let (word, after) = inner.split_once(letter).unwrap_or((inner, ""));
            words.push(Word::Text(word.to_owned()));
            rest = after;
        } else if letter.is_alphanumeric() {
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let (word, after) = rest
                .split_at_checked(end.unwrap_or(rest.len()))
                .unwrap_or((rest, ""));
            words.push(number(word).map_or_else(|| Word::Name(word.to_owned()), Word::Number));
            rest = after;
        } else {
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        }
    }
    words
}

fn number(word: &str) -> Option<u64> {
    let plain = word.replace('_', "");
    match plain.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => plain.parse().ok(),
    }
}

fn square(word: &Word) -> Option<Square> {
    match word {
        Word::Number(index) => usize::try_from(*index).ok().and_then(Square::from_index),
        Word::Name(name) | Word::Text(name) => name.to_ascii_lowercase().parse().ok(),
    }
}

/// A value as Python writes it: `400.0` keeps its point. `null` is none.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Bool(true) => Some("True".to_owned()),
        Value::Bool(false) => Some("False".to_owned()),
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if number.is_f64() => number.as_f64().map(float),
        other => Some(other.to_string()),
    }
}

/// One square.
pub(super) fn one_square(value: &Value) -> Option<Square> {
    words(value).iter().find_map(square)
}

/// A move, of which only the text counts; `null` is none.
pub(super) fn move_text(value: &Value) -> Option<String> {
    words(value).into_iter().rev().find_map(|word| match word {
        Word::Text(text) => Some(text),
        Word::Name(text) if text.len() >= 4 && text != "null" && text != "None" => Some(text),
        _ => None,
    })
}

/// Pairs of squares, each with its colour if there is one.
pub(super) fn arrows(value: &Value) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    let mut tail = None;
    for word in words(value) {
        match (square(&word), &word, tail) {
            (Some(head), _, Some(from)) => {
                arrows.push(Arrow {
                    tail: from,
                    head,
                    color: "green".to_owned(),
                });
                tail = None;
            }
            (Some(from), _, None) => tail = Some(from),
            (None, Word::Text(color), _) => {
                if let Some(arrow) = arrows.last_mut() {
                    arrow.color.clone_from(color);
                }
            }
            _ => {}
        }
    }
    arrows
}

/// Squares with their colours.
pub(super) fn fill(value: &Value) -> Vec<(Square, String)> {
    let mut fill = Vec::new();
    let mut filled = None;
    for word in words(value) {
        match (&word, filled) {
            (Word::Text(color), Some(square)) => {
                fill.push((square, color.clone()));
                filled = None;
            }
            _ => filled = square_key(&word).or(filled),
        }
    }
    fill
}

/// A key of JSON is text even where it is a number.
fn square_key(word: &Word) -> Option<Square> {
    match word {
        Word::Text(text) => number(text)
            .map(Word::Number)
            .as_ref()
            .and_then(square)
            .or_else(|| square(word)),
        _ => square(word),
    }
}

/// A set: `SquareSet(0x…)`, a number alone, or a list of squares.
pub(super) fn squares(value: &Value) -> Bitboard {
    let words = words(value);
    let is_mask = words.contains(&Word::Name("SquareSet".to_owned())) || value.is_number();
    match words.last() {
        Some(Word::Number(mask)) if is_mask => Bitboard(*mask),
        _ => words.iter().filter_map(square).collect(),
    }
}

/// Names with their colours.
pub(super) fn colors(value: &Value) -> Vec<(String, String)> {
    let texts: Vec<String> = words(value)
        .into_iter()
        .filter_map(|word| match word {
            Word::Text(text) => Some(text),
            _ => None,
        })
        .collect();
    let pairs = texts.chunks_exact(2).filter_map(|pair| match pair {
        [name, color] => Some((name.clone(), color.clone())),
        _ => None,
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_notations() {
        let python = json!("[Arrow(F7, E8, color='red'), (12, 28)]");
        let texts = |value| {
            arrows(value)
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(&python), ["Rf7e8", "Ge2e4"]);
        assert_eq!(texts(&json!([[12, 28], ["a1", "a1"]])), ["Ge2e4", "Ga1"]);
        let filled = vec![(Square::C4, "#0f08".to_owned())];
        assert_eq!(fill(&json!("{26: '#0f08'}")), filled);
        assert_eq!(fill(&json!({"26": "#0f08"})), filled);
        assert_eq!(
            squares(&json!("SquareSet(0x0000_0000_0000_0081)")),
            Bitboard(0x81)
        );
        assert_eq!(squares(&json!([0, 7])), Bitboard(0x81));
        assert_eq!(
            move_text(&json!("Move.from_uci('h5f7')")).as_deref(),
            Some("h5f7")
        );
        assert_eq!(move_text(&json!(null)), None);
        for (value, written) in [
            (json!(400), "400"),
            (json!(400.0), "400.0"),
            (json!(1e16), "1e+16"),
            (json!("4em"), "4em"),
        ] {
            assert_eq!(text(&value).as_deref(), Some(written));
        }
        let named = vec![("square light".to_owned(), "#eee".to_owned())];
        assert_eq!(colors(&json!("{'square light': '#eee'}")), named);
        assert_eq!(colors(&json!({"square light": "#eee"})), named);
    }
}
