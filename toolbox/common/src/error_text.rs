//! Texts of errors for people, from the messages of the system and of serde.

use serde_json::error::Category;
use std::io;

/// What is wrong with bytes that are no text.
pub(crate) const NOT_UTF8: &str = "it is not UTF-8 text";

/// The system's message of an error, without its number and without the name of a temporary file.
pub fn of_system(error: &io::Error) -> String {
    let message = error.to_string();
    let before = message.split_once(" at path \"").map(|(before, _)| before);
    plain(before.unwrap_or(&message))
}

/// A message without the numbers of system errors (` (os error 2)`) and the full stops that Windows
/// has before them, and with a plain text for the standard library's error on UTF-8.
pub fn plain(message: &str) -> String {
    let mut plain = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, after)) = rest.split_once(" (os error ") {
        let digits = after.trim_start_matches(|c: char| c.is_ascii_digit());
        if let Some(after) = digits.strip_prefix(')') {
            plain.push_str(before.strip_suffix('.').unwrap_or(before));
            rest = after;
        } else {
            plain.push_str(before);
            plain.push_str(" (os error ");
            rest = after;
        }
    }
    (plain + rest).replace("stream did not contain valid UTF-8", NOT_UTF8)
}

/// Why a text is not the JSON that is expected.
pub fn of_json(error: &serde_json::Error, text: impl AsRef<[u8]>) -> String {
    let character = character(text.as_ref(), error.line(), error.column());
    let place = match error.line() {
        0 => String::new(),
        1 => format!(" at character {character}"),
        line => format!(" at line {line}, character {character}"),
    };
    // serde gives this error no category of its own.
    if error.to_string().starts_with("recursion limit exceeded") {
        return format!("the JSON is nested too deeply{place}");
    }
    match error.classify() {
        Category::Io => plain(&error.to_string()),
        Category::Syntax => format!("not JSON{place}"),
        Category::Eof => "the JSON is incomplete".to_owned(),
        Category::Data => of_data(&error.to_string()) + &place,
    }
}

/// Which character of a line has the byte with this number; all are counted from 1.
fn character(text: &[u8], line: usize, byte: usize) -> usize {
    let line = text
        .split(|&byte| byte == b'\n')
        .nth(line.saturating_sub(1));
    let line = line.unwrap_or_default();
    let before = line.get(..byte).unwrap_or(line);
    let is_first = |byte: &&u8| **byte & 0xc0 != 0x80;
    // Serde gives no place for what the text begins with.
    before.iter().filter(is_first).count().max(1)
}

/// What is wrong with JSON of another structure than expected.
fn of_data(message: &str) -> String {
    let message = match message.rsplit_once(" at line ") {
        Some((message, _)) => message,
        None => message,
    };
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("{field} is missing");
    }
    if let Some(field) = message.strip_prefix("duplicate field ") {
        return format!("{field} is given twice");
    }
    let one_of = ["unknown variant ", "unknown field "]
        .into_iter()
        .find_map(|kind| message.strip_prefix(kind)?.split_once(", expected "));
    if let Some((found, wanted)) = one_of {
        let wanted = wanted.strip_prefix("one of ").unwrap_or(wanted);
        return format!("{found} is not one of {wanted}");
    }
    let found = ["invalid type: ", "invalid value: "]
        .into_iter()
        .find_map(|kind| message.strip_prefix(kind)?.split_once(", expected "));
    if let Some((found, wanted)) = found {
        if let Some((least, most)) = bounds_of(wanted).filter(|_| is_whole(found)) {
            return format!("expected a whole number from {least} to {most}, found {found}");
        }
        let (found, wanted) = (of_type(found), of_type(wanted));
        return format!("expected {wanted}, found {found}");
    }
    let length = message.strip_prefix("invalid length ");
    match length.and_then(|length| length.split_once(", expected ")) {
        Some((length, wanted)) => {
            let size = wanted
                .strip_prefix("a tuple of size ")
                .or(wanted.strip_prefix("tuple of size "));
            let wanted = size.map_or_else(
                || of_type(wanted).to_owned(),
                |size| format!("a list of {size}"),
            );
            format!("expected {wanted}, found a list of {length}")
        }
        None => message.to_owned(),
    }
}

/// Whether serde has found a whole number, which is then out of bounds: one of more than 64 bits is a float.
fn is_whole(found: &str) -> bool {
    let float = found.strip_prefix("floating point `");
    let float = float.and_then(|number| number.strip_suffix('`')?.parse::<f64>().ok());
    found.starts_with("integer ") || float.is_some_and(|number| number.abs() >= i64::MAX as f64)
}

/// The least and the largest number of an integer type that serde names.
fn bounds_of(name: &str) -> Option<(i128, i128)> {
    let (kind, bits) = name.split_at_checked(1)?;
    let bits = match bits {
        "size" => usize::BITS,
        "8" | "16" | "32" | "64" => bits.parse().ok()?,
        _ => return None,
    };
    match kind {
        "u" => Some((0, (1 << bits) - 1)),
        "i" => Some((-1 << (bits - 1), (1 << (bits - 1)) - 1)),
        _ => None,
    }
}

/// The name of a type in JSON for a name that serde gives.
fn of_type(name: &str) -> &str {
    match name {
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => {
            "a whole number"
        }
        "f32" | "f64" | "a JSON number" => "a number",
        "a boolean" => "true or false",
        "variant identifier" => "a name",
        "map" | "a map" => "an object",
        "sequence" | "a sequence" => "a list",
        name if name.starts_with("struct ") || name.contains(" enum ") => "an object",
        name if name.starts_with("tuple ") || name.starts_with("a tuple ") => "a list",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize, Debug)]
    #[expect(dead_code, reason = "only read")]
    struct Record {
        fen: String,
        #[serde(default)]
        square: u64,
        #[serde(default)]
        kind: Kind,
        #[serde(default)]
        pair: (u8, u8),
    }

    #[derive(Deserialize, Default, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        #[default]
        San,
        Uci,
    }

    #[test]
    fn numbers_of_the_system_go() {
        let error = std::fs::File::open("/nowhere").unwrap_err();
        assert_eq!(of_system(&error), "No such file or directory");
        let error = tempfile::tempfile_in("/nowhere").unwrap_err();
        assert_eq!(of_system(&error), "No such file or directory");
        for (message, words) in [
            ("a: File exists (os error 17)", "a: File exists"),
            ("a (os error 2); b (os error 13), c", "a; b, c"),
            ("a (os error x", "a (os error x"),
            ("a: Path not found. (os error 3)", "a: Path not found"),
            (
                "a: stream did not contain valid UTF-8",
                "a: it is not UTF-8 text",
            ),
        ] {
            assert_eq!(plain(message), words);
        }
    }

    #[test]
    fn json_in_words() {
        for (text, words) in [
            ("x", "not JSON at character 1"),
            ("{\n x", "not JSON at line 2, character 2"),
            ("{\"fen\":\"é馬\", \"x\" 3}", "not JSON at character 18"),
            ("{\n\"é\" x", "not JSON at line 2, character 5"),
            ("", "the JSON is incomplete"),
            ("{\"fen\":", "the JSON is incomplete"),
            ("{}", "`fen` is missing at character 2"),
            (
                r#"{"fen":3}"#,
                "expected a string, found integer `3` at character 8",
            ),
            (r#"{"fen":[]}"#, "expected a string, found a list"),
            (
                r#"{"fen":"","square":"e4"}"#,
                "expected a whole number, found string \"e4\"",
            ),
            (
                r#"{"fen":"","square":-1}"#,
                "expected a whole number from 0 to 18446744073709551615, found integer `-1` at",
            ),
            (
                r#"{"fen":"","square":99999999999999999999}"#,
                "expected a whole number from 0 to 18446744073709551615, found floating point `1e+20`",
            ),
            (
                r#"{"fen":"","square":1.5}"#,
                "expected a whole number, found floating point `1.5`",
            ),
            (
                r#"{"fen":"","pair":[1,256]}"#,
                "expected a whole number from 0 to 255, found integer `256`",
            ),
            ("[]", "expected an object, found a list of 0"),
            (
                r#"{"fen":"k","pair":[1]}"#,
                "expected a list of 2, found a list of 1",
            ),
            (
                r#"{"fen":"","kind":"lan"}"#,
                "`lan` is not one of `san` or `uci` at character 22",
            ),
            (
                r#"{"fen":"","fen":""}"#,
                "`fen` is given twice at character 15",
            ),
        ] {
            let error = serde_json::from_str::<Record>(text).unwrap_err();
            let message = of_json(&error, text);
            assert!(message.starts_with(words), "{text}: {message}");
        }
        let deep = "[".repeat(200);
        let error = serde_json::from_str::<serde_json::Value>(&deep).unwrap_err();
        let words = "the JSON is nested too deeply at character 128";
        assert_eq!(of_json(&error, &deep), words);
        let message = of_data("invalid value: integer `-129`, expected i8");
        let words = "expected a whole number from -128 to 127, found integer `-129`";
        assert_eq!(message, words);
        let error = serde_json::from_str::<serde_json::Map<_, _>>("[1]").unwrap_err();
        let message = of_json(&error, "[1]");
        assert_eq!(message, "expected an object, found a list at character 1");
        let message = of_data("invalid type: sequence, expected variant identifier");
        assert_eq!(message, "expected a name, found a list");
    }
}
