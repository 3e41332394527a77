//! The command line.

use crate::commands::{
    ablate, analyse, bench, book, completions, datagen, env, epd, fen, matches, perft, pgn,
    position, recon, san, selfcheck, spsa, svg, tables, tune,
};
use crate::error::Result;
use crate::logging;
use crate::options;
use crate::protocol::{self, Protocol};
use crate::terminal;
use clap::{CommandFactory, Parser, Subcommand};
use log::LevelFilter;
use std::io::{IsTerminal, Write, stderr, stdin};
use std::process::ExitCode;

/// A chess engine: UCI and XBoard for GUIs, and play on the terminal.
///
/// Without a subcommand it speaks UCI or XBoard on a pipe, whichever its first line of input
/// begins, and plays on a terminal.
#[derive(Parser, Debug)]
#[command(name = "mola", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// What to log to stderr: off, error, warn, info, debug or trace
    #[arg(long, global = true, value_name = "LEVEL")]
    log: Option<LevelFilter>,
}

const EXAMPLES: &str = "Examples:
  mola                  play on the terminal, or serve a GUI that has started it
  mola play --level 5   play against a weaker Mola
  mola bench            nodes and speed of the search
  mola perft 6          count the legal games of six plies
In a GUI, add this binary as a UCI engine; it needs no arguments. For xboard:
  xboard -fcp mola";

#[derive(Subcommand, Debug)]
enum Command {
    Play(terminal::Args),
    Bench(bench::Args),
    Perft(perft::Args),
    Pgn(pgn::Args),
    Match(matches::Args),
    Analyse(analyse::Args),
    Spsa(spsa::Args),
    Ablate(ablate::Args),
    Position(position::Args),
    Fen(fen::Args),
    San(san::Args),
    Epd(epd::Args),
    Svg(Box<svg::Args>),
    Book(book::Args),
    Env(env::Args),
    Tables(tables::Args),
    Datagen(datagen::Args),
    Tune(tune::Args),
    Recon(recon::Args),
    Selfcheck(selfcheck::Args),
    Completions(completions::Args),
    Man(completions::ManArgs),
    /// Speak UCI on standard input and output
    #[command(after_help = options::listing())]
    Uci,
    /// Speak the XBoard protocol on standard input and output
    Xboard,
}

/// The command line, for completions and manual pages.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program. A closed pipe is a quiet end.
pub fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell when stderr is closed, too.
            let _ = writeln!(stderr(), "mola: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result {
    logging::start(cli.log);
    match cli.command {
        Some(Command::Bench(args)) => bench::run_command(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Pgn(args)) => pgn::run(&args),
        Some(Command::Match(args)) => matches::run(&args),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Spsa(args)) => spsa::run(&args),
        Some(Command::Ablate(args)) => ablate::run(&args),
        Some(Command::Position(args)) => position::run(&args),
        Some(Command::Fen(args)) => fen::run(&args),
        Some(Command::San(args)) => san::run(&args),
        Some(Command::Epd(args)) => epd::run(&args),
        Some(Command::Svg(args)) => svg::run(&args),
        Some(Command::Book(args)) => book::run(&args),
        Some(Command::Env(args)) => env::run(&args),
        Some(Command::Tables(args)) => tables::run(&args),
        Some(Command::Datagen(args)) => datagen::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Recon(args)) => recon::run(&args),
        Some(Command::Selfcheck(args)) => selfcheck::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man(args)) => completions::run_man(&args),
        Some(Command::Uci) => protocol::run(Some(Protocol::Uci)),
        Some(Command::Xboard) => protocol::run(Some(Protocol::XBoard)),
        Some(Command::Play(args)) => terminal::run(&args),
        None if stdin().is_terminal() => terminal::run(&terminal::Args::default()),
        None => protocol::run(None),
    }
}
