//! Tokens wherever they are in a line.

/// A token of movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'t> {
    /// A move, or what looks like one.
    Move(&'t str),
    /// `{` at this offset: the comment continues to a closing brace on any line.
    Comment(usize),
    /// The rest of the line.
    LineComment,
    /// The digits of a numeric annotation glyph.
    Nag(&'t str),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result(&'t str),
    /// `!`, `?` or two of them.
    Suffix(&'t str),
}

/// The first token from an offset on and the offset behind it.
pub fn next(line: &str, from: usize) -> Option<(Token<'_>, usize)> {
    let bytes = line.as_bytes();
    let mut at = from;
    loop {
        let rest = bytes.get(at..)?;
        at += rest.iter().position(|&byte| begins_token(byte))?;
        if let Some(found) = token(line, at) {
            return Some(found);
        }
        at += 1;
    }
}

/// Whether a token can begin with a byte.
fn begins_token(byte: u8) -> bool {
    #[cfg_attr(not(test), expect(clippy::indexing_slicing, reason = "a constant"))]
    const BEGINS: [bool; 256] = {
        let mut begins = [false; 256];
        let bytes = b"abcdefgh012345678-xNBKRQP@OZ{;()*$?!";
        let mut index = 0;
        while index < bytes.len() {
            begins[bytes[index] as usize] = true;
            index += 1;
        }
        begins
    };
    BEGINS.get(usize::from(byte)).copied().unwrap_or(false)
}

/// The token at an offset, and the offset behind it.
fn token<'t>(line: &'t str, at: usize) -> Option<(Token<'t>, usize)> {
    let text = line.as_bytes().get(at..)?;
    let found = |length: usize, token: fn(&'t str) -> Token<'t>| {
        let end = at + length;
        Some((token(line.get(at..end)?), end))
    };
    match *text.first()? {
        b'{' => Some((Token::Comment(at), at + 1)),
        // The rest of the line is one token even where it is not looked at.
        b';' => Some((Token::LineComment, line.len())),
        b'(' => found(1, |_| Token::Open),
        b')' => found(1, |_| Token::Close),
        b'*' => found(1, Token::Result),
        b'$' => {
            let digits = text.iter().skip(1).take_while(|byte| byte.is_ascii_digit());
            let end = at + 1 + digits.count();
            let digits = line.get(at + 1..end).filter(|digits| !digits.is_empty());
            digits.map(|digits| (Token::Nag(digits), end))
        }
        b'?' | b'!' => {
            let is_double = matches!(text.get(1), Some(b'?' | b'!'));
            found(1 + usize::from(is_double), Token::Suffix)
        }
        first => match step(text)
            .or_else(|| drop(text))
            .or_else(|| fixed_move(text))
        {
            Some(length) => found(length, Token::Move),
            None if first == b'0' || first == b'1' => {
                let is_result = |result: &&str| text.starts_with(result.as_bytes());
                let result = ["1-0", "0-1", "1/2-1/2"].into_iter().find(is_result);
                result.and_then(|result| found(result.len(), Token::Result))
            }
            None => None,
        },
    }
}

fn is_file(byte: u8) -> bool {
    (b'a'..=b'h').contains(&byte)
}

fn is_rank(byte: u8) -> bool {
    (b'1'..=b'8').contains(&byte)
}

/// `Nf3`, `e2-e4`, `bxa8=Q`: everything but the target square may be missing. Whether a letter is
/// the file of the origin or of the target shows only behind it, so each is tried in turn.
fn step(text: &[u8]) -> Option<usize> {
    let has = |at: usize, test: fn(u8) -> bool| text.get(at).is_some_and(|&byte| test(byte));
    let piece = usize::from(has(0, |byte| b"NBKRQ".contains(&byte)));
    let with_file = has(piece, is_file).then(|| behind_file(text, piece + 1));
    let end = with_file.flatten().or_else(|| behind_file(text, piece))?;
    let is_promotion = |byte: u8| b"nbrqkNBRQK".contains(&byte);
    let equals = usize::from(has(end, |byte| byte == b'='));
    let is_promoted = has(end + equals, is_promotion);
    Some(if is_promoted { end + equals + 1 } else { end })
}

/// Where a move ends of which all before an offset is known: there the rank of its origin may
/// stand, then a separator, each if there is a target behind it.
fn behind_file(text: &[u8], at: usize) -> Option<usize> {
    let target = |at: usize| match text.get(at..at + 2) {
        Some(&[file, rank]) if is_file(file) && is_rank(rank) => Some(at + 2),
        _ => None,
    };
    let behind_rank = |at: usize| match text.get(at) {
        Some(b'-' | b'x') => target(at + 1),
        _ => target(at),
    };
    match text.get(at) {
        Some(&byte) if is_rank(byte) => behind_rank(at + 1),
        _ => behind_rank(at),
    }
}

/// `N@f3` or `@f3`.
fn drop(text: &[u8]) -> Option<usize> {
    let role = usize::from(text.first().is_some_and(|byte| b"PNBRQK".contains(byte)));
    match *text.get(role..role + 3)? {
        [b'@', file, rank] if is_file(file) && is_rank(rank) => Some(role + 3),
        _ => None,
    }
}

fn fixed_move(text: &[u8]) -> Option<usize> {
    let moves: &[&[u8]] = match text.first()? {
        b'-' => &[b"--"],
        b'Z' => &[b"Z0"],
        b'@' => &[b"@@@@"],
        b'O' => &[b"O-O-O", b"O-O"],
        b'0' => &[b"0000", b"0-0-0", b"0-0"],
        _ => &[],
    };
    let found = moves.iter().find(|known| text.starts_with(known));
    found.map(|known| known.len())
}

/// The digits of the glyph that `!`, `?` or two of them stand for.
pub fn nag_digits(marks: &str) -> &'static str {
    match marks {
        "!" => "1",
        "?" => "2",
        "!!" => "3",
        "??" => "4",
        "!?" => "5",
        _ => "6",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(line: &str) -> Vec<&str> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some((token, end)) = next(line, at) {
            if let Token::Move(text) | Token::Result(text) | Token::Suffix(text) = token {
                found.push(text);
            }
            at = end;
        }
        found
    }

    #[test]
    fn tokens_are_found_anywhere() {
        assert_eq!(
            moves("1.e4 Sf3 xNc6+ e8=Q!? a7xb8qx"),
            ["e4", "f3", "Nc6", "e8=Q", "!?", "a7xb8q"]
        );
        assert_eq!(
            moves("O-O-O 0-0 1-0 10-0 Z0 N@f3 @e4 00000"),
            ["O-O-O", "0-0", "1-0", "0-0", "Z0", "N@f3", "@e4", "0000"]
        );
        assert_eq!(
            moves("e4e5 ab5 h1g1=x 1/2-1/2 !!!"),
            ["e4e5", "ab5", "h1g1", "1/2-1/2", "!!", "!"]
        );
        assert_eq!(moves("é ef 4"), [""; 0]);
        assert_eq!(moves("e4 ; e5"), ["e4"]);
    }
}
