//! Making an index.

use super::{FINGERPRINT_BITS, HAS_MOVE, MAGIC, ends_of, fingerprint, moves, place_of};
use crate::explorer::Facts;
use crate::{NodeId, Tree};
use common::error::{Error, Result};
use common::files::named;
use engine_core::AnyPosition;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The entries go into so many parts by the first bits of their keys, each of which is sorted by
/// itself.
const PART_BITS: u32 = 9;
/// How many entries of a part wait in memory, at 13 bytes each.
const WAITING: usize = 2048;
const RECORD: usize = 13;
/// So many entries share a bucket on average, the first positions of games aside.
const BUCKET: u64 = 128;
/// Later moves are not looked up among the legal ones: few games meet there.
const MOST_PLACED: usize = 40;

/// The positions of a game, each once.
pub(crate) struct GameEntries {
    /// Where its text begins, and its line.
    pub(crate) offset: u64,
    pub(crate) line: u64,
    pub(crate) facts: Facts,
    pub(crate) entries: Vec<(u64, u8)>,
}

impl GameEntries {
    /// The positions of the main line and then those of the variations, of standard chess alone.
    pub(crate) fn of(tree: &Tree, offset: u64, line: u64) -> GameEntries {
        let mut entries = Vec::new();
        if let Some(start @ AnyPosition::Standard(_)) = tree.start {
            push_main_line(tree, start, &mut entries);
            push_variations(tree, start, &mut entries);
        }
        GameEntries {
            offset,
            line,
            facts: Facts::of(tree),
            entries,
        }
    }
}

fn push_main_line(tree: &Tree, mut position: AnyPosition, entries: &mut Vec<(u64, u8)>) {
    let mut line = tree.main_line(tree.root());
    for ply in 0.. {
        let next = line.next();
        let m = next.and_then(|id| tree.move_to(id));
        let place = match m {
            None => moves::NONE,
            Some(_) if ply >= MOST_PLACED => moves::UNKNOWN,
            Some(m) => place_of(&position, m),
        };
        entries.push((position.key(), place));
        match (next, m) {
            (None, _) => break,
            (_, Some(m)) => position.play(m),
            (_, None) => position.play_null(),
        }
    }
}

fn push_variations(tree: &Tree, start: AnyPosition, entries: &mut Vec<(u64, u8)>) {
    let mut stack: Vec<(NodeId, AnyPosition, bool)> = vec![(tree.root(), start, true)];
    while let Some((id, before, is_main)) = stack.pop() {
        for (index, &child) in tree.children(id).iter().enumerate() {
            let is_main = is_main && index == 0;
            let mut position = before;
            match tree.move_to(child) {
                Some(m) => position.play(m),
                None => position.play_null(),
            }
            if !is_main {
                entries.push((position.key(), moves::VARIATION));
            }
            stack.push((child, position, is_main));
        }
    }
}

/// An index while it is made.
pub(crate) struct Build {
    /// What the header's table says of the games.
    games: Vec<u8>,
    count: u32,
    entries: u64,
    parts: Vec<Part>,
    /// What is no longer in memory.
    file: File,
}

#[derive(Default, Clone)]
struct Part {
    waiting: Vec<u8>,
    /// Where in the file what is no longer waiting is, in pieces of equal size.
    pieces: Vec<u64>,
}

fn temporary(error: &io::Error) -> Error {
    Error::Message(format!("the temporary file: {error}"))
}

impl Build {
    /// # Errors
    /// When there is no room for a temporary file.
    pub(crate) fn new() -> Result<Build> {
        Ok(Build {
            games: Vec::new(),
            count: 0,
            entries: 0,
            parts: vec![Part::default(); 1 << PART_BITS],
            file: tempfile::tempfile().map_err(|error| temporary(&error))?,
        })
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// When the temporary file cannot be written, or there are more games than can be counted.
    pub(crate) fn add(&mut self, game: &GameEntries) -> Result {
        let number = self.count;
        self.count = number
            .checked_add(1)
            .ok_or("too many games for an index".to_owned())?;
        let [offset @ .., _, _] = game.offset.to_le_bytes();
        self.games.extend(offset);
        self.games
            .extend((game.line.min(u64::from(u32::MAX)) as u32).to_le_bytes());
        let [facts @ .., _, _, _] = game.facts.to_bits().to_le_bytes();
        self.games.extend(facts);
        for &(key, place) in &game.entries {
            let part = (key >> (64 - PART_BITS)) as usize;
            let Some(part) = self.parts.get_mut(part) else {
                continue;
            };
            part.waiting.extend(key.to_le_bytes());
            part.waiting.extend(number.to_le_bytes());
            part.waiting.push(place);
            if part.waiting.len() >= WAITING * RECORD {
                let write = |file: &mut File| {
                    let at = file.seek(SeekFrom::End(0))?;
                    file.write_all(&part.waiting)?;
                    Ok::<u64, io::Error>(at)
                };
                let at = write(&mut self.file).map_err(|error| temporary(&error))?;
                part.pieces.push(at);
                part.waiting.clear();
            }
        }
        self.entries += game.entries.len() as u64;
        Ok(())
    }

    /// Sorts the entries and writes the index of the collection; how many entries there are. An
    /// entry that a game has twice is kept once.
    ///
    /// # Errors
    /// When the collection or the temporary file cannot be read, or the index cannot be written.
    pub(crate) fn finish(mut self, pgn: &Path, out: &mut impl Write) -> Result<u64> {
        let failed = |error| named(pgn, &error);
        let mut collection = File::open(pgn).map_err(failed)?;
        let length = collection.metadata().map_err(failed)?.len();
        let ends = ends_of(&mut collection, length).map_err(failed)?;
        let buckets = (self.entries / BUCKET).max(1).next_power_of_two();
        let bits = buckets.trailing_zeros().clamp(PART_BITS, 32);
        out.write_all(&MAGIC)?;
        let mut directory = Vec::with_capacity(((1_usize << bits) + 1) * 8);
        let mut entries = 0_u64;
        let mut at = 0_u64;
        let mut hasher = crc32fast::Hasher::new();
        for pair in 0..self.parts.len() / 2 {
            let loaded = [self.load(2 * pair)?, self.load(2 * pair + 1)?];
            let encode = |(half, records): (usize, Vec<(u64, u32, u8)>)| {
                encode(records, 2 * pair + half, bits)
            };
            let encoded: Vec<Encoded> = loaded.into_par_iter().enumerate().map(encode).collect();
            for part in encoded {
                for end in part.begins {
                    directory.extend((at + end).to_le_bytes());
                }
                hasher.update(&part.bytes);
                out.write_all(&part.bytes)?;
                at += part.bytes.len() as u64;
                entries += part.count;
            }
        }
        directory.extend(at.to_le_bytes());
        let mut sum = crc32fast::Hasher::new();
        sum.update(&self.games);
        sum.update(&directory);
        let mut end = MAGIC.to_vec();
        end.extend(length.to_le_bytes());
        end.extend(ends.to_le_bytes());
        end.extend(self.count.to_le_bytes());
        end.extend(entries.to_le_bytes());
        end.extend(bits.to_le_bytes());
        end.extend(sum.finalize().to_le_bytes());
        end.extend(hasher.finalize().to_le_bytes());
        end.extend(crc32fast::hash(&end).to_le_bytes());
        for part in [&self.games, &directory, &end] {
            out.write_all(part)?;
        }
        Ok(entries)
    }

    /// The records of a part.
    fn load(&mut self, part: usize) -> Result<Vec<(u64, u32, u8)>> {
        let Some(part) = self.parts.get_mut(part) else {
            return Ok(Vec::new());
        };
        let Part { waiting, pieces } = std::mem::take(part);
        let mut records = Vec::with_capacity(pieces.len() * WAITING + waiting.len() / RECORD);
        let mut piece = vec![0; WAITING * RECORD];
        for at in pieces {
            let mut read = || {
                self.file.seek(SeekFrom::Start(at))?;
                self.file.read_exact(&mut piece)
            };
            read().map_err(|error| temporary(&error))?;
            push_records(&piece, &mut records);
        }
        push_records(&waiting, &mut records);
        Ok(records)
    }
}

fn push_records(bytes: &[u8], records: &mut Vec<(u64, u32, u8)>) {
    let (chunks, _) = bytes.as_chunks::<RECORD>();
    for [a, b, c, d, e, f, g, h, i, j, k, l, place] in chunks {
        let key = u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]);
        records.push((key, u32::from_le_bytes([*i, *j, *k, *l]), *place));
    }
}

/// A part as it is written.
struct Encoded {
    /// Where each bucket begins.
    begins: Vec<u64>,
    bytes: Vec<u8>,
    count: u64,
}

fn encode(mut records: Vec<(u64, u32, u8)>, part: usize, bits: u32) -> Encoded {
    let bucket = |key: u64| (key >> (64 - bits)) as usize;
    // What counts of a key are its bucket and its fingerprint. The sort keeps the order of the
    // game, so that the first of equal entries is the one that is kept.
    let known = |key: u64| key >> (64 - bits - FINGERPRINT_BITS);
    records.sort_by_key(|&(key, game, _)| (bucket(key), game, known(key)));
    records.dedup_by_key(|&mut (key, game, _)| (known(key), game));
    let buckets = 1_usize << (bits - PART_BITS);
    let mut encoded = Encoded {
        begins: Vec::with_capacity(buckets),
        bytes: Vec::with_capacity(records.len() * 6),
        count: records.len() as u64,
    };
    let mut rest = records.as_slice();
    for number in part * buckets..(part + 1) * buckets {
        encoded.begins.push(encoded.bytes.len() as u64);
        let mut last = 0;
        while let Some((&(key, game, place), after)) = rest.split_first()
            && bucket(key) == number
        {
            rest = after;
            push_number(game - last, &mut encoded.bytes);
            last = game;
            let has_move = place != moves::UNKNOWN;
            let mark = if has_move { HAS_MOVE } else { 0 };
            let [a, b, c, _] = (fingerprint(key, bits) | mark).to_le_bytes();
            encoded.bytes.extend([a, b, c]);
            if has_move {
                encoded.bytes.push(place);
            }
        }
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
