//! Files of games. They begin with 32 bytes (`MolaData`, then the version of the format with the
//! number of the variant in its second byte, the seed and the nodes a move, 64 bits each,
//! little-endian). Then come the games in the order of their numbers: how many records a game has
//! (16 bits), and those [records](super::record).
//!
//! So a file says how it was made, and one that was cut off can be continued after its last whole
//! game.

use super::record::{self, Record};
use common::error::{Error, Result};
use engine_core::Variant;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

const MAGIC: u64 = u64::from_le_bytes(*b"MolaData");
const VERSION: u64 = 1;

/// How the games of a file are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The rules.
    pub variant: Variant,
    /// What the random openings follow from.
    pub seed: u64,
    /// Nodes for a move.
    pub nodes: u64,
}

impl Recipe {
    fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let version = VERSION | (self.variant as u64) << 8;
        let fields = [MAGIC, version, self.seed, self.nodes];
        for (to, field) in bytes.chunks_exact_mut(8).zip(fields) {
            to.copy_from_slice(&field.to_le_bytes());
        }
        bytes
    }

    fn read(from: &mut impl Read) -> io::Result<Option<Recipe>> {
        let mut fields = [0; 4];
        for field in &mut fields {
            let mut bytes = [0; 8];
            match from.read_exact(&mut bytes) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                read => read?,
            }
            *field = u64::from_le_bytes(bytes);
        }
        let [magic, version, seed, nodes] = fields;
        let variant = Variant::all().find(|&variant| variant as u64 == version >> 8);
        let known = magic == MAGIC && version & 0xff == VERSION;
        Ok(variant.filter(|_| known).map(|variant| Recipe {
            variant,
            seed,
            nodes,
        }))
    }
}

/// The games of a file, one after the other, up to one that is cut off or damaged.
struct Games<R> {
    from: R,
    variant: Variant,
}

impl<R: Read> Games<R> {
    fn next(&mut self) -> io::Result<Option<Vec<Record>>> {
        match self.read() {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            game => game,
        }
    }

    fn read(&mut self) -> io::Result<Option<Vec<Record>>> {
        let mut count = [0; 2];
        self.from.read_exact(&mut count)?;
        let mut records = Vec::new();
        for _ in 0..u16::from_le_bytes(count) {
            let mut bytes = vec![0; record::size(self.variant)];
            self.from.read_exact(&mut bytes)?;
            match Record::from_bytes(&bytes) {
                Some(record) => records.push(record),
                None => return Ok(None),
            }
        }
        Ok(Some(records))
    }
}

/// The variant of a file and all its records, in the order of the games.
///
/// # Errors
/// When the file cannot be read or is no such file. What follows a damaged game is left out.
pub fn read(path: &Path) -> Result<(Variant, Vec<Record>)> {
    let mut from = BufReader::new(File::open(path).map_err(|error| at(path, &error))?);
    let Some(Recipe { variant, .. }) = Recipe::read(&mut from)? else {
        return Err(not_ours(path));
    };
    let mut games = Games { from, variant };
    let mut records = Vec::new();
    while let Some(game) = games.next()? {
        records.extend(game);
    }
    Ok((variant, records))
}

fn at(path: &Path, error: &io::Error) -> Error {
    Error::Message(format!("{}: {error}", path.display()))
}

fn not_ours(path: &Path) -> Error {
    Error::Message(format!("{} is not a file of mola datagen", path.display()))
}

/// A file that games are added to.
pub struct Writer {
    to: BufWriter<File>,
    variant: Variant,
    /// Games in the file.
    pub games: u64,
    /// Records in the file.
    pub records: u64,
}

impl Writer {
    /// Opens a file to go on after its last whole game, or makes a new one.
    ///
    /// # Errors
    /// When the file cannot be written, is no such file or was made with other settings.
    pub fn open(path: &Path, recipe: Recipe) -> Result<Writer> {
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let mut file = file.map_err(|error| at(path, &error))?;
        let (mut games, mut records) = (0, 0);
        if file.metadata()?.len() == 0 {
            file.write_all(&recipe.to_bytes())?;
        } else {
            let mut from = BufReader::new(&file);
            match Recipe::read(&mut from)? {
                Some(found) if found == recipe => {}
                Some(Recipe {
                    variant,
                    seed,
                    nodes,
                }) => {
                    return Err(Error::Message(format!(
                        "{} was made with --variant {} --seed {seed} --nodes {nodes}",
                        path.display(),
                        variant.uci()
                    )));
                }
                None => return Err(not_ours(path)),
            }
            let variant = recipe.variant;
            let mut whole = Games { from, variant };
            while let Some(game) = whole.next()? {
                games += 1;
                records += game.len() as u64;
            }
            let end = 32 + 2 * games + record::size(variant) as u64 * records;
            file.set_len(end)?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok(Writer {
            to: BufWriter::new(file),
            variant: recipe.variant,
            games,
            records,
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the file cannot be written or the game has more than 65,535 records.
    pub fn add(&mut self, game: &[Record]) -> Result {
        let count = u16::try_from(game.len())
            .map_err(|_| Error::Message("a game of too many positions".to_owned()))?;
        self.to.write_all(&count.to_le_bytes())?;
        for record in game {
            self.to.write_all(&record.to_bytes(self.variant))?;
        }
        self.games += 1;
        self.records += game.len() as u64;
        Ok(())
    }

    /// Writes what is still in memory to the file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn flush(&mut self) -> Result {
        Ok(self.to.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{Color, Position, Standard};

    #[test]
    fn a_file_that_was_cut_off_goes_on_after_its_last_whole_game() {
        let path = std::env::temp_dir().join(format!("mola-data-{}", std::process::id()));
        let recipe = Recipe {
            variant: Variant::Standard,
            seed: 7,
            nodes: 100,
        };
        let position = Position::<Standard>::start();
        let record = Record::new(Variant::Standard, position.board(), Color::White, 12, 1)
            .expect("32 pieces fit");
        let mut writer = Writer::open(&path, recipe).expect("a new file");
        for game in [&[record; 3][..], &[], &[record; 2]] {
            writer.add(game).expect("room on the disk");
        }
        drop(writer);
        let whole = std::fs::read(&path).expect("the file");
        std::fs::write(&path, &whole[..whole.len() - 1]).expect("the file");

        let mut writer = Writer::open(&path, recipe).expect("the file again");
        assert_eq!((writer.games, writer.records), (2, 3));
        writer.add(&[record; 2]).expect("room on the disk");
        writer.flush().expect("room on the disk");
        assert_eq!(std::fs::read(&path).expect("the file"), whole);
        let found = read(&path).expect("our file");
        assert_eq!(found, (Variant::Standard, vec![record; 5]));

        assert!(Writer::open(&path, Recipe { seed: 8, ..recipe }).is_err());
        std::fs::write(&path, b"something else").expect("the file");
        assert!(Writer::open(&path, recipe).is_err() && read(&path).is_err());
        std::fs::remove_file(&path).expect("the file");
    }
}
