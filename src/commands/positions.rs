//! `--batch`: positions in lines of JSON. Each is written back with an answer added.

use common::arguments;
use common::batch;
use common::error::{Error, Result};
use common::error_text::of_json;
use common::input::read_line;
use engine_core::{AnyPosition, CastlingMode, Variant};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What is read of a line.
#[derive(Deserialize)]
struct FenLine {
    fen: String,
    #[serde(default)]
    variant: Option<String>,
}

/// Answers every line of the standard input with one of output. Lines without a variant have the
/// given one. `answer` adds its fields to a line; to one without a valid position, which gets an
/// `error`, those of `None`.
///
/// # Errors
/// When reading or writing fails and, in the end, when a line has an `error`.
pub(super) fn answer_lines(
    variant: Variant,
    mode: CastlingMode,
    answer: impl Fn(Option<&AnyPosition>, &mut Map<String, Value>),
) -> Result {
    let (mut lines, mut refused) = (0, 0);
    batch::answer_lines(|input, output| {
        let Some(line) = read_line(input)? else {
            return Ok(false);
        };
        lines += 1;
        // One answer per line, so a blank one for a blank one.
        if line.text.trim().is_empty() {
            return Ok(true);
        }
        let (mut object, position) = match line.json_object() {
            Ok(object) => {
                let position = read(&object, variant, mode);
                (object, position)
            }
            Err(error) => (Map::new(), Err(error)),
        };
        object.remove("error");
        answer(position.as_ref().ok(), &mut object);
        if let Err(error) = position {
            object.insert("error".into(), error.into());
            refused += 1;
        }
        serde_json::to_writer(output, &object).map_err(|error| Error::Io(error.into()))?;
        Ok(true)
    })?;
    batch::all_answered(refused, lines)
}

/// The position of a line.
fn read(
    object: &Map<String, Value>,
    variant: Variant,
    mode: CastlingMode,
) -> std::result::Result<AnyPosition, String> {
    let query = FenLine::deserialize(object).map_err(|error| of_json(&error, ""))?;
    let (variant, mode) = match query.variant {
        Some(name) => {
            let rules = arguments::rules(&name).map_err(|error| error.to_string());
            let (variant, of_name) = rules?;
            let is_chess960 = mode == CastlingMode::Chess960;
            (variant, arguments::either_mode(of_name, is_chess960))
        }
        None => (variant, mode),
    };
    let fen = arguments::fen(&query.fen, variant);
    AnyPosition::from_fen(variant, fen, mode).map_err(|error| error.to_string())
}
