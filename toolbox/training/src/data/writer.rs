//! A file that games are added to.

use super::blocks::DataBlocks;
use super::format::{BLOCK_GAMES, HEADER, Head, Recipe};
use super::game::SelfPlayGame;
use common::error::{Error, Result};
use common::files::AppendFile;
use common::interval::{Interval, SAVE_INTERVAL};
use std::io::BufReader;
use std::path::Path;

/// A file that games are added to, block by block.
pub struct DataWriter {
    file: AppendFile,
    /// Games in the file and in the block.
    pub games: u64,
    /// Quiet positions of these games.
    pub positions: u64,
    /// The block that is being filled, and what of it is in the file already.
    head: Head,
    body: Vec<u8>,
    written: Written,
    /// Since the games were last written to the disk.
    pub(super) since_sync: Interval,
}

/// What of the last block is in the file.
#[derive(Clone, Copy)]
struct Written {
    /// The end of the full blocks.
    full: u64,
    /// Bytes of the games that follow them, without their head.
    bytes: usize,
}

impl DataWriter {
    /// Opens a file to continue after its last game, or creates one. What a failure left of a
    /// block is cut off.
    ///
    /// # Errors
    /// When the file cannot be written, is no such file, was made with other settings or is
    /// damaged.
    pub fn open(path: &Path, recipe: Recipe) -> Result<DataWriter> {
        let mut file = AppendFile::open(path)?;
        let header = recipe.to_bytes();
        if file.length() < HEADER as u64 && header.starts_with(&file.read()?) {
            // Nothing is in it, or what was written when the disk was full or the power failed.
            file.cut(0)?;
            file.add(&header)?;
        }
        let mut blocks = DataBlocks::new(path, BufReader::new(file.reader()?))?;
        if blocks.recipe != recipe {
            return Err(made_otherwise(path, blocks.recipe, recipe));
        }
        let (mut games, mut positions) = (0, 0);
        let (mut head, mut body) = (Head::default(), Vec::new());
        let mut full = blocks.offset;
        for block in blocks.by_ref() {
            let block = block?;
            games += u64::from(block.head.games);
            positions += u64::from(block.head.positions);
            if block.head.games < BLOCK_GAMES {
                (head, body) = (block.head, block.body);
            } else {
                full = block.offset + block.length();
            }
        }
        let end = blocks.offset;
        drop(blocks);
        file.cut(end)?;
        let written = Written {
            full,
            bytes: body.len(),
        };
        Ok(DataWriter {
            file,
            games,
            positions,
            head,
            body,
            written,
            since_sync: Interval::new(SAVE_INTERVAL),
        })
    }

    /// Adds a game. It is in the file when its block is full, after some seconds, or after
    /// [`DataWriter::sync`].
    ///
    /// # Errors
    /// When the file cannot be written or the game is too long.
    pub fn add(&mut self, game: &SelfPlayGame) -> Result {
        let bytes = game.to_bytes();
        let bytes = bytes.ok_or_else(|| Error::Message("a game of too many moves".to_owned()))?;
        if self.head.games == 0 {
            self.head.first = self.games;
        }
        self.body.extend(bytes);
        self.head.games += 1;
        self.head.plies += game.plies.len() as u32;
        self.head.positions += game.positions;
        self.games += 1;
        self.positions += u64::from(game.positions);
        if self.head.games == BLOCK_GAMES {
            self.write()?;
            self.head = Head::default();
            self.body.clear();
            self.written = Written {
                full: self.file.length(),
                bytes: 0,
            };
        }
        if self.since_sync.has_passed() {
            self.sync()?;
        }
        Ok(())
    }

    /// Writes the block; if a part of it is there, what it lacks. That part stays, whatever happens.
    fn write(&mut self) -> Result {
        self.head.length = self.body.len() as u32;
        self.head.crc = crc32fast::hash(&self.body);
        let mut head = self.head.to_bytes();
        let Written { full, bytes } = self.written;
        let rest = self.body.get(bytes..).unwrap_or_default();
        if bytes == 0 {
            head.extend(rest);
            self.file.add(&head)?;
        } else {
            self.file.lengthen(full, &head, rest)?;
        }
        self.written.bytes = self.body.len();
        Ok(())
    }

    /// Writes all games to the disk, so that they survive a power failure.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sync(&mut self) -> Result {
        if self.written.bytes < self.body.len() {
            self.write()?;
        }
        self.file.sync()
    }
}

/// The error of a file whose recipe differs from the one wanted.
fn made_otherwise(path: &Path, made: Recipe, wanted: Recipe) -> Error {
    let mut with = Vec::new();
    if made.variant != wanted.variant {
        with.push(format!("--variant {}", made.variant.uci()));
    }
    if made.nodes != wanted.nodes {
        with.push(format!("--nodes {}", made.nodes));
    }
    if made.weights != wanted.weights {
        with.push(format!("weights {:08x}", made.weights));
    }
    if made.seed != wanted.seed {
        // Both are in one number.
        with.push("another --seed or --shard".to_owned());
    }
    let (path, with) = (path.display(), with.join(", "));
    Error::Message(format!("{path} was made with {with}"))
}
