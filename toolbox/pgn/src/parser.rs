//! Games out of a text in memory.

use super::lexer::{Lexer, Token, tag_name};
use super::usual::Odd;
use super::{Flow, MAX_DEPTH, Problem, ProblemKind, Remark, Visitor, scan};

/// What a call of [`Parser::read_game`] came upon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A game.
    Game,
    /// The end of the text.
    End,
    /// A visitor that wants no more.
    Stopped,
}

/// Reads the games of a text one after the other and tells a [`Visitor`] what is there.
///
/// What a text means here, where the standard leaves it open:
/// * A line that begins with a tag pair starts a new game if the tag is `Event` or the line before
///   is blank, even inside a comment: an unclosed `{` spoils one game only.
/// * A game ends with its result. Without one it goes on over blank lines until the next tags, or
///   until a number `1.` after a blank line.
///
/// ```
/// use pgn::{Flow, Parser, Step, Visitor};
///
/// #[derive(Default)]
/// struct Moves(Vec<String>);
///
/// impl Visitor for Moves {
///     fn san(&mut self, word: &[u8], _: usize) -> Flow {
///         self.0.push(String::from_utf8_lossy(word).into_owned());
///         Flow::Go
///     }
/// }
///
/// let mut moves = Moves::default();
/// let mut parser = Parser::new(b"[Event \"?\"]\n\n1. e4 e5 2. Nf3 *");
/// assert_eq!(parser.read_game(&mut moves), Step::Game);
/// assert_eq!(moves.0, ["e4", "e5", "Nf3"]);
/// assert_eq!(parser.read_game(&mut moves), Step::End);
/// ```
#[derive(Clone, Debug)]
pub struct Parser<'t> {
    pub(super) lexer: Lexer<'t>,
}

/// Hears everything and does nothing.
struct Nobody;

impl Visitor for Nobody {}

/// Returns from a function when the visitor wants to stop.
macro_rules! heed {
    ($flow:expr) => {
        match $flow {
            Flow::Stop => return Flow::Stop,
            flow => flow,
        }
    };
}

fn problem<V: Visitor>(visitor: &mut V, at: usize, kind: ProblemKind) -> Flow {
    visitor.problem(Problem { at, ply: 0, kind })
}

/// Text for a message: not too long, and readable.
pub(super) fn excerpt(text: &[u8]) -> String {
    const LONGEST: usize = 24;
    let text = String::from_utf8_lossy(text.get(..4 * LONGEST).unwrap_or(text)).into_owned();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

impl<'t> Parser<'t> {
    /// A reader of this text; a byte order mark is passed over.
    pub fn new(text: &'t [u8]) -> Parser<'t> {
        let mut lexer = Lexer::new(text);
        if text.starts_with("\u{feff}".as_bytes()) {
            lexer.at = "\u{feff}".len();
        }
        Parser { lexer }
    }

    /// The offset up to which the text has been read.
    pub fn at(&self) -> usize {
        self.lexer.at
    }

    /// Reads the next game.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Step {
        if self.preamble(visitor) == Flow::Stop {
            return Step::Stopped;
        }
        if self.lexer.at >= self.lexer.text.len() {
            return Step::End;
        }
        let flow = match visitor.begin_game(self.lexer.at) {
            Flow::Go => self.game(visitor),
            Flow::Skip => {
                self.headers(&mut Nobody);
                self.skip_moves();
                Flow::Go
            }
            Flow::Stop => Flow::Stop,
        };
        if flow == Flow::Stop {
            return Step::Stopped;
        }
        visitor.end_game(self.lexer.at);
        Step::Game
    }

    fn game<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        heed!(self.headers(visitor));
        match visitor.end_headers(self.lexer.at) {
            Flow::Go => self.moves(visitor),
            Flow::Skip => {
                self.skip_moves();
                Flow::Go
            }
            Flow::Stop => Flow::Stop,
        }
    }

    /// Passes over what stands between games and belongs to none.
    fn preamble<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        // Where lines for people and programs began, which belong to a game without tags.
        let mut remarks = None;
        loop {
            self.skip_blanks();
            let at = self.lexer.at;
            match self.lexer.text.get(at) {
                Some(b';' | b'%') => {
                    remarks.get_or_insert(at);
                    self.lexer.at = self.lexer.line_end(at);
                }
                Some(b'[') if self.lexer.is_tag(at) => return Flow::Go,
                Some(_) if self.is_movetext() => {
                    self.lexer.at = remarks.unwrap_or(at);
                    return Flow::Go;
                }
                Some(_) => {
                    remarks = None;
                    heed!(self.skip_line(visitor, ProblemKind::TextAmongTags));
                }
                None => return Flow::Go,
            }
        }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.lexer.text.get(self.lexer.at), Some(0..=b' ' | 127)) {
            self.lexer.at += 1;
        }
    }

    fn skip_line<V: Visitor>(&mut self, visitor: &mut V, kind: ProblemKind) -> Flow {
        let at = self.lexer.at;
        self.lexer.at = self.lexer.line_end(at);
        problem(visitor, at, kind)
    }

    /// Whether what comes next looks like movetext.
    fn is_movetext(&self) -> bool {
        match self.lexer.clone().next() {
            Token::Junk(_) | Token::Close | Token::Tag | Token::Nag(_) | Token::Suffix(_) => false,
            Token::Word(word) => is_like_move(word),
            _ => true,
        }
    }

    /// Reads tag pairs up to the movetext or to the next game.
    fn headers<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        let mut has_event = false;
        let mut has_tags = false;
        loop {
            self.skip_blanks();
            let at = self.lexer.at;
            match self.lexer.text.get(at) {
                Some(b'[') => {
                    let is_event = self.lexer.slice(at + 1, at + 7) == b"Event ";
                    if is_event && has_event && self.lexer.is_tag(at) {
                        return Flow::Go;
                    }
                    self.usual_tags(visitor, &mut has_event);
                    if self.lexer.at > at {
                        has_tags = true;
                    } else if self.lexer.is_tag(at) {
                        heed!(self.tag(visitor));
                        has_event |= is_event;
                        has_tags = true;
                    } else {
                        heed!(self.skip_line(visitor, ProblemKind::BadTag));
                    }
                }
                Some(b'%' | b';') if has_tags => {
                    let end = self.lexer.line_end(at);
                    self.lexer.at = end;
                    let (remark, from) = match self.lexer.byte(at) {
                        b'%' => (Remark::Escape, at),
                        _ => (Remark::Line, at + 1),
                    };
                    visitor.remark(remark, self.lexer.slice(from, end));
                }
                Some(_) if has_tags && !self.is_movetext() => {
                    heed!(self.skip_line(visitor, ProblemKind::TextAmongTags));
                }
                _ => return Flow::Go,
            }
        }
    }

    /// Reads the tag pair that begins here.
    fn tag<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        let lexer = &mut self.lexer;
        let start = lexer.at;
        let name = tag_name(lexer.text.get(start + 1..).unwrap_or_default());
        let mut at = start + 1 + name.len();
        while lexer.byte(at) != b'"' {
            at += 1;
        }
        let value = at + 1;
        at = value;
        let mut odd_quote = None;
        loop {
            at = scan::end_of_value(lexer.text, at);
            match lexer.text.get(at) {
                Some(b'"') => match closing_bracket(lexer.text, at + 1) {
                    Some(bracket) => {
                        lexer.at = bracket + 1;
                        visitor.header(name, lexer.slice(value, at));
                        return match odd_quote {
                            Some(at) => problem(visitor, at, ProblemKind::UnescapedQuote),
                            None => Flow::Go,
                        };
                    }
                    None => odd_quote = Some(at),
                },
                Some(b'\\') if matches!(lexer.byte(at + 1), b'"' | b'\\') => at += 1,
                None | Some(b'\n' | b'\r') => {
                    lexer.at = at;
                    let end = odd_quote.unwrap_or(at);
                    visitor.header(name, lexer.slice(value, end).trim_ascii_end());
                    return problem(visitor, start, ProblemKind::UnclosedTag);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads the moves up to the end of the game.
    fn moves<V: Visitor>(&mut self, visitor: &mut V) -> Flow {
        let mut depth = 0_usize;
        let mut has_moves = false;
        // Whether no move has come yet in this line.
        let mut is_fresh = true;
        let mut result = None;
        loop {
            if result.is_none() {
                heed!(self.usual(visitor, depth == 0, &mut has_moves, &mut is_fresh));
            }
            let token = self.lexer.next();
            let at = self.lexer.start;
            if self.lexer.newlines > 1 && has_moves && result.is_none() {
                match token {
                    Token::End | Token::Tag | Token::Result(_) => {}
                    Token::Number { is_first: true } if depth == 0 => {
                        self.lexer.at = at;
                        break;
                    }
                    _ => {
                        heed!(problem(visitor, at, ProblemKind::BlankLine));
                    }
                }
            }
            match token {
                Token::Word(word) => {
                    if result.is_some() && depth == 0 {
                        if self.lexer.newlines > 0 && !is_like_move(word) {
                            self.lexer.at = at;
                            break;
                        }
                        heed!(problem(visitor, at, ProblemKind::MovesAfterResult));
                    }
                    if heed!(visitor.san(word, at)) == Flow::Skip {
                        self.unread(visitor, at, depth == 0);
                    }
                    has_moves = true;
                    is_fresh = false;
                }
                Token::Number { is_first } => {
                    if is_first && result.is_some() && depth == 0 && self.lexer.newlines > 0 {
                        self.lexer.at = at;
                        break;
                    }
                }
                Token::Comment(text, is_closed) => {
                    visitor.remark(Remark::Comment, text);
                    if !is_closed {
                        heed!(problem(visitor, at, ProblemKind::UnclosedComment));
                    }
                }
                Token::Suffix(marks) => {
                    for mark in marks.chunks(2) {
                        visitor.nag(nag_of(mark));
                    }
                }
                Token::Nag(digits) => visitor.nag(number(digits)),
                Token::Open => {
                    let refused = match () {
                        () if is_fresh => Some(ProblemKind::NothingToVary),
                        () if depth >= MAX_DEPTH => Some(ProblemKind::TooDeep),
                        () => None,
                    };
                    if heed!(self.open(visitor, at, refused)) == Flow::Go {
                        depth += 1;
                        is_fresh = true;
                    }
                }
                Token::Close if depth > 0 => {
                    depth -= 1;
                    is_fresh = false;
                    visitor.end_variation();
                }
                Token::Close => {
                    heed!(problem(visitor, at, ProblemKind::StrayClose));
                }
                Token::Result(_) if depth > 0 => {
                    visitor.remark(Remark::Raw, self.lexer.slice(at, self.lexer.at));
                }
                Token::Result(text) => {
                    if result.is_some() {
                        heed!(problem(visitor, at, ProblemKind::SecondResult));
                    } else {
                        visitor.result(text);
                        result = Some(text);
                    }
                }
                Token::LineComment(text) => visitor.remark(Remark::Line, text),
                Token::Escape(text) => visitor.remark(Remark::Escape, text),
                Token::Junk(text) => {
                    if result.is_some() && self.lexer.newlines > 0 {
                        self.lexer.at = at;
                        break;
                    }
                    visitor.remark(Remark::Raw, text);
                    heed!(problem(visitor, at, ProblemKind::Junk(excerpt(text))));
                }
                Token::Tag | Token::End => break,
            }
        }
        self.end_moves(visitor, depth, result.is_some())
    }

    /// Reads what is in its usual form, and notes that there was a move.
    #[inline(always)]
    fn usual<V: Visitor>(
        &mut self,
        visitor: &mut V,
        is_main: bool,
        has_moves: &mut bool,
        is_fresh: &mut bool,
    ) -> Flow {
        let mut has_usual = false;
        let odd = self.usual_moves(visitor, &mut has_usual);
        *has_moves |= has_usual;
        *is_fresh &= !has_usual;
        match odd {
            Odd::Look => {}
            Odd::Skip(at) => self.unread(visitor, at, is_main),
            Odd::Stop => return Flow::Stop,
        }
        Flow::Go
    }

    /// Closes what is open at the end of a game.
    fn end_moves<V: Visitor>(&self, visitor: &mut V, depth: usize, has_result: bool) -> Flow {
        let at = self.lexer.start;
        if depth > 0 {
            heed!(problem(visitor, at, ProblemKind::UnclosedVariation));
            for _ in 0..depth {
                visitor.end_variation();
            }
        }
        if has_result {
            Flow::Go
        } else {
            problem(visitor, at, ProblemKind::NoResult)
        }
    }

    /// Begins a variation, or passes over it.
    fn open<V: Visitor>(
        &mut self,
        visitor: &mut V,
        at: usize,
        refused: Option<ProblemKind>,
    ) -> Flow {
        if let Some(kind) = refused {
            heed!(problem(visitor, at, kind));
            self.skip_variation();
            visitor.remark(Remark::Raw, self.lexer.slice(at, self.lexer.at));
            return Flow::Skip;
        }
        let flow = visitor.begin_variation();
        if flow == Flow::Skip {
            self.skip_variation();
            heed!(visitor.skipped(self.lexer.slice(at, self.lexer.at), at));
        }
        flow
    }

    /// Passes over the rest of a variation or, in the main line, of the moves, and hands it over
    /// as it is. Its first word began at `start` and has been read.
    #[cold]
    fn unread<V: Visitor>(&mut self, visitor: &mut V, start: usize, is_main: bool) {
        let mut depth = 0_usize;
        let end = loop {
            let before = self.lexer.at;
            match self.lexer.next() {
                Token::Open => depth += 1,
                Token::Close if depth > 0 => depth -= 1,
                Token::Close if !is_main => break before,
                Token::Result(_) if is_main && depth == 0 => break before,
                Token::Number { is_first: true } if is_main && self.lexer.newlines > 1 => {
                    break before;
                }
                Token::Tag | Token::End => break before,
                _ => {}
            }
        };
        // What ended it is for the caller to read again, with the line breaks before it.
        self.lexer.at = end;
        let start = with_number(self.lexer.text, start);
        let text = self.lexer.slice(start, self.lexer.at).trim_ascii_end();
        visitor.remark(Remark::Raw, text);
    }

    /// Passes over a variation whose parenthesis has been read, the closing one included.
    fn skip_variation(&mut self) {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.lexer.next() {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::Tag | Token::End => return,
                _ => {}
            }
        }
    }

    /// Passes over the moves: by lines as long as that is certain, else by tokens.
    fn skip_moves(&mut self) {
        let start = self.lexer.at;
        let lexer = &mut self.lexer;
        if lexer.is_tag(start) {
            return;
        }
        let mut from = start;
        loop {
            let line = scan::odd_line(lexer.text, from);
            from = line;
            match lexer.text.get(line) {
                None => {
                    lexer.at = lexer.text.len();
                    return;
                }
                Some(b'[') if lexer.begins_game(line) => {
                    lexer.at = line;
                    return;
                }
                // Not a game, it may be.
                Some(b'[') if !lexer.is_tag(line) => {}
                _ => break,
            }
        }
        self.lexer.at = start;
        self.moves(&mut Nobody);
    }
}

/// The offset of the bracket that closes a tag, if nothing but blanks stand before it.
fn closing_bracket(text: &[u8], from: usize) -> Option<usize> {
    const MOST_BLANKS: usize = 16;
    let rest = text.get(from..).unwrap_or_default();
    let blanks = rest
        .iter()
        .take(MOST_BLANKS)
        .take_while(|&&byte| byte == b' ' || byte == b'\t')
        .count();
    (rest.get(blanks) == Some(&b']')).then_some(from + blanks)
}

/// The offset of the move number before a word, if there is one.
fn with_number(text: &[u8], word: usize) -> usize {
    const LONGEST: usize = 16;
    let before = text.get(word.saturating_sub(LONGEST)..word);
    let before = before.unwrap_or_default().trim_ascii_end();
    let is_part = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let length = before.iter().rev().take_while(is_part).count();
    let (rest, number) = before.split_at(before.len() - length);
    // The digit at the end of a square is no number.
    let is_alone = !matches!(rest, [.., last] if last.is_ascii_alphanumeric());
    match number {
        [b'1'..=b'9', ..] if is_alone && number.len() < LONGEST => {
            word.saturating_sub(LONGEST) + before.len() - length
        }
        _ => word,
    }
}

/// Whether a word could be a move in some spelling.
fn is_like_move(word: &[u8]) -> bool {
    let Some(first) = word.first() else {
        return false;
    };
    let has_rank = word.iter().any(|byte| matches!(byte, b'1'..=b'8'));
    let is_castling = word.len() <= 7 && matches!(first, b'O' | b'o' | b'0' | b'-');
    word.len() <= 12 && (has_rank || is_castling)
}

fn nag_of(mark: &[u8]) -> u32 {
    match mark {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        _ => 6,
    }
}

/// The number that digits are, or the largest there is.
pub(super) fn number(digits: &[u8]) -> u32 {
    digits.iter().fold(0_u32, |number, digit| {
        number
            .saturating_mul(10)
            .saturating_add(u32::from(digit.wrapping_sub(b'0')))
    })
}
