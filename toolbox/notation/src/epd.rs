//! `mola epd`: reads and writes positions with operations.

use crate::lines::show_lines;
use clap::ArgGroup;
use common::batch::VariantChoice;
use common::control_characters::without_control_characters;
use common::error::{Error, Result};
use common::files::{input_name, is_dash, named, refuse_stdout};
use engine_core::notation::{EnPassant, Epd, Operations};
use engine_core::{AnyPosition, CastlingMode, Variant, dispatch};
use std::fs::File;
use std::io::{BufRead, BufReader, Write, stdin, stdout};
use std::path::{Path, PathBuf};

/// The end of its help.
pub const EXAMPLES: &str = "Examples:
  mola epd '4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"pawn\";'
  mola epd --file suite.epd              checks a suite line by line";

/// Read EPD: positions with operations, such as test suites.
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("positions").required(true).args(["epd", "file"]))]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The EPD; `startpos` is the start position
    epd: Option<String>,
    /// Read an EPD from each line of a file; `-` is standard input
    #[arg(long)]
    file: Option<PathBuf>,
    #[command(flatten)]
    rules: VariantChoice,
}

/// Runs the subcommand.
///
/// # Errors
/// When an EPD cannot be read.
pub fn run(args: &Args) -> Result {
    run_with(args, page)
}

/// Runs it with `answer` in place of the page.
///
/// # Errors
/// When `answer` fails for an EPD.
pub fn run_with<A>(args: &Args, answer: A) -> Result
where
    A: Fn(&str, Variant, CastlingMode) -> std::result::Result<String, String>,
{
    let (variant, mode) = args.rules.resolve()?;
    let show = |text: &str| {
        let start;
        let text = if text.trim() == "startpos" {
            start = dispatch!(AnyPosition::start(variant).with_mode(mode), |position| {
                position.epd(EnPassant::Legal)
            });
            &start
        } else {
            text
        };
        let answer = answer(text, variant, mode)?;
        write!(stdout(), "{answer}").map_err(Error::from)
    };
    let path = match (&args.epd, &args.file) {
        (Some(epd), _) => return show(epd).map_err(|error| with_hint(error, epd)),
        (None, file) => file.as_deref().unwrap_or(Path::new("-")),
    };
    refuse_stdout(&[path])?;
    let mut reader: Box<dyn BufRead> = if is_dash(path) {
        Box::new(stdin().lock())
    } else {
        Box::new(BufReader::new(
            File::open(path).map_err(|error| named(path, &error))?,
        ))
    };
    show_lines(&mut reader, &input_name(path).to_string(), "EPD", show)
}

/// What is wrong with an EPD, and that a file of EPDs is an option if it is the name of a file.
fn with_hint(error: Error, epd: &str) -> Error {
    match error {
        Error::Message(message) if Path::new(epd).is_file() => {
            Error::Message(format!("{message}; to read a file: --file {epd}"))
        }
        other => other,
    }
}

/// The position, and a line for each operation.
fn page(text: &str, variant: Variant, mode: CastlingMode) -> std::result::Result<String, String> {
    let epd = Epd::read(text, variant, mode).map_err(|error| error.to_string())?;
    let fen = epd.position.fen();
    let mut page = format!("{fen}\n");
    for (opcode, operand) in epd.operations.iter() {
        let mut one = Operations::default();
        one.set(opcode.to_owned(), operand.clone());
        let written = one
            .write(&epd.position)
            .map_err(|error| error.to_string())?;
        let bare = Operations::default()
            .write(&epd.position)
            .unwrap_or_default();
        let operation = written.strip_prefix(&bare).unwrap_or(&written).trim();
        page.push_str("  ");
        page.push_str(&without_control_characters(operation));
        page.push('\n');
    }
    Ok(page)
}
