//! Where games are written.

use super::input::Input;
use super::skimmer::Skimmer;
use crate::Parser;
use crate::lexer::{Lexer, ends_with_result, is_break, without_blanks_at_end};
use crate::movetext::{Unclosed, begins_tagless_game};
use crate::parser::after_remarks;
use crate::result::result_in;
use crate::tags::{after_damaged, is_like_tag};
use common::error::Result;
use common::files::{Force, Replace, Sink, is_dash, refuse_packed};
use std::path::{Path, PathBuf};

/// Arguments of subcommands that write games.
#[derive(clap::Args, Debug, Clone)]
pub(super) struct OutputArgs {
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

impl OutputArgs {
    /// Opens it. It must not be one of the input files.
    pub(super) fn open(&self, input: &Input) -> Result<Sink> {
        self.open_beside(&input.paths())
    }

    /// Opens it. It must not be one of these files.
    pub(super) fn open_beside(&self, inputs: &[PathBuf]) -> Result<Sink> {
        self.path().map_or(Ok(()), refuse_packed)?;
        Sink::open(self.output.as_deref(), self.force.replace(), inputs)
    }

    /// The file; `None` for standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        let path = self.output.as_deref();
        path.filter(|path| !is_dash(path))
    }

    /// Whether files may be replaced.
    pub(super) fn replace(&self) -> Replace {
        self.force.replace()
    }
}

/// Games as they were, one after the other.
#[derive(Default)]
pub(super) struct RawGames {
    last: Vec<u8>,
    text: Vec<u8>,
}

impl RawGames {
    /// The text of the next game, which cannot be read as a part of the one before.
    pub(super) fn next(&mut self, raw: &[u8]) -> &[u8] {
        self.text.clear();
        if !self.last.is_empty() {
            let missing = missing_result(&self.last);
            separate(missing, || is_complete(&self.last), raw, &mut self.text);
        }
        write_raw(raw, &mut self.text);
        without_blanks_at_end(raw).clone_into(&mut self.last);
        &self.text
    }
}

/// How the text of a game ends, where it is not kept until the next one comes.
#[derive(Clone, Copy)]
pub(super) struct GameTextEnd {
    missing_result: Option<&'static str>,
    is_complete: bool,
}

impl GameTextEnd {
    /// The end of a game.
    pub(super) fn of(raw: &[u8]) -> GameTextEnd {
        let raw = without_blanks_at_end(raw);
        GameTextEnd {
            missing_result: missing_result(raw),
            is_complete: is_complete(raw),
        }
    }

    /// Writes what must stand between such a game and the next one.
    pub(super) fn separate(self, raw: &[u8], out: &mut Vec<u8>) {
        separate(self.missing_result, || self.is_complete, raw, out);
    }
}

/// Writes what must stand between a game and the next one, which may come from another file: a
/// result if it is missing; and a tag if the next one has none, and could be read as a part of the
/// game.
fn separate(
    missing_result: Option<&str>,
    is_complete: impl FnOnce() -> bool,
    raw: &[u8],
    out: &mut Vec<u8>,
) {
    let raw = raw.trim_ascii();
    let first = raw.get(after_remarks(raw)..).unwrap_or_default();
    if let Some(result) = missing_result {
        out.extend(format!("{result}\n\n").into_bytes());
    }
    let lexer = Lexer::new(first);
    // Of a tag that was cut in two, only some ends are read as tags.
    let has_tag = after_damaged(&lexer).at() > 0;
    let is_apart = lexer.is_tag(0)
        || (begins_tagless_game(first) || has_tag) && (missing_result.is_some() || is_complete());
    if !is_apart {
        // After a damaged tag there may be an `Event`, and a second one would begin a game.
        let name = if has_tag { "Site" } else { "Event" };
        out.extend(format!("[{name} \"?\"]\n\n").into_bytes());
    }
}

/// The result that a game lacks if it ends among its tags, to which those of the next game would be
/// added: that of its tag.
fn missing_result(game: &[u8]) -> Option<&'static str> {
    let last = game.rsplit(|&byte| is_break(byte)).next();
    // Only then the tags are read, which takes time.
    last.filter(|line| is_like_tag(line.trim_ascii_start()))?;
    let mut skimmer = Skimmer::default();
    Parser::new(game).read_game(&mut skimmer);
    (skimmer.moves == game.len()).then(|| {
        let tag = skimmer.headers.get("Result");
        tag.and_then(|tag| result_in(&tag)).unwrap_or("*")
    })
}

/// Whether a game ends with a result outside of comments and variations.
fn is_complete(game: &[u8]) -> bool {
    ends_with_result(game) && Unclosed::in_text(game) == Unclosed::default()
}

/// A game as it was, with a blank line after it.
pub(super) fn write_raw(raw: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(raw.trim_ascii());
    out.extend_from_slice(b"\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parsed;

    #[test]
    fn games_of_tags_alone_keep_their_result() {
        for (tags, result) in [
            ("[Result \"1-0\"]", "1-0"),
            ("[Result \"0-1\"]\n[White \"A\"]", "0-1"),
            ("[Result \"*\"]\n[Result \"1/2-1/2\"]", "1/2-1/2"),
            ("[Result \"1/2\"]", "1/2-1/2"),
            ("[Result \"*\"]", "*"),
            ("[Result \"?\"]", "*"),
            ("[White \"1-0\"]", "*"),
        ] {
            let mut games = RawGames::default();
            let first = games.next(tags.as_bytes()).to_vec();
            let second = games.next(b"[White \"B\"]\n\n1. e4 *").to_vec();
            assert_eq!(first, format!("{tags}\n\n").into_bytes());
            let expected = format!("{result}\n\n[White \"B\"]\n\n1. e4 *\n\n");
            assert_eq!(String::from_utf8_lossy(&second), expected);
        }
    }

    #[test]
    fn games_stay_apart() {
        let firsts = [
            "1. e4 e5",
            "1. e4 1-0",
            "1. e4 {open",
            "[White \"A\"]",
            "[Event \"x\"]\n[White \"A",
            "[White \"A\"]\nSite \"x\"]",
            "[White \"A\"]\n\u{feff}",
        ];
        let seconds = [
            "[Event \"y\"]\n\n1. d4 *",
            "[White \"B\"]",
            "1. d4 *",
            "d4 *",
            "1. *",
            "1. {resigned before the first move} 0-1",
            "[Site y]\n[Event \"y\"]",
            "Site \"y\"]\n[Event \"y\"]\n\n1. d4 *",
            "Site \"y\"]\n[White \"B\"]\n\n1. d4 *",
            // The ends of tags that were cut.
            "592\"]",
            "5 \"y\"] 1. d4 *",
            "Luis Manuel\"]\n[White \"B\"]\n\n1. d4 *",
            "\"]\n[White \"B\"]\n\n1. d4 *",
        ];
        for first in firsts {
            for second in seconds {
                let mut games = RawGames::default();
                let mut text = games.next(first.as_bytes()).to_vec();
                text.extend_from_slice(games.next(second.as_bytes()));
                let mut parser = Parser::new(&text);
                let mut skimmer = Skimmer::default();
                let read = || parser.read_game(&mut skimmer);
                let steps = std::iter::repeat_with(read).take_while(|step| *step == Parsed::Game);
                let text = String::from_utf8_lossy(&text);
                assert_eq!(steps.count(), 2, "{text}");
                assert!(text.contains(first) && text.contains(second), "{text}");
            }
        }
    }
}
