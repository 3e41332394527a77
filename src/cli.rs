//! The command line: the list of subcommands, each of which its own module or crate describes.

// The same commands, some of which answer as python-chess does.
#[cfg(all(feature = "diagram", not(feature = "python")))]
use diagram::command as svg;
#[cfg(all(feature = "notation", not(feature = "python")))]
use notation as positions;
#[cfg(feature = "python")]
use python_chess::{self as positions, svg};

#[cfg(feature = "manual")]
use crate::commands::completions;
use crate::commands::{book, tables};
use crate::protocol::{self, Protocol};
use crate::{bench, logging, options, perft, selfcheck, usage};
use clap::builder::ValueParser;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use common::console;
use common::error::Result;
use common::files::refuse_stdout;
use common::input::InputLine;
use common::note;
use common::output::Output;
use common::signals;
use crossbeam_channel::{Receiver, unbounded};
use log::LevelFilter;
use std::ffi::OsString;
use std::io::{Write, stdout};
use std::process::ExitCode;

/// A chess engine with UCI and XBoard for GUIs, and play on the terminal.
///
/// Without a subcommand it speaks UCI or XBoard on a pipe, as the first line of input requires, and
/// plays on a terminal.
#[derive(Parser, Debug)]
#[command(name = "mola", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    action: Option<Action>,
    /// Log level for stderr: off, error, warn, info, debug or trace
    #[arg(long, global = true, value_name = "LEVEL", value_parser = log_level)]
    log: Option<LevelFilter>,
}

fn log_level(text: &str) -> std::result::Result<LevelFilter, &'static str> {
    let level = text.parse();
    level.map_err(|_| "off, error, warn, info, debug or trace is expected")
}

const EXAMPLES: &str = "Examples:
  mola                  play on the terminal, or serve a GUI that has started it
  mola play --level 5   play against a weaker Mola
  mola bench            nodes and speed of the search
  mola perft 6          count the leaf nodes at depth 6
In a GUI, add this binary as a UCI engine; it needs no arguments. For xboard:
  xboard -fcp mola
Exit codes: 0 done, 1 failed, 2 wrong command line, 130 a long run stopped by a signal. Most
other commands are ended by the signal itself, for which shells give 128 and its number.";

/// Makes the enumeration of subcommands and what runs them from one list: the name, its arguments
/// and its function, behind the feature that brings it.
macro_rules! subcommands {
    ($($(#[$feature:meta])? $name:ident($arguments:ty) => $run:expr;)*) => {
        #[derive(Subcommand, Debug)]
        enum Action {
            $($(#[$feature])? $name(Box<$arguments>),)*
            /// Speak UCI on standard input and output
            #[command(after_help = options::listing())]
            Uci,
            /// Speak the XBoard protocol on standard input and output
            #[command(after_help = "Example:
  xboard -fcp 'mola xboard'
The options are those of `mola uci --help`, without UCI_ and with hyphens for spaces.")]
            Xboard,
        }

        impl Action {
            fn run(&self) -> Result {
                match self {
                    $($(#[$feature])? Action::$name(arguments) => $run(arguments),)*
                    Action::Uci => protocol::run(Some(Protocol::Uci)),
                    Action::Xboard => protocol::run(Some(Protocol::XBoard)),
                }
            }
        }
    };
}

subcommands! {
    #[cfg(feature = "play")] Play(crate::terminal::Args) => crate::terminal::run;
    Bench(bench::command::Args) => bench::command::run_command;
    Perft(perft::command::Args) => perft::command::run;
    #[cfg(feature = "pgn")] Pgn(crate::commands::pgn::Args) => crate::commands::pgn::run;
    #[cfg(feature = "arena")] Match(arena::matches::Args) => arena::matches::run;
    #[cfg(feature = "arena")] Analyse(arena::analyse::Args) => arena::analyse::run;
    #[cfg(feature = "review")] Review(review::command::Args) => review::command::run;
    #[cfg(feature = "review")] Puzzles(review::puzzles::Args) => review::puzzles::run;
    #[cfg(feature = "arena")] Spsa(arena::spsa::Args) => arena::spsa::run;
    #[cfg(feature = "arena")] Screen(arena::screen::Args) => arena::screen::run;
    #[cfg(feature = "arena")] Ablate(arena::ablate::Args) => arena::ablate::run;
    #[cfg(feature = "notation")] Position(positions::position::Args) => positions::position::run;
    #[cfg(feature = "notation")] Fen(positions::fen::Args) => positions::fen::run;
    #[cfg(feature = "notation")] San(positions::san::Args) => positions::san::run;
    #[cfg(feature = "notation")] Epd(positions::epd::Args) => positions::epd::run;
    #[cfg(feature = "diagram")] Svg(svg::Args) => svg::run;
    Book(book::Args) => book::run;
    #[cfg(feature = "env")] Env(env::command::Args) => env::command::run;
    Tables(tables::Args) => tables::run;
    #[cfg(feature = "training")] Datagen(training::datagen::Args) => training::datagen::run;
    #[cfg(feature = "training")] Traindata(training::traindata::Args) => training::traindata::run;
    #[cfg(feature = "training")] Tune(training::tune::Args) => training::tune::run;
    #[cfg(feature = "recon")] Recon(crate::commands::recon::Args) => crate::commands::recon::run;
    Selfcheck(selfcheck::Args) => selfcheck::run;
    #[cfg(feature = "manual")] Completions(completions::Args) => completions::run::<Cli>;
    #[cfg(feature = "manual")] Man(completions::ManArgs) => completions::run_man::<Cli>;
}

/// Reads the command line.
///
/// # Errors
/// When it is wrong, or asks for help or the version.
fn parse() -> std::result::Result<Cli, clap::Error> {
    let mut command = with_titles(with_negative_numbers(Cli::command()));
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Has options take negative numbers, so that one out of range is told as such; but not as names of files.
fn with_negative_numbers(command: Command) -> Command {
    let names = [
        ValueParser::path_buf(),
        ValueParser::os_string(),
        ValueParser::string(),
    ];
    let names = names.map(|parser| parser.type_id());
    let changed = command.mut_args(|argument| {
        let is_name = names.contains(&argument.get_value_parser().type_id());
        let is_option = argument.get_action().takes_values() && !argument.is_positional();
        argument.allow_negative_numbers(is_option && !is_name)
    });
    changed.mut_subcommands(with_negative_numbers)
}

/// Begins the long help of each command with a title, as the short help, which has no full stop
/// either.
fn with_titles(mut command: Command) -> Command {
    if let Some(text) = command.get_long_about().map(ToString::to_string)
        && let Some((title, rest)) = text.split_once("\n\n")
        && let Some(title) = title.strip_suffix('.')
    {
        command = command.long_about(format!("{title}\n\n{rest}"));
    }
    command.mut_subcommands(with_titles)
}

/// Runs the program. A closed pipe is a quiet end.
pub fn main() -> ExitCode {
    let outcome = match commands_of_uci(std::env::args_os().skip(1)) {
        Some(lines) => {
            let spoken = protocol::speak(Some(Protocol::Uci), lines, Output::stdout());
            spoken.map(|()| ExitCode::SUCCESS)
        }
        None => match parse() {
            Ok(cli) => run(cli).map(|()| ExitCode::SUCCESS),
            Err(error) => usage::report(error),
        },
    };
    // At the exit of the program an error would go unnoticed.
    let flushed = outcome.and_then(|code| Ok(stdout().flush().map(|()| code)?));
    match flushed {
        Ok(code) => code,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            note!("mola: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// The arguments as lines of UCI, where the first is the command that `OpenBench` starts engines
/// with: `mola "genfens 9 seed 1 book None" quit`.
fn commands_of_uci(arguments: impl Iterator<Item = OsString>) -> Option<Receiver<InputLine>> {
    // The name of a file need not be UTF-8.
    let lines: Vec<String> = arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let is_genfens = lines.first()?.split_whitespace().next() == Some("genfens");
    let (sender, receiver) = unbounded();
    for text in lines {
        // The receiver is here.
        let _ = sender.send(InputLine::new(text));
    }
    is_genfens.then_some(receiver)
}

fn run(cli: Cli) -> Result {
    console::understand_escapes();
    signals::outlive_size_limit();
    logging::start(cli.log);
    // `mola fen --batch < file >> file` would read what it writes, without end.
    refuse_stdout(&["-"])?;
    match cli.action {
        Some(action) => action.run(),
        #[cfg(feature = "play")]
        None if std::io::IsTerminal::is_terminal(&std::io::stdin()) => {
            let play = Cli::parse_from(["mola", "play"]).action;
            play.map_or(Ok(()), |play| play.run())
        }
        None => protocol::run(None),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt;

    #[test]
    fn arguments_need_not_be_text() {
        let commands = |first: &str| {
            let arguments = [first.into(), OsString::from_vec(b"caf\xe9.pgn".to_vec())];
            commands_of_uci(arguments.into_iter())
        };
        assert!(commands("pgn").is_none());
        let lines: Vec<InputLine> = commands("genfens 1 seed 1 book").unwrap().iter().collect();
        assert_eq!(lines[1].text, "caf\u{fffd}.pgn");
    }
}
