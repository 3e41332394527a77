//! The index of a collection: which games have a position, and the moves played there.
//!
//! It is the file `games.pgn.idx` beside the PGN, and is memory-mapped. All numbers are little
//! endian:
//!
//! | part | content |
//! |---|---|
//! | [`MAGIC`] | 8 bytes |
//! | entries | by bucket (the first bits of the key), then by game |
//! | games | for each, 15 bytes: where its text begins (6), its line (4), result, ratings and year (5) |
//! | buckets | for each, 12 bytes: where it begins among the entries (8), and their checksum (4); then where the last ends (8) |
//! | end | [`MAGIC`], the length of the PGN (8 bytes), a checksum of its ends (4), the number of games (4), that of entries (8), the bits of a bucket's number (4), the checksum of games and buckets (4), when the PGN was written (8, in nanoseconds since 1970), the checksum of this part (4) |
//!
//! The keys are those of `position_key`, which tell the variants apart.
//!
//! An entry is the difference to the previous game number in its bucket (seven bits a byte,
//! the last one without the eighth), and three bytes: the 23 bits of the key after those of the
//! bucket, and above them a bit that says whether a byte for the move follows. That is its index
//! among the legal moves in the order of Polyglot's numbers, or one of the constants of [`moves`].

mod build;
mod entries;
mod log;

pub(crate) use build::Build;
pub(crate) use entries::{EntryReader, GameEntries};
pub(crate) use log::Next;

use crate::explorer::GameSummary;
use crate::position_key::repetition_keys;
use book::{Data, PolyglotMove};
use common::error::{Error, Result};
use common::files::named;
use engine_core::{AnyPosition, Move};
use std::fs::{File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The first bytes of an index of any version.
pub(crate) const MAGIC_PREFIX: [u8; 7] = *b"molaidx";
/// The first bytes of an index, including its version.
const MAGIC: [u8; 8] = *b"molaidx4";
/// Bytes of the last part.
const END: usize = 52;
/// Bytes of a game.
const GAME: usize = 15;
/// Bytes of a bucket in the table of buckets.
const BUCKET: usize = 12;
/// Bytes of a place among the entries.
const PLACE: usize = 8;
/// Bits of the key in an entry.
const FINGERPRINT_BITS: u32 = 23;
/// The bit above them: a byte for the move follows.
const HAS_MOVE: u32 = 1 << FINGERPRINT_BITS;

/// Values in place of the index of a legal move.
mod moves {
    /// A late move of the game, which must be read from its text.
    pub(super) const UNKNOWN: u8 = 253;
    /// No move: the game ends here, or a null move is played.
    pub(super) const NONE: u8 = 254;
    /// The position occurs only in a variation.
    pub(super) const VARIATION: u8 = 255;
}

/// Where the index of a collection is.
pub(crate) fn path_of(pgn: &Path) -> PathBuf {
    let mut path = pgn.as_os_str().to_owned();
    path.push(".idx");
    path.into()
}

/// The move that was played in a position in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NextMove {
    Move(Move),
    /// No move, or a null move.
    None,
    /// A move that must be read from the text of the game.
    Unknown,
    /// The position occurs only in a variation.
    Variation,
}

/// Whether a file begins as an index of any version does, so that it may be replaced.
pub(crate) fn is_index(path: &Path) -> bool {
    let mut first = [0; MAGIC_PREFIX.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && first == MAGIC_PREFIX
}

/// An index that has been opened.
pub(crate) struct Index {
    path: PathBuf,
    data: Data,
    games: usize,
    /// Where the table of games begins.
    games_at: usize,
    bucket_bits: u32,
}

const DAMAGED: &str = "is damaged; `mola pgn index` rebuilds it";

/// The index of a move among the legal ones, in the order of their numbers in Polyglot books.
fn move_code(position: &AnyPosition, m: Move) -> u8 {
    let Some(raw) = PolyglotMove::new(m) else {
        return moves::UNKNOWN;
    };
    let legal = position.legal_moves();
    let before = legal.iter().filter_map(|&m| PolyglotMove::new(m));
    let before = before.filter(|other| *other < raw).count();
    u8::try_from(before)
        .ok()
        .filter(|&code| code < moves::UNKNOWN)
        .unwrap_or(moves::UNKNOWN)
}

/// What tells that a collection has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Snapshot {
    length: u64,
    /// A checksum of the first and last 64 KiB.
    ends: u32,
    /// When it was written last, in nanoseconds since 1970; 0 where the file system does not say so.
    written: u64,
}

impl Snapshot {
    /// Reads what a collection is now.
    ///
    /// # Errors
    /// When it cannot be read; the message names it.
    fn of(pgn: &Path) -> Result<Snapshot> {
        Ok(Snapshot::read(pgn).map_err(|error| named(pgn, &error))?)
    }

    fn read(pgn: &Path) -> std::io::Result<Snapshot> {
        const END: u64 = 1 << 16;
        let mut file = File::open(pgn)?;
        let metadata = file.metadata()?;
        let length = metadata.len();
        let mut hasher = crc32fast::Hasher::new();
        let mut bytes = Vec::new();
        for from in [0, length.saturating_sub(END)] {
            bytes.clear();
            file.seek(SeekFrom::Start(from))?;
            file.by_ref().take(END).read_to_end(&mut bytes)?;
            hasher.update(&bytes);
        }
        Ok(Snapshot {
            length,
            ends: hasher.finalize(),
            written: written(&metadata),
        })
    }
}

fn written(metadata: &Metadata) -> u64 {
    let time = metadata.modified().ok();
    let time = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    time.map_or(0, |time| time.as_nanos() as u64)
}

/// Takes a variable-length number from the front of the bytes: seven bits a byte, the low ones
/// first, the last byte without the eighth bit.
fn take_varint(bytes: &mut &[u8]) -> u32 {
    let (mut number, mut shift) = (0_u32, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u32::from(byte & 0x7f).wrapping_shl(shift);
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

/// A little-endian number of `length` bytes at an offset; 0 beyond the end.
fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    let bytes = bytes.get(at..at + length).unwrap_or_default();
    let digits = bytes.iter().rev();
    digits.fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl Index {
    /// Opens the index of a collection, if there is one.
    ///
    /// # Errors
    /// When it is damaged, or the collection has changed since; the message names it.
    pub(crate) fn open(pgn: &Path) -> Result<Option<Index>> {
        let path = path_of(pgn);
        if !path.is_file() {
            return Ok(None);
        }
        let data = Data::open(&path).map_err(|error| named(&path, &error))?;
        let mut index = Index {
            path,
            data,
            games: 0,
            games_at: 0,
            bucket_bits: 0,
        };
        index.read_end()?;
        let now = Snapshot::of(pgn)?;
        let bytes = index.end();
        let then = Snapshot {
            length: number(bytes, 8, 8),
            ends: number(bytes, 16, 4) as u32,
            written: number(bytes, 40, 8),
        };
        if then != now {
            return Err(index.fault("is out of date; `mola pgn index` rebuilds it"));
        }
        Ok(Some(index))
    }

    fn fault(&self, text: &str) -> Error {
        Error::Message(format!("{}: {text}", self.path.display()))
    }

    /// The bytes of the last part of the file.
    fn end(&self) -> &[u8] {
        let bytes = self.data.bytes();
        bytes
            .get(bytes.len().saturating_sub(END)..)
            .unwrap_or_default()
    }

    /// Reads and checks the last part and the tables of games and buckets.
    fn read_end(&mut self) -> Result {
        let end = self.end();
        if !self.data.bytes().starts_with(&MAGIC) {
            let is_other = self.data.bytes().starts_with(&MAGIC_PREFIX);
            return Err(self.fault(if is_other {
                "is of another version of Mola; `mola pgn index` rebuilds it"
            } else {
                "is no index"
            }));
        }
        let (before, sum) = end.split_at_checked(END - 4).unwrap_or_default();
        let bits = number(end, 32, 4) as u32;
        let is_sound =
            u64::from(crc32fast::hash(before)) == number(sum, 0, 4) && (1..=32).contains(&bits);
        if !is_sound || !before.starts_with(&MAGIC) {
            return Err(self.fault(DAMAGED));
        }
        let sum = number(end, 36, 4);
        (self.games, self.bucket_bits) = (number(end, 20, 4) as usize, bits);
        let length = self.data.bytes().len();
        let tables = self.games * GAME + (1_usize << bits) * BUCKET + PLACE;
        let games_at = length
            .checked_sub(END + tables)
            .filter(|&at| at >= MAGIC.len());
        let tables = games_at.and_then(|at| self.data.bytes().get(at..length - END));
        let is_whole = tables.is_some_and(|tables| u64::from(crc32fast::hash(tables)) == sum);
        self.games_at = games_at.unwrap_or_default();
        let entries = games_at.map(|at| (at - MAGIC.len()) as u64);
        if !is_whole || Some(self.bucket(1 << bits)) != entries {
            return Err(self.fault(DAMAGED));
        }
        Ok(())
    }

    /// Checks the entries, too.
    ///
    /// # Errors
    /// When the checksum of a bucket is wrong.
    pub(crate) fn check(&self) -> Result {
        (0..1 << self.bucket_bits).try_for_each(|bucket| self.entries(bucket).map(|_| ()))
    }

    /// The number of games.
    pub(crate) fn games(&self) -> usize {
        self.games
    }

    /// Where a bucket begins among the entries.
    fn bucket(&self, bucket: usize) -> u64 {
        number(self.data.bytes(), self.bucket_at(bucket), PLACE)
    }

    /// Where a bucket is in the file, in the table of buckets.
    fn bucket_at(&self, bucket: usize) -> usize {
        self.games_at + self.games * GAME + bucket * BUCKET
    }

    /// The entries of a bucket.
    ///
    /// # Errors
    /// When they are damaged.
    fn entries(&self, bucket: usize) -> Result<&[u8]> {
        let (from, to) = (self.bucket(bucket), self.bucket(bucket + 1));
        let sum = number(self.data.bytes(), self.bucket_at(bucket) + PLACE, 4);
        let entries = self.data.bytes().get(MAGIC.len()..self.games_at);
        let entries = entries.and_then(|entries| entries.get(from as usize..to as usize));
        entries
            .filter(|entries| u64::from(crc32fast::hash(entries)) == sum)
            .ok_or_else(|| self.fault(DAMAGED))
    }

    /// The games that have a position with this key, in their order, each with the byte of the
    /// move.
    ///
    /// # Errors
    /// When the entries of its bucket are damaged.
    fn find(&self, key: u64) -> Result<Vec<(u32, u8)>> {
        let bucket = (key >> (64 - self.bucket_bits)) as usize;
        let fingerprint = fingerprint(key, self.bucket_bits);
        let mut bytes = self.entries(bucket)?;
        let mut found = Vec::new();
        let mut game = 0_u32;
        let mut last = None;
        while !bytes.is_empty() {
            game = game.wrapping_add(take_varint(&mut bytes));
            let Some(([a, b, c], rest)) = bytes.split_first_chunk() else {
                return Err(self.fault(DAMAGED));
            };
            bytes = rest;
            let bits = u32::from_le_bytes([*a, *b, *c, 0]);
            let mut code = moves::UNKNOWN;
            if bits & HAS_MOVE != 0 {
                let Some((&byte, rest)) = bytes.split_first() else {
                    return Err(self.fault(DAMAGED));
                };
                (code, bytes) = (byte, rest);
            }
            let entry = (game, bits & !HAS_MOVE);
            if last.replace(entry) >= Some(entry) {
                return Err(self.fault(DAMAGED));
            }
            if entry.1 == fingerprint {
                found.push((game, code));
            }
        }
        if game as usize >= self.games.max(1) {
            return Err(self.fault(DAMAGED));
        }
        Ok(found)
    }

    /// The same for several keys. Which of several entries of a game comes first is not known, and so
    /// the move is not.
    fn find_any(&self, keys: &[u64]) -> Result<Vec<(u32, u8)>> {
        let found: Result<Vec<_>> = keys.iter().map(|&key| self.find(key)).collect();
        let mut found = found?.concat();
        found.sort_by_key(|&(game, _)| game);
        found.dedup_by(|next, first| {
            let is_same = next.0 == first.0;
            if is_same {
                first.1 = moves::UNKNOWN;
            }
            is_same
        });
        Ok(found)
    }

    /// The numbers of the games that have a position with one of these keys, in their order. A few
    /// in a million may be wrong, as only some bits of a key are stored.
    pub(crate) fn games_with(&self, keys: &[u64]) -> Result<Vec<u32>> {
        let found = self.find_any(keys)?.into_iter();
        Ok(found.map(|(game, _)| game).collect())
    }

    /// The moves played in a position, by game.
    pub(crate) fn moves_of(&self, position: &AnyPosition) -> Result<Vec<(GameSummary, NextMove)>> {
        let mut legal: Vec<(PolyglotMove, Move)> = position
            .legal_moves()
            .iter()
            .filter_map(|&m| Some((PolyglotMove::new(m)?, m)))
            .collect();
        legal.sort_by_key(|&(raw, _)| raw);
        let played = |code: u8| match code {
            // There can be more legal moves than codes.
            moves::UNKNOWN => NextMove::Unknown,
            moves::NONE => NextMove::None,
            moves::VARIATION => NextMove::Variation,
            code => legal
                .get(usize::from(code))
                .map_or(NextMove::Unknown, |&(_, m)| NextMove::Move(m)),
        };
        let found = self.find_any(&repetition_keys(position))?.into_iter();
        Ok(found
            .map(|(game, code)| (self.summary(game), played(code)))
            .collect())
    }

    /// Result, ratings and year of a game.
    fn summary(&self, game: u32) -> GameSummary {
        let at = self.games_at + game as usize * GAME;
        GameSummary::from_bits(number(self.data.bytes(), at + 10, 5))
    }

    /// The range of bytes of a game's text in the collection, and its first line, from 1.
    pub(crate) fn location(&self, game: u32) -> (Range<u64>, u64) {
        let bytes = self.data.bytes();
        let at = self.games_at + game as usize * GAME;
        let end = if game as usize + 1 < self.games {
            number(bytes, at + GAME, 6)
        } else {
            number(self.end(), 8, 8)
        };
        (number(bytes, at, 6)..end, number(bytes, at + 6, 4))
    }
}

/// The bits of a key after those of its bucket.
fn fingerprint(key: u64, bucket_bits: u32) -> u32 {
    let bits = key << bucket_bits >> (64 - FINGERPRINT_BITS);
    bits as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Parser, Replay, read_tree};
    use common::random::Random;
    use engine_core::{CastlingMode, Variant};

    /// A collection of games that are all the same, its index, and how many entries that has.
    fn index_of(game: &str, games: usize, folder: &Path) -> (PathBuf, Vec<u8>, u64) {
        let pgn = folder.join("games.pgn");
        std::fs::write(&pgn, game.repeat(games)).unwrap();
        let mut build = Build::open(&pgn).unwrap();
        for number in 0..games as u64 {
            let mut reader = EntryReader::default();
            Parser::new(game.as_bytes()).read_game(&mut Replay::new(&mut reader));
            let entries = reader.take(number * game.len() as u64, 2 * number + 1);
            build.add(&entries).unwrap();
        }
        let mut bytes = Vec::new();
        let entries = build.finish(&mut bytes).unwrap();
        (pgn, bytes, entries)
    }

    #[test]
    fn every_position_is_found_with_its_move() {
        const GAME: &str = "1. e4 c5 2. Nf3 (2. c3 d5) d6 3. d4 cxd4 4. Nxd4 Nf6 1-0\n\n";
        let folder = tempfile::tempdir().unwrap();
        let (tree, _) = read_tree(GAME.as_bytes()).unwrap();
        let (pgn, bytes, entries) = index_of(GAME, 300, folder.path());
        assert_eq!(entries, 300 * 11);
        std::fs::write(path_of(&pgn), bytes).unwrap();
        let index = Index::open(&pgn).unwrap().unwrap();
        index.check().unwrap();
        let mut position = tree.start.unwrap();
        for id in tree.main_line(tree.root()) {
            let m = tree.move_to(id).unwrap();
            let found = index.moves_of(&position).unwrap();
            assert_eq!(
                found,
                vec![(GameSummary::of(&tree), NextMove::Move(m)); 300]
            );
            position.play(m);
        }
        let last = index.moves_of(&position).unwrap();
        assert!(last.len() == 300 && last.iter().all(|(_, m)| *m == NextMove::None));
        assert_eq!(index.games_with(&[position.key()]).unwrap().len(), 300);
        assert!(index.games_with(&[1]).unwrap().is_empty());
        let length = GAME.len() as u64;
        assert_eq!(index.location(7), (7 * length..8 * length, 15));
    }

    /// Makes the checksums of an index right again.
    fn repair(bytes: &mut [u8]) {
        let end = bytes.len() - END;
        let buckets = 1_usize << number(bytes, end + 32, 4);
        let buckets_at = end - PLACE - buckets * BUCKET;
        let games_at = buckets_at - number(bytes, end + 20, 4) as usize * GAME;
        let put = |bytes: &mut [u8], part: Range<usize>, at: usize| {
            if let Some(part) = bytes.get(part) {
                let sum = crc32fast::hash(part);
                bytes[at..at + 4].copy_from_slice(&sum.to_le_bytes());
            }
        };
        let place =
            |bytes: &[u8], at| (number(bytes, at, PLACE) as usize).saturating_add(MAGIC.len());
        for bucket in (0..buckets).map(|bucket| buckets_at + bucket * BUCKET) {
            let entries = place(bytes, bucket)..place(bytes, bucket + BUCKET);
            put(bytes, entries, bucket + PLACE);
        }
        put(bytes, games_at..end, end + 36);
        put(bytes, end..end + END - 4, end + END - 4);
    }

    #[test]
    fn a_wrong_end_of_the_entries_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        let (pgn, whole, entries) = index_of("1. e4 *\n\n", 3, folder.path());
        let last = whole.len() - END - 8;
        for end in [u64::MAX, u64::MAX - 7, entries * 100, 0] {
            let mut bytes = whole.clone();
            bytes[last..last + 8].copy_from_slice(&end.to_le_bytes());
            repair(&mut bytes);
            std::fs::write(path_of(&pgn), bytes).unwrap();
            let error = Index::open(&pgn).err().unwrap().to_string();
            assert!(error.contains(DAMAGED), "{error}");
        }
    }

    /// Damage that no checksum tells gives other answers or an error.
    #[test]
    fn crafted_indexes_do_no_harm() {
        let folder = tempfile::tempdir().unwrap();
        let (pgn, whole, _) = index_of("1. e4 e5 2. Nf3 *\n\n", 40, folder.path());
        let start = read_tree(b"1. e4 *").unwrap().0.start.unwrap();
        let mut random = Random::new(1, 0);
        for _ in 0..300 {
            let mut bytes = whole.clone();
            let places = bytes.len() - END - MAGIC.len();
            for _ in 0..=random.below(3) {
                let at = MAGIC.len() + random.below(places);
                bytes[at] = random.below(256) as u8;
            }
            repair(&mut bytes);
            std::fs::write(path_of(&pgn), bytes).unwrap();
            let Ok(Some(index)) = Index::open(&pgn) else {
                continue;
            };
            let _ = index.check();
            let _ = index.moves_of(&start);
            let _ = index.games_with(&[start.key(), 1]);
            for game in 0..index.games() as u32 {
                let _ = index.location(game);
            }
        }
    }

    #[test]
    fn damage_of_the_entries_that_a_query_reads_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (pgn, whole, _) = index_of("1. e4 e5 2. Nf3 Nc6 *\n\n", 10, folder.path());
        std::fs::write(path_of(&pgn), &whole).unwrap();
        let index = Index::open(&pgn).unwrap().unwrap();
        let entries = MAGIC.len()..index.games_at;
        let game = read_tree(b"1. e4 e5 2. Nf3 Nc6 *")
            .unwrap()
            .0
            .to_game()
            .unwrap();
        let before = game.plies().map(|(position, _)| *position);
        let positions: Vec<AnyPosition> = before.chain([*game.position()]).collect();
        let answers = |index: &Index| -> Vec<_> {
            let answers = positions.iter().map(|position| index.moves_of(position));
            answers.collect()
        };
        let expected: Vec<_> = answers(&index).into_iter().map(Result::unwrap).collect();
        for at in entries {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(path_of(&pgn), bytes).unwrap();
            let index = Index::open(&pgn).unwrap().unwrap();
            let answers = answers(&index);
            let is_right = |(answer, expected): (&Result<Vec<_>>, &Vec<_>)| match answer {
                Ok(answer) => answer == expected,
                Err(error) => error.to_string().contains(DAMAGED),
            };
            assert!(answers.iter().zip(&expected).all(is_right), "{at}");
            assert_eq!(
                answers.iter().filter(|answer| answer.is_err()).count(),
                1,
                "{at}"
            );
            assert!(index.check().is_err(), "{at}");
        }
    }

    #[test]
    fn entries_out_of_order_are_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let (pgn, whole, _) = index_of("1. e4 *\n\n", 300, folder.path());
        let key = read_tree(b"1. e4 *").unwrap().0.start.unwrap().key();
        let found = |bytes: &[u8]| {
            std::fs::write(path_of(&pgn), bytes).unwrap();
            let index = Index::open(&pgn).unwrap().unwrap();
            let (begin, end) = (index.bucket(0), index.bucket(1 << index.bucket_bits));
            (index.games_with(&[key]), (end - begin) as usize)
        };
        let (games, length) = found(&whole);
        assert_eq!(games.unwrap().len(), 300);
        let entries = MAGIC.len()..MAGIC.len() + length;
        for byte in [0, 0x7f, 0xff] {
            let mut damaged = whole.clone();
            damaged[entries.clone()].fill(byte);
            repair(&mut damaged);
            let (games, _) = found(&damaged);
            assert!(games.unwrap_err().to_string().contains("damaged"), "{byte}");
        }
    }

    /// Which of the positions came first is not in the index, as each has another key.
    #[test]
    fn the_first_move_is_unknown_where_a_position_has_several_keys() {
        const START: &str = "[FEN \"4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1\"]";
        let games = [
            "1. d4 Kf8 2. Kb1 Ke8 3. Ka1 Kd7 *",
            "1. d4 (1. d3 Kf8 2. Kb1 Ke8 3. Kb2 Kf8 4. Ka1 Ke8 5. d4 Kd7) Kf8 *",
        ];
        for moves in games {
            let folder = tempfile::tempdir().unwrap();
            let game = format!("{START}\n\n{moves}\n\n");
            let (pgn, bytes, _) = index_of(&game, 2, folder.path());
            std::fs::write(path_of(&pgn), bytes).unwrap();
            let index = Index::open(&pgn).unwrap().unwrap();
            let fen = "4k3/8/8/8/3Pp3/8/8/K3R3 b - - 0 1";
            let (variant, mode) = (Variant::Standard, CastlingMode::Standard);
            let position = AnyPosition::from_fen(variant, fen, mode).unwrap();
            let found = index.moves_of(&position).unwrap();
            let found: Vec<NextMove> = found.into_iter().map(|(_, played)| played).collect();
            assert_eq!(found, [NextMove::Unknown; 2], "{moves}");
        }
    }

    /// Those of late moves are not stored.
    #[test]
    fn moves_are_unknown_also_among_more_than_there_are_codes() {
        const FEN: &str = "4k3/8/8/8/8/8/8/4K2Q[QRBNP] w - - 0 1";
        let early = "Qa8+ Kf7 Qh1 Ke8 ".repeat(entries::MAX_CODED / 4);
        let tags = format!("[Variant \"Crazyhouse\"]\n[FEN \"{FEN}\"]");
        let game = format!("{tags}\n\n{early} Qh2 Kd8 Qh1 *\n\n");
        let folder = tempfile::tempdir().unwrap();
        let (pgn, bytes, _) = index_of(&game, 1, folder.path());
        std::fs::write(path_of(&pgn), bytes).unwrap();
        let index = Index::open(&pgn).unwrap().unwrap();
        let (tree, _) = read_tree(game.as_bytes()).unwrap();
        let mut line = tree.main_line(tree.root());
        let late = line.nth(entries::MAX_CODED + 1).unwrap();
        let position = tree.position(late).unwrap();
        assert!(position.legal_moves().len() > usize::from(moves::UNKNOWN));
        let found = index.moves_of(&position).unwrap();
        assert_eq!(found[0].1, NextMove::Unknown);
    }

    /// The pawn on e4 is pinned, so that the en passant square is none.
    #[test]
    fn positions_are_found_whatever_their_en_passant_square() {
        const GAME: &str = "[FEN \"4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1\"]\n\n1. d4 Kf8 *\n\n";
        let folder = tempfile::tempdir().unwrap();
        let (pgn, bytes, _) = index_of(GAME, 1, folder.path());
        std::fs::write(path_of(&pgn), bytes).unwrap();
        let index = Index::open(&pgn).unwrap().unwrap();
        for passed in ["-", "d3"] {
            let fen = format!("4k3/8/8/8/3Pp3/8/8/K3R3 b - {passed} 0 1");
            let (variant, mode) = (Variant::Standard, CastlingMode::Standard);
            let position = AnyPosition::from_fen(variant, &fen, mode).unwrap();
            assert_eq!(index.moves_of(&position).unwrap().len(), 1, "{fen}");
            let keys = position.keys_of_repetitions();
            assert_eq!(index.games_with(&keys).unwrap(), [0], "{fen}");
        }
    }
}
