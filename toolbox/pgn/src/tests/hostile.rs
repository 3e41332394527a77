//! Random and broken texts.

use super::limits::{check_games, check_tokens};
use crate::lexer::work;
use crate::visitor::Nobody;
use crate::{Flow, Parsed, Parser, Visitor, Writer, read_tree};
use common::random::Random;

/// The parts of random texts.
const PARTS: [&str; 63] = [
    "e4",
    "Nf3+",
    "e5",
    "O-O",
    "exd8=Q#",
    "a9",
    "Sf3",
    "x",
    "12.",
    "1.",
    "1. ",
    "3...",
    "{ c }",
    "{",
    "}",
    "{[%clk 1]}",
    "(",
    ")",
    "(1. d4)",
    "$3",
    "$",
    "!?",
    "1-0",
    "0-1",
    "1/2",
    "1/2-1/2",
    "*",
    "1-0\n",
    "*\n",
    "0-0",
    "--",
    "…",
    "é",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "\0",
    "; rest\n",
    ";",
    "% escape\n",
    "%",
    "\n[A \"b\"]\n",
    "[Event \"x\"]\n",
    "\n\n[Event \"x\"]\n\n",
    "[Site \"",
    "[",
    "]",
    "\"",
    "\\",
    "\"G\"]",
    "[Black",
    "Event ",
    "<",
    ".",
    "text \n",
    "[Event x]\n",
    "Site \"x\"]\n",
    "\n\n[Site \"x\"]\n",
    "\u{feff}",
];

/// Texts of these parts and, in half of them, of changed bytes.
fn texts(seed: u64, count: usize) -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random::new(seed, 0);
    (0..count).map(move |_| {
        let mut draw = |most: usize| (random.draw() >> 33) as usize % most;
        let mut text = Vec::new();
        // Some texts use few of the parts, and so repeat them.
        let (few, first) = (1 + draw(PARTS.len()), draw(PARTS.len()));
        for _ in 0..=draw(60) {
            text.extend(PARTS[(first + draw(few)) % PARTS.len()].bytes());
            text.extend([&b" "[..], b"", b" ", b"\n"][draw(4)]);
        }
        for _ in 0..draw(2) * draw(6) {
            let at = draw(text.len());
            match draw(4) {
                0 => text[at] = draw(256) as u8,
                1 => text.insert(at, b" \n[]{}()\"1*;%"[draw(13)]),
                2 => text.truncate(at + 1),
                _ => text.extend_from_within(at..),
            }
        }
        text
    })
}

/// On both, the reader once looped for ever.
#[test]
fn reading_ends() {
    for text in ["e4 \"G\"]\n[B", "[Event \"x\"]\ne4 \"G\"]\n[Black"] {
        check_tokens(text.as_bytes(), 1..=text.len());
        check_games(text.as_bytes());
    }
}

#[test]
fn any_text_is_read_within_limits() {
    for (index, text) in texts(1, 30_000).enumerate() {
        let result = std::panic::catch_unwind(|| {
            // Some texts are tested with every block boundary, all with a few.
            let step = if index % 20 == 0 {
                1
            } else {
                1 + text.len() / 3
            };
            check_tokens(&text, (1..=text.len()).step_by(step));
            if index % 4 == 0 {
                check_games(&text);
            }
        });
        assert!(result.is_ok(), "{:?}", String::from_utf8_lossy(&text));
    }
}

/// A visitor that skips.
struct Skipping(Flow);

impl Visitor for Skipping {
    fn end_headers(&mut self, _: usize) -> Flow {
        self.0
    }
}

/// The same of writing, in lines and without: text among the tags is looked at again.
#[test]
fn work_of_writing_is_linear() {
    let mut units: Vec<String> = PARTS.iter().map(|part| format!("{part} ")).collect();
    units.extend(PARTS.iter().map(|part| format!("{part}\n")));
    for unit in units {
        let text = format!(
            "[Event \"x\"]\n\n{}\n1. d4 *",
            unit.repeat(20_000 / unit.len() + 1)
        );
        let Some((game, _)) = read_tree(text.as_bytes()) else {
            continue;
        };
        for columns in [Some(80), None] {
            work::take();
            let written = Writer::new().columns(columns).write(&game);
            let work = work::take();
            assert!(written.len() <= 4 * text.len());
            assert!(
                work <= 64 * text.len(),
                "{unit:?}: {work} of {}",
                text.len()
            );
        }
    }
}

/// The work of reading is at most this multiple of the length of the text, also where a part
/// of it is looked at twice: comments, results, lines that may begin a game.
#[test]
fn work_is_linear() {
    let mut units: Vec<String> = PARTS.iter().map(|part| format!("{part} ")).collect();
    units.extend(PARTS.iter().map(|part| format!("{part}\n")));
    units.extend(PARTS.iter().map(|part| format!("{part}e4")));
    units.extend(["e4 *\nxyz\n", "e4 1-0\n{c} d4\n", "; c\n*\n"].map(str::to_owned));
    for unit in units {
        let mut text = unit.repeat(20_000 / unit.len() + 1);
        text += "\n1. d4\n 1. c4";
        for flow in [Flow::Go, Flow::Skip] {
            work::take();
            let mut parser = Parser::new(text.as_bytes());
            while parser.read_game(&mut Skipping(flow)) == Parsed::Game {}
            let work = work::take();
            assert!(work <= 4 * text.len(), "{unit:?}: {work} of {}", text.len());
        }
        let mut parser = Parser::new(text.as_bytes());
        while parser.read_game(&mut Nobody) == Parsed::Game {}
    }
}
