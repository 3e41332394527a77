//! Files of games. They begin with 32 bytes (`MolaData`, then the version of the format with the
//! number of the variant in its second byte, the seed and the nodes a move, 64 bits each,
//! little-endian). Then come the games in the order of their numbers: how many records a game has
//! (16 bits), and those [records](super::record).
//!
//! So a file says how it was made, and one that was cut off can be continued after its last whole
//! game.

use super::record::{self, Record};
use common::count::count;
use common::error::{Error, Result};
use common::files::{AppendFile, named};
use engine_core::Variant;
use std::fs::File;
use std::io::{self, BufReader, Read};
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

/// What comes next in a file.
enum Next {
    Game(Vec<Record>),
    /// Nothing, or a game that is cut off.
    End,
    /// What is no game.
    Damage,
}

impl<R: Read> Games<R> {
    fn next(&mut self) -> io::Result<Next> {
        match self.read() {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Next::End),
            game => game,
        }
    }

    fn read(&mut self) -> io::Result<Next> {
        let mut count = [0; 2];
        self.from.read_exact(&mut count)?;
        let mut records = Vec::new();
        for _ in 0..u16::from_le_bytes(count) {
            let mut bytes = vec![0; record::size(self.variant)];
            self.from.read_exact(&mut bytes)?;
            match Record::from_bytes(&bytes) {
                Some(record) => records.push(record),
                None => return Ok(Next::Damage),
            }
        }
        Ok(Next::Game(records))
    }
}

/// The variant of a file and all its records, in the order of the games.
///
/// # Errors
/// When the file cannot be read or is no such file. What follows a damaged game is left out.
pub fn read(path: &Path) -> Result<(Variant, Vec<Record>)> {
    let failed = |error| Error::Io(named(path, &error));
    let mut from = BufReader::new(File::open(path).map_err(failed)?);
    let Some(Recipe { variant, .. }) = Recipe::read(&mut from).map_err(failed)? else {
        return Err(not_ours(path));
    };
    let mut games = Games { from, variant };
    let mut records = Vec::new();
    while let Next::Game(game) = games.next().map_err(failed)? {
        records.extend(game);
    }
    Ok((variant, records))
}

fn not_ours(path: &Path) -> Error {
    Error::Message(format!("{} is not a file of mola datagen", path.display()))
}

fn made_otherwise(path: &Path, recipe: Recipe) -> Error {
    Error::Message(format!(
        "{} was made with --variant {} --seed {} --nodes {}",
        path.display(),
        recipe.variant.uci(),
        recipe.seed,
        recipe.nodes
    ))
}

/// A file that games are added to.
pub struct Writer {
    file: AppendFile,
    variant: Variant,
    /// Games in the file.
    pub games: u64,
    /// Records in the file.
    pub records: u64,
}

/// The bytes before the first game.
const HEAD: u64 = 32;

impl Writer {
    /// Opens a file to go on after its last whole game, or makes a new one.
    ///
    /// # Errors
    /// When the file cannot be written, is no such file, was made with other settings or is damaged.
    pub fn open(path: &Path, recipe: Recipe) -> Result<Writer> {
        let mut file = AppendFile::open_at_end(path)?;
        let variant = recipe.variant;
        if file.length() < HEAD {
            // Nothing is in it, or what was written when the disk was full or the power failed.
            if !recipe.to_bytes().starts_with(&file.read()?) {
                return Err(not_ours(path));
            }
            file.cut(0)?;
            file.add(&recipe.to_bytes())?;
        }
        let (mut games, mut records) = (0, 0);
        let failed = |error| Error::Io(named(path, &error));
        let mut from = BufReader::new(file.reader()?);
        match Recipe::read(&mut from).map_err(failed)? {
            Some(found) if found == recipe => {}
            Some(found) => return Err(made_otherwise(path, found)),
            None => return Err(not_ours(path)),
        }
        let mut whole = Games { from, variant };
        loop {
            match whole.next().map_err(failed)? {
                Next::Game(game) => {
                    games += 1;
                    records += game.len() as u64;
                }
                Next::End => break,
                Next::Damage => {
                    return Err(Error::Message(format!(
                        "{}: damaged after {}; choose another name",
                        path.display(),
                        count(games, "game")
                    )));
                }
            }
        }
        drop(whole);
        file.cut(HEAD + 2 * games + record::size(variant) as u64 * records)?;
        Ok(Writer {
            file,
            variant,
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
        let mut bytes = count.to_le_bytes().to_vec();
        for record in game {
            bytes.extend(record.to_bytes(self.variant));
        }
        self.file.add(&bytes)?;
        self.games += 1;
        self.records += game.len() as u64;
        Ok(())
    }

    /// Sees to it that all games are on the disk.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sync(&self) -> Result {
        self.file.sync()
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
        writer.sync().expect("room on the disk");
        drop(writer);
        assert_eq!(std::fs::read(&path).expect("the file"), whole);
        let found = read(&path).expect("our file");
        assert_eq!(found, (Variant::Standard, vec![record; 5]));

        assert!(Writer::open(&path, Recipe { seed: 8, ..recipe }).is_err());
        std::fs::write(&path, b"something else").expect("the file");
        assert!(Writer::open(&path, recipe).is_err() && read(&path).is_err());

        // Cut off in its first bytes, it is begun again; damaged further on, it is kept.
        std::fs::write(&path, &whole[..20]).expect("the file");
        let begun = Writer::open(&path, recipe).expect("the file again");
        assert_eq!(begun.games, 0);
        drop(begun);
        let mut damaged = whole;
        damaged[40..60].fill(0xff);
        std::fs::write(&path, &damaged).expect("the file");
        assert!(Writer::open(&path, recipe).is_err());
        assert_eq!(std::fs::read(&path).expect("the file"), damaged);
        std::fs::remove_file(&path).expect("the file");
    }
}
