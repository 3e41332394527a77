//! `--batch`: a line of JSON in, a line of JSON out, for scripts.

use crate::arguments::{either_mode, rules};
use crate::count::count;
use crate::error::{Error, Result};
use crate::error_text;
use crate::files::{named_input, refuse_utf16, without_mark};
use crate::input::read_bytes;
use engine_core::{CastlingMode, UnknownVariant, Variant};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, BufWriter, StdinLock, StdoutLock, Write, stdin, stdout};
use std::path::Path;

/// The longest line that is read; a longer one is refused.
const MAX_LINE: usize = 1 << 28;

/// The rules of a command or a record, by any name of a variant; `chess960` is standard chess with
/// Chess960's castling.
#[derive(clap::Args, Deserialize, Clone, Default, Debug)]
pub struct VariantChoice {
    /// The rules
    #[arg(long, value_name = "NAME", default_value = "chess", value_parser = name_of_variant)]
    #[serde(default)]
    pub variant: Option<String>,
    /// Castling as in Chess960, written as the king capturing its rook
    #[arg(long)]
    #[serde(default)]
    pub chess960: bool,
}

/// A name that some variant has.
fn name_of_variant(text: &str) -> std::result::Result<String, UnknownVariant> {
    text.parse::<Variant>().map(|_| text.to_owned())
}

impl VariantChoice {
    /// The variant and the castling mode.
    ///
    /// # Errors
    /// When no variant has the name.
    pub fn resolve(&self) -> std::result::Result<(Variant, CastlingMode), String> {
        let name = self.variant.as_deref().unwrap_or("chess");
        let (variant, mode) = rules(name).map_err(|error| error.to_string())?;
        Ok((variant, either_mode(mode, self.chess960)))
    }

    /// The name of the variant as it was given.
    pub fn name(&self) -> String {
        self.variant
            .clone()
            .unwrap_or_else(|| "standard".to_owned())
    }
}

/// What is written for a line that cannot be answered.
#[derive(Serialize)]
struct LineError {
    ok: bool,
    error: &'static str,
    message: String,
    line: usize,
}

/// Answers every line of the standard input with one line. Blank lines are answered, too, so that
/// the lines of question and answer have the same numbers.
///
/// # Errors
/// When reading or writing fails and, in the end, when a line could not be answered.
pub fn run<Q, A>(answer: impl Fn(Q) -> std::result::Result<A, String>) -> Result
where
    Q: DeserializeOwned,
    A: Serialize,
{
    let (mut number, mut refused) = (0, 0);
    let mut line = Vec::new();
    answer_lines(|input, output| {
        line.clear();
        let Some(is_cut) = read_bytes(input, MAX_LINE, &mut line)? else {
            return Ok(false);
        };
        number += 1;
        let result = if is_cut {
            Err("the line is too long".to_owned())
        } else {
            serde_json::from_slice(&line)
                .map_err(|error| format!("not a record: {}", error_text::of_json(&error, &line)))
                .and_then(&answer)
        };
        match result {
            Ok(answer) => serde_json::to_writer(output, &answer),
            Err(message) => {
                refused += 1;
                let refusal = LineError {
                    ok: false,
                    error: "BadRecord",
                    message,
                    line: number,
                };
                serde_json::to_writer(output, &refusal)
            }
        }
        .map_err(std::io::Error::from)?;
        Ok(true)
    })?;
    all_answered(refused, number)
}

/// The end of a batch.
///
/// # Errors
/// When lines could not be answered.
pub fn all_answered(refused: usize, lines: usize) -> Result {
    match refused {
        0 => Ok(()),
        _ => Err(Error::Message(format!(
            "{refused} of {} could not be answered; each has an `error` in its place",
            count(lines, "line")
        ))),
    }
}

/// Writes a line of output for each line of the standard input. `answer` reads a line and writes
/// what it answers, without its end; it returns whether there was a line.
///
/// # Errors
/// When reading or writing fails, and those of `answer`.
pub fn answer_lines(
    mut answer: impl FnMut(
        &mut BufReader<StdinLock<'_>>,
        &mut BufWriter<StdoutLock<'_>>,
    ) -> Result<bool>,
) -> Result {
    let mut input = BufReader::with_capacity(1 << 16, stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, stdout().lock());
    // Programs of Windows begin a pipe with a byte order mark.
    let begin = input.fill_buf()?;
    refuse_utf16(begin).map_err(|error| named_input(Path::new("-"), &error))?;
    let mark = begin.len() - without_mark(begin).len();
    input.consume(mark);
    loop {
        // Flushed when no more input waits: a script may wait for the answer before its next line.
        if input.buffer().is_empty() {
            output.flush()?;
        }
        if !answer(&mut input, &mut output)? {
            break;
        }
        output.write_all(b"\n")?;
    }
    output.flush()?;
    Ok(())
}
