//! The tags of a game that becomes a row.

use crate::decode;
use crate::text::unescaped;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The columns with the unchanged text of a tag: the column and the tag.
pub(super) const TEXTS: [(&str, &str); 9] = [
    ("event", "Event"),
    ("site", "Site"),
    ("round", "Round"),
    ("white", "White"),
    ("black", "Black"),
    ("time_control", "TimeControl"),
    ("termination", "Termination"),
    ("variant", "Variant"),
    ("fen", "FEN"),
];

/// The tags from which typed columns are made, beside those of [`TEXTS`].
pub(super) const TYPED: [&str; 4] = ["Date", "Result", "WhiteElo", "BlackElo"];
const KNOWN: usize = TEXTS.len() + TYPED.len();

/// Tag pairs in the order of the text, in one buffer that serves all games of a block.
#[derive(Default)]
pub(crate) struct Tags {
    text: Vec<u8>,
    pairs: Vec<Pair>,
    /// The number of the last pair of each tag that has a column, from 1; 0 without one.
    known: [usize; KNOWN],
}

struct Pair {
    name: Range<usize>,
    value: Range<usize>,
    has_column: bool,
}

/// The number of a tag that has a column.
fn place_of(name: &[u8]) -> Option<usize> {
    let texts = TEXTS.iter().map(|(_, tag)| *tag);
    texts.chain(TYPED).position(|tag| tag.as_bytes() == name)
}

impl Tags {
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.pairs.clear();
        self.known = [0; KNOWN];
    }

    /// Adds a tag with its value as written.
    pub(crate) fn push(&mut self, name: &[u8], value: &[u8]) {
        let begin = self.text.len();
        self.text.extend_from_slice(name);
        let middle = self.text.len();
        self.text.extend_from_slice(value);
        let place = place_of(name);
        self.pairs.push(Pair {
            name: begin..middle,
            value: middle..self.text.len(),
            has_column: place.is_some(),
        });
        if let Some(known) = place.and_then(|place| self.known.get_mut(place)) {
            *known = self.pairs.len();
        }
    }

    fn text(&self, range: &Range<usize>) -> &[u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The value of a tag that has a column, the last one with its name; `None` if it is `?` or the
    /// like.
    pub(super) fn get(&self, tag: &str) -> Option<Cow<'_, str>> {
        let known = self.known.get(place_of(tag.as_bytes())?)?;
        let pair = self.pairs.get(known.checked_sub(1)?)?;
        let value = unescaped(self.text(&pair.value));
        (!matches!(value.trim(), "" | "?")).then_some(value)
    }

    /// The tags that have no column, the last of each name.
    pub(super) fn others(&self) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
        let others = self.pairs.iter().filter(|pair| !pair.has_column);
        let names = others.clone().map(|pair| self.text(&pair.name));
        // Of pairs with the same key a map keeps the last. Of few keys a tree is quicker than a hash map.
        let last: BTreeMap<&[u8], usize> = names.zip(0..).collect();
        others.enumerate().filter_map(move |(place, pair)| {
            let name = self.text(&pair.name);
            let is_last = last.get(name) == Some(&place);
            is_last.then(|| (decode(name), unescaped(self.text(&pair.value))))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_each_name_counts() {
        let mut tags = Tags::default();
        for (name, value) in [
            ("Event", "a"),
            ("Note", "b"),
            ("Event", "c \\\"d\\\""),
            ("Site", "?"),
            ("Note", "?"),
            ("Mode", ""),
        ] {
            tags.push(name.as_bytes(), value.as_bytes());
        }
        assert_eq!(tags.get("Event").as_deref(), Some("c \"d\""));
        assert_eq!((tags.get("Site"), tags.get("Note")), (None, None));
        let others: Vec<_> = tags.others().collect();
        let expected = [("Note", "?"), ("Mode", "")];
        assert_eq!(
            others,
            expected.map(|(name, value)| (name.into(), value.into()))
        );
        tags.clear();
        assert_eq!((tags.get("Event"), tags.others().count()), (None, 0));
    }

    #[test]
    fn many_tags_take_no_long_time() {
        let mut tags = Tags::default();
        for number in 0..300_000 {
            tags.push(format!("T{}", number % 200_000).as_bytes(), b"?");
        }
        let first = tags.others().next().map(|(name, _)| name.into_owned());
        assert_eq!(first.as_deref(), Some("T100000"));
        assert_eq!(tags.others().count(), 200_000);
    }

    #[test]
    fn every_column_has_its_place() {
        let mut tags = Tags::default();
        let names = TEXTS.iter().map(|(_, tag)| *tag).chain(TYPED);
        for name in names.clone() {
            tags.push(name.as_bytes(), name.as_bytes());
        }
        for name in names {
            assert_eq!(tags.get(name).as_deref(), Some(name));
        }
    }
}
