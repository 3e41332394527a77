//! The SIMD fast path of the parser: tags on separate lines, and moves, numbers and comments
//! with one blank between them, which is nearly all of nearly every file.
//!
//! The lexer goes from byte to byte, so that a processor waits for the end of one token before it
//! begins the next. Here the bytes of a block are classified all at once (as in Langdale and
//! Lemire, "Parsing Gigabytes of JSON per Second", 2019), and tokens are cut out by their bits.
//! Anything else is left to the lexer, from the last blank before it on.

use super::lexer::Lexer;
use super::scan::{Marks, TagMarks};
use super::{Flow, Remark, Visitor};

/// Why the fast path was left.
#[derive(Clone, Copy)]
pub(super) enum Exit {
    /// The lexer has to read what follows.
    Lexer,
    /// The visitor wants nothing more of the line after the word at this offset.
    Skip(usize),
    /// The visitor wants nothing more at all.
    Stop,
}

/// The bits from one on; none beyond the last.
#[inline(always)]
fn from(first: usize) -> u64 {
    u64::MAX.checked_shl(first as u32).unwrap_or(0)
}

/// The bits from one up to another.
#[inline(always)]
fn between(first: usize, end: usize) -> u64 {
    from(first) & !from(end)
}

#[inline(always)]
fn lowest(bits: u64) -> usize {
    bits.trailing_zeros() as usize
}

#[inline(always)]
fn without_lowest(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}

/// The tokens of one block of bytes. Offsets are those in the block.
struct Tokens {
    marks: Marks,
    /// Where the block begins in the text.
    base: usize,
    /// Where the next token begins.
    start: usize,
    /// The blanks from the next token on.
    blanks: u64,
    /// The closing braces of comments that have not been read.
    closing: u64,
}

impl Tokens {
    #[inline(always)]
    fn at(text: &[u8], base: usize) -> Option<Tokens> {
        let marks = Marks::at(text, base)?;
        // A token begins behind one blank and ends with the next one.
        let start = lowest(!marks.blanks).min(1);
        Some(Tokens {
            base,
            start,
            blanks: marks.blanks & from(start),
            closing: marks.closing,
            marks,
        })
    }

    /// A move, and what stands right after it.
    #[inline(always)]
    fn word<V: Visitor>(
        &mut self,
        lexer: &mut Lexer<'_>,
        visitor: &mut V,
        has_moves: &mut bool,
    ) -> Result<(), Exit> {
        let end = lowest(self.blanks);
        let stop = lowest(!self.marks.words & from(self.start));
        if stop != end && lexer.is_in_word(self.base + stop) {
            return Err(Exit::Lexer);
        }
        let word = self.base + self.start;
        lexer.advance_to(self.base + stop);
        *has_moves = true;
        match visitor.san(lexer.slice(word, self.base + stop), word) {
            Flow::Go => {}
            Flow::Skip => return Err(Exit::Skip(word)),
            Flow::Stop => return Err(Exit::Stop),
        }
        self.start = stop;
        if stop == end {
            self.start += 1;
            self.blanks = without_lowest(self.blanks);
        }
        Ok(())
    }

    /// A move number with its dots.
    #[inline(always)]
    fn number(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Exit> {
        let end = lowest(self.blanks);
        let is_number = between(self.start, end) & !self.marks.numbers == 0
            && lexer.byte(self.base + end - 1) == b'.';
        if !is_number {
            return Err(Exit::Lexer);
        }
        lexer.advance_to(self.base + end);
        self.start = end + 1;
        self.blanks = without_lowest(self.blanks);
        Ok(())
    }

    /// A comment on one line whose closing brace is the next of the block.
    #[inline(always)]
    fn comment<V: Visitor>(&mut self, lexer: &mut Lexer<'_>, visitor: &mut V) -> Result<(), Exit> {
        let close = lowest(self.closing);
        self.closing = without_lowest(self.closing);
        if self.marks.breaks & between(self.start, close) != 0 {
            return Err(Exit::Lexer);
        }
        let text = lexer.slice(self.base + self.start + 1, self.base + close);
        visitor.remark(Remark::Comment, text);
        lexer.advance_to(self.base + close + 1);
        self.blanks &= u64::MAX << close;
        if self.blanks >> close & 2 == 0 {
            self.start = close + 1;
        } else {
            self.start = close + 2;
            self.blanks = without_lowest(self.blanks);
        }
        Ok(())
    }
}

/// Reads moves, numbers and comments up to something else, and notes whether there was a move.
///
/// Not inlined: the loop needs all registers for itself.
#[inline(never)]
pub(super) fn moves<V: Visitor>(
    lexer: &mut Lexer<'_>,
    visitor: &mut V,
    has_moves: &mut bool,
) -> Exit {
    #[cfg(test)]
    if tests::IS_OFF.get() {
        return Exit::Lexer;
    }
    let mut base = lexer.at();
    while let Some(mut tokens) = Tokens::at(lexer.text, base) {
        while tokens.blanks != 0 {
            let read = match lexer.byte(base + tokens.start) {
                b'A'..=b'Z' | b'a'..=b'z' => tokens.word(lexer, visitor, has_moves),
                b'0'..=b'9' => tokens.number(lexer),
                // The end of the comment is not in this block.
                b'{' if tokens.closing == 0 => break,
                b'{' => tokens.comment(lexer, visitor),
                _ => Err(Exit::Lexer),
            };
            if let Err(exit) = read {
                return exit;
            }
        }
        if lexer.at() == base {
            break;
        }
        base = lexer.at();
    }
    Exit::Lexer
}

/// Reads tags up to something else, or up to a second `Event`.
#[inline(always)]
pub(super) fn tags<V: Visitor>(lexer: &mut Lexer<'_>, visitor: &mut V, has_event: &mut bool) {
    #[cfg(test)]
    if tests::IS_OFF.get() {
        return;
    }
    let mut base = lexer.at();
    while let Some(marks) = TagMarks::at(lexer.text, base) {
        let mut quotes = marks.quotes;
        let mut start = 0;
        loop {
            // `[Name "value"]` and a line feed.
            let opening = lowest(quotes);
            quotes = without_lowest(quotes);
            let closing = lowest(quotes);
            quotes = without_lowest(quotes);
            if closing + 2 >= Marks::WIDTH {
                break;
            }
            let (name, value) = (base + start + 1, base + opening + 1);
            let end = base + closing;
            let is_plain = lexer.byte(name - 1) == b'['
                && opening > start + 2
                && lexer.byte(value - 2) == b' '
                && between(start + 1, opening - 1) & !marks.names == 0
                && between(opening, closing) & marks.escapes_and_breaks == 0
                && lexer.byte(end + 1) == b']'
                && lexer.byte(end + 2) == b'\n';
            let name = lexer.slice(name, value - 2);
            if !is_plain || name == b"Event" && *has_event {
                lexer.advance_to(base + start);
                return;
            }
            *has_event |= name == b"Event";
            visitor.header(name, lexer.slice(value, end), base + start);
            start = closing + 3;
        }
        if start == 0 {
            break;
        }
        base += start;
    }
    lexer.advance_to(base);
}

#[cfg(test)]
mod tests {
    use crate::{Flow, Parsed, Parser, Problem, Remark, Visitor};
    use common::random::Random;
    use std::cell::Cell;

    thread_local! {
        /// Whether the fast path leaves everything to the lexer.
        pub(super) static IS_OFF: Cell<bool> = const { Cell::new(false) };
    }

    /// Records all events.
    #[derive(Default)]
    struct Log(Vec<String>);

    impl Log {
        fn add(&mut self, kind: &str, text: &[u8]) {
            self.0
                .push(format!("{kind}({})", String::from_utf8_lossy(text)));
        }
    }

    impl Visitor for Log {
        fn begin_game(&mut self, _: usize) -> Flow {
            self.add("game", b"");
            Flow::Go
        }
        fn header(&mut self, name: &[u8], value: &[u8], at: usize) {
            let at = at.to_string();
            self.add("tag", &[name, b" ", value, b" ", at.as_bytes()].concat());
        }
        fn san(&mut self, word: &[u8], at: usize) -> Flow {
            self.add("move", &[word, b" ", at.to_string().as_bytes()].concat());
            if word == b"Skip" {
                Flow::Skip
            } else {
                Flow::Go
            }
        }
        fn nag(&mut self, nag: u32) {
            self.add("nag", nag.to_string().as_bytes());
        }
        fn remark(&mut self, remark: Remark, text: &[u8]) {
            self.add(&format!("{remark:?}"), text);
        }
        fn begin_variation(&mut self) -> Flow {
            self.add("(", b"");
            Flow::Go
        }
        fn end_variation(&mut self) {
            self.add(")", b"");
        }
        fn result(&mut self, result: &'static str, _: usize) {
            self.add("result", result.as_bytes());
        }
        fn problem(&mut self, problem: Problem) -> Flow {
            self.add("problem", problem.kind.to_string().as_bytes());
            Flow::Go
        }
    }

    fn log(text: &str, is_off: bool) -> Vec<String> {
        IS_OFF.set(is_off);
        let mut log = Log::default();
        let mut parser = Parser::new(text.as_bytes());
        while parser.read_game(&mut log) == Parsed::Game {}
        log.0
    }

    #[test]
    fn agrees_with_the_lexer() {
        const PARTS: [&str; 46] = [
            "e4",
            "Nf3+",
            "O-O-O",
            "exd8=Q#",
            "12.",
            "3...",
            "12.Nf3",
            "1.",
            "{ c }",
            "{[%clk 1]}",
            "e4{x}",
            "{ of two\nlines }",
            "Nf3)",
            "(1. d4)",
            "(",
            ")",
            "$3",
            "Qh5!?",
            "!",
            "{",
            "}",
            "1-0",
            "*",
            "1/2-1/2",
            "\n",
            "\n",
            "\n\n",
            "\r",
            "\r\r[Event \"x\"]\r",
            "\n1. d4",
            "0-0",
            "--",
            "Skip",
            "é",
            "e_4",
            "a@b",
            "; rest\n",
            "\n% escape\n",
            "\n[A \"b\"]\n",
            "\n\n[Event \"x\"]\n[Site \"\"]\n[B_1 \"a value\"]\n\n",
            "\n\n[Event \"a \\\" b\"]\n",
            "[C \"unclosed\n",
            "\"",
            ".",
            "12",
            "Nf3}",
        ];
        let mut random = Random::new(3, 0);
        for _ in 0..3000 {
            let mut text = String::new();
            let mut plain = 0;
            for _ in 0..60 {
                let seed = random.draw();
                // Long runs of the first parts, which the fast path reads, with others here and
                // there.
                plain = if plain == 0 {
                    seed as usize % 40
                } else {
                    plain - 1
                };
                let parts = if plain == 0 { PARTS.len() } else { 12 };
                text += PARTS[(seed >> 32) as usize % parts];
                text += [" ", " ", " ", " ", " ", " ", "\n", ""][(seed >> 24) as usize % 8];
            }
            assert_eq!(log(&text, false), log(&text, true), "{text}");
            // Tabs are left to the lexer.
            let tabs = text.replace(' ', "\t");
            assert_eq!(log(&tabs, false), log(&tabs, true), "{text}");
        }
    }
}
