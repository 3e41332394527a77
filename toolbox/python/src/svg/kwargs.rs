//! Arguments of `chess.svg.board` as records hold them. Each is `None` where the value makes no
//! sense.

use super::literal::{Call, Literal, number};
use diagram::Arrow;
use engine_core::notation::float;
use engine_core::{Bitboard, Square};
use serde_json::Value;

fn square(value: &Literal) -> Option<Square> {
    match value {
        Literal::Number(index) => usize::try_from(*index).ok().and_then(Square::from_index),
        Literal::Name(name) | Literal::Text(name) => name.to_ascii_lowercase().parse().ok(),
        _ => None,
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

/// Whether a flag is set, by the truth of Python.
pub(super) fn flag(value: &Value) -> bool {
    Literal::of(value).is_true()
}

/// Whether a value stands for no square and no move.
pub(super) fn is_none(value: &Value) -> bool {
    match value {
        Value::Bool(is_true) => !is_true,
        Value::String(text) if text.is_empty() => true,
        value => Literal::of(value).is_none(),
    }
}

/// One square.
pub(super) fn one_square(value: &Value) -> Option<Square> {
    square(&Literal::of(value))
}

/// A move in UCI notation.
pub(super) fn move_text(value: &Value) -> Option<String> {
    match (Literal::of(value), value) {
        (Literal::Call(call), _) => match call.arguments.as_slice() {
            [Literal::Text(text)] => Some(text.clone()),
            _ => None,
        },
        (_, Value::String(text)) => Some(text.trim_matches(['\'', '"']).to_owned()),
        _ => None,
    }
}

/// Arrows, each with its colour if there is one.
pub(super) fn arrows(value: &Value) -> Option<Vec<Arrow>> {
    match Literal::of(value) {
        Literal::List(values) => values.iter().map(arrow).collect(),
        value => (value.is_none() || value.is_empty()).then(Vec::new),
    }
}

fn arrow(value: &Literal) -> Option<Arrow> {
    let [tail, head, color] = match value {
        Literal::List(values) => match values.as_slice() {
            [tail, head] => [Some(tail), Some(head), None],
            [tail, head, color] => [Some(tail), Some(head), Some(color)],
            _ => return None,
        },
        Literal::Call(call) if call.name == "Arrow" => arguments_of_arrow(call)?,
        _ => return None,
    };
    let color = match color {
        None => "green".to_owned(),
        Some(Literal::Text(color)) => color.clone(),
        Some(_) => return None,
    };
    Some(Arrow {
        tail: square(tail?)?,
        head: square(head?)?,
        color,
    })
}

/// Tail, head and colour, each at most once; the colour has to be named.
fn arguments_of_arrow(call: &Call) -> Option<[Option<&Literal>; 3]> {
    let mut found = [None; 3];
    let names = ["tail", "head", "color"];
    let placed = call.arguments.iter().zip(["tail", "head"]);
    if call.arguments.len() > placed.len() {
        return None;
    }
    let named = call
        .named
        .iter()
        .map(|(name, value)| (value, name.as_str()));
    for (value, name) in placed.chain(named) {
        let place = names.iter().position(|known| *known == name)?;
        if found.get_mut(place)?.replace(value).is_some() {
            return None;
        }
    }
    Some(found)
}

/// Squares with their colours. As in python-chess, numbers of no square are left out.
pub(super) fn fill(value: &Value) -> Option<Vec<(Square, String)>> {
    let mut fill = Vec::new();
    for (key, color) in pairs(value)? {
        let key = match &key {
            // A key of JSON is text even where it is a number.
            Literal::Text(text) => number(text).unwrap_or(key),
            _ => key,
        };
        let Literal::Text(color) = color else {
            return None;
        };
        match (square(&key), key) {
            (Some(square), _) => fill.push((square, color)),
            (None, Literal::Number(_) | Literal::OutOfRange) => {}
            (None, _) => return None,
        }
    }
    Some(fill)
}

/// A set: `SquareSet(0x…)`, a number alone, or a list of squares.
pub(super) fn squares(value: &Value) -> Option<Bitboard> {
    set(&Literal::of(value))
}

fn set(value: &Literal) -> Option<Bitboard> {
    match value {
        Literal::Number(mask) => Some(Bitboard(*mask)),
        Literal::List(values) => values.iter().map(square).collect(),
        Literal::Call(call) if call.name == "SquareSet" => match call.arguments.as_slice() {
            [] => Some(Bitboard::EMPTY),
            [Literal::Number(mask)] => Some(Bitboard(*mask)),
            [Literal::List(values)] => values.iter().map(square).collect(),
            _ => None,
        },
        value => (!value.is_true()).then_some(Bitboard::EMPTY),
    }
}

/// Names with their colours.
pub(super) fn colors(value: &Value) -> Option<Vec<(String, String)>> {
    let text = |value| match value {
        Literal::Text(text) => Some(text),
        _ => None,
    };
    let pairs = pairs(value)?.into_iter();
    let pairs = pairs.map(|(name, color)| Some((text(name)?, text(color)?)));
    pairs.collect()
}

fn pairs(value: &Value) -> Option<Vec<(Literal, Literal)>> {
    match Literal::of(value) {
        Literal::Map(pairs) => Some(pairs),
        value => value.is_none().then(Vec::new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_notations() {
        let python = json!("[Arrow(F7, E8, color='red'), (12, 28)]");
        let texts = |value: &Value| {
            arrows(value)
                .unwrap()
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(&python), ["Rf7e8", "Ge2e4"]);
        assert_eq!(texts(&json!([[12, 28], ["a1", "a1"]])), ["Ge2e4", "Ga1"]);
        let named = json!("[Arrow(head=E4, tail=E2), Arrow(E2, color='red', head=E4)]");
        assert_eq!(texts(&named), ["Ge2e4", "Re2e4"]);
        let filled = vec![(Square::C4, "#0f08".to_owned())];
        assert_eq!(fill(&json!("{26: '#0f08'}")).as_ref(), Some(&filled));
        assert_eq!(
            fill(&json!({"26": "#0f08", "64": "red"})).as_ref(),
            Some(&filled)
        );
        assert_eq!(
            squares(&json!("SquareSet(0x0000_0000_0000_0081)")),
            Some(Bitboard(0x81))
        );
        assert_eq!(squares(&json!([0, 7])), Some(Bitboard(0x81)));
        assert_eq!(squares(&json!(0x81)), Some(Bitboard(0x81)));
        assert_eq!(
            move_text(&json!("Move.from_uci('h5f7')")),
            Some("h5f7".to_owned())
        );
        assert_eq!(move_text(&json!("0000")), Some("0000".to_owned()));
        assert!(
            [json!(null), json!("None"), json!(false), json!("")]
                .iter()
                .all(is_none)
        );
        assert!(![json!(0), json!("0000")].iter().any(is_none));
        for (value, written) in [
            (json!(400), "400"),
            (json!(400.0), "400.0"),
            (json!(1e16), "1e+16"),
            (json!("4em"), "4em"),
        ] {
            assert_eq!(text(&value).as_deref(), Some(written));
        }
        let named = vec![("square light".to_owned(), "#eee".to_owned())];
        assert_eq!(
            colors(&json!("{'square light': '#eee'}")).as_ref(),
            Some(&named)
        );
        assert_eq!(
            colors(&json!({"square light": "#eee"})).as_ref(),
            Some(&named)
        );
    }

    #[test]
    fn a_value_is_read_whole() {
        let named =
            |pairs: [[&str; 2]; 2]| Some(pairs.map(|pair| pair.map(str::to_owned).into()).to_vec());
        let odd = json!({"square light": "#123456", "margin": "a\"b"});
        let expected = named([["margin", "a\"b"], ["square light", "#123456"]]);
        let mut found = colors(&odd);
        if let Some(found) = &mut found {
            found.sort();
        }
        assert_eq!(found, expected);
        assert_eq!(
            colors(&json!({"coord": 5, "square light": "#123456"})),
            None
        );
        assert_eq!(one_square(&json!(63)), Some(Square::H8));
        assert_eq!(one_square(&json!(64)), None);
        assert_eq!(squares(&json!([99])), None);
        assert_eq!(fill(&json!("{4.5: 'red'}")), None);
        for key in ["64", "-1", "99999999999999999999999", "-0x1_0"] {
            let python = json!(format!("{{{key}: 'red'}}"));
            assert_eq!(fill(&python), Some(Vec::new()), "{key}");
            assert_eq!(fill(&json!({ key: "red" })), Some(Vec::new()), "{key}");
        }
        for empty in [json!([]), json!({}), json!(""), json!("set()"), json!(null)] {
            assert_eq!(arrows(&empty), Some(Vec::new()), "{empty}");
            assert_eq!(squares(&empty), Some(Bitboard::EMPTY), "{empty}");
        }
        assert_eq!(arrows(&json!(["e2e4"])), None);
        assert_eq!(arrows(&json!([[1, 99]])), None);
        for call in [
            "Arrow(E2)",
            "Arrow(E2, E4, 'red')",
            "Arrow(E2, E4, tail=E3)",
            "Arrow(E2, E4, colour='red')",
            "Arrow(E2, E4, color='red', color='red')",
        ] {
            assert_eq!(arrows(&json!(format!("[{call}]"))), None, "{call}");
        }
        assert_eq!(fill(&json!({"x": "red"})), None);
        assert_eq!(move_text(&json!(5)), None);
    }
}
