//! `mola pgn`: the commands of the crate `pgn`, and those that need an engine.

use common::error::Result;

/// Read, check, search and convert game collections.
///
/// Files may have any size and may be compressed as .gz, .zst or .bz2. Without a file, or for -,
/// standard input is read. Errors in a game are repaired where possible, and reported with file,
/// line and column.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola pgn validate games.pgn
  mola pgn stats games.pgn.zst --threads 2
  mola pgn convert games.pgn --to jsonl > games.jsonl
  mola pgn filter games.pgn --player Carlsen --min-elo 2700 > carlsen.pgn
  mola pgn find games.pgn --material KRPvKR --list
  mola pgn annotate games.pgn --depth 12 -o annotated.pgn
  zcat games.pgn.gz | mola pgn headers --json")]
#[cfg_attr(feature = "python", command(mut_subcommands(with_choice)))]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
    #[cfg(feature = "python")]
    #[command(flatten)]
    choice: python_chess::games::DialectChoice,
}

/// Lists the choice only where there is one.
#[cfg(feature = "python")]
fn with_choice(subcommand: clap::Command) -> clap::Command {
    match subcommand.get_name() {
        "headers" | "index" => python_chess::games::DialectChoice::hidden(subcommand),
        _ => subcommand,
    }
}

#[derive(clap::Subcommand, Debug)]
enum Action {
    #[command(flatten)]
    Collection(pgn::command::Subcommand),
    #[cfg(feature = "python")]
    Parse(python_chess::games::parse::Args),
    #[cfg(feature = "arena")]
    Annotate(arena::annotate::Args),
}

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be read or written, and as the subcommand says.
pub(crate) fn run(args: &Args) -> Result {
    #[cfg(feature = "python")]
    let dialect = args.choice.dialect();
    #[cfg(not(feature = "python"))]
    let dialect = None;
    match &args.action {
        Action::Collection(command) => pgn::command::run(command, dialect),
        #[cfg(feature = "python")]
        Action::Parse(parse) => python_chess::games::parse::run(parse, &args.choice),
        #[cfg(feature = "arena")]
        Action::Annotate(args) => arena::annotate::run(args, dialect),
    }
}
