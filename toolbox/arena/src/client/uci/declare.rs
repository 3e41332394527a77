//! Options as UCI engines declare them.

use crate::client::option::{EngineOption, EngineOptionKind};

/// Reads what follows `option`: `name N type T [default D] [min A] [max B] [var V]...`. Names and
/// values may hold blanks. `None` where name or type are missing.
pub(super) fn read(text: &str) -> Option<EngineOption> {
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in text.split_whitespace() {
        // A name may hold the words that follow it, but nothing else does.
        let has_type = parts.iter().any(|(key, _)| *key == "type");
        let is_key = match word {
            "name" => parts.is_empty(),
            "type" => !has_type,
            "default" | "min" | "max" | "var" => has_type,
            _ => false,
        };
        match parts.last_mut() {
            _ if is_key => parts.push((word, Vec::new())),
            Some((_, words)) => words.push(word),
            None => {}
        }
    }
    let all = |key| {
        parts
            .iter()
            .filter(move |part| part.0 == key)
            .map(|part| part.1.join(" "))
    };
    let first = |key| all(key).next().unwrap_or_default();
    let number = |key| first(key).parse().ok();
    let default_text = match first("default") {
        text if text == "<empty>" => String::new(),
        text => text,
    };
    let kind = match first("type").as_str() {
        "check" => EngineOptionKind::Check {
            default: default_text.eq_ignore_ascii_case("true"),
        },
        "spin" => EngineOptionKind::Spin {
            default: number("default").or(number("min")).unwrap_or(0),
            min: number("min"),
            max: number("max"),
        },
        "combo" => EngineOptionKind::Combo {
            default: default_text,
            values: all("var").collect(),
        },
        "button" => EngineOptionKind::Button,
        "string" | "file" | "path" => EngineOptionKind::Text {
            default: default_text,
        },
        _ => return None,
    };
    let name = first("name");
    (!name.is_empty()).then_some(EngineOption { name, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type() {
        let kind = |text| read(text).map(|option| (option.name, option.kind));
        assert_eq!(
            kind("name Hash type spin default 16 min 1 max 33554432"),
            Some((
                "Hash".into(),
                EngineOptionKind::Spin {
                    default: 16,
                    min: Some(1),
                    max: Some(33_554_432),
                },
            ))
        );
        assert_eq!(
            kind("name UCI Style type combo default Solid Play var Solid Play var Wild"),
            Some((
                "UCI Style".into(),
                EngineOptionKind::Combo {
                    default: "Solid Play".into(),
                    values: vec!["Solid Play".into(), "Wild".into()],
                },
            ))
        );
        assert_eq!(
            kind("name Nullmove type check default true"),
            Some(("Nullmove".into(), EngineOptionKind::Check { default: true }))
        );
        assert_eq!(
            kind("name Clear Hash type button"),
            Some(("Clear Hash".into(), EngineOptionKind::Button))
        );
        assert_eq!(
            kind("name Book File type string default <empty>"),
            Some((
                "Book File".into(),
                EngineOptionKind::Text {
                    default: String::new()
                },
            ))
        );
        // As odd as they come.
        assert!(kind("name default type string default a  b").is_some());
        for wrong in [
            "",
            "name x",
            "type spin",
            "name type spin",
            "name x type y",
            "x y z",
        ] {
            assert_eq!(kind(wrong), None, "{wrong}");
        }
    }
}
