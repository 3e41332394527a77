//! Values as JSON has them in reconchess: pieces, moves, boards and reasons are objects with a
//! `type` and a `value`, squares are numbers, White is `true`; and texts are laid out and escaped
//! as Python's `json` module does it, so that files are equal byte for byte.

use crate::actions::SenseResult;
use crate::board::Board;
use crate::moves::UciMove;
use crate::outcome::{MoveResult, WinReason};
use arrayvec::ArrayVec;
use engine_core::notation::EnPassant;
use engine_core::{CastlingMode, Color, Piece, Position, Square, Standard};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// An object with a type and a value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", content = "value")]
pub(crate) enum Tagged {
    /// A piece by its FEN letter.
    Piece(String),
    /// A move by UCI.
    Move(String),
    /// A board by FEN.
    Board(String),
    /// A reason by name.
    WinReason(String),
}

macro_rules! tagged {
    ($type:ty, $variant:ident, |$value:ident| $text:expr, |$back:ident| $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                Tagged::$variant($text).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match Tagged::deserialize(deserializer)? {
                    Tagged::$variant($back) => $read.map_err(serde::de::Error::custom),
                    _ => Err(serde::de::Error::custom(concat!(
                        "an object of type ",
                        stringify!($variant),
                        " expected"
                    ))),
                }
            }
        }
    };
}

tagged!(UciMove, Move, |m| m.to_string(), |text| text.parse());
// As reconchess does it, the en passant square is kept only where chess lets a pawn take there.
tagged!(
    Board,
    Board,
    |board| Position::<Standard>::from_setup_unchecked(board.setup(), CastlingMode::Standard)
        .fen(EnPassant::Legal),
    |text| Board::record(&text)
);
tagged!(
    WinReason,
    WinReason,
    |reason| reason.name().to_owned(),
    |text| { WinReason::from_name(&text).ok_or_else(|| format!("unknown win reason {text}")) }
);
tagged!(
    OnSquare,
    Piece,
    |piece| piece.0.letter().to_string(),
    |text| {
        let letter = text.parse().ok();
        letter
            .and_then(Piece::from_letter)
            .map(OnSquare)
            .ok_or_else(|| format!("{text} is not a piece letter"))
    }
);

/// A piece, as JSON has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OnSquare(pub Piece);

/// A square by number: 0 is a1, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u8")]
pub struct Number(pub Square);

impl TryFrom<u64> for Number {
    type Error = String;

    fn try_from(number: u64) -> Result<Number, String> {
        let square = usize::try_from(number).ok().and_then(Square::from_index);
        square
            .map(Number)
            .ok_or_else(|| format!("{number} is not a square: 0 to 63 expected"))
    }
}

impl From<Number> for u8 {
    fn from(number: Number) -> u8 {
        number.0 as u8
    }
}

/// A value that has another shape in JSON: how it is turned into what serde knows and back. For
/// `#[serde(with)]`.
macro_rules! shaped {
    ($(#[$doc:meta])* $module:ident: $type:ty as $shape:ty, |$value:ident| $to:expr, |$back:ident| $from:expr) => {
        $(#[$doc])*
        pub(crate) mod $module {
            #![allow(dead_code, reason = "some values are only written, or only read")]
            #[allow(clippy::wildcard_imports, reason = "a part of the file in a module for serde")]
            use super::*;

            /// Writes the value.
            ///
            /// # Errors
            /// Those of the serializer.
            pub(crate) fn serialize<S: Serializer>($value: &$type, serializer: S) -> Result<S::Ok, S::Error> {
                let shape: $shape = $to;
                shape.serialize(serializer)
            }

            /// Reads the value.
            ///
            /// # Errors
            /// When it has another shape.
            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let $back = <$shape>::deserialize(deserializer)?;
                Ok($from)
            }
        }
    };
}
pub(crate) use shaped;

shaped! {
    /// A colour: `true` is White.
    color: Color as bool, |color| color.is_white(), |white| Color::from_white(white)
}

shaped! {
    /// A colour or null.
    optional_color: Option<Color> as Option<bool>,
    |color| color.map(Color::is_white), |white| white.map(Color::from_white)
}

shaped! {
    /// A square or null.
    optional_square: Option<Square> as Option<Number>,
    |square| square.map(Number), |number| number.map(|number| number.0)
}

/// A row of what a sense shows.
pub(crate) type SenseRow = (Number, Option<OnSquare>);

/// What a sense shows, as JSON has it.
pub(crate) type SenseRows = ArrayVec<SenseRow, 9>;

/// What a sense shows, as JSON has it.
pub(crate) fn sense_rows(result: &SenseResult) -> SenseRows {
    let row = |&(square, piece): &(Square, Option<Piece>)| (Number(square), piece.map(OnSquare));
    result.iter().map(row).collect()
}

/// What a sense shows, from JSON.
pub(crate) fn from_sense_rows(rows: SenseRows) -> SenseResult {
    let row = |(number, piece): SenseRow| (number.0, piece.map(|piece| piece.0));
    rows.into_iter().map(row).collect()
}

shaped! {
    /// What a sense shows.
    sense_result: SenseResult as SenseRows, |result| sense_rows(result), |rows| from_sense_rows(rows)
}

/// The result of a request to move, as JSON has it: requested, taken, capture square.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct MoveRow(Option<UciMove>, Option<UciMove>, Option<Number>);

impl From<MoveResult> for MoveRow {
    fn from(result: MoveResult) -> MoveRow {
        MoveRow(result.requested, result.taken, result.capture.map(Number))
    }
}

impl From<MoveRow> for MoveResult {
    fn from(MoveRow(requested, taken, capture): MoveRow) -> MoveResult {
        MoveResult {
            requested,
            taken,
            capture: capture.map(|number| number.0),
        }
    }
}

/// A request to sense.
#[derive(Serialize, Deserialize)]
pub(crate) struct SenseRequest {
    /// Where; null for nowhere.
    #[serde(with = "optional_square")]
    pub square: Option<Square>,
}

/// A request to move.
#[derive(Serialize, Deserialize)]
pub(crate) struct MoveRequest {
    /// The move; null for none, which must be said.
    #[serde(deserialize_with = "Option::deserialize")]
    pub requested_move: Option<UciMove>,
}

/// The rating of a version of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct BotRating {
    /// Whose bot it is.
    pub username: String,
    /// Its version.
    pub version: u32,
    /// By Elo's formula.
    pub rating: i64,
    /// From how many ranked games.
    pub games: u32,
}

/// A turn as its player saw it.
#[derive(Serialize, Deserialize)]
pub(crate) struct SeenTurn {
    /// Where the opponent captured in the turn before.
    #[serde(with = "optional_square")]
    pub opponent_move_results: Option<Square>,
    /// What the sense showed; nothing before it.
    #[serde(with = "sense_result")]
    pub sense_result: SenseResult,
    /// What came of the move; null before it.
    pub move_result: Option<MoveRow>,
}

/// Reads JSON of Python's `json.dumps`, which writes `Infinity` for the time on a clock without limit: here it
/// is null.
///
/// # Errors
/// When it has another structure.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    const INFINITY: &str = "Infinity";
    if !text.contains(INFINITY) {
        return serde_json::from_str(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut in_string = false;
    for part in text.split_inclusive('"') {
        if in_string {
            plain.push_str(part);
            let escapes = part.bytes().rev().skip(1).take_while(|&byte| byte == b'\\');
            in_string = escapes.count() % 2 == 1;
        } else {
            // Of the same length, so that the places of errors are right.
            plain.push_str(&part.replace(INFINITY, "null    "));
            in_string = true;
        }
    }
    serde_json::from_str(&plain)
}

/// JSON as Python's `json.dumps` writes it.
///
/// # Errors
/// When the value has no JSON.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut bytes, Python,
    ))?;
    // Everything but ASCII is escaped.
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

/// The layout of Python's `json` module: a blank after commas and colons, nothing but ASCII.
struct Python;

impl Formatter for Python {
    fn begin_array_value<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first {
            Ok(())
        } else {
            writer.write_all(b", ")
        }
    }

    fn begin_object_key<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.begin_array_value(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        text: &str,
    ) -> io::Result<()> {
        let is_plain = |c: char| c.is_ascii() && c != '\x7f';
        let mut units = [0; 2];
        for c in text.chars() {
            if is_plain(c) {
                writer.write_all(&[c as u8])?;
            } else {
                for unit in c.encode_utf16(&mut units) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_as_python_does() {
        let text = "a\"\\/\n\r\t\u{8}\u{c}\u{1}\u{7f}é😀";
        let json = "\"a\\\"\\\\/\\n\\r\\t\\b\\f\\u0001\\u007f\\u00e9\\ud83d\\ude00\"";
        assert_eq!(to_json(text).unwrap(), json);
        assert_eq!(
            to_json(&[(1, None), (2, Some(true))]).unwrap(),
            "[[1, null], [2, true]]"
        );
    }

    #[test]
    fn an_infinity_of_python_is_null() {
        type Row = (String, Option<f64>);
        let read = |text| from_json::<Row>(text);
        for (text, word) in [
            (r#"["", Infinity]"#, ""),
            (r#"["Infinity", Infinity]"#, "Infinity"),
            (r#"["\"Infinity", Infinity]"#, "\"Infinity"),
            (r#"["Infinity\\", Infinity]"#, "Infinity\\"),
            (r#"["Infinity", null]"#, "Infinity"),
        ] {
            assert_eq!(read(text).unwrap(), (word.to_owned(), None), "{text}");
        }
        assert_eq!(read(r#"["", 1.5]"#).unwrap().1, Some(1.5));
        for bad in [
            r#"["", -Infinity]"#,
            "[Infinity, 1]",
            r#"["", Infinity"#,
            r#"["Infinity"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let error = read(r#"["", Infinity x]"#).unwrap_err();
        assert_eq!(error.column(), 15);
    }

    #[test]
    fn objects_have_types_and_values() {
        let m: UciMove = "a7a8q".parse().unwrap();
        assert_eq!(
            to_json(&m).unwrap(),
            r#"{"type": "Move", "value": "a7a8q"}"#
        );
        let read = |text| serde_json::from_str::<UciMove>(text);
        assert_eq!(read(r#"{"value":"a7a8q","type":"Move"}"#).unwrap(), m);
        for bad in [
            r#"{"type":"Move","value":"e2"}"#,
            r#"{"type":"Piece","value":"P"}"#,
            "1",
            "{}",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        // A wrong type is told as such, whatever the value.
        let error = read(r#"{"type":"Piece","value":"e2e4"}"#).unwrap_err();
        assert!(error.to_string().contains("type Move expected"), "{error}");
        assert!(serde_json::from_str::<Number>("64").is_err());
        assert!(serde_json::from_str::<Number>("-1").is_err());
        assert!(serde_json::from_str::<OnSquare>(r#"{"type":"Piece","value":"x"}"#).is_err());
    }
}
