//! Searching a text for bytes with SIMD, many at a time.

use wide::{CmpEq, CmpGt, CmpLt, i8x32};

/// How many bytes a [`ByteVector`] has.
const WIDTH: usize = 32;

/// A vector of bytes of a text or, as the result of a comparison, of masks: a byte is 0xFF where
/// the comparison holds, else 0.
#[derive(Clone, Copy)]
struct ByteVector(i8x32);

impl ByteVector {
    /// The bytes from an offset on; `None` if there are too few.
    #[inline(always)]
    fn at(text: &[u8], at: usize) -> Option<ByteVector> {
        let bytes = text.get(at..)?.first_chunk::<WIDTH>()?;
        Some(ByteVector(bytemuck::cast(*bytes)))
    }

    /// The mask of the places of this byte.
    #[inline(always)]
    fn is(self, byte: u8) -> ByteVector {
        ByteVector(self.0.cmp_eq(i8x32::splat(byte.cast_signed())))
    }

    /// The mask of the places of bytes that are equal to this one when `bits` are set in both;
    /// `byte` must have these bits.
    #[inline(always)]
    fn is_but_for(self, byte: u8, bits: u8) -> ByteVector {
        let filled = self.0 | i8x32::splat(bits.cast_signed());
        ByteVector(filled.cmp_eq(i8x32::splat(byte.cast_signed())))
    }

    /// The mask of the places of ASCII bytes between these two, both included.
    #[inline(always)]
    fn is_within(self, first: u8, last: u8) -> ByteVector {
        let above = self.0.cmp_gt(i8x32::splat(first.cast_signed() - 1));
        ByteVector(above & self.0.cmp_lt(i8x32::splat(last.cast_signed() + 1)))
    }

    #[inline(always)]
    fn or(self, other: ByteVector) -> ByteVector {
        ByteVector(self.0 | other.0)
    }

    #[inline(always)]
    fn and(self, other: ByteVector) -> ByteVector {
        ByteVector(self.0 & other.0)
    }

    #[inline(always)]
    fn letters(self) -> ByteVector {
        ByteVector(self.0 | i8x32::splat(0x20)).is_within(b'a', b'z')
    }

    /// The mask as bits, the lowest for the first byte.
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.move_mask().cast_unsigned()
    }

    /// The mask of the places of either of these ASCII bytes.
    #[inline(always)]
    fn is_either(self, one: u8, other: u8) -> ByteVector {
        self.is(one).or(self.is(other))
    }

    #[inline(always)]
    fn digits(self) -> ByteVector {
        self.is_within(b'0', b'9')
    }
}

/// The classes of bytes in a block of moves: a bit for each byte, the lowest for the first.
pub(super) struct Marks {
    /// Blanks and line feeds.
    pub(super) blanks: u64,
    /// Bytes of which most moves are made.
    pub(super) words: u64,
    /// Digits and full stops.
    pub(super) numbers: u64,
    /// Line feeds and carriage returns.
    pub(super) breaks: u64,
    /// Closing braces.
    pub(super) closing: u64,
}

impl Marks {
    /// How many bytes a block has.
    pub(super) const WIDTH: usize = 2 * WIDTH;

    /// The block from an offset on, if the text is so long.
    ///
    /// Not inlined: the compiler keeps comparisons that are used behind branches as so many single
    /// bytes there, which takes twice the time.
    #[inline(never)]
    pub(super) fn at(text: &[u8], at: usize) -> Option<Marks> {
        let block = VectorPair::at(text, at)?;
        let numbers = block.bits(|vector| vector.digits().or(vector.is(b'.')));
        Some(Marks {
            blanks: block.bits(|vector| vector.is_either(b' ', b'\n')),
            words: numbers
                | block.bits(|vector| {
                    let checks = vector.is_either(b'+', b'#');
                    let marks = vector.is_either(b'-', b'=');
                    vector.letters().or(checks).or(marks)
                }),
            numbers,
            breaks: block.bits(|vector| vector.is_either(b'\n', b'\r')),
            closing: block.bits(|vector| vector.is(b'}')),
        })
    }
}

/// The same in a block of tags.
pub(super) struct TagMarks {
    pub(super) quotes: u64,
    /// Letters, digits and underlines.
    pub(super) names: u64,
    /// Backslashes and line breaks, which make a value harder to read.
    pub(super) escapes_and_breaks: u64,
}

impl TagMarks {
    /// The block from an offset on, if the text is so long.
    #[inline(always)]
    pub(super) fn at(text: &[u8], at: usize) -> Option<TagMarks> {
        let block = VectorPair::at(text, at)?;
        Some(TagMarks {
            quotes: block.bits(|vector| vector.is(b'"')),
            names: block.bits(|vector| {
                let others = vector.digits().or(vector.is(b'_'));
                vector.letters().or(others)
            }),
            escapes_and_breaks: block
                .bits(|vector| vector.is(b'\\').or(vector.is_either(b'\n', b'\r'))),
        })
    }
}

/// Two vectors side by side.
struct VectorPair(ByteVector, ByteVector);

impl VectorPair {
    #[inline(always)]
    fn at(text: &[u8], at: usize) -> Option<VectorPair> {
        Some(VectorPair(
            ByteVector::at(text, at)?,
            ByteVector::at(text, at + WIDTH)?,
        ))
    }

    #[inline(always)]
    fn bits(&self, test: impl Fn(ByteVector) -> ByteVector) -> u64 {
        u64::from(test(self.0).bits()) | u64::from(test(self.1).bits()) << WIDTH
    }
}

/// The first offset from `from` where a test holds, or the end of the text; it is made for all
/// bytes of a vector and, in the tail, for each byte.
#[inline(always)]
fn find(
    text: &[u8],
    from: usize,
    in_vector: impl Fn(ByteVector) -> ByteVector,
    is_wanted: impl Fn(u8) -> bool,
) -> usize {
    let mut at = from;
    while let Some(vector) = ByteVector::at(text, at) {
        let found = in_vector(vector).bits();
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += WIDTH;
    }
    let rest = text.get(at..).unwrap_or_default();
    let found = rest.iter().position(|&byte| is_wanted(byte));
    found.map_or(text.len().max(from), |length| at + length)
}

/// The next line break, or the end of the text.
#[inline]
pub(super) fn newline(text: &[u8], from: usize) -> usize {
    find(
        text,
        from,
        |vector| vector.is_either(b'\n', b'\r'),
        |byte| matches!(byte, b'\n' | b'\r'),
    )
}

/// The next `}` or line break, or the end of the text.
#[inline(always)]
pub(super) fn brace_or_newline(text: &[u8], from: usize) -> usize {
    find(
        text,
        from,
        |vector| vector.is(b'}').or(vector.is_either(b'\n', b'\r')),
        |byte| matches!(byte, b'}' | b'\n' | b'\r'),
    )
}

/// The next quote, backslash or line break, or the end of the text.
#[inline(always)]
pub(super) fn end_of_value(text: &[u8], from: usize) -> usize {
    find(
        text,
        from,
        |vector| {
            let breaks = vector.is_either(b'\n', b'\r');
            vector.is_either(b'"', b'\\').or(breaks)
        },
        |byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r'),
    )
}

/// The next line break before a line that may begin a game, or the next byte that may begin a
/// result; or the end of the text. Such a line begins with a bracket, a blank, `1.`, or a byte order
/// mark, of which the first byte is looked at.
#[inline]
pub(super) fn line_or_result(text: &[u8], from: usize) -> usize {
    let mut at = from;
    // Three views of the text, a byte apart, are compared at once.
    while let (Some(byte), Some(second), Some(third)) = (
        ByteVector::at(text, at),
        ByteVector::at(text, at + 1),
        ByteVector::at(text, at + 2),
    ) {
        let blank_or_bracket = second
            .is_either(b' ', b'\t')
            .or(second.is_either(b'[', 0xEF));
        let one = second.is(b'1').and(third.is(b'.'));
        let lines = byte.is_either(b'\n', b'\r').and(blank_or_bracket.or(one));
        // 0 or 1, then - or /, then 0 to 3: pairs that differ in one or two bits.
        let results = byte.is_but_for(b'1', 1);
        let results = results.and(second.is_but_for(b'/', 2));
        let results = results.and(third.is_but_for(b'3', 3)).or(byte.is(b'*'));
        let found = lines.or(results).bits();
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += WIDTH;
    }
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    let is_wanted = |&at: &usize| match byte(at) {
        b'\n' | b'\r' => match byte(at + 1) {
            b'[' | b' ' | b'\t' | 0xEF => true,
            b'1' => byte(at + 2) == b'.',
            _ => false,
        },
        b'0' | b'1' => matches!(byte(at + 1), b'-' | b'/') && matches!(byte(at + 2), b'0'..=b'3'),
        b'*' => true,
        _ => false,
    };
    (at..text.len()).find(is_wanted).unwrap_or(text.len())
}

/// How many line breaks there are: line feeds, and carriage returns that stand alone.
pub(super) fn count_newlines(text: &[u8]) -> u64 {
    // A chunk has fewer than 256 bytes, so that its counts fit in bytes and the sums stay in
    // vectors.
    const CHUNK: usize = 192;
    let (mut breaks, mut returns) = (0, 0);
    for chunk in text.chunks(CHUNK) {
        let add = |(feeds, returns): (u8, u8), &byte: &u8| {
            (
                feeds + u8::from(byte == b'\n'),
                returns + u8::from(byte == b'\r'),
            )
        };
        let found = chunk.iter().fold((0, 0), add);
        breaks += u64::from(found.0) + u64::from(found.1);
        returns += u64::from(found.1);
    }
    if returns > 0 {
        let next = text.get(1..).unwrap_or_default();
        for (chunk, next) in text.chunks(CHUNK).zip(next.chunks(CHUNK)) {
            let pairs = chunk.iter().zip(next).fold(0_u8, |sum, (&byte, &next)| {
                sum + u8::from([byte, next] == *b"\r\n")
            });
            breaks -= u64::from(pairs);
        }
    }
    breaks
}

/// How many characters there are in what [`decode`](super::decode) makes of a text.
pub(super) fn count_characters(text: &[u8]) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_plain_search_finds() {
        let text: Vec<u8> = (0..500_u32)
            .map(|n| b"abc}\nxyz01"[(n * n % 97 % 10) as usize])
            .collect();
        for from in 0..=text.len() {
            let plain = |test: &dyn Fn(u8) -> bool| {
                text[from..]
                    .iter()
                    .position(|&byte| test(byte))
                    .map_or(text.len(), |n| from + n)
            };
            assert_eq!(newline(&text, from), plain(&|byte| byte == b'\n'));
            let both = plain(&|byte| byte == b'}' || byte == b'\n');
            assert_eq!(brace_or_newline(&text, from), both);
        }
        let found = |text: &[u8]| {
            let next = |at: &usize| Some(line_or_result(text, at + 1));
            let found = std::iter::successors(Some(line_or_result(text, 0)), next);
            found.take_while(|&at| at < text.len()).collect::<Vec<_>>()
        };
        assert!(found(&[b'\n'; 100]).is_empty());
        let parts = b"a\n1\n 1.\n1.\r[1-0\t0-1 5-1 1/2-1/2*";
        assert_eq!(found(parts), [3, 7, 10, 12, 16, 24, 28, 31]);
        assert_eq!(found(&parts.repeat(20))[..8], found(parts)[..8]);
        assert_eq!(found(&parts.repeat(20)).len(), 20 * 8);
        let lines = text.split(|&byte| byte == b'\n').count() as u64 - 1;
        assert_eq!(count_newlines(&text), lines);
        assert_eq!(count_newlines(b"a\rb\r\nc\n\r\r\n"), 5);
        assert_eq!(newline(b"", 3), 3);
        assert_eq!(newline(b"a\rb\n", 0), 1);
        assert_eq!(brace_or_newline(b"a\rb}", 0), 1);
        let quoted = [b"x".repeat(70), b"\\\"".to_vec()].concat();
        assert_eq!(end_of_value(&quoted, 0), 70);
    }

    #[test]
    fn every_byte_is_in_its_class() {
        for byte in 0..=u8::MAX {
            let mut text = [0; Marks::WIDTH + 40];
            let bit = usize::from(byte) % Marks::WIDTH;
            text[20 + bit] = byte;
            let marks = Marks::at(&text, 20).expect("a long text");
            let tags = TagMarks::at(&text, 20).expect("a long text");
            let is_word = byte.is_ascii_alphanumeric() || b"+-#=.".contains(&byte);
            for (bits, is_in) in [
                (marks.blanks, b" \n".contains(&byte)),
                (marks.words, is_word),
                (marks.numbers, byte.is_ascii_digit() || byte == b'.'),
                (marks.breaks, b"\n\r".contains(&byte)),
                (marks.closing, byte == b'}'),
                (tags.quotes, byte == b'"'),
                (tags.names, byte.is_ascii_alphanumeric() || byte == b'_'),
                (tags.escapes_and_breaks, b"\\\n\r".contains(&byte)),
            ] {
                assert_eq!(bits, u64::from(is_in) << bit, "{byte}");
            }
        }
        assert!(Marks::at(&[0; Marks::WIDTH], 1).is_none());
    }
}
