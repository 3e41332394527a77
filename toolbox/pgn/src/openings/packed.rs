//! The table of names, unpacked when it is first wanted.

use lzma_rust2::LzmaReader;
use std::io::Read;
use std::sync::LazyLock;

/// What the build script has packed: how many names there are, the keys of their positions, and the names in
/// their order, each a line.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openings.lzma"));

static TABLE: LazyLock<OpeningTable> = LazyLock::new(|| OpeningTable::unpack().unwrap_or_default());

#[derive(Default)]
struct OpeningTable {
    /// Lines of code and name with a blank between.
    names: String,
    /// Keys in their order, each with where its line begins.
    keys: Vec<(u64, u32)>,
}

impl OpeningTable {
    fn unpack() -> Option<OpeningTable> {
        let mut reader = LzmaReader::new_mem_limit(PACKED, u32::MAX, None).ok()?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).ok()?;
        let (count, rest) = bytes.split_first_chunk::<4>()?;
        let (keys, names) = rest.split_at_checked(8 * u32::from_le_bytes(*count) as usize)?;
        let names = str::from_utf8(names).ok()?.to_owned();
        let begins = names.match_indices('\n').map(|(end, _)| end as u32 + 1);
        let keys = keys.as_chunks().0.iter().copied().map(u64::from_le_bytes);
        let mut keys: Vec<_> = keys.zip(std::iter::once(0).chain(begins)).collect();
        keys.sort_unstable();
        Some(OpeningTable { names, keys })
    }
}

/// The number of the opening of a position.
pub(super) fn index_of(key: u64) -> Option<u16> {
    let found = TABLE.keys.binary_search_by_key(&key, |&(key, _)| key);
    found.ok().map(|index| index as u16)
}

/// Code and name of an opening with a blank between.
pub(super) fn text(index: usize) -> &'static str {
    let begin = TABLE
        .keys
        .get(index)
        .map_or(0, |&(_, begin)| begin as usize);
    let line = TABLE
        .names
        .get(begin..)
        .and_then(|rest| rest.lines().next());
    line.unwrap_or_default()
}

/// How many there are.
#[cfg(test)]
pub(super) fn count() -> usize {
    TABLE.keys.len()
}
