//! Tokens wherever they are in a line.

/// A token of movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// A move, or what looks like one.
    Move(&'t str),
    /// `{` at this offset: the comment goes on to a closing brace on whatever line.
    Comment(usize),
    /// The rest of the line.
    LineComment,
    Nag(&'t str),
    Open,
    Close,
    Result(&'t str),
    /// `!`, `?` or two of them.
    Suffix(&'t str),
}

/// The first token from an offset on and the offset behind it.
pub(super) fn next(line: &str, from: usize) -> Option<(Token<'_>, usize)> {
    let bytes = line.as_bytes();
    (from..bytes.len()).find_map(|at| {
        let rest = bytes.get(at..)?;
        let (kind, length) = token(rest)?;
        let end = at + length;
        let text = line.get(at..end)?;
        let token = match kind {
            Kind::Move => Token::Move(text),
            Kind::Comment => Token::Comment(at),
            Kind::LineComment => Token::LineComment,
            Kind::Nag => Token::Nag(text.get(1..)?),
            Kind::Open => Token::Open,
            Kind::Close => Token::Close,
            Kind::Result => Token::Result(text),
            Kind::Suffix => Token::Suffix(text),
        };
        Some((token, end))
    })
}

enum Kind {
    Move,
    Comment,
    LineComment,
    Nag,
    Open,
    Close,
    Result,
    Suffix,
}

/// The token that begins a text, with its length.
fn token(text: &[u8]) -> Option<(Kind, usize)> {
    if let Some(length) = step(text)
        .or_else(|| drop(text))
        .or_else(|| fixed_move(text))
    {
        return Some((Kind::Move, length));
    }
    let one = |kind| Some((kind, 1));
    match text.first()? {
        b'{' => one(Kind::Comment),
        // The rest of the line is one token even where it is not looked at.
        b';' => Some((Kind::LineComment, text.len())),
        b'(' => one(Kind::Open),
        b')' => one(Kind::Close),
        b'*' => one(Kind::Result),
        b'$' => {
            let digits = text.iter().skip(1).take_while(|byte| byte.is_ascii_digit());
            let digits = digits.count();
            (digits > 0).then_some((Kind::Nag, 1 + digits))
        }
        b'?' | b'!' => {
            let is_double = matches!(text.get(1), Some(b'?' | b'!'));
            Some((Kind::Suffix, 1 + usize::from(is_double)))
        }
        _ => ["1-0", "0-1", "1/2-1/2"]
            .into_iter()
            .find(|result| text.starts_with(result.as_bytes()))
            .map(|result| (Kind::Result, result.len())),
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
    let has = |at: usize, test: &dyn Fn(u8) -> bool| text.get(at).is_some_and(|&byte| test(byte));
    let is_piece = |byte: u8| b"NBKRQ".contains(&byte);
    let is_separator = |byte: u8| byte == b'-' || byte == b'x';
    // Each bit tells whether one of four parts is there; the most parts are tried first.
    for parts in (0..16_u8).rev() {
        let mut at = 0;
        let mut fits = true;
        let mut part = |bit: u8, test: &dyn Fn(u8) -> bool| {
            if parts & bit != 0 {
                fits &= has(at, test);
                at += 1;
            }
        };
        part(8, &is_piece);
        part(4, &is_file);
        part(2, &is_rank);
        part(1, &is_separator);
        if !fits || !has(at, &is_file) || !has(at + 1, &is_rank) {
            continue;
        }
        let end = at + 2;
        let is_promotion = |byte: u8| b"nbrqkNBRQK".contains(&byte);
        let equals = usize::from(has(end, &|byte| byte == b'='));
        let is_promoted = has(end + equals, &is_promotion);
        return Some(if is_promoted { end + equals + 1 } else { end });
    }
    None
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
    const MOVES: [&[u8]; 8] = [
        b"--", b"Z0", b"0000", b"@@@@", b"O-O-O", b"O-O", b"0-0-0", b"0-0",
    ];
    let found = MOVES.iter().find(|known| text.starts_with(known));
    found.map(|known| known.len())
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
