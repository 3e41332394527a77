//! Files of positions with their perft counts.
//!
//! Each position is a block of lines: `id NAME` (optional), `epd FEN`, and any number of
//! `perft DEPTH NODES`. Blank lines and lines that begin with `#` do not count.

use super::speed;
use common::count::count;
use common::error::{Error, Result};
use common::files;
use common::input::{shorten, split_word};
use engine_core::{AnyPosition, CastlingMode, Variant, dispatch, perft};
use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::time::Instant;

/// Counts every line of a file up to a number of nodes.
pub(super) fn run(path: &Path, variant: Variant, max_nodes: u64) -> Result {
    let name = path.display();
    let text = files::read_text(path)?;
    let start = Instant::now();
    let (mut lines, mut wrong, mut nodes) = (0, 0, 0);
    let mut id = "";
    let mut position: Option<AnyPosition> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let at = |reason: String| Error::Message(format!("{name}:{number}: {reason}"));
        match split_word(line) {
            ("id", rest) => {
                id = rest.trim();
                progress(&format!(
                    "{}, {wrong} wrong: {}",
                    count(lines, "line"),
                    shorten(id)
                ));
            }
            ("epd", fen) => {
                let read = AnyPosition::from_fen(variant, fen, CastlingMode::Standard);
                position = Some(read.map_err(|error| at(error.to_string()))?);
            }
            ("perft", rest) => {
                let numbers = rest.trim().split_once(' ').and_then(|(depth, nodes)| {
                    Some((
                        depth.parse::<u32>().ok()?,
                        nodes.trim().parse::<u64>().ok()?,
                    ))
                });
                let Some((depth, expected)) = numbers else {
                    return Err(at("perft DEPTH NODES expected".into()));
                };
                let Some(position) = &position else {
                    return Err(at("perft before epd".into()));
                };
                if expected > max_nodes {
                    continue;
                }
                let counted = dispatch!(position, |position| perft(position, depth));
                lines += 1;
                nodes += counted;
                if counted != expected {
                    wrong += 1;
                    let fen = position.fen();
                    writeln!(
                        stdout(),
                        "{name}:{number}: {id}: perft {depth} is {counted}, not {expected}: {fen}"
                    )?;
                }
            }
            ("", _) => {}
            (word, _) if word.starts_with('#') => {}
            (word, _) => return Err(at(format!("unknown line: {}", shorten(word)))),
        }
    }
    progress("");
    let speed = speed(nodes, start.elapsed());
    writeln!(
        stdout(),
        "{}, {wrong} wrong, {} in {speed}",
        count(lines, "line"),
        count(nodes, "node")
    )?;
    match wrong {
        0 => Ok(()),
        _ => Err(Error::Message(format!("wrong counts: {wrong} of {lines}"))),
    }
}

/// Replaces the status line, on a terminal.
fn progress(text: &str) {
    if stderr().is_terminal() {
        let _ = write!(stderr(), "\r\x1b[K{text}");
    }
}
