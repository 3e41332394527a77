//! `mola completions` and `mola man`: shell completions and manual pages.

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use common::error::Result;
use common::files::{Force, NO_INPUTS, NewFolder};
use engine_core::notation::Language;
use engine_core::{Transform, Variant};
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Print the completion script of a shell.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mkdir -p ~/.local/share/bash-completion/completions ~/.config/fish/completions
  mola completions bash > ~/.local/share/bash-completion/completions/mola
  mola completions fish > ~/.config/fish/completions/mola.fish
  mola completions zsh > \"${fpath[1]}/_mola\"")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the completions of a command line.
///
/// # Errors
/// When the output is closed.
pub(crate) fn run<C: CommandFactory>(args: &Args) -> Result {
    // The generator panics if it cannot write, so it writes to memory.
    let mut script = Vec::new();
    let mut command = with_names(C::command());
    clap_complete::generate(args.shell, &mut command, "mola", &mut script);
    if args.shell == Shell::Fish {
        let text = String::from_utf8_lossy(&script);
        script = with_first_values(&with_words_after_help(&text)).into_bytes();
    }
    Ok(stdout().write_all(&script)?)
}

/// The script of fish with completions of the words after `mola help`: as it is generated, they
/// depend on `help` itself not being on the line, as one of the subcommands that `help` knows.
fn with_words_after_help(script: &str) -> String {
    let is_of_help = |line: &str| line.contains("__fish_mola_using_subcommand help; and not ");
    let lines = script.lines().map(|line| {
        if is_of_help(line) {
            line.replacen(" help\" ", "\" ", 1) + "\n"
        } else {
            line.to_owned() + "\n"
        }
    });
    lines.collect()
}

/// The script of fish with completions of the value of an option before the subcommand: as it is
/// generated, an option whose value has yet to come counts as an error there. After `help` it
/// proposes no files.
fn with_first_values(script: &str) -> String {
    let read = "argparse -s (__fish_mola_global_optspecs) -- $cmd 2>/dev/null\n";
    let again = format!("{read}    or begin\n        set -e cmd[-1]\n        {read}    end\n");
    let no_files = "complete -c mola -n \"__fish_mola_using_subcommand help\" -f\n";
    script.replacen(read, &again, 1) + no_files
}

const CHESS960: &str = "chess960";
/// The commands to which Chess960 is a part of standard chess.
const WITHOUT_CHESS960: [&str; 2] = ["datagen", "tune"];

/// Has the shell propose the names of variants and the like. The commands themselves read other
/// spellings, too.
fn with_names(command: Command) -> Command {
    let has_chess960 = !WITHOUT_CHESS960.contains(&command.get_name());
    let named = command.mut_args(|argument| {
        let mut names = names(argument.get_id().as_str());
        names.retain(|&name| has_chess960 || name != CHESS960);
        if names.is_empty() || !argument.get_possible_values().is_empty() {
            return argument;
        }
        argument.value_parser(PossibleValuesParser::new(names))
    });
    named.mut_subcommands(with_names)
}

/// The values of an argument that the command line itself does not list.
fn names(argument: &str) -> Vec<&'static str> {
    match argument {
        "variant" => Variant::all().map(Variant::uci).chain([CHESS960]).collect(),
        "lang" | "to_lang" => Language::ALL.map(|language| language.code).to_vec(),
        "log" => vec!["off", "error", "warn", "info", "debug", "trace"],
        "transform" => Transform::ALL.map(|(_, name)| name).to_vec(),
        #[cfg(feature = "diagram")]
        "theme" => diagram::Theme::names().collect(),
        _ => Vec::new(),
    }
}

/// Print the manual page, or write the pages of all subcommands.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola man | man -l -
  mola man --dir /usr/local/share/man/man1 --force")]
pub(crate) struct ManArgs {
    /// Write mola.1 and a page for each subcommand into this folder
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

/// Prints or writes the manual pages of a command line.
///
/// # Errors
/// When the output is closed, or a page cannot be written.
pub(crate) fn run_man<C: CommandFactory>(args: &ManArgs) -> Result {
    let command = C::command();
    let Some(folder) = &args.dir else {
        return Ok(stdout().write_all(page(&command)?.1.as_bytes())?);
    };
    let mut pages = NewFolder::create(folder, args.force.replace(), NO_INPUTS)?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    add_pages(&command, &mut pages)?;
    pages.finish()
}

/// The name of a command's page, and the page.
fn page(command: &Command) -> Result<(String, String)> {
    let source = format!("mola {}", env!("CARGO_PKG_VERSION"));
    let page = clap_mangen::Man::new(command.clone()).source(source);
    let mut text = Vec::new();
    page.render(&mut text)?;
    let text = as_it_is_typed(&String::from_utf8_lossy(&text));
    Ok((page.get_filename(), text))
}

/// A page with its commands as they are typed, so that they can be copied: no word is hyphenated, no
/// line is stretched, no sign takes the form that it has in running text, and the examples keep
/// their lines.
fn as_it_is_typed(page: &str) -> String {
    const EXTRA: &str = "\n.SH EXTRA\n";
    let page = page.replace('`', r"\(ga");
    let page = page.replace('^', r"\(ha").replace('~', r"\(ti");
    let page = page.replacen("\n.SH NAME\n", "\n.nh\n.ad l\n.SH NAME\n", 1);
    let Some((before, extra)) = page.split_once(EXTRA) else {
        return page;
    };
    let (extra, after) = match extra.split_once("\n.SH ") {
        Some((extra, after)) => (extra, format!(".SH {after}")),
        None => (extra.trim_end(), String::new()),
    };
    format!("{before}{EXTRA}.nf\n{extra}\n.fi\n{after}")
}

/// The page of a command and those of its subcommands.
fn add_pages(command: &Command, pages: &mut NewFolder) -> Result {
    let (name, text) = page(command)?;
    pages.add(&name, text.as_bytes())?;
    let mut subcommands = command.get_subcommands();
    subcommands
        .by_ref()
        .filter(|subcommand| !subcommand.is_hide_set())
        .try_for_each(|subcommand| add_pages(subcommand, pages))
}
