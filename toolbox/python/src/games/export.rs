//! Writing games as python-chess does.

use engine_core::notation::is_blank;
use engine_core::{AnyPosition, Color, Move};
use pgn::{Flow, GameVisitor, PgnLayout, Remark, Tree, decode};

/// The text of a game as python-chess's `StringExporter` writes it, without a line break at its
/// end.
///
/// ```
/// use pgn::PgnLayout;
/// use python_chess::games::{Reader, export};
///
/// let mut reader = Reader::new(&b"1. e4 {a} {b} (1. d4 $1) *"[..]);
/// let game = reader.read_game()?.ok_or("no game")?;
/// let layout = PgnLayout { headers: false, ..PgnLayout::default() };
/// assert_eq!(export(&game.tree, layout), "1. e4 { a } { b } ( 1. d4 $1 ) *");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export(game: &Tree, layout: PgnLayout) -> String {
    let mut exporter = Exporter {
        options: layout,
        state: ExportState::default(),
    };
    game.visit(&mut exporter);
    exporter.flush_line();
    let mut text = exporter.state.text;
    text.truncate(text.trim_end_matches(is_blank).len());
    text
}

/// The state of the writer.
#[derive(Default)]
struct ExportState {
    text: String,
    line: String,
    /// The characters of the line.
    length: usize,
    waiting: Vec<String>,
    skips_number: bool,
    has_headers: bool,
    /// The value of the tag `Result`, whatever it is: the moves end with it.
    result: Option<String>,
}

struct Exporter {
    options: PgnLayout,
    state: ExportState,
}

impl Exporter {
    fn flush_line(&mut self) {
        let state = &mut self.state;
        if !state.line.is_empty() {
            state.text.push_str(state.line.trim_end_matches(is_blank));
            state.text.push('\n');
        }
        state.line.clear();
        state.length = 0;
    }

    fn write_line(&mut self, line: &str) {
        self.flush_line();
        self.state.text.push_str(line.trim_end_matches(is_blank));
        self.state.text.push('\n');
    }

    fn token(&mut self, token: &str) {
        let length = token.chars().count();
        let is_too_long = |columns| self.state.length + length > columns;
        if self.options.columns.is_some_and(is_too_long) {
            self.flush_line();
        }
        self.state.line.push_str(token);
        self.state.length += length;
    }

    /// Comments that follow each other are one token.
    fn flush_comments(&mut self) {
        let comments = std::mem::take(&mut self.state.waiting);
        if comments.is_empty() || !self.options.comments {
            return;
        }
        let edited = comments.iter().map(|text| text.replace(['{', '}'], ""));
        let words: Vec<_> = edited
            .filter(|text| !text.is_empty())
            .map(|text| format!("{{ {text} }}"))
            .collect();
        self.token(&(words.join(" ") + " "));
        self.state.skips_number = false;
    }
}

impl GameVisitor for Exporter {
    fn header(&mut self, name: &[u8], value: &[u8]) {
        if name == b"Result" {
            self.state.result = Some(decode(value).into_owned());
        }
        if self.options.headers {
            self.state.has_headers = true;
            self.write_line(&format!("[{} \"{}\"]", decode(name), decode(value)));
        }
    }

    fn start(&mut self, _start: Option<&AnyPosition>, _at: usize) -> Flow {
        if self.state.has_headers {
            self.write_line("");
        }
        Flow::Go
    }

    fn play(&mut self, before: &AnyPosition, m: Option<Move>, _after: &AnyPosition) {
        self.flush_comments();
        let (turn, number) = (before.turn(), before.fullmoves());
        match turn {
            Color::White => self.token(&format!("{number}. ")),
            Color::Black if !self.state.skips_number => self.token(&format!("{number}... ")),
            Color::Black => {}
        }
        match m {
            Some(m) => {
                let san = before.to_san(m);
                self.token(&format!("{san} "));
            }
            None => self.token("-- "),
        }
        self.state.skips_number = true;
    }

    fn nag(&mut self, nag: u32) {
        self.flush_comments();
        if self.options.comments {
            self.token(&format!("${nag} "));
        }
    }

    fn remark(&mut self, _remark: Remark, text: &[u8]) {
        self.state.waiting.push(decode(text).into_owned());
    }

    fn begin_variation(&mut self) -> Flow {
        self.flush_comments();
        if !self.options.variations {
            return Flow::Skip;
        }
        self.token("( ");
        self.state.skips_number = false;
        Flow::Go
    }

    fn end_variation(&mut self) {
        self.flush_comments();
        self.token(") ");
        self.state.skips_number = false;
    }

    fn result(&mut self, result: &str) {
        self.flush_comments();
        let tag = self.state.result.take();
        let result = tag.as_deref().unwrap_or(result);
        self.token(&format!("{result} "));
    }
}
