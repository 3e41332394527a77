//! Gaviota tables: the distance to mate, for up to 5 pieces of standard chess, without regard to
//! the fifty-move rule.
//!
//! ```no_run
//! use engine_core::{CastlingMode, Position, Setup};
//! use tablebases::{Gaviota, Mate};
//!
//! let mut tables = Gaviota::new();
//! tables.add_path("/tables/gaviota")?;
//! let setup = Setup::from_fen("8/8/8/8/8/8/8/K2kr3 w - - 0 1")?;
//! let position: Position = Position::from_setup(&setup, CastlingMode::Standard)?;
//! assert_eq!(tables.mate(&position)?, Mate::Loss(10));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cache;
mod index;
mod probe;
mod scheme;
mod table;
mod verify;

pub use probe::{GaviotaError, Mate};
pub use scheme::Scheme;
pub(crate) use verify::verify;

use crate::Material;
use crate::error::TableError;
use crate::paths::{MissingPath, files_in};
use crate::source::{TableLocation, fault, open_first};
use cache::BlockCache;
use index::GaviotaIndex;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use table::GaviotaTable;

/// Any number of Gaviota tables, opened when they are first wanted. Threads can share it.
#[derive(Debug, Default)]
pub struct Gaviota {
    slots: Vec<Slot>,
    /// By material, with the side that the table names first as White.
    by_material: HashMap<Material, usize>,
    blocks: BlockCache,
    most_pieces: u32,
}

/// A table that may have been opened.
#[derive(Debug)]
struct Slot {
    place: (Scheme, TableLocation),
    /// Where else it is, should that file be broken.
    spare: Vec<(Scheme, TableLocation)>,
    material: Material,
    layout: GaviotaIndex,
    table: OnceLock<Result<GaviotaTable, Arc<TableError>>>,
}

impl Gaviota {
    /// A collection without tables.
    pub fn new() -> Gaviota {
        Gaviota::default()
    }

    /// Adds the tables in a folder and its sub-folders, or one file, and returns how many there
    /// were. Of a table in several compression schemes the smallest is used that can be opened. No
    /// table is opened yet.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn add_path(&mut self, path: impl AsRef<Path>) -> Result<usize, MissingPath> {
        let mut count = 0;
        for file in files_in(path.as_ref())? {
            if let Some((scheme, material)) = name_of(&file) {
                count += usize::from(self.add(scheme, material, TableLocation::File(file)));
            }
        }
        Ok(count)
    }

    fn add(&mut self, scheme: Scheme, material: Material, place: TableLocation) -> bool {
        let Some(layout) = GaviotaIndex::new(material) else {
            return false;
        };
        let standing = self.by_material.get(&material);
        if let Some(standing) = standing.and_then(|&at| self.slots.get_mut(at)) {
            standing.add((scheme, place));
            return true;
        }
        self.by_material.insert(material, self.slots.len());
        self.slots.push(Slot {
            place: (scheme, place),
            spare: Vec::new(),
            material,
            layout,
            table: OnceLock::new(),
        });
        self.most_pieces = self.most_pieces.max(material.pieces());
        true
    }

    /// The most pieces of any table; 0 when there are none.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The tables that there are.
    pub fn tables(&self) -> impl Iterator<Item = (Material, Scheme)> {
        self.slots.iter().map(|slot| (slot.material, slot.place.0))
    }

    /// As [`Tables::broken`](crate::Tables::broken).
    pub fn broken(&self) -> Option<&TableError> {
        let mut slots = self.slots.iter();
        slots.find_map(|slot| fault(&slot.table, |table| table.damage.get()))
    }
}

impl Slot {
    /// Adds a place.
    fn add(&mut self, mut place: (Scheme, TableLocation)) {
        if self.place.0 < place.0 {
            std::mem::swap(&mut self.place, &mut place);
        }
        self.spare.push(place);
        self.table.take();
    }

    fn open(&self) -> Result<&GaviotaTable, Arc<TableError>> {
        let open = |(scheme, place): &(Scheme, TableLocation)| {
            GaviotaTable::open(place, *scheme, &self.layout)
        };
        let open = || open_first(&self.place, &self.spare, open);
        self.table.get_or_init(open).as_ref().map_err(Arc::clone)
    }
}

/// The scheme and material by the name of a file, such as `krkp.gtb.cp4`.
fn name_of(path: &Path) -> Option<(Scheme, Material)> {
    let name = path.file_name()?.to_str()?;
    let (pieces, suffix) = name.split_once('.')?;
    let scheme = Scheme::ALL
        .into_iter()
        .find(|scheme| scheme.suffix() == suffix)?;
    if pieces.contains(|letter: char| !letter.is_ascii_lowercase()) {
        return None;
    }
    let second = 1 + pieces.get(1..)?.find('k')?;
    let (white, black) = pieces.split_at_checked(second)?;
    let material = format!("{white}v{black}").to_uppercase().replace('V', "v");
    Some((scheme, material.parse().ok()?))
}
