//! Values as records hold them: JSON, or text in Python's notation such as
//! `[Arrow(E2, E4, color='red'), (12, 28)]`.

use super::escape::unescape;
use serde_json::Value;

/// A value of either notation.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Literal {
    /// A whole number from 0 up to 64 bits.
    Number(u64),
    /// Any other whole number.
    OutOfRange,
    Text(String),
    /// A name such as `E4`, `True` or `None`, without the module before it.
    Name(String),
    /// A list, a tuple or a set.
    List(Vec<Literal>),
    Map(Vec<(Literal, Literal)>),
    Call(Call),
    /// A number that is not whole.
    Other,
}

/// A call such as `Arrow(E2, E4, color='red')`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Vec<Literal>,
    pub(super) named: Vec<(String, Literal)>,
}

impl Call {
    /// `set()` is how Python writes the empty set, as `{}` is a map.
    fn value(self) -> Literal {
        if self.name == "set" && self.arguments.is_empty() && self.named.is_empty() {
            Literal::List(Vec::new())
        } else {
            Literal::Call(self)
        }
    }
}

/// Values that stand deeper in others are not read.
const MAX_DEPTH: u32 = 16;

impl Literal {
    /// A value of a record: a text is one in Python's notation, if it can be read as such.
    pub(super) fn of(value: &Value) -> Literal {
        match value {
            Value::String(text) => read(text).unwrap_or_else(|| Literal::Text(text.clone())),
            value => Literal::of_json(value),
        }
    }

    fn of_json(value: &Value) -> Literal {
        match value {
            Value::Null => Literal::Name("None".to_owned()),
            Value::Bool(true) => Literal::Name("True".to_owned()),
            Value::Bool(false) => Literal::Name("False".to_owned()),
            Value::Number(number) => match (number.as_u64(), number.as_f64()) {
                (Some(number), _) => Literal::Number(number),
                (None, Some(0.0)) => Literal::Number(0),
                _ if number.is_f64() => Literal::Other,
                _ => Literal::OutOfRange,
            },
            Value::String(text) => Literal::Text(text.clone()),
            Value::Array(values) => Literal::List(values.iter().map(Literal::of_json).collect()),
            Value::Object(pairs) => {
                let pairs = pairs.iter();
                let pair = |(name, value): (&String, &Value)| {
                    (Literal::Text(name.clone()), Literal::of_json(value))
                };
                Literal::Map(pairs.map(pair).collect())
            }
        }
    }

    /// Whether Python takes it as true.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Literal::Number(number) => *number != 0,
            Literal::Text(text) => !text.is_empty(),
            // `chess.BLACK` is false.
            Literal::Name(name) => !["False", "None", "BLACK"].contains(&name.as_str()),
            Literal::List(values) => !values.is_empty(),
            Literal::Map(pairs) => !pairs.is_empty(),
            Literal::Call(_) | Literal::OutOfRange | Literal::Other => true,
        }
    }

    pub(super) fn is_none(&self) -> bool {
        matches!(self, Literal::Name(name) if name == "None")
    }

    /// Whether it holds nothing.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Literal::Text(text) => text.is_empty(),
            Literal::List(values) => values.is_empty(),
            Literal::Map(pairs) => pairs.is_empty(),
            _ => false,
        }
    }
}

/// A whole number in Python's notation.
pub(super) fn number(word: &str) -> Option<Literal> {
    let plain = word.replace('_', "");
    let size = plain.strip_prefix('-').unwrap_or(&plain);
    let (digits, radix) = match size.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (size, 10),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    Some(match u64::from_str_radix(digits, radix) {
        Ok(0) => Literal::Number(0),
        Ok(number) if size == plain => Literal::Number(number),
        _ => Literal::OutOfRange,
    })
}

/// Reads a text in Python's notation; `None` if it is something else.
fn read(text: &str) -> Option<Literal> {
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.peek().is_none().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// The next character that is not blank.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Goes behind the next character, if it is this one.
    fn skip(&mut self, letter: char) -> bool {
        self.peek();
        let after = self.rest.strip_prefix(letter);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// The letters, digits, underscores and dots that come next.
    fn word(&mut self) -> String {
        let is_in_word = |letter: char| letter.is_alphanumeric() || "_.".contains(letter);
        let after = self.rest.trim_start_matches(is_in_word);
        let length = self.rest.len() - after.len();
        let word = self.rest.get(..length).unwrap_or_default().to_owned();
        self.rest = after;
        word
    }

    fn value(&mut self, depth: u32) -> Option<Literal> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek()? {
            quote @ ('\'' | '"') => self.text(quote).map(Literal::Text),
            '[' => self.list(']', depth),
            '(' => self.list(')', depth),
            '{' => self.map_or_set(depth),
            '-' => {
                self.skip('-');
                let word = self.word();
                let number = || number(&format!("-{word}")).unwrap_or(Literal::Other);
                (!word.is_empty()).then(number)
            }
            letter if letter.is_ascii_digit() => {
                Some(number(&self.word()).unwrap_or(Literal::Other))
            }
            letter if letter.is_alphabetic() => {
                let word = self.word();
                // In `Move.from_uci` the last part says what the call is.
                let name = word.rsplit('.').next().unwrap_or_default().to_owned();
                if self.skip('(') {
                    self.call(name, depth).map(Call::value)
                } else {
                    Some(Literal::Name(name))
                }
            }
            _ => None,
        }
    }

    fn text(&mut self, quote: char) -> Option<String> {
        self.skip(quote);
        let mut text = String::new();
        let mut letters = self.rest.chars();
        loop {
            match letters.next()? {
                '\\' => unescape(&mut letters, &mut text)?,
                letter if letter == quote => break,
                letter => text.push(letter),
            }
        }
        self.rest = letters.as_str();
        Some(text)
    }

    /// Values up to a bracket; the one that opens comes next.
    fn list(&mut self, close: char, depth: u32) -> Option<Literal> {
        self.rest = self.rest.get(1..)?;
        let mut values = Vec::new();
        while !self.skip(close) {
            values.push(self.value(depth + 1)?);
            self.separator(close)?;
        }
        Some(Literal::List(values))
    }

    fn map_or_set(&mut self, depth: u32) -> Option<Literal> {
        self.skip('{');
        let (mut pairs, mut values) = (Vec::new(), Vec::new());
        while !self.skip('}') {
            let key = self.value(depth + 1)?;
            if self.skip(':') {
                pairs.push((key, self.value(depth + 1)?));
            } else {
                values.push(key);
            }
            self.separator('}')?;
        }
        match (pairs.is_empty(), values.is_empty()) {
            (_, true) => Some(Literal::Map(pairs)),
            (true, false) => Some(Literal::List(values)),
            (false, false) => None,
        }
    }

    /// What stands in the brackets of a call.
    fn call(&mut self, name: String, depth: u32) -> Option<Call> {
        let (mut arguments, mut named) = (Vec::new(), Vec::new());
        while !self.skip(')') {
            match self.value(depth + 1)? {
                Literal::Name(name) if self.skip('=') => {
                    named.push((name, self.value(depth + 1)?));
                }
                value => arguments.push(value),
            }
            self.separator(')')?;
        }
        Some(Call {
            name,
            arguments,
            named,
        })
    }

    /// Goes behind a comma; there need be none before the bracket at the end.
    fn separator(&mut self, close: char) -> Option<()> {
        (self.skip(',') || self.peek()? == close).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_notations() {
        let text = |text: &str| Literal::Text(text.to_owned());
        let list = Literal::List(vec![Literal::Number(12), text("a\"b,'")]);
        for value in [json!([12, "a\"b,'"]), json!("(12, 'a\"b,\\'',)")] {
            assert_eq!(Literal::of(&value), list, "{value}");
        }
        let map = Literal::Map(vec![(text("margin"), text("#123"))]);
        for value in [json!({"margin": "#123"}), json!("{'margin': '#123'}")] {
            assert_eq!(Literal::of(&value), map, "{value}");
        }
        let call = Literal::of(&json!("chess.svg.Arrow(E2, E4, color='red')"));
        let name = |name: &str| Literal::Name(name.to_owned());
        let expected = Call {
            name: "Arrow".to_owned(),
            arguments: vec![name("E2"), name("E4")],
            named: vec![("color".to_owned(), text("red"))],
        };
        assert_eq!(call, Literal::Call(expected));
        for other in ["[1", "1 2", "'a", "{1: 2, 3}", "#fff", ""] {
            assert_eq!(Literal::of(&json!(other)), text(other), "{other}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(Literal::of(&json!(deep)), text(&deep));
    }

    #[test]
    fn truth_is_as_in_python() {
        for value in [
            json!(false),
            json!(null),
            json!(0),
            json!(0.0),
            json!(""),
            json!([]),
            json!("False"),
            json!("chess.BLACK"),
            json!("set()"),
            json!("-0"),
        ] {
            assert!(!Literal::of(&value).is_true(), "{value}");
        }
        for value in [
            json!(true),
            json!(1),
            json!(-1),
            json!(0.5),
            json!("x"),
            json!("chess.WHITE"),
            json!([0]),
        ] {
            assert!(Literal::of(&value).is_true(), "{value}");
        }
    }
}
