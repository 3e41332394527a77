//! `mola pgn split`: one file to many.

use super::input::Input;
use super::output::{GameTextEnd, write_raw};
use super::pipeline::GameRecord;
use super::tag_argument::tag_argument;
use crate::{Dialect, Opening, Tree};
use common::count::count;
use common::error::Result;
use common::files::{Force, NewFolder, is_windows_device};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Split games into several files: by number of games, by the value of a tag, or by opening.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("parts").required(true).args(["games", "by"]))]
#[command(after_help = "Examples:
  mola pgn split games.pgn --games 1000 --output parts
  mola pgn split games.pgn --by White --output players
  mola pgn split games.pgn --by opening --output openings")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Number of games per file: 000001.pgn and so on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// One file for each value of this tag; or, with eco or opening in lower case, for each ECO
    /// code or opening name by the moves
    #[arg(long, value_name = "TAG", value_parser = tag_argument)]
    by: Option<String>,
    /// The output folder
    #[arg(long, short, value_name = "FOLDER", default_value = ".")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let (force, inputs) = (args.force.replace(), args.input.paths());
    let mut files = NewFolder::create(&args.output, force, &inputs)?;
    let pick = |record: GameRecord<'_>| {
        let by = args.by.as_ref();
        let value = by.map(|by| value_of(record.tree, by).trim().to_owned());
        (value, record.raw.to_vec())
    };
    let mut number = 0_u64;
    let mut text = Vec::new();
    let mut names = Names::default();
    let mut ends: HashMap<String, GameTextEnd> = HashMap::new();
    args.input.each_game(dialect, pick, |(value, raw)| {
        let name = value.map_or_else(
            || format!("{:06}", number / args.games.unwrap_or(1) + 1),
            |value| names.of(value).to_owned(),
        );
        number += 1;
        text.clear();
        if let Some(before) = ends.get(&name) {
            before.separate(&raw, &mut text);
        }
        write_raw(&raw, &mut text);
        files.add(&format!("{name}.pgn"), &text)?;
        ends.insert(name, GameTextEnd::of(&raw));
        Ok(true)
    })?;
    let made = files.count();
    files.finish()?;
    writeln!(
        stdout(),
        "{} in {}",
        count(number, "game"),
        count(made, "file")
    )?;
    Ok(())
}

/// The value that decides which file a game goes to.
fn value_of<'a>(tree: &'a Tree, by: &str) -> Cow<'a, str> {
    let opening = || Opening::of_tree(tree);
    match by {
        "eco" => opening().map_or("", Opening::eco).into(),
        "opening" => opening().map_or("", Opening::family).into(),
        tag => tree.headers.get(tag).unwrap_or_default(),
    }
}

/// The names of the files, one for each value.
#[derive(Default)]
struct Names {
    /// By value.
    given: HashMap<String, String>,
    /// In lower case, as some systems take `A` and `a` for one file: how many values would have this name.
    values: HashMap<String, u64>,
}

impl Names {
    fn of(&mut self, value: String) -> &str {
        let Names { given, values } = self;
        given.entry(value).or_insert_with_key(|value| {
            let plain = file_name(value);
            let mut name = plain.clone();
            loop {
                let seen = values.entry(name.to_lowercase()).or_default();
                *seen += 1;
                if *seen == 1 {
                    return name;
                }
                // The number may belong to another value, too.
                name = format!("{plain}-{seen}");
            }
        })
    }
}

/// A value as the name of a file that every system takes.
fn file_name(value: &str) -> String {
    // The longest names of files have 255 bytes.
    const MAX_NAME_LENGTH: usize = 200;
    let plain = |c: char| {
        if c.is_alphanumeric() || "-_, ".contains(c) {
            c
        } else {
            '_'
        }
    };
    let mut name = String::new();
    for c in value.chars().map(plain).take(80) {
        if name.len() + c.len_utf8() > MAX_NAME_LENGTH {
            break;
        }
        name.push(c);
    }
    if name.is_empty() {
        "none".into()
    } else if is_windows_device(&name) {
        format!("{name}_")
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_good_on_every_system() {
        let names = ["Tal, M.", "C:\\x?", " ", "nul", "COM1", "Cohn", "COM10"];
        let files = ["Tal, M_", "C__x_", "none", "nul_", "COM1_", "Cohn", "COM10"];
        assert_eq!(names.map(|name| file_name(name.trim())), files);
        assert_eq!(file_name(&"𝕏".repeat(99)).len(), 200);
    }

    #[test]
    fn each_value_has_a_file() {
        let values = [
            "Tal, M.",
            "Tal, M?",
            "tal, m_",
            "Tal, M_-2",
            "",
            "none",
            "Tal, M.",
        ];
        let files = [
            "Tal, M_",
            "Tal, M_-2",
            "tal, m_-3",
            "Tal, M_-2-2",
            "none",
            "none-2",
            "Tal, M_",
        ];
        let mut names = Names::default();
        assert_eq!(values.map(|value| names.of(value.into()).to_owned()), files);
    }
}
