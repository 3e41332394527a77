//! Files of positions with their perft counts.
//!
//! Each position is a block of lines: `id NAME` (optional), `epd FEN`, and any number of
//! `perft DEPTH NODES`; or one line `FEN ;D1 NODES ;D2 NODES …`. Blank lines and lines that begin
//! with `#` do not count.

use super::speed;
use common::control_characters::without_control_characters;
use common::count::count;
use common::error::{Error, Result};
use common::files;
use common::input::{shorten, split_word};
use engine_core::{AnyPosition, CastlingMode, MAX_PERFT_DEPTH, Variant};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::time::Instant;

/// Counts every line of a file up to a number of nodes.
pub(super) fn run(path: &Path, rules: (Variant, CastlingMode), max_nodes: u64) -> Result {
    let text = files::read_input_text(path)?;
    let name = files::input_name(path);
    let start = Instant::now();
    let mut suite = Suite {
        rules,
        max_nodes,
        name: "",
        position: None,
        counts: 0,
        skipped: 0,
        wrong: 0,
        nodes: 0,
    };
    for (number, line) in (1..).zip(text.lines()) {
        suite.read(line, &format!("{name}:{number}"))?;
    }
    progress("");
    if suite.counts == 0 {
        return Err(Error::Message(match suite.skipped {
            0 => format!("{name}: no counts found"),
            _ => format!("{name}: every count is above --max-nodes"),
        }));
    }
    let (counts, wrong) = (count(suite.counts, "line"), suite.wrong);
    let speed = speed(suite.nodes, start.elapsed());
    let nodes = count(suite.nodes, "node");
    writeln!(stdout(), "{counts}, {wrong} wrong, {nodes} in {speed}")?;
    match wrong {
        0 => Ok(()),
        _ => Err(Error::Message(format!(
            "wrong counts: {wrong} of {}",
            suite.counts
        ))),
    }
}

/// A suite while it is read.
struct Suite<'t> {
    rules: (Variant, CastlingMode),
    max_nodes: u64,
    /// The name of the position, if it has one.
    name: &'t str,
    position: Option<AnyPosition>,
    counts: u64,
    /// Counts that are above the limit.
    skipped: u64,
    wrong: u64,
    nodes: u64,
}

impl<'t> Suite<'t> {
    /// Reads and checks a line.
    fn read(&mut self, line: &'t str, place: &str) -> Result {
        let failed = |reason: String| Error::Message(format!("{place}: {reason}"));
        match split_word(line) {
            ("id", name) => {
                (self.name, self.position) = (name.trim(), None);
                progress(&format!(
                    "{}, {} wrong: {}",
                    count(self.counts, "line"),
                    self.wrong,
                    shorten(self.name)
                ));
                Ok(())
            }
            ("epd", fen) => {
                if self.position.is_some() {
                    self.name = "";
                }
                self.set_position(fen).map_err(failed)
            }
            ("perft", counts) => self.check(counts, place),
            ("", _) => Ok(()),
            (word, _) if word.starts_with('#') => Ok(()),
            _ if line.contains(";D") => {
                let mut parts = line.split(";D");
                self.name = "";
                self.set_position(parts.next().unwrap_or_default())
                    .map_err(failed)?;
                parts.try_for_each(|part| self.check(part, place))
            }
            (word, _) => Err(failed(format!("unknown line: {}", shorten(word)))),
        }
    }

    fn set_position(&mut self, fen: &str) -> std::result::Result<(), String> {
        let (variant, mode) = self.rules;
        let read = AnyPosition::from_fen(variant, fen.trim(), mode);
        self.position = Some(read.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Checks a depth and its nodes in the position.
    fn check(&mut self, text: &str, place: &str) -> Result {
        let failed = |reason: &str| Error::Message(format!("{place}: {reason}"));
        let (depth, nodes) = split_word(text.trim());
        let numbers = (depth.parse::<u32>().ok()).zip(nodes.trim().parse::<u64>().ok());
        let (depth, expected) = numbers.ok_or_else(|| failed("expected: depth and nodes"))?;
        let position = self.position.as_ref();
        let position = position.ok_or_else(|| failed("a count before its position"))?;
        if depth > MAX_PERFT_DEPTH {
            return Err(failed(&format!(
                "a depth of at most {MAX_PERFT_DEPTH} is expected"
            )));
        }
        if expected > self.max_nodes {
            self.skipped += 1;
            return Ok(());
        }
        let counted = position.perft(depth);
        self.counts += 1;
        self.nodes += counted;
        if counted != expected {
            self.wrong += 1;
            let name = match self.name {
                "" => String::new(),
                name => format!("{}: ", without_control_characters(name)),
            };
            let fen = position.fen();
            let reason = format!("{name}perft {depth} is {counted}, not {expected}: {fen}");
            writeln!(stdout(), "{place}: {reason}")?;
        }
        Ok(())
    }
}

/// Replaces the status line, on a terminal.
fn progress(text: &str) {
    if stderr().is_terminal() {
        let _ = write!(stderr(), "\r\x1b[K{text}");
    }
}
