//! `mola fen`: everything about a FEN as data, with python-chess's names and messages.

use crate::clocks::with_clocks;
use crate::names;
use crate::pockets::read_fen;
use common::batch;
use common::error::Result;
use engine_core::{
    AnyPosition, CastlingMode, Color, Outcome, Position, Rules, Setup, Termination, Variant,
    dispatch,
};
use notation::fen::{self, EXAMPLES};
use serde::{Deserialize, Serialize};

const BATCH: &str = "\
With --json and --batch, status flags and errors have python-chess's names. With --batch each line
of standard input is a JSON record with `fen`, and optionally `variant` and `chess960`.";

/// Check, normalise and transform FENs.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(
    after_help = format!("{EXAMPLES}\n\n{BATCH}"),
    mut_group("position", |group| group.arg("batch")),
)]
pub struct Args {
    #[command(flatten)]
    plain: fen::Args,
    /// Write all data as JSON
    #[arg(long, conflicts_with_all = ["en_passant", "shredder"])]
    json: bool,
    /// Answer a JSON record on each line of standard input
    #[arg(
        long,
        conflicts_with_all = [
            "json", "variant", "chess960", "en_passant", "shredder", "mirror", "transform"
        ]
    )]
    batch: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// When a FEN is invalid, or its position illegal.
pub fn run(args: &Args) -> Result {
    if args.batch {
        batch::run(|query: FenQuery| record(query.fen, &query.rules))
    } else if args.json {
        fen::run_with(&args.plain, |fen, rules| {
            let record = record(turned(&args.plain, fen, rules)?, rules)?;
            let text = serde_json::to_string(&record).map_err(|error| error.to_string())?;
            match record.answer {
                FenAnswer::Inspection(_) => Ok(text),
                FenAnswer::Error { message, .. } => crate::refuse(&text, message),
            }
        })
    } else {
        fen::run(&args.plain)
    }
}

/// The FEN of the board as the options turn it; one that cannot be read is left to the answer.
fn turned(
    args: &fen::Args,
    fen: &str,
    rules: &batch::VariantChoice,
) -> std::result::Result<String, String> {
    let (variant, _) = rules.resolve()?;
    let setup = args.is_turned().then(|| read_fen(fen, variant));
    Ok(match setup {
        Some(Ok(setup)) => args.turned(setup).fen(),
        _ => fen.to_owned(),
    })
}

/// A record of `--batch`, and what the answer repeats of it.
#[derive(Deserialize)]
struct FenQuery {
    fen: String,
    #[serde(flatten)]
    rules: batch::VariantChoice,
}

#[derive(Serialize)]
struct FenReply {
    fen: String,
    variant: String,
    chess960: bool,
    #[serde(flatten)]
    answer: FenAnswer,
}

fn record(fen: String, rules: &batch::VariantChoice) -> std::result::Result<FenReply, String> {
    let (variant, mode) = rules.resolve()?;
    Ok(FenReply {
        answer: FenAnswer::to(&fen, variant, mode),
        fen,
        variant: rules.name(),
        chess960: rules.chess960,
    })
}

/// The answer for a text that should be a FEN.
#[derive(Serialize)]
#[serde(untagged)]
enum FenAnswer {
    Inspection(Box<Inspection>),
    Error {
        ok: bool,
        error: &'static str,
        message: String,
    },
}

/// Everything about a FEN. The position is that of the text, with all its faults.
#[derive(Serialize)]
struct Inspection {
    ok: bool,
    out_fen: String,
    out_fen_ep_fen: String,
    out_shredder: String,
    status: u32,
    status_names: Vec<&'static str>,
    valid: bool,
    insufficient: [bool; 2],
    outcome: Option<[&'static str; 2]>,
    clean_castling: String,
    n_legal: usize,
}

impl FenAnswer {
    fn to(fen: &str, variant: Variant, mode: CastlingMode) -> FenAnswer {
        match read_fen(fen, variant) {
            Ok(setup) => {
                let position = AnyPosition::from_setup_unchecked(variant, &setup, mode);
                let inspection = dispatch!(&position, |position| inspect(fen, &setup, position));
                FenAnswer::Inspection(Box::new(inspection))
            }
            Err(message) => FenAnswer::Error {
                ok: false,
                error: "ValueError",
                message,
            },
        }
    }
}

fn inspect<R: Rules>(fen: &str, setup: &Setup, position: &Position<R>) -> Inspection {
    let mode = position.mode();
    // A position drops an en passant square that no pawn has passed and all but one king; the
    // facts are those of the text.
    let legal = setup.variant_moves::<R>(mode);
    let as_written = Setup {
        castling: setup.clean_castling(mode),
        promoted: R::promoted_in_fen(setup),
        ..setup.clone()
    };
    let with_legal = Setup {
        en_passant: setup
            .legal_en_passant(&legal)
            .filter(|_| !R::is_variant_end(position)),
        ..as_written.clone()
    };
    let faults = Position::<R>::faults_of(setup, mode);
    Inspection {
        ok: true,
        out_fen: with_clocks(&with_legal.fen(), fen),
        out_fen_ep_fen: with_clocks(&as_written.fen(), fen),
        out_shredder: with_clocks(&with_legal.shredder_fen(), fen),
        status: faults.bits(),
        status_names: names::status_names(faults).collect(),
        valid: faults.is_empty(),
        insufficient: Color::ALL.map(|color| R::has_insufficient_material(position, color)),
        outcome: outcome_of(setup, position, !legal.is_empty()).map(names::outcome),
        clean_castling: format!("{:#x}", as_written.castling.0),
        n_legal: legal.len(),
    }
}

/// How a game has ended in a setup with whatever faults.
fn outcome_of<R: Rules>(setup: &Setup, position: &Position<R>, can_move: bool) -> Option<Outcome> {
    if let Some(end) = R::variant_end(position) {
        return Some(end);
    }
    let in_check = setup.checkers::<R>(setup.turn).any();
    if !can_move && in_check {
        return Some(Outcome {
            termination: Termination::Checkmate,
            winner: Some(!setup.turn),
        });
    }
    let termination = if position.is_insufficient_material() {
        Termination::InsufficientMaterial
    } else if !can_move {
        Termination::Stalemate
    } else if R::FIFTY_MOVES && setup.halfmoves >= 150 {
        Termination::SeventyFiveMoves
    } else {
        return None;
    };
    Some(Outcome::draw(termination))
}
