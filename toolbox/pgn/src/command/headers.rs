//! `mola pgn headers`: who played whom, and where in the file.

use super::input::Input;
use super::pipeline::Reports;
use super::skimmer::Skimmer;
use super::tag_argument::tag_argument;
use crate::{Block, Dialect, Headers, Parsed, Parser, ROSTER};
use common::control_characters::without_control_characters;
use common::error::{Error, Result};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{BufWriter, Write, stdout};

/// List the tags and byte offset of every game, without parsing moves.
///
/// Each line has the offset, the line number and the values of the tags, separated by tabs.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola pgn headers games.pgn
  mola pgn headers --tags White,WhiteElo,Result games.pgn.zst
  mola pgn headers --json games.pgn | jq .headers.ECO")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// The tags to list; all games have the Seven Tag Roster
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = tag_argument)]
    tags: Vec<String>,
    /// Write JSON lines: {"offset", "line", "headers"} with all tags
    #[arg(long, conflicts_with = "tags")]
    json: bool,
}

/// A line of JSON.
#[derive(Serialize)]
struct Outline<'a> {
    offset: u64,
    line: u64,
    headers: &'a Headers,
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    if dialect.is_some() {
        return Err(Error::Usage(
            "--compat: headers are read in only one way".into(),
        ));
    }
    let tags = if args.tags.is_empty() {
        ROSTER.iter().map(|(name, _)| (*name).to_owned()).collect()
    } else {
        args.tags.clone()
    };
    let skim = |block: &Block, reports: &mut Reports<'_>| {
        let mut skimmer = Skimmer::default();
        let mut parser = Parser::new(&block.text);
        let mut text = String::new();
        while parser.read_game(&mut skimmer) == Parsed::Game {
            let (offset, line) = (block.offset + skimmer.at as u64, reports.line(skimmer.at));
            if args.json {
                let outline = Outline {
                    offset,
                    line,
                    headers: &skimmer.headers,
                };
                // Strings and numbers can always be written.
                text += &serde_json::to_string(&outline).unwrap_or_default();
                text.push('\n');
            } else {
                // Writing to a string cannot fail.
                let _ = write!(text, "{offset}\t{line}");
                for name in &tags {
                    let value = skimmer.headers.get(name).unwrap_or_default();
                    let _ = write!(text, "\t{}", without_control_characters(&value));
                }
                text.push('\n');
            }
        }
        text
    };
    let mut out = BufWriter::new(stdout());
    args.input.each_block(skim, |text| {
        out.write_all(text.as_bytes())?;
        Ok(true)
    })?;
    Ok(out.flush()?)
}
