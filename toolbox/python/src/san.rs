//! The `--batch` of `mola san`, with python-chess's names and messages.

use crate::pockets::refuse_dash;
use crate::{messages, names};
use common::arguments::useless_with;
use common::batch::{self, VariantChoice};
use common::error::Result;
use engine_core::notation::MoveError;
use engine_core::{AnyPosition, Setup, dispatch};
use notation::san::{self, EXAMPLES, USAGE};
use serde::{Deserialize, Serialize};

const BATCH: &str = "\
With --batch each line of standard input is a JSON record with `fen`, `input` and `kind` (san, uci
or xboard), and optionally `variant` and `chess960`.";

/// Translate moves between SAN, long algebraic, UCI and XBoard notation.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(
    after_help = format!("{EXAMPLES}\n\n{BATCH}"),
    override_usage = format!("{USAGE}\n       mola san --batch"),
    mut_arg("fen", |arg| arg.required(false).required_unless_present("batch")),
    mut_arg("moves", |arg| arg.required(false).required_unless_present("batch")),
    mut_args(useless_with("batch", &[])),
)]
pub struct Args {
    #[command(flatten)]
    plain: san::Args,
    /// Answer a JSON record on each line of standard input
    #[arg(long)]
    batch: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// When the position or a move cannot be read.
pub fn run(args: &Args) -> Result {
    if args.batch {
        return batch::run(answer);
    }
    san::run(&args.plain)
}

/// A record of `--batch`.
#[derive(Deserialize)]
struct SanQuery {
    #[serde(default)]
    kind: TextKind,
    fen: String,
    #[serde(flatten)]
    rules: VariantChoice,
    input: String,
}

/// The notation of a text.
#[derive(Clone, Copy, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum TextKind {
    #[default]
    San,
    Uci,
    Xboard,
}

#[derive(Serialize)]
struct SanReply {
    kind: TextKind,
    fen: String,
    variant: String,
    chess960: bool,
    input: String,
    ok: bool,
    #[serde(flatten)]
    answer: SanAnswer,
}

#[derive(Serialize)]
#[serde(untagged)]
enum SanAnswer {
    Move {
        uci: String,
        san: String,
        null: bool,
    },
    Error {
        error: &'static str,
        message: String,
    },
}

fn answer(query: SanQuery) -> std::result::Result<SanReply, String> {
    let (variant, mode) = query.rules.resolve()?;
    refuse_dash(&query.fen, variant).map_err(|error| format!("fen: {error}"))?;
    let setup =
        Setup::from_variant_fen(variant, &query.fen).map_err(|error| format!("fen: {error}"))?;
    let any = AnyPosition::from_setup_unchecked(variant, &setup, mode);
    let answer = dispatch!(&any, |position| {
        let read = match query.kind {
            TextKind::Uci => position.parse_uci(&query.input),
            // Programs write SAN where XBoard's protocol has coordinates; both are read.
            TextKind::San | TextKind::Xboard => position.parse_san(&query.input),
        };
        match read {
            Ok(m) => SanAnswer::Move {
                uci: position.to_uci(m).to_string(),
                san: position.to_san(m).to_string(),
                null: false,
            },
            Err(MoveError::Null) => SanAnswer::Move {
                uci: "0000".to_owned(),
                san: "--".to_owned(),
                null: true,
            },
            Err(error) => SanAnswer::Error {
                error: names::exception(&error),
                message: match query.kind {
                    TextKind::Uci => messages::uci(&query.input, &error, &any),
                    TextKind::San | TextKind::Xboard => messages::san(&query.input, &error, &any),
                },
            },
        }
    });
    Ok(SanReply {
        kind: query.kind,
        fen: query.fen,
        variant: query.rules.name(),
        chess960: query.rules.chess960,
        input: query.input,
        ok: matches!(answer, SanAnswer::Move { .. }),
        answer,
    })
}
