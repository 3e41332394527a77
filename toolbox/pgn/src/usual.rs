//! Text in its usual form, which most of a text is: tags on lines of their own, and moves, numbers
//! and comments with one blank between them.
//!
//! The lexer goes from byte to byte, so that a processor waits for the end of one token before it
//! begins the next. Here the bytes of a block are classified all at once (as in Langdale and
//! Lemire, "Parsing Gigabytes of JSON per Second", 2019), and tokens are cut out by their bits.
//! Whatever is not as it should be is left to the lexer, from the last blank before it.

use super::parser::Parser;
use super::scan::{Marks, TagMarks};
use super::{Flow, Remark, Visitor};

/// Why the usual form ended.
pub(super) enum Odd {
    /// The lexer is to look at what comes.
    Look,
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

impl Parser<'_> {
    /// Reads moves, numbers and comments up to something else, and notes whether there was a move.
    #[inline(always)]
    pub(super) fn usual_moves<V: Visitor>(&mut self, visitor: &mut V, has_moves: &mut bool) -> Odd {
        let text = self.lexer.text;
        let mut base = self.lexer.at;
        while let Some(marks) = Marks::at(text, base) {
            // A token begins behind one blank and ends with the next one.
            let mut start = lowest(!marks.blanks).min(1);
            let mut blanks = marks.blanks & from(start);
            let mut closing = marks.closing;
            while blanks != 0 {
                let end = lowest(blanks);
                match self.lexer.byte(base + start) {
                    b'A'..=b'Z' | b'a'..=b'z' => {
                        let stop = lowest(!marks.words & from(start));
                        if stop != end && self.lexer.is_in_word(base + stop) {
                            return Odd::Look;
                        }
                        let word = base + start;
                        self.lexer.at = base + stop;
                        *has_moves = true;
                        match visitor.san(self.lexer.slice(word, base + stop), word) {
                            Flow::Go => {}
                            Flow::Skip => return Odd::Skip(word),
                            Flow::Stop => return Odd::Stop,
                        }
                        start = stop;
                        if stop == end {
                            start += 1;
                            blanks = without_lowest(blanks);
                        }
                    }
                    b'0'..=b'9' => {
                        let is_number = between(start, end) & !marks.numbers == 0
                            && self.lexer.byte(base + end - 1) == b'.';
                        if !is_number {
                            return Odd::Look;
                        }
                        self.lexer.at = base + end;
                        start = end + 1;
                        blanks = without_lowest(blanks);
                    }
                    b'{' => {
                        // No closing brace before this one can be left: a stray one is odd.
                        if closing == 0 {
                            break;
                        }
                        let close = lowest(closing);
                        closing = without_lowest(closing);
                        if marks.breaks & between(start, close) != 0 {
                            return Odd::Look;
                        }
                        let text = self.lexer.slice(base + start + 1, base + close);
                        visitor.remark(Remark::Comment, text);
                        self.lexer.at = base + close + 1;
                        blanks &= u64::MAX << close;
                        if blanks >> close & 2 == 0 {
                            start = close + 1;
                        } else {
                            start = close + 2;
                            blanks = without_lowest(blanks);
                        }
                    }
                    _ => return Odd::Look,
                }
            }
            if self.lexer.at == base {
                break;
            }
            base = self.lexer.at;
        }
        Odd::Look
    }

    /// Reads tags up to something else, or up to a second `Event`.
    #[inline(always)]
    pub(super) fn usual_tags<V: Visitor>(&mut self, visitor: &mut V, has_event: &mut bool) {
        let text = self.lexer.text;
        let mut base = self.lexer.at;
        while let Some(marks) = TagMarks::at(text, base) {
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
                let is_usual = self.lexer.byte(name - 1) == b'['
                    && opening > start + 2
                    && self.lexer.byte(value - 2) == b' '
                    && between(start + 1, opening - 1) & !marks.names == 0
                    && between(opening, closing) & marks.odd == 0
                    && self.lexer.byte(end + 1) == b']'
                    && self.lexer.byte(end + 2) == b'\n';
                let name = self.lexer.slice(name, value - 2);
                if !is_usual || name == b"Event" && *has_event {
                    self.lexer.at = base + start;
                    return;
                }
                *has_event |= name == b"Event";
                visitor.header(name, self.lexer.slice(value, end));
                start = closing + 3;
            }
            if start == 0 {
                break;
            }
            base += start;
        }
        self.lexer.at = base;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Flow, Parser, Problem, Remark, Step, Visitor};
    use common::random::Random;

    /// Writes down what it is told, whatever blanks there are.
    #[derive(Default)]
    struct Log(Vec<String>);

    impl Log {
        fn add(&mut self, kind: &str, text: &[u8]) {
            let text = String::from_utf8_lossy(text).replace('\t', " ");
            let lines: Vec<_> = text.split('\n').map(str::trim_end).collect();
            let text = lines.join("\n");
            self.0.push(format!("{kind}({})", text.trim_end()));
        }
    }

    impl Visitor for Log {
        fn begin_game(&mut self, _: usize) -> Flow {
            self.add("game", b"");
            Flow::Go
        }
        fn header(&mut self, name: &[u8], value: &[u8]) {
            self.add("tag", &[name, b" ", value].concat());
        }
        fn san(&mut self, word: &[u8], _: usize) -> Flow {
            self.add("move", word);
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
        fn result(&mut self, result: &'static str) {
            self.add("result", result.as_bytes());
        }
        fn problem(&mut self, problem: Problem) -> Flow {
            self.add("problem", problem.kind.to_string().as_bytes());
            Flow::Go
        }
    }

    fn log(text: &str) -> Vec<String> {
        let mut log = Log::default();
        let mut parser = Parser::new(text.as_bytes());
        while parser.read_game(&mut log) == Step::Game {}
        log.0
    }

    /// With tabs for blanks, nothing is usual.
    #[test]
    fn agrees_with_the_lexer() {
        const PARTS: [&str; 44] = [
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
                // Long runs of the first parts, which are usual, with odd ones here and there.
                plain = if plain == 0 {
                    seed as usize % 40
                } else {
                    plain - 1
                };
                let parts = if plain == 0 { PARTS.len() } else { 12 };
                text += PARTS[(seed >> 32) as usize % parts];
                text += [" ", " ", " ", " ", " ", " ", "\n", ""][(seed >> 24) as usize % 8];
            }
            let odd = text.replace('\n', " \n").replace(' ', "\t");
            assert_eq!(log(&text), log(&odd), "{text}");
        }
    }
}
