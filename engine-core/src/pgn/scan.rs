//! Looking for bytes, many at a time.
//!
//! Blocks of fixed size without an early exit become vector instructions.
#![expect(
    clippy::needless_bitwise_bool,
    reason = "lazy operators are branches, which no vector has"
)]

const BLOCK: usize = 32;
const WORD: usize = size_of::<u64>();
/// A one in each byte of a word, and the highest bit of each.
const ONES: u64 = u64::from_ne_bytes([1; WORD]);
const HIGH: u64 = ONES << 7;

/// The highest bit of the first byte that is zero, and perhaps of others behind it (Mycroft 1987).
#[inline(always)]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGH
}

/// The first offset from `from` of one of two bytes, or the length. Short ways are searched by
/// words, long ones by blocks.
#[inline(always)]
fn find(text: &[u8], from: usize, a: u8, b: u8) -> usize {
    const SHORT: usize = 6;
    let mut at = from;
    loop {
        for _ in 0..SHORT {
            let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk::<WORD>()) else {
                return find_in_tail(text, at, a, b);
            };
            let word = u64::from_le_bytes(*word);
            let found = zeros(word ^ (ONES * u64::from(a))) | zeros(word ^ (ONES * u64::from(b)));
            if found != 0 {
                return at + found.trailing_zeros() as usize / WORD;
            }
            at += WORD;
        }
        let rest = text.get(at..).unwrap_or_default();
        for block in rest.chunks_exact(BLOCK) {
            if block
                .iter()
                .fold(false, |any, &byte| any | (byte == a) | (byte == b))
            {
                break;
            }
            at += BLOCK;
        }
    }
}

#[cold]
fn find_in_tail(text: &[u8], from: usize, a: u8, b: u8) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let found = rest.iter().position(|&byte| byte == a || byte == b);
    found.map_or(text.len().max(from), |length| from + length)
}

/// The next line feed, or the end of the text.
#[inline]
pub(super) fn newline(text: &[u8], from: usize) -> usize {
    find(text, from, b'\n', b'\n')
}

/// The next `}` or line feed, or the end of the text.
#[inline]
pub(super) fn brace_or_newline(text: &[u8], from: usize) -> usize {
    find(text, from, b'}', b'\n')
}

/// The next line that may begin a game, or the end of the text: one that begins with a bracket, a
/// blank, or `1.`
#[inline]
pub(super) fn odd_line(text: &[u8], from: usize) -> usize {
    let is_odd = |end: u8, first: u8, second: u8| {
        (end == b'\n')
            & ((first == b'[')
                | (first == b' ')
                | (first == b'\t')
                | ((first == b'1') & (second == b'.')))
    };
    let mut at = from;
    // Three views of the text, a byte apart, are compared at once.
    while let (Some(a), Some(b), Some(c)) = (
        text.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>()),
        text.get(at + 1..)
            .and_then(|rest| rest.first_chunk::<BLOCK>()),
        text.get(at + 2..)
            .and_then(|rest| rest.first_chunk::<BLOCK>()),
    ) {
        let any = (0..BLOCK).fold(false, |any, i| {
            let byte = |view: &[u8; BLOCK]| view.get(i).copied().unwrap_or(0);
            any | is_odd(byte(a), byte(b), byte(c))
        });
        if any {
            break;
        }
        at += BLOCK;
    }
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    (at..text.len())
        .find(|&at| is_odd(byte(at), byte(at + 1), byte(at + 2)))
        .map_or(text.len(), |at| at + 1)
}

/// How many line feeds there are.
pub(super) fn count_newlines(text: &[u8]) -> u64 {
    // A byte counts a block of up to 255, which is what keeps the sum in vectors.
    text.chunks(192)
        .map(|block| {
            let lines = block
                .iter()
                .fold(0_u8, |sum, &byte| sum + u8::from(byte == b'\n'));
            u64::from(lines)
        })
        .sum()
}

/// How many characters of UTF-8 there are: bytes that do not continue one.
pub(super) fn count_characters(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
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
        let odd = b"a\n1\n 1.\n1.".repeat(20);
        assert_eq!(odd_line(&odd, 0), 4);
        assert_eq!(odd_line(&odd, 4), 8);
        assert_eq!(odd_line(&[b'\n'; 100], 0), 100);
        let lines = text.split(|&byte| byte == b'\n').count() as u64 - 1;
        assert_eq!(count_newlines(&text), lines);
        assert_eq!(newline(b"", 3), 3);
    }
}
