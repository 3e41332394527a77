//! The tag pairs before the moves of a game.

use super::lexer::{Lexer, Next, Token, is_break, tag_name, without_blanks_at_end, work};
use super::movetext::{is_like_move, is_movetext};
use super::visitor::Stopped;
use super::visitor::problem;
use super::{ProblemKind, Remark, Visitor, fast_path, scan};

/// Reads tag pairs up to the movetext, or to the next game if there are no moves.
pub(super) fn read<V: Visitor>(lexer: &mut Lexer<'_>, visitor: &mut V) -> Result<(), Stopped> {
    let mut section = TagSection {
        visitor,
        has_tags: false,
        has_event: false,
        is_interrupted: false,
    };
    lexer.repeat(|lexer| section.step(lexer))
}

/// The tag section of a game while it is read.
struct TagSection<'v, V> {
    visitor: &'v mut V,
    /// Whether there are any, damaged or not.
    has_tags: bool,
    has_event: bool,
    /// Whether the last line with text has something else than a tag, damaged or not.
    is_interrupted: bool,
}

impl<V: Visitor> TagSection<'_, V> {
    fn step(&mut self, lexer: &mut Lexer<'_>) -> Result<Next, Stopped> {
        let before = lexer.at();
        lexer.skip_blanks();
        let at = lexer.at();
        match lexer.text.get(at) {
            Some(b'[') if self.is_next_game(lexer) => return Ok(Next::Done),
            Some(b'[') => self.tags(lexer)?,
            Some(b'%') if lexer.is_remark(at) => {
                self.visitor.remark(Remark::Escape, lexer.skip_line());
            }
            Some(b';') => {
                let line = lexer.skip_line();
                let text = line.get(1..).unwrap_or_default();
                self.visitor.remark(Remark::Line, text);
            }
            Some(_) if !begins_moves(lexer) => {
                self.text(lexer, end_of_text(lexer), ProblemKind::TextAmongTags)?;
            }
            _ => return Ok(Next::Done),
        }
        let is_same_line = || !lexer.slice(before, at).iter().any(|&byte| is_break(byte));
        let is_tag = is_like_tag(lexer.slice(at, lexer.at()));
        self.is_interrupted = !is_tag || self.is_interrupted && is_same_line();
        Ok(Next::More)
    }

    /// Whether the tag that comes is the first of another game.
    fn is_next_game(&self, lexer: &Lexer<'_>) -> bool {
        let tag = lexer.at();
        let is_second_event = self.has_event && lexer.is_event(tag) && lexer.is_tag(tag);
        let is_after_text = self.has_tags && self.is_interrupted && lexer.is_line_start(tag);
        is_second_event || is_after_text && lexer.begins_game(tag)
    }

    /// One tag or, on the fast path, several.
    fn tags(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Stopped> {
        let at = lexer.at();
        fast_path::tags(lexer, self.visitor, &mut self.has_event);
        if lexer.at() > at {
            self.has_tags = true;
        } else if lexer.is_tag(at) {
            self.has_tags = true;
            self.has_event |= lexer.is_event(at);
            tag(lexer, self.visitor)?;
        } else {
            self.text(lexer, end_of_bad_tag(lexer), ProblemKind::BadTag)?;
        }
        Ok(())
    }

    /// Reports text up to an offset, and keeps it.
    fn text(
        &mut self,
        lexer: &mut Lexer<'_>,
        end: usize,
        kind: ProblemKind,
    ) -> Result<(), Stopped> {
        self.has_tags = true;
        let at = lexer.at();
        work::add(end - at);
        lexer.advance_to(end);
        let text = without_blanks_at_end(lexer.slice(at, end));
        self.visitor.remark(Remark::Raw, text);
        problem(self.visitor, at, kind)
    }
}

/// Whether text looks like a tag pair, which may be damaged: it has the bracket at its beginning or
/// what a tag ends with.
pub(super) fn is_like_tag(text: &[u8]) -> bool {
    match text.first() {
        Some(b'[') => true,
        Some(b';' | b'%') => false,
        _ => text.trim_ascii_end().ends_with(b"\"]"),
    }
}

/// Whether text before the moves is read as such, all of it, rather than as the first moves.
pub(super) fn is_text(text: &[u8]) -> bool {
    // It does not begin a line, where a `%` would escape it.
    let line = [b" ", text].concat();
    let mut lexer = Lexer::new(&line);
    lexer.advance_to(1);
    let end = if text.starts_with(b"[") {
        end_of_bad_tag(&lexer)
    } else {
        end_of_text(&lexer)
    };
    !begins_moves(&lexer) && end == line.len()
}

/// Whether text that is not understood begins like moves.
pub(super) fn is_like_moves(text: &[u8]) -> bool {
    let line = [b" ", text].concat();
    begins_moves(&Lexer::new(&line))
}

/// Whether such text ends where it does, whatever follows it: a sign, or a tag with its closing
/// bracket.
pub(super) fn is_apart(text: &[u8]) -> bool {
    let is_sign = |token| matches!(token, Token::Nag(_) | Token::Suffix(_) | Token::Close);
    text.starts_with(b"[") && text.ends_with(b"]") || is_sign(Lexer::new(text).next())
}

/// Where the damaged tags that begin here end; here if there are none.
pub(super) fn after_damaged<'t>(lexer: &Lexer<'t>) -> Lexer<'t> {
    let mut ahead = lexer.clone();
    let mut end = lexer.clone();
    while let Some(at) = end_of_damaged(&ahead) {
        ahead.advance_to(at);
        end = ahead.clone();
        ahead.skip_blanks();
    }
    end
}

/// The end of the damaged tag that begins here, if one does: `[Event 'x']` or `Event "x"]`.
fn end_of_damaged(lexer: &Lexer<'_>) -> Option<usize> {
    let at = lexer.at();
    if lexer.byte(at) == b'[' {
        return bracket(lexer).filter(|_| !lexer.is_tag(at));
    }
    let is_tag = |end: &usize| is_like_tag(lexer.slice(at, *end));
    if !is_tag(&lexer.line_end(at)) || begins_moves(lexer) {
        return None;
    }
    // It may end before its line: where a comment or numbered moves begin, it is no tag.
    Some(end_of_text(lexer)).filter(is_tag)
}

/// Whether moves begin here, or a word with a digit, which may have been one.
fn begins_moves(lexer: &Lexer<'_>) -> bool {
    const MAX_MOVE_LENGTH: usize = 12;
    is_movetext(lexer)
        || matches!(lexer.clone().next(), Token::Word(word)
            if word.len() <= MAX_MOVE_LENGTH && word.iter().any(u8::is_ascii_digit))
}

/// The end of text that belongs to no tag: a sign is one by itself; other text goes up to a
/// comment, a numbered move or a variation that begins with one, the last result or the end of the
/// line.
fn end_of_text(lexer: &Lexer<'_>) -> usize {
    let mut ahead = lexer.clone();
    if let Token::Nag(_) | Token::Suffix(_) | Token::Close = ahead.next() {
        return ahead.at();
    }
    let end = lexer.line_end(lexer.at());
    loop {
        ahead.skip_blanks();
        let at = ahead.at();
        if at >= end || matches!(ahead.byte(at), b'{' | b';') {
            return at.min(end);
        }
        let is_end = match ahead.next() {
            Token::Number { .. } => is_before_move(&ahead),
            Token::Open => {
                let mut variation = ahead.clone();
                matches!(variation.next(), Token::Number { .. })
                    && variation.start == ahead.at()
                    && is_before_move(&variation)
            }
            Token::Result(_) => ahead.next_game(ahead.at()).is_some(),
            _ => false,
        };
        if is_end {
            return at;
        }
    }
}

/// Whether a number with a full stop has just been read, and a move follows it.
fn is_before_move(lexer: &Lexer<'_>) -> bool {
    lexer.slice(lexer.start, lexer.at()).ends_with(b".")
        && matches!(lexer.clone().next(), Token::Word(word) if is_like_move(word))
}

/// The end of a tag that is none: its closing bracket, if that is on the line.
fn end_of_bad_tag(lexer: &Lexer<'_>) -> usize {
    bracket(lexer).unwrap_or_else(|| end_of_text(lexer))
}

/// The offset after the next closing bracket of the line, if there is one.
fn bracket(lexer: &Lexer<'_>) -> Option<usize> {
    let rest = lexer.text.get(lexer.at()..).unwrap_or_default();
    let end = rest
        .iter()
        .position(|&byte| byte == b']' || is_break(byte))?;
    (rest.get(end) == Some(&b']')).then_some(lexer.at() + end + 1)
}

/// Reads the tag pair that begins here.
fn tag<V: Visitor>(lexer: &mut Lexer<'_>, visitor: &mut V) -> Result<(), Stopped> {
    let start = lexer.at();
    let name = tag_name(lexer.text.get(start + 1..).unwrap_or_default());
    let rest = lexer.text.get(start..).unwrap_or_default();
    let quote = rest.iter().position(|&byte| byte == b'"');
    let value = start + quote.unwrap_or(0) + 1;
    let mut at = value;
    let mut unescaped = None;
    loop {
        at = scan::end_of_value(lexer.text, at);
        match lexer.text.get(at) {
            Some(b'"') => match closing_bracket(lexer.text, at + 1) {
                Some(bracket) => {
                    lexer.advance_to(bracket + 1);
                    visitor.header(name, lexer.slice(value, at), start);
                    return match unescaped {
                        Some(at) => problem(visitor, at, ProblemKind::UnescapedQuote),
                        None => Ok(()),
                    };
                }
                None => unescaped = Some(at),
            },
            Some(b'\\') if matches!(lexer.byte(at + 1), b'"' | b'\\') => at += 1,
            None | Some(b'\n' | b'\r') => {
                lexer.advance_to(at);
                let line = lexer.slice(value, at).trim_ascii_end();
                let text = match (line.strip_suffix(b"\"]"), unescaped) {
                    // The folder `C:\`, whose backslash was not doubled.
                    (Some(folder), _) => folder,
                    (None, Some(quote)) => lexer.slice(value, quote).trim_ascii_end(),
                    (None, None) => line,
                };
                visitor.header(name, text, start);
                return problem(visitor, start, ProblemKind::UnclosedTag);
            }
            _ => {}
        }
        at += 1;
    }
}

/// The offset of the bracket that closes a tag, if there are only blanks before it.
fn closing_bracket(text: &[u8], from: usize) -> Option<usize> {
    const MAX_BLANKS: usize = 16;
    let rest = text.get(from..).unwrap_or_default();
    let blanks = rest
        .iter()
        .take(MAX_BLANKS)
        .take_while(|&&byte| byte == b' ' || byte == b'\t')
        .count();
    (rest.get(blanks) == Some(&b']')).then_some(from + blanks)
}
