//! `mola san`: moves from one notation into the others.

use common::arguments::{fen, refuse_unquoted};
use common::batch::VariantChoice;
use common::count::count;
use common::error::{Error, Result};
use common::{json, note};
use engine_core::notation::{EnPassant, Language, MoveError};
use engine_core::{AnyPosition, Move, Position, dispatch};
use serde::Serialize;
use std::io::{Write, stdout};

/// The end of its help.
pub const EXAMPLES: &str = "Examples:
  mola san startpos Nf3 g1f3 '♘f3' 2.e4              each move in every notation
  mola san startpos --line e4 e5 Nf3 Nc6             one after the other
  mola san startpos --line --lang de e4 e5 Sf3       German letters, read and written
  mola san startpos --strict E2-E4                   only what PGN readers accept";

/// The usage in its help.
pub const USAGE: &str = "mola san [OPTIONS] <FEN> <MOVES>...";

/// Translate moves between SAN, long algebraic, UCI and XBoard notation.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub struct Args {
    /// The position; `startpos` is the start position
    #[arg(required = true)]
    fen: Option<String>,
    /// Moves in any notation
    #[arg(required = true)]
    moves: Vec<String>,
    /// Play the moves one after the other
    #[arg(long)]
    line: bool,
    /// Piece letters: en, de, fr, es, ru, …, or figurine
    #[arg(long, value_name = "LANG", default_value = "en")]
    lang: Language,
    /// Accept only what PGN readers accept, not everything that people type
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    rules: VariantChoice,
    /// Write a line of JSON for each move; `error` tells what is wrong with one
    #[arg(long)]
    json: bool,
}

/// A move in every notation.
#[derive(Serialize)]
struct Notations {
    input: String,
    uci: String,
    san: String,
    lan: String,
    xboard: String,
    figurine: String,
    local: String,
    fen: String,
}

/// A text that is no legal move.
#[derive(Serialize)]
struct Refused<'a> {
    input: &'a str,
    error: &'a str,
}

/// Runs the subcommand.
///
/// # Errors
/// When the position or a move cannot be read.
pub fn run(args: &Args) -> Result {
    refuse_unquoted(args.fen.as_deref(), &args.moves)?;
    let (variant, mode) = args.rules.resolve()?;
    let mut position = match args.fen.as_deref() {
        None => AnyPosition::start(variant).with_mode(mode),
        Some(text) => AnyPosition::from_fen(variant, fen(text, variant), mode)?,
    };
    let mut bad = 0;
    if !args.json {
        let last = args.lang.name;
        writeln!(
            stdout(),
            "{:<12}{:<8}{:<10}{:<10}{:<8}{last}",
            "Input",
            "UCI",
            "SAN",
            "LAN",
            "XBoard"
        )?;
    }
    for text in &args.moves {
        let error = match args.read(&position, text) {
            Ok(m) => {
                args.show(&position, text, m)?;
                if args.line {
                    position.play_or_pass(m);
                }
                continue;
            }
            Err(error) => {
                if args.json {
                    let (input, error) = (text, &*error);
                    json::write_line(&mut stdout(), &Refused { input, error })?;
                }
                format!("{text}: {error}")
            }
        };
        // What follows on a wrong move of a line means nothing.
        if args.line {
            return Err(Error::Message(error));
        }
        note!("mola: {error}");
        bad += 1;
    }
    match bad {
        0 => Ok(()),
        _ => Err(Error::Message(format!(
            "not legal: {bad} of {}",
            count(args.moves.len(), "move")
        ))),
    }
}

impl Args {
    fn read(
        &self,
        position: &AnyPosition,
        text: &str,
    ) -> std::result::Result<Option<Move>, String> {
        let english = self.lang.read(text);
        let english = english.ok_or_else(|| format!("not a move in {}", self.lang.name))?;
        let read = if self.strict {
            position
                .parse_san(&english)
                .map_err(|error| (error.clone(), error.to_string()))
        } else {
            let result = position.parse_human(&english);
            result.map_err(|error| (error.error.clone(), error.to_string()))
        };
        match read {
            Ok(m) => Ok(Some(m)),
            Err((MoveError::Null, _)) => Ok(None),
            // Only the moves in messages have capital letters of pieces.
            Err((_, message)) => Err(self.lang.write(&message)),
        }
    }

    fn show(&self, any: &AnyPosition, text: &str, m: Option<Move>) -> Result {
        let notations = dispatch!(any, |position| self.notations(position, text, m));
        if self.json {
            return json::write_line(&mut stdout(), &notations);
        }
        let Notations {
            uci,
            san,
            lan,
            xboard,
            local,
            ..
        } = notations;
        let line = format!("{text:<12}{uci:<8}{san:<10}{lan:<10}{xboard:<8}{local}");
        writeln!(stdout(), "{line}").map_err(Error::from)
    }

    fn notations<R: engine_core::Rules>(
        &self,
        position: &Position<R>,
        text: &str,
        m: Option<Move>,
    ) -> Notations {
        let mut after = *position;
        let (uci, san, lan, xboard) = if let Some(m) = m {
            after.play(m);
            (
                position.to_uci(m).to_string(),
                position.to_san(m).to_string(),
                position.to_lan(m).to_string(),
                position.to_xboard(m).to_string(),
            )
        } else {
            after.play_null();
            ("0000".into(), "--".into(), "--".into(), "@@@@".into())
        };
        Notations {
            input: text.to_owned(),
            figurine: Language::FIGURINE.write(&san),
            local: self.lang.write(&san),
            fen: after.fen(EnPassant::Legal),
            uci,
            san,
            lan,
            xboard,
        }
    }
}
