//! The parser: games from a text in memory.

use super::lexer::{BYTE_ORDER_MARK, Lexer, Next};
use super::movetext::{is_movetext, is_movetext_after_glyphs};
use super::visitor::problem;
use super::visitor::{Nobody, Stopped};
use super::{Flow, ProblemKind, Visitor, movetext, tags};

/// The result of a call of [`Parser::read_game`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parsed {
    /// A game.
    Game,
    /// The end of the text.
    End,
    /// The visitor has stopped reading.
    Stopped,
}

/// Reads the games of a text one after the other and passes what it finds to a [`Visitor`].
///
/// What a text means here, where the standard leaves it open:
/// * A line that begins with a tag pair starts a new game if the tag is `Event` or the line before
///   is blank, even inside a comment: an unclosed `{` spoils one game only.
/// * A game ends with its result: moves on a new line and a number `1.` after it begin the next one.
///   Without a result it continues over blank lines until the next tags, or until a number `1.` after
///   a blank line.
/// * A damaged tag such as `[Event 'x']` or `Event "x"]` belongs to the tags or moves after it.
///
/// Time and the events of a visitor are within a small multiple of the length of the text, whatever
/// it holds: each game is at least a byte long, and so is each step of `Lexer::repeat` in it.
///
/// ```
/// use pgn::{Flow, Parsed, Parser, Visitor};
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
/// assert_eq!(parser.read_game(&mut moves), Parsed::Game);
/// assert_eq!(moves.0, ["e4", "e5", "Nf3"]);
/// assert_eq!(parser.read_game(&mut moves), Parsed::End);
/// ```
#[derive(Clone, Debug)]
pub struct Parser<'t> {
    lexer: Lexer<'t>,
}

impl<'t> Parser<'t> {
    /// A parser of this text; a byte order mark is skipped.
    pub fn new(text: &'t [u8]) -> Parser<'t> {
        let mut lexer = Lexer::new(text);
        if text.starts_with(BYTE_ORDER_MARK) {
            lexer.advance_to(BYTE_ORDER_MARK.len());
        }
        Parser { lexer }
    }

    /// The offset up to which the text has been read.
    pub fn at(&self) -> usize {
        self.lexer.at()
    }

    /// Reads the next game.
    #[inline]
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Parsed {
        let mut parsed = Parsed::End;
        let read = self.preamble(visitor).and_then(|()| {
            if self.lexer.is_at_end() {
                return Ok(());
            }
            parsed = Parsed::Game;
            self.lexer.once(|lexer| game(lexer, visitor))
        });
        if read.is_err() {
            return Parsed::Stopped;
        }
        parsed
    }

    /// Skips text between games that belongs to none.
    fn preamble<V: Visitor>(&mut self, visitor: &mut V) -> Result<(), Stopped> {
        // Where lines for people and programs began, which belong to the game after them. Before
        // tags they must be the first lines: blocks begin with tags that follow other text.
        let mut remarks = None;
        let first = self.lexer.at() + self.lexer.count_blanks(self.lexer.at());
        self.lexer.repeat(|lexer| {
            lexer.skip_blanks();
            let at = lexer.at();
            match lexer.text.get(at) {
                None => return Ok(Next::Done),
                Some(_) if lexer.is_remark(at) => {
                    remarks.get_or_insert(at);
                    lexer.skip_line();
                }
                Some(b'[') if lexer.is_tag(at) => {
                    let remarks = remarks.filter(|&from| from == first);
                    lexer.go_back_to(remarks.unwrap_or(at));
                    return Ok(Next::Done);
                }
                Some(_) if is_movetext(lexer) || is_movetext_after_glyphs(lexer) => {
                    lexer.go_back_to(remarks.unwrap_or(at));
                    return Ok(Next::Done);
                }
                Some(_) => {
                    let damaged = tags::after_damaged(lexer);
                    if damaged.at() > at && is_before_game(&damaged) {
                        lexer.go_back_to(remarks.unwrap_or(at));
                        return Ok(Next::Done);
                    }
                    remarks = None;
                    lexer.advance_to(damaged.at());
                    lexer.skip_line();
                    problem(visitor, at, ProblemKind::TextAmongTags)?;
                }
            }
            Ok(Next::More)
        })
    }
}

/// Whether tags or moves follow, to which damaged tags before them belong. There may be lines for
/// people and programs before moves; before tags, these could begin a block.
fn is_before_game(lexer: &Lexer<'_>) -> bool {
    let mut ahead = lexer.clone();
    ahead.skip_blanks();
    let tag = ahead.at();
    while ahead.is_remark(ahead.at()) {
        ahead.skip_line();
        ahead.skip_blanks();
    }
    ahead.is_tag(tag) || !ahead.is_at_end() && is_movetext(&ahead)
}

/// Where a text begins but for blanks and lines for people and programs.
pub(super) fn after_remarks(text: &[u8]) -> usize {
    let mut lexer = Parser::new(text).lexer;
    loop {
        lexer.skip_blanks();
        if !lexer.is_remark(lexer.at()) {
            return lexer.at();
        }
        lexer.skip_line();
    }
}

/// Reads the game that begins here.
fn game<V: Visitor>(lexer: &mut Lexer<'_>, visitor: &mut V) -> Result<(), Stopped> {
    if visitor.begin_game(lexer.at()).unless_stopped()? == Flow::Skip {
        tags::read(lexer, &mut Nobody)?;
        movetext::skip(lexer);
    } else {
        tags::read(lexer, visitor)?;
        match visitor.end_headers(lexer.at()).unless_stopped()? {
            Flow::Skip => movetext::skip(lexer),
            _ => movetext::read(lexer, visitor)?,
        }
    }
    visitor.end_game(lexer.at());
    Ok(())
}
