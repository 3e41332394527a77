//! `mola fen`: reads, checks, normalises and transforms FENs.

mod facts;

use common::batch::{self, Rules};
use common::error::{Error, Result};
use engine_core::notation::EnPassant;
use engine_core::{AnyPosition, CastlingMode, Setup, Transform, Variant, dispatch};
use facts::Answer;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write, stdin, stdout};

/// Check, normalise and transform FENs.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3'
  mola fen --shredder --en-passant always 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq -'
  mola fen --start 518                     a start position of Chess960
  mola fen --mirror - < positions.fen      a FEN from each line of input

A FEN that is none, or that no game can lead to, is told on stderr with all its faults, and the
exit status is 1. With --batch each line of standard input is a JSON record with `fen`, and if
need be `variant` and `chess960`.")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub struct Args {
    /// The FEN; `-` reads one from each line of standard input
    #[arg(required_unless_present_any = ["start", "batch"])]
    fen: Option<String>,
    /// The start position of Chess960 with this number
    #[arg(long, value_name = "0-959", value_parser = clap::value_parser!(u32).range(..960), conflicts_with = "fen")]
    start: Option<u32>,
    /// The rules
    #[arg(long, value_name = "NAME", default_value = "chess")]
    variant: String,
    /// Castling as in Chess960
    #[arg(long)]
    chess960: bool,
    /// When an en passant square is written
    #[arg(long, value_enum, default_value_t = Mode::Legal)]
    en_passant: Mode,
    /// Write castling rights as the files of the rooks: `HAha`
    #[arg(long)]
    shredder: bool,
    /// Exchange the sides
    #[arg(long)]
    mirror: bool,
    /// Turn the board: flip-vertical, flip-horizontal, flip-diagonal, flip-anti-diagonal,
    /// rotate-90, rotate-180 or rotate-270
    #[arg(long, value_name = "HOW")]
    transform: Option<Transform>,
    /// Write all facts as JSON
    #[arg(long)]
    json: bool,
    /// Answer a JSON record on each line of standard input
    #[arg(long, conflicts_with_all = ["fen", "start", "json", "variant", "chess960", "mirror"])]
    batch: bool,
}

/// When an en passant square is written.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Mode {
    /// When a pawn can take there legally
    Legal,
    /// When a pawn stands ready to take there (X-FEN)
    Xfen,
    /// After every double step
    Always,
}

impl From<Mode> for EnPassant {
    fn from(mode: Mode) -> EnPassant {
        match mode {
            Mode::Legal => EnPassant::Legal,
            Mode::Xfen => EnPassant::XFen,
            Mode::Always => EnPassant::Always,
        }
    }
}

/// A record of `--batch`, and what the answer repeats of it.
#[derive(Deserialize)]
struct Query {
    fen: String,
    #[serde(flatten)]
    rules: Rules,
}

#[derive(Serialize)]
struct Record {
    fen: String,
    variant: String,
    chess960: bool,
    #[serde(flatten)]
    answer: Answer,
}

/// Runs the subcommand.
///
/// # Errors
/// When a FEN is none, or no legal position.
pub fn run(args: &Args) -> Result {
    if args.batch {
        return batch::run(|query: Query| record(query.fen, query.rules));
    }
    if let Some(number) = args.start {
        let args = Args {
            chess960: true,
            ..args.plain()
        };
        return args.show(&Setup::chess960(number).fen());
    }
    match args.fen.as_deref() {
        Some("-") => args.show_lines(),
        fen => args.show(fen.unwrap_or_default()),
    }
}

fn record(fen: String, rules: Rules) -> std::result::Result<Record, String> {
    let (variant, mode) = rules.resolve()?;
    Ok(Record {
        answer: Answer::to(&fen, variant, mode),
        fen,
        variant: rules.variant.unwrap_or_else(|| "standard".to_owned()),
        chess960: rules.chess960,
    })
}

impl Args {
    /// The same options without the sources of FENs.
    fn plain(&self) -> Args {
        Args {
            fen: None,
            start: None,
            variant: self.variant.clone(),
            batch: false,
            ..*self
        }
    }

    fn show_lines(&self) -> Result {
        let (mut number, mut bad) = (0, 0);
        for line in stdin().lock().lines() {
            let line = line?;
            number += 1;
            match self.show(&line) {
                Err(Error::Message(message)) => {
                    bad += 1;
                    let _ = writeln!(std::io::stderr(), "mola: line {number}: {message}");
                }
                result => result?,
            }
        }
        match bad {
            0 => Ok(()),
            _ => Err(Error::Message(format!("{bad} of {number} FENs are bad"))),
        }
    }

    fn show(&self, fen: &str) -> Result {
        let mode = CastlingMode::from_chess960(self.chess960);
        let variant: Variant = self.variant.parse().map_err(|error| format!("{error}"))?;
        let text = if self.json {
            let rules = Rules {
                variant: Some(self.variant.clone()),
                chess960: self.chess960,
            };
            let record = record(fen.to_owned(), rules)?;
            serde_json::to_string(&record).map_err(std::io::Error::from)?
        } else {
            let written =
                Setup::from_variant_fen(variant, fen).map_err(|error| error.to_string())?;
            let turned = match self.transform {
                Some(transform) => written.transformed(transform),
                None => written,
            };
            let turned = if self.mirror {
                turned.mirrored()
            } else {
                turned
            };
            // A turned board may well have no king in place for its rights.
            let position = match self.transform {
                Some(_) => AnyPosition::from_setup_unchecked(variant, &turned, mode),
                None => AnyPosition::from_playable_setup(variant, &turned, mode)?,
            };
            let en_passant = self.en_passant.into();
            dispatch!(&position, |position| if self.shredder {
                position.shredder_fen(en_passant)
            } else {
                position.fen(en_passant)
            })
        };
        writeln!(stdout(), "{text}").map_err(Error::from)
    }
}
