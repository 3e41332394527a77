//! Making an index.

use super::entries::GameEntries;
use super::log::{Log, LogEntry, Next, PART_BITS};
use super::{
    BUCKET, FINGERPRINT_BITS, GAME, HAS_MOVE, MAGIC, PLACE, Snapshot, fingerprint, moves, path_of,
};
use common::error::{Error, Result};
use common::threads;
use rayon::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The average number of entries in a bucket, the first positions of games aside.
const BUCKET_ENTRIES: u64 = 128;

/// An index while it is made.
pub(crate) struct Build {
    pgn: PathBuf,
    /// What the collection was when the build began.
    collection: Snapshot,
    log: Log,
}

impl Build {
    /// Begins the index of a collection, or resumes one that was stopped while the collection
    /// was the same.
    ///
    /// # Errors
    /// When the collection cannot be read, or nothing can be written beside it.
    pub(crate) fn open(pgn: &Path) -> Result<Build> {
        threads::start_pool()?;
        let collection = Snapshot::of(pgn)?;
        let Snapshot {
            length,
            ends,
            written,
        } = collection;
        let version = String::from_utf8_lossy(&MAGIC);
        let settings =
            format!("{version} of {length} bytes, checksum {ends:08x}, written {written}");
        Ok(Build {
            pgn: pgn.to_owned(),
            collection,
            log: Log::open(&path_of(pgn), &settings, pgn)?,
        })
    }

    /// The next game to add.
    pub(crate) fn next(&self) -> Next {
        self.log.next
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// When the log cannot be written, or there are more games than can be counted.
    pub(crate) fn add(&mut self, game: &GameEntries) -> Result {
        self.log.add(game)
    }

    /// Sorts the entries and writes the index of the collection; how many entries there are. An
    /// entry that a game has twice is kept once.
    ///
    /// # Errors
    /// When the log cannot be read, the index cannot be written, or the collection has changed since
    /// the build began.
    pub(crate) fn finish(&mut self, out: &mut impl Write) -> Result<u64> {
        let buckets = (self.log.entries() / BUCKET_ENTRIES)
            .max(1)
            .next_power_of_two();
        let bits = buckets.trailing_zeros().clamp(PART_BITS, 32);
        out.write_all(&MAGIC)?;
        let mut directory = Vec::with_capacity((1_usize << bits) * BUCKET + PLACE);
        let mut entries = 0_u64;
        let mut at = 0_u64;
        for pair in 0..1 << (PART_BITS - 1) {
            let loaded = [self.log.load(2 * pair)?, self.log.load(2 * pair + 1)?];
            let encode =
                |(half, records): (usize, Vec<LogEntry>)| encode(records, 2 * pair + half, bits);
            let encoded: Vec<Encoded> = loaded.into_par_iter().enumerate().map(encode).collect();
            for part in encoded {
                for (begin, sum) in part.buckets {
                    directory.extend((at + begin).to_le_bytes());
                    directory.extend(sum.to_le_bytes());
                }
                out.write_all(&part.bytes)?;
                at += part.bytes.len() as u64;
                entries += part.count;
            }
        }
        directory.extend(at.to_le_bytes());
        let mut sum = crc32fast::Hasher::new();
        sum.update(&self.log.games);
        sum.update(&directory);
        let mut end = MAGIC.to_vec();
        end.extend(self.collection.length.to_le_bytes());
        end.extend(self.collection.ends.to_le_bytes());
        end.extend(((self.log.games.len() / GAME) as u32).to_le_bytes());
        end.extend(entries.to_le_bytes());
        end.extend(bits.to_le_bytes());
        end.extend(sum.finalize().to_le_bytes());
        end.extend(self.collection.written.to_le_bytes());
        end.extend(crc32fast::hash(&end).to_le_bytes());
        for part in [&self.log.games, &directory, &end] {
            out.write_all(part)?;
        }
        if Snapshot::of(&self.pgn)? != self.collection {
            let pgn = self.pgn.display();
            return Err(Error::Message(format!("{pgn}: changed while it was read")));
        }
        Ok(entries)
    }

    /// Removes the log.
    pub(crate) fn close(self) {
        self.log.discard();
    }
}

/// A part as it is written.
struct Encoded {
    /// Where each bucket begins, and the checksum of its entries.
    buckets: Vec<(u64, u32)>,
    bytes: Vec<u8>,
    count: u64,
}

fn encode(mut records: Vec<LogEntry>, part: usize, bits: u32) -> Encoded {
    let bucket = |key: u64| (key >> (64 - bits)) as usize;
    // What counts of a key are its bucket and its fingerprint. The sort keeps the order of the
    // game, so that the first of equal entries is the one that is kept.
    let known = |key: u64| key >> (64 - bits - FINGERPRINT_BITS);
    records.sort_by_key(|&(key, game, _)| (bucket(key), game, known(key)));
    records.dedup_by_key(|&mut (key, game, _)| (known(key), game));
    let buckets = 1_usize << (bits - PART_BITS);
    let mut encoded = Encoded {
        buckets: Vec::with_capacity(buckets),
        bytes: Vec::with_capacity(records.len() * 6),
        count: records.len() as u64,
    };
    let mut rest = records.as_slice();
    for number in part * buckets..(part + 1) * buckets {
        let begin = encoded.bytes.len();
        let mut last = 0;
        while let Some((&(key, game, code), after)) = rest.split_first()
            && bucket(key) == number
        {
            rest = after;
            push_number(game - last, &mut encoded.bytes);
            last = game;
            let has_move = code != moves::UNKNOWN;
            let mark = if has_move { HAS_MOVE } else { 0 };
            let [a, b, c, _] = (fingerprint(key, bits) | mark).to_le_bytes();
            encoded.bytes.extend([a, b, c]);
            if has_move {
                encoded.bytes.push(code);
            }
        }
        let sum = crc32fast::hash(encoded.bytes.get(begin..).unwrap_or_default());
        encoded.buckets.push((begin as u64, sum));
    }
    encoded
}

fn push_number(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
