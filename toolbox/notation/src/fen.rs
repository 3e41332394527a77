//! `mola fen`: reads, checks, normalises and transforms FENs.

use crate::lines::show_lines;
use clap::ArgGroup;
use common::arguments;
use common::batch::VariantChoice;
use common::error::{Error, Result};
use engine_core::notation::EnPassant;
use engine_core::{AnyPosition, Setup, Transform, dispatch};
use std::io::{Write, stdin, stdout};

/// Examples, for the end of the help.
pub const EXAMPLES: &str = "Examples:
  mola fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3'
  mola fen --shredder --en-passant always 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq -'
  mola fen --start 518                     a start position of Chess960
  mola fen --mirror - < positions.fen      a FEN from each line of input

An invalid FEN, or a position that cannot be played, is reported on stderr, and the exit code is 1.
Castling rights and en passant squares that the position does not allow are left out.";

/// Check, normalise and transform FENs.
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("position").required(true).args(["fen", "start"]))]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The FEN; `startpos` is the start position, `-` reads one from each line of standard input
    fen: Option<String>,
    /// The start position of Chess960 with this number
    #[arg(long, value_name = "0-959", value_parser = clap::value_parser!(u32).range(..960))]
    start: Option<u32>,
    #[command(flatten)]
    rules: VariantChoice,
    /// When to write the en passant square
    #[arg(long, value_enum, default_value_t = EnPassantMode::Legal)]
    en_passant: EnPassantMode,
    /// Write castling rights as the files of the rooks: `HAha`
    #[arg(long)]
    shredder: bool,
    /// Mirror the board and exchange the colours
    #[arg(long)]
    mirror: bool,
    /// Flip, rotate or shift the board: flip-vertical, flip-horizontal, flip-diagonal,
    /// flip-anti-diagonal, rotate-90, rotate-180, rotate-270, shift-up, shift-down, shift-left,
    /// shift-right, shift-up-left and so on, shift-2-up and so on
    #[arg(long, value_name = "HOW")]
    transform: Option<Transform>,
}

/// When to write the en passant square.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum EnPassantMode {
    /// When a legal en passant capture exists
    Legal,
    /// When a pawn attacks the square, even if capturing is illegal (X-FEN)
    Xfen,
    /// After every double step
    Always,
}

impl From<EnPassantMode> for EnPassant {
    fn from(mode: EnPassantMode) -> EnPassant {
        match mode {
            EnPassantMode::Legal => EnPassant::Legal,
            EnPassantMode::Xfen => EnPassant::XFen,
            EnPassantMode::Always => EnPassant::Always,
        }
    }
}

/// Runs the subcommand.
///
/// # Errors
/// When a FEN cannot be read, or its position is not legal.
pub fn run(args: &Args) -> Result {
    run_with(args, |fen, rules| args.normalised(fen, rules))
}

/// Runs the subcommand with a function that answers each FEN under its rules.
///
/// # Errors
/// When the function fails for a FEN.
pub fn run_with<A>(args: &Args, answer: A) -> Result
where
    A: Fn(&str, &VariantChoice) -> std::result::Result<String, String>,
{
    let show = |fen: &str, chess960| {
        let rules = VariantChoice {
            chess960,
            ..args.rules.clone()
        };
        let (variant, _) = rules.resolve()?;
        let fen = arguments::fen(fen, variant);
        writeln!(stdout(), "{}", answer(fen, &rules)?).map_err(Error::from)
    };
    if let Some(number) = args.start {
        let (variant, _) = args.rules.resolve()?;
        let start = AnyPosition::chess960_of(variant, number)
            .ok_or_else(|| Error::Usage(format!("{variant} has no Chess960")))?;
        return show(&start.fen(), true);
    }
    match args.fen.as_deref() {
        Some("-") => show_lines(&mut stdin().lock(), "stdin", "FEN", |fen| {
            show(fen, args.rules.chess960)
        }),
        fen => show(fen.unwrap_or_default(), args.rules.chess960),
    }
}

impl Args {
    /// Whether the board is turned.
    pub fn is_turned(&self) -> bool {
        self.mirror || self.transform.is_some()
    }

    /// A setup as `--transform` and `--mirror` turn it.
    pub fn turned(&self, setup: Setup) -> Setup {
        let setup = match self.transform {
            Some(transform) => setup.transformed(transform),
            None => setup,
        };
        if self.mirror { setup.mirrored() } else { setup }
    }

    /// The FEN as the options ask for it: checked, transformed and written anew.
    fn normalised(&self, fen: &str, rules: &VariantChoice) -> std::result::Result<String, String> {
        let (variant, mode) = rules.resolve()?;
        let written = Setup::from_exact_fen(variant, fen).map_err(|error| error.to_string())?;
        // On a turned board the kings may stand where castling rights make no sense, and in Horde
        // Black may have the pawns.
        let unchecked = |setup, mode| AnyPosition::from_setup_unchecked(variant, setup, mode);
        let position = if self.transform.is_some() {
            unchecked(&self.turned(written), mode)
        } else {
            let playable = AnyPosition::from_playable_setup(variant, &written, mode)
                .map_err(|error| error.to_string())?;
            if self.mirror {
                unchecked(&self.turned(written), playable.mode())
            } else {
                playable
            }
        };
        let en_passant = self.en_passant.into();
        Ok(dispatch!(&position, |position| if self.shredder {
            position.shredder_fen(en_passant)
        } else {
            position.fen(en_passant)
        }))
    }
}
