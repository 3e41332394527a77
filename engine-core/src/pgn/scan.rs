//! Looking for bytes, many at a time.
//!
//! Blocks of fixed size without an early exit become vector instructions.

const BLOCK: usize = 32;

/// The first offset from `from` where the test holds, or the length.
#[inline(always)]
fn find(text: &[u8], from: usize, test: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let mut at = from;
    for block in rest.chunks_exact(BLOCK) {
        if block.iter().fold(false, |any, &byte| any | test(byte)) {
            break;
        }
        at += BLOCK;
    }
    let rest = text.get(at..).unwrap_or_default();
    at + rest
        .iter()
        .position(|&byte| test(byte))
        .unwrap_or(rest.len())
}

/// The next line feed, or the end of the text.
#[inline]
pub(super) fn newline(text: &[u8], from: usize) -> usize {
    find(text, from, |byte| byte == b'\n')
}

/// The next `}` or line feed, or the end of the text.
#[inline]
pub(super) fn brace_or_newline(text: &[u8], from: usize) -> usize {
    find(text, from, |byte| byte == b'}' || byte == b'\n')
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
        let lines = text.split(|&byte| byte == b'\n').count() as u64 - 1;
        assert_eq!(count_newlines(&text), lines);
        assert_eq!(newline(b"", 3), 3);
    }
}
