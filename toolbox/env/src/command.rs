//! `mola env`: the reinforcement learning environment for other programs.

use crate::{Config, Form, frames, json, start_from_fen};
use common::arguments::fen;
use common::error::Result;
use common::output::Output;
use engine_core::Variant;
use std::io::{stdin, stdout};

/// Serve chess as a reinforcement learning environment on standard input and output.
///
/// It reproduces version 6 of PettingZoo's chess bit for bit. Without --batch it reads and writes
/// JSON lines, with it binary frames; both are described in the documentation of the crate
/// mola-env.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  printf '{\"cmd\":\"reset\"}\\n{\"cmd\":\"mask\"}\\n{\"cmd\":\"step\",\"action\":77}\\n' | mola env
  mola env --batch 64 --max-plies 512

JSON requests:
  {\"cmd\":\"reset\"}              starts a game; also with \"fen\":\"...\"
  {\"cmd\":\"step\",\"action\":77}   plays an action, 0 to 4671
  {\"cmd\":\"observe\"}            the current player's observation; also with \"player\":1
  {\"cmd\":\"mask\"}               legal actions and moves; also with \"player\":1
  {\"cmd\":\"render\"}             the board; also with \"mode\":\"svg\"
  {\"cmd\":\"close\"}              ends the session")]
pub struct Args {
    /// Play this many games in parallel, with binary frames
    #[arg(long, value_name = "GAMES", value_parser = games)]
    batch: Option<usize>,
    /// Positions per observation: 8 (111 channels) or 1 (20 channels)
    #[arg(long, default_value = "8", value_parser = form)]
    frames: Form,
    /// The start position of the games [default: that of chess]
    #[arg(long)]
    fen: Option<String>,
    /// Truncate games after this many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,
}

fn games(text: &str) -> std::result::Result<usize, String> {
    match text.parse() {
        Ok(games @ 1..=frames::MAX_GAMES) => Ok(games),
        _ => Err(format!("1 to {} expected", frames::MAX_GAMES)),
    }
}

fn form(text: &str) -> std::result::Result<Form, String> {
    match text {
        "8" => Ok(Form::Stacked),
        "1" => Ok(Form::Single),
        _ => Err("8 or 1 expected".into()),
    }
}

/// Runs the subcommand.
///
/// # Errors
/// When the start position cannot be read, and when reading or writing fails.
pub fn run(args: &Args) -> Result {
    let start = args.fen.as_deref();
    let start = start.map(|text| start_from_fen(fen(text, Variant::Standard)));
    let start = start.transpose();
    let config = Config {
        form: args.frames,
        start: start.map_err(|error| error.to_string())?,
        max_plies: args.max_plies,
    };
    let mut input = stdin().lock();
    match args.batch {
        Some(games) => frames::serve(&config, games, &mut input, &mut stdout().lock()),
        None => json::serve(&config, &mut input, &mut Output::stdout()),
    }
}
