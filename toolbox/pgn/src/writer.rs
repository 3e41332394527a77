//! Games to text.

use super::lexer::{Lexer, MAX_NAME, is_in_name, without_blanks_at_end};
use super::movetext::{self, Unclosed};
use super::scan::count_characters;
use super::text::escaped;
use super::{Flow, GameVisitor, Remark, Tree, tags};
use engine_core::notation::Language;
use engine_core::{AnyPosition, Color, Move};
use std::borrow::Cow;

/// Writes games as PGN.
///
/// ```
/// use pgn::{Writer, read_tree};
///
/// let text = b"1. e4 { best by test } e5 (1... c5 $1) 2. Nf3 *";
/// let (game, _) = read_tree(text).ok_or("no game")?;
/// let written = Writer::moves_only().write(&game);
/// assert_eq!(written, "1. e4 { best by test } 1... e5 (1... c5 $1) 2. Nf3 *");
/// assert_eq!(Writer::moves_only().without_comments().write(&game), "1. e4 e5 (1... c5) 2. Nf3 *");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct Writer {
    columns: Option<usize>,
    shows: Shows,
    language: Language,
    notation: MoveNotation,
    /// The lines that are complete, each with its line break.
    out: Vec<u8>,
    /// The length of the line in characters.
    column: usize,
    /// Whether a blank is due before the next word.
    is_space_due: bool,
    needs_number: bool,
    depth: usize,
    place: Place,
    /// Where a game without tags begins, as long as no move has been written.
    tagless: Option<usize>,
}

/// Lines of text among the tags are ended after this many bytes.
const MAX_TEXT_LINE: usize = 80;

/// Where a reader is after what has been written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Still among the tags: nothing but text that it ends by itself has been written after them.
    AmongTags,
    /// In text among the tags that goes up to the end of its line, which began at this offset.
    AfterText(usize),
    Moves,
}

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "command", derive(clap::ValueEnum))]
pub enum MoveNotation {
    /// Nf3, exd5, O-O
    #[default]
    San,
    /// Ng1-f3, e4xd5, O-O
    Lan,
    /// g1f3, e4d5, e1g1
    Uci,
}

/// What is written beside moves and result.
#[derive(Clone, Copy, Debug)]
struct Shows {
    headers: bool,
    comments: bool,
    variations: bool,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer::new()
    }
}

impl Writer {
    /// Writes everything, in lines of less than 80 columns but for longer comments, which stay as they
    /// are.
    pub fn new() -> Writer {
        Writer {
            columns: Some(80),
            shows: Shows {
                headers: true,
                comments: true,
                variations: true,
            },
            language: Language::ENGLISH,
            notation: MoveNotation::San,
            out: Vec::new(),
            column: 0,
            is_space_due: false,
            needs_number: true,
            depth: 0,
            place: Place::AmongTags,
            tagless: None,
        }
    }

    /// Writes the moves with annotations and variations, in one line and without tags.
    pub fn moves_only() -> Writer {
        Writer::new().without_headers().columns(None)
    }

    /// Breaks lines of moves before this column, or never.
    #[must_use]
    pub fn columns(self, columns: Option<usize>) -> Writer {
        Writer { columns, ..self }
    }

    /// Leaves out the tags.
    #[must_use]
    pub fn without_headers(mut self) -> Writer {
        self.shows.headers = false;
        self
    }

    /// Leaves out comments and annotation glyphs.
    #[must_use]
    pub fn without_comments(mut self) -> Writer {
        self.shows.comments = false;
        self
    }

    /// Leaves out variations.
    #[must_use]
    pub fn without_variations(mut self) -> Writer {
        self.shows.variations = false;
        self
    }

    /// Writes moves with the piece letters of this language. No program that follows the standard
    /// reads them: it asks for those of English.
    #[must_use]
    pub fn language(self, language: Language) -> Writer {
        Writer { language, ..self }
    }

    /// Writes moves in this notation. No program that follows the standard reads others than SAN,
    /// but many read them all the same.
    #[must_use]
    pub fn notation(self, notation: MoveNotation) -> Writer {
        Writer { notation, ..self }
    }

    /// The text of one game, without a line break at its end.
    pub fn write(&mut self, game: &Tree) -> String {
        self.out.clear();
        game.visit(self);
        let text = super::decode(self.out.trim_ascii_end()).into_owned();
        self.out.clear();
        text
    }

    /// What has been written since the last call, with a blank line after every game.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }

    /// Adds a word to the line or to the next one.
    fn word(&mut self, word: &[u8]) {
        self.place = Place::Moves;
        let length = count_characters(word);
        // Of several lines only the first goes on this one.
        let first_line = word.split(|&byte| byte == b'\n').next();
        let first_length = first_line.map_or(length, count_characters);
        let space = usize::from(self.is_space_due);
        let is_too_long = |columns| self.column + space + first_length >= columns;
        if self.column > 0 && self.columns.is_some_and(is_too_long) {
            self.line_break();
        } else if self.is_space_due {
            self.out.push(b' ');
            self.column += 1;
        }
        if self.column == 0 && word.starts_with(b"%") {
            // At the beginning of a line this sign would escape the line.
            self.out.push(b' ');
            self.column += 1;
        }
        self.out.extend_from_slice(word);
        self.column = match word.iter().rposition(|&byte| byte == b'\n') {
            Some(last) => count_characters(word.get(last + 1..).unwrap_or_default()),
            None => self.column + length,
        };
        self.is_space_due = true;
    }

    fn line_break(&mut self) {
        if self.column > 0 {
            self.out.push(b'\n');
        }
        self.column = 0;
        self.is_space_due = false;
    }

    /// Whether a reader is still among the tags, of which there are some.
    fn is_among_tags(&self) -> bool {
        self.shows.headers && self.tagless.is_none() && self.place != Place::Moves
    }

    fn is_shown(&self) -> bool {
        self.shows.variations || self.depth == 0
    }

    fn comment(&mut self, text: &[u8]) {
        let mut word = Vec::with_capacity(text.len() + 2);
        word.push(b'{');
        // What only a program can have put there, and no reader would get beyond: a closing brace,
        // and a line that begins like a tag.
        let lexer = Lexer::new(text);
        let is_before_tag = |at| lexer.is_tag(lexer.after_mark(at));
        word.extend(text.iter().enumerate().map(|(at, &byte)| match byte {
            b'}' => b')',
            b'\n' | b'\r' if is_before_tag(at + 1) => b' ',
            b'\r' if lexer.byte(at + 1) == b'\n' && is_before_tag(at + 2) => b' ',
            _ => byte,
        }));
        word.push(b'}');
        if self.place == Place::Moves {
            self.begin_with_tag();
        }
        self.word(&word);
    }

    /// Text that was kept unread, so that what follows is not read as a part of it.
    fn raw(&mut self, text: &[u8]) {
        // A control character at its end would be read as a blank.
        let text = without_blanks_at_end(text);
        if !movetext::begins_tagless_game(text) {
            self.begin_with_tag();
        }
        self.tagless = None;
        if let Place::AfterText(start) = self.place {
            // Each line is looked at again with every piece that is added.
            let is_long = self.written(start).len() > MAX_TEXT_LINE;
            // Its beginning would be read as text among the tags, and the rest as moves.
            let is_mixed = || {
                let line = self.written(start);
                tags::is_like_moves(text) && !tags::is_text(&[line, b" ", text].concat())
            };
            if is_long || is_mixed() {
                self.end_text();
            }
        }
        let place = self.place;
        self.word(text);
        let start = match place {
            Place::AmongTags => Some(self.out.len() - text.len()),
            Place::AfterText(start) => Some(start),
            Place::Moves => None,
        };
        // Nothing in text among the tags can be open.
        if let Some(start) = start
            && let Some(place) = self.place_after_text(start)
        {
            let line = self.written(self.last_line(start));
            if place == Place::AmongTags && !tags::is_apart(line) {
                self.line_break();
            }
            self.place = place;
            return;
        }
        let open = Unclosed::in_text(text);
        if open.has_comment {
            self.word(b"}");
        }
        if open.has_line {
            self.line_break();
        }
        if open.variations > 0 {
            self.word(&b")".repeat(open.variations));
        }
    }

    /// Where a reader is after text among the tags that begins at an offset of what has been written;
    /// `None` if it reads moves there.
    fn place_after_text(&self, start: usize) -> Option<Place> {
        let text = self.written(start);
        if !text.split(|&byte| byte == b'\n').all(tags::is_text) {
            return None;
        }
        let start = self.last_line(start);
        let line = self.written(start);
        let ends_itself = tags::is_like_tag(line) || tags::is_apart(line);
        Some(if ends_itself {
            Place::AmongTags
        } else {
            Place::AfterText(start)
        })
    }

    /// Where the last line begins of what has been written from an offset on.
    fn last_line(&self, start: usize) -> usize {
        let text = self.written(start);
        let end = text.iter().rposition(|&byte| byte == b'\n');
        start + end.map_or(0, |end| end + 1)
    }

    /// What has been written from an offset on.
    fn written(&self, start: usize) -> &[u8] {
        self.out.get(start..).unwrap_or_default()
    }

    /// Begins a game without tags with one, as it does not begin with a move or with a comment
    /// before one: readers pass over what else comes first, or take it for a part of the game before.
    fn begin_with_tag(&mut self) {
        if let Some(at) = self.tagless.take() {
            self.out.splice(at..at, *b"[Event \"?\"]\n");
        }
    }

    /// Ends text among the tags, of which what follows would be a part.
    fn end_text(&mut self) {
        if let Place::AfterText(_) = self.place {
            self.line_break();
            self.place = Place::AmongTags;
        }
    }

    /// A line by itself.
    fn line(&mut self, prefix: &[u8], text: &[u8]) {
        self.begin_with_tag();
        self.end_text();
        self.line_break();
        self.out.extend_from_slice(prefix);
        self.out.extend_from_slice(&in_one_line(text));
        self.out.push(b'\n');
    }
}

/// Text with blanks for line breaks.
fn in_one_line(text: &[u8]) -> Cow<'_, [u8]> {
    replaced(text, |byte| matches!(byte, b'\n' | b'\r'), b' ')
}

/// The name of a tag that readers accept: with `_` for what ends a name, and for an empty one.
fn name_of_tag(name: &[u8]) -> Cow<'_, [u8]> {
    match name.get(..MAX_NAME).unwrap_or(name) {
        [] => Cow::Borrowed(b"_"),
        name => replaced(name, |byte| !is_in_name(byte), b'_'),
    }
}

fn replaced(text: &[u8], is_bad: impl Fn(u8) -> bool, by: u8) -> Cow<'_, [u8]> {
    if !text.iter().any(|&byte| is_bad(byte)) {
        return Cow::Borrowed(text);
    }
    let mended = text
        .iter()
        .map(|&byte| if is_bad(byte) { by } else { byte });
    Cow::Owned(mended.collect())
}

impl GameVisitor for Writer {
    fn begin_game(&mut self, _at: usize) -> Flow {
        self.needs_number = true;
        self.depth = 0;
        self.place = Place::AmongTags;
        self.column = 0;
        self.is_space_due = false;
        self.tagless = self.shows.headers.then_some(self.out.len());
        Flow::Go
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        if self.shows.headers {
            self.tagless = None;
            let (name, value) = (name_of_tag(name), in_one_line(value));
            for part in [b"[", &*name, b" \"", &escaped(&value), b"\"]\n"] {
                self.out.extend_from_slice(part);
            }
        }
    }

    fn start(&mut self, _start: Option<&AnyPosition>, _at: usize) -> Flow {
        if self.shows.headers {
            self.out.push(b'\n');
        }
        Flow::Go
    }

    fn play(&mut self, before: &AnyPosition, m: Option<Move>, _after: &AnyPosition) {
        if !self.is_shown() {
            return;
        }
        self.tagless = None;
        let (turn, number) = (before.turn(), before.fullmoves());
        match turn {
            Color::White => self.word(format!("{number}.").as_bytes()),
            Color::Black if self.needs_number => self.word(format!("{number}...").as_bytes()),
            Color::Black => {}
        }
        self.needs_number = false;
        match m {
            Some(m) => {
                let san = match self.notation {
                    MoveNotation::San => before.to_san(m),
                    MoveNotation::Lan => before.to_lan(m),
                    MoveNotation::Uci => before.to_uci(m),
                };
                if self.language == Language::ENGLISH {
                    self.word(san.as_bytes());
                } else {
                    self.word(self.language.write(&san).as_bytes());
                }
            }
            None => self.word(b"--"),
        }
    }

    fn nag(&mut self, nag: u32) {
        if self.shows.comments && self.is_shown() {
            self.word(format!("${nag}").as_bytes());
        }
    }

    fn remark(&mut self, remark: Remark, text: &[u8]) {
        if !self.is_shown() || !self.shows.comments && remark != Remark::Raw {
            return;
        }
        match remark {
            // What a comment in braces cannot hold, and what does not end the tags: text that follows
            // would be read as moves.
            Remark::Line if text.contains(&b'}') || self.is_among_tags() => self.line(b";", text),
            Remark::Comment | Remark::Line => self.comment(text),
            Remark::Escape if text.starts_with(b"%") => self.line(b"", text),
            Remark::Escape => self.line(b"%", text),
            Remark::Raw => self.raw(text),
        }
        self.needs_number = true;
    }

    fn begin_variation(&mut self) -> Flow {
        if !self.shows.variations {
            return Flow::Skip;
        }
        self.depth += 1;
        self.word(b"(");
        self.is_space_due = false;
        self.needs_number = true;
        Flow::Go
    }

    fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.is_space_due = false;
        self.word(b")");
        self.needs_number = true;
    }

    fn result(&mut self, result: &str) {
        // A tag may have anything; as the end of the moves it would be a word among them.
        let is_marker = matches!(result, "1-0" | "0-1" | "1/2-1/2");
        self.begin_with_tag();
        // Text that ends with a result may be about the moves on the next line.
        self.end_text();
        self.word(if is_marker { result.as_bytes() } else { b"*" });
    }

    fn end_game(&mut self, _at: usize) {
        self.line_break();
        self.out.push(b'\n');
    }
}
