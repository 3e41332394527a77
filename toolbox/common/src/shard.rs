//! A part of a long piece of work, for one of several machines.

use fnv::FnvHasher;
use std::fmt;
use std::hash::Hasher;
use std::str::FromStr;

/// Part 3 of 16, as `3/16`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part, from 0.
    index: u64,
    count: u64,
}

/// The greatest number of parts.
const MAX_PARTS: u64 = 1 << 20;

impl Default for Shard {
    /// All of it.
    fn default() -> Shard {
        Shard { index: 0, count: 1 }
    }
}

impl Shard {
    /// Whether this is all there is.
    pub fn is_whole(self) -> bool {
        self.count == 1
    }

    /// How many of all `pieces` belong to this part.
    pub fn share(self, pieces: u64) -> u64 {
        pieces.saturating_sub(self.index).div_ceil(self.count)
    }

    /// The number among all pieces of this part's piece number `piece`, both from 0.
    pub fn number(self, piece: u64) -> u64 {
        piece.saturating_mul(self.count).saturating_add(self.index)
    }

    /// A seed for the random numbers of this part, different for each part; the whole has the seed
    /// itself.
    pub fn seed(self, seed: u64) -> u64 {
        if self.is_whole() {
            return seed;
        }
        let mut hasher = FnvHasher::default();
        for word in [seed, self.index, self.count] {
            hasher.write(&word.to_le_bytes());
        }
        hasher.finish()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let number = |text: &str| text.parse::<u64>().ok();
        let parts = parts.and_then(|(index, count)| Some((number(index)?, number(count)?)));
        parts
            .filter(|&(index, count)| (1..=count).contains(&index) && count <= MAX_PARTS)
            .map(|(index, count)| Shard {
                index: index - 1,
                count,
            })
            .ok_or_else(|| format!("PART/PARTS expected, such as 3/16, not {text:?}"))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_make_the_whole() {
        for pieces in [0, 1, 15, 16, 17, 100] {
            let mut all = Vec::new();
            for part in 1..=16 {
                let shard: Shard = format!("{part}/16").parse().unwrap();
                assert_eq!(shard.to_string(), format!("{part}/16"));
                all.extend((0..shard.share(pieces)).map(|piece| shard.number(piece)));
            }
            all.sort_unstable();
            assert_eq!(all, (0..pieces).collect::<Vec<u64>>());
        }
        assert_eq!(Shard::default().seed(7), 7);
        let seed = |text: &str| text.parse::<Shard>().unwrap().seed(7);
        assert_ne!(seed("1/2"), seed("2/2"));
        for bad in ["", "1", "0/2", "3/2", "1/0", "a/b", "-1/2", "1/2/3"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
