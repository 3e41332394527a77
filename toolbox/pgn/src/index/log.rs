//! The log of a build: games and entries in a file while an index is made, so that a build that was
//! stopped can be resumed.
//!
//! Each record of the file has some games, one after the other. All numbers are little endian:
//!
//! | part | what |
//! |---|---|
//! | length | of the record (8 bytes), and the checksum of what follows (4) |
//! | next | offset and line of the game after these (8 each) |
//! | counts | of games (4), and of the entries of each part (4 each) |
//! | games | as the index has them |
//! | entries | by part: key (8), number of the game (4), move (1) |

use super::GAME;
use super::entries::GameEntries;
use common::error::Result;
use common::files::{RecordFile, Replace};
use std::path::Path;

/// The entries are divided into parts by this many first bits of their keys; each part is sorted by
/// itself.
pub(super) const PART_BITS: u32 = 9;
const PARTS: usize = 1 << PART_BITS;

/// An entry: key, number of the game, move.
pub(super) type LogEntry = (u64, u32, u8);

const ENTRY: usize = 13;
/// The most bytes of entries in memory that wait to be written.
const MAX_WAITING: usize = 16 << 20;
/// Bytes of a record before its games.
const HEAD: usize = 12;
const COUNTS: usize = HEAD + 16;
const GAMES: usize = COUNTS + 4 + 4 * PARTS;

/// Where reading of the collection continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Next {
    pub(crate) offset: u64,
    /// From 1; zero at the beginning.
    pub(crate) line: u64,
    /// How many games come before.
    pub(crate) games: u64,
}

/// The games and entries so far.
pub(super) struct Log {
    file: RecordFile,
    /// Where in the file the entries of each part are, by record.
    records: Vec<Vec<(u64, u32)>>,
    length: u64,
    pub(super) next: Next,
    /// The table of all games.
    pub(super) games: Vec<u8>,
    pub(super) entries: u64,
    /// The entries of each part that are not in the file yet.
    parts: Vec<Vec<u8>>,
    waiting: usize,
    /// How much of the table of games is in the file.
    games_in_file: usize,
}

impl Log {
    /// Begins the log of an index, or resumes one that was left with the same settings.
    ///
    /// # Errors
    /// When it cannot be written or read, or another run writes to it.
    pub(super) fn open(index: &Path, settings: &str, collection: &Path) -> Result<Log> {
        let open = || RecordFile::open(index, settings, Replace::Yes, &[collection]);
        let mut log = Log {
            file: open()?,
            records: Vec::new(),
            length: 0,
            next: Next::default(),
            games: Vec::new(),
            entries: 0,
            parts: vec![Vec::new(); PARTS],
            waiting: 0,
            games_in_file: 0,
        };
        for _ in 0..log.file.records() {
            if log.read_record()?.is_none() {
                // Records that the disk has lost are made anew.
                log.file.discard();
                return Log::open(index, settings, collection);
            }
        }
        Ok(log)
    }

    /// Reads the next record of the file; `None` if it is damaged.
    fn read_record(&mut self) -> Result<Option<()>> {
        let at = self.length;
        let head = self.file.read_at(at, HEAD as u64)?;
        let length = super::number(&head, 0, 8);
        let bytes = self.file.read_at(at, length)?;
        let sum = super::number(&bytes, 8, 4);
        let body = bytes.get(HEAD..).unwrap_or_default();
        if bytes.len() < GAMES || bytes.len() as u64 != length {
            return Ok(None);
        }
        if u64::from(crc32fast::hash(body)) != sum {
            return Ok(None);
        }
        let games = super::number(&bytes, COUNTS, 4) as usize;
        let counts = (0..PARTS).map(|part| super::number(&bytes, COUNTS + 4 + 4 * part, 4) as u32);
        let counts: Vec<u32> = counts.collect();
        let entries = GAMES + games * GAME;
        self.games
            .extend(bytes.get(GAMES..entries).unwrap_or_default());
        self.games_in_file = self.games.len();
        self.next = Next {
            offset: super::number(&bytes, HEAD, 8),
            line: super::number(&bytes, HEAD + 8, 8),
            games: (self.games.len() / GAME) as u64,
        };
        self.note_record(at + entries as u64, &counts);
        self.length = at + length;
        Ok(Some(()))
    }

    /// Notes where the parts of a record are.
    fn note_record(&mut self, mut at: u64, counts: &[u32]) {
        let place = |&count: &u32| {
            let begin = at;
            at += u64::from(count) * ENTRY as u64;
            self.entries += u64::from(count);
            (begin, count)
        };
        self.records.push(counts.iter().map(place).collect());
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// When the file cannot be written, or there are more games than can be counted.
    pub(super) fn add(&mut self, game: &GameEntries) -> Result {
        if self.waiting > MAX_WAITING {
            self.next = Next {
                offset: game.offset,
                line: game.line,
                games: (self.games.len() / GAME) as u64,
            };
            self.write()?;
        }
        let number = u32::try_from(self.games.len() / GAME)
            .map_err(|_| "too many games for an index".to_owned())?;
        let [offset @ .., _, _] = game.offset.to_le_bytes();
        self.games.extend(offset);
        self.games
            .extend((game.line.min(u64::from(u32::MAX)) as u32).to_le_bytes());
        let [summary @ .., _, _, _] = game.summary.to_bits().to_le_bytes();
        self.games.extend(summary);
        for &(key, code) in &game.entries {
            if let Some(part) = self.parts.get_mut((key >> (64 - PART_BITS)) as usize) {
                part.extend(key.to_le_bytes());
                part.extend(number.to_le_bytes());
                part.push(code);
            }
        }
        self.waiting += game.entries.len() * ENTRY;
        Ok(())
    }

    /// Writes what waits as a record.
    fn write(&mut self) -> Result {
        let games = self.games.get(self.games_in_file..).unwrap_or_default();
        let mut record = vec![0; HEAD];
        record.reserve(GAMES + games.len() + self.waiting);
        record.extend(self.next.offset.to_le_bytes());
        record.extend(self.next.line.to_le_bytes());
        record.extend(((games.len() / GAME) as u32).to_le_bytes());
        let counts = self.parts.iter().map(|part| (part.len() / ENTRY) as u32);
        let counts: Vec<u32> = counts.collect();
        record.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
        record.extend(games);
        let entries = record.len() as u64;
        for part in &mut self.parts {
            record.append(part);
        }
        let sum = crc32fast::hash(record.get(HEAD..).unwrap_or_default());
        let head = [
            (record.len() as u64).to_le_bytes().as_slice(),
            sum.to_le_bytes().as_slice(),
        ]
        .concat();
        record.splice(..HEAD, head);
        self.file.add(&record)?;
        self.games_in_file = self.games.len();
        self.note_record(self.length + entries, &counts);
        self.length += record.len() as u64;
        self.waiting = 0;
        Ok(())
    }

    /// How many entries there are.
    pub(super) fn entries(&self) -> u64 {
        self.entries + (self.waiting / ENTRY) as u64
    }

    /// The entries of a part, in the order of the games.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn load(&mut self, part: usize) -> Result<Vec<LogEntry>> {
        let waiting = self.parts.get(part).map_or(&[][..], Vec::as_slice);
        let places = self.records.iter().filter_map(|record| record.get(part));
        let count: usize = places.clone().map(|&(_, count)| count as usize).sum();
        let mut entries = Vec::with_capacity(count + waiting.len() / ENTRY);
        for &(at, count) in places {
            let length = u64::from(count) * ENTRY as u64;
            push_entries(&self.file.read_at(at, length)?, &mut entries);
        }
        push_entries(waiting, &mut entries);
        Ok(entries)
    }

    /// Removes the file, as the index is complete.
    pub(super) fn discard(self) {
        self.file.discard();
    }
}

fn push_entries(bytes: &[u8], entries: &mut Vec<LogEntry>) {
    let (chunks, _) = bytes.as_chunks::<ENTRY>();
    for [a, b, c, d, e, f, g, h, i, j, k, l, code] in chunks {
        let key = u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]);
        entries.push((key, u32::from_le_bytes([*i, *j, *k, *l]), *code));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explorer::GameSummary;

    fn game(number: u64) -> GameEntries {
        let key = |n: u64| (number * 100 + n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        GameEntries {
            offset: number * 100,
            line: number + 1,
            summary: GameSummary::default(),
            entries: (0..50).map(|n| (key(n), n as u8)).collect(),
        }
    }

    fn loaded(log: &mut Log) -> Vec<Vec<LogEntry>> {
        (0..PARTS).map(|part| log.load(part).unwrap()).collect()
    }

    #[test]
    fn a_log_goes_on_after_its_last_record() {
        let folder = tempfile::tempdir().unwrap();
        let (index, pgn) = (folder.path().join("idx"), folder.path().join("pgn"));
        let mut whole = Log::open(&folder.path().join("other"), "s", &pgn).unwrap();
        (0..40).for_each(|number| whole.add(&game(number)).unwrap());

        let mut log = Log::open(&index, "s", &pgn).unwrap();
        for number in 0..30 {
            if number % 10 == 0 {
                log.waiting = MAX_WAITING + 1;
            }
            log.add(&game(number)).unwrap();
        }
        drop(log);
        let mut log = Log::open(&index, "s", &pgn).unwrap();
        let next = Next {
            offset: 2000,
            line: 21,
            games: 20,
        };
        assert_eq!(log.next, next);
        (20..40).for_each(|number| log.add(&game(number)).unwrap());
        assert_eq!((log.entries(), &log.games), (40 * 50, &whole.games));
        assert_eq!(loaded(&mut log), loaded(&mut whole));
        log.discard();
        assert!(folder.path().read_dir().unwrap().all(|entry| {
            let name = entry.unwrap().file_name();
            name.to_string_lossy().starts_with("other")
        }));
    }

    #[test]
    fn what_is_damaged_or_of_other_games_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let (index, pgn) = (folder.path().join("idx"), folder.path().join("pgn"));
        let part = folder.path().join("idx.part");
        for (settings, damage) in [("s", true), ("t", false)] {
            let mut log = Log::open(&index, "s", &pgn).unwrap();
            assert_eq!(log.next, Next::default());
            log.add(&game(0)).unwrap();
            log.write().unwrap();
            drop(log);
            if damage {
                let mut bytes = std::fs::read(&part).unwrap();
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
                std::fs::write(&part, bytes).unwrap();
            }
            let log = Log::open(&index, settings, &pgn).unwrap();
            assert_eq!((log.next, log.games.len()), (Next::default(), 0));
            log.discard();
        }
    }
}
