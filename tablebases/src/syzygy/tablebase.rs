//! A collection of tables.

use super::error::ProbeError;
use super::family::{Family, Metric};
use super::table::SyzygyTable;
use crate::Material;
use crate::error::TableError;
use crate::paths::{MissingPath, files_in};
use crate::source::{TableLocation, fault, open_first};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Any number of tables of all families, opened when they are first wanted.
///
/// Probing needs no lock: any number of threads can share a collection.
#[derive(Debug, Default)]
pub struct Tablebase {
    families: [FamilyTables; 4],
}

/// The tables of one family.
#[derive(Debug, Default)]
struct FamilyTables {
    /// By material, with either side as White.
    by_material: HashMap<Material, [Option<u32>; 2], BuildHasherDefault<KeyHasher>>,
    slots: Vec<Slot>,
    most_pieces: u32,
}

/// A table that may have been opened.
#[derive(Debug)]
struct Slot {
    place: TableLocation,
    /// Where else it is, should that file be broken.
    spare: Vec<TableLocation>,
    /// By the file's name.
    material: Material,
    metric: Metric,
    origin: Origin,
    table: OnceLock<Result<SyzygyTable, Arc<TableError>>>,
}

/// Whose file it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Origin {
    /// One of another family, which serves without pawns, too.
    Borrowed,
    /// One of the family's own, which comes first.
    Own,
}

/// Where a file comes among others of its origin for the same table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Priority {
    /// Before them.
    First,
    /// After them, should they be broken.
    Spare,
}

/// Spreads the bits of a material, which is a number already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        // Fibonacci hashing; the map takes bits from both ends.
        let product = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }
}

impl Tablebase {
    /// A collection without tables.
    pub fn new() -> Tablebase {
        Tablebase::default()
    }

    /// Adds the tables in a folder and its sub-folders, or one file, and returns how many there
    /// were. Of two tables of the same name the one that was added first counts, unless it cannot
    /// be opened. No table is opened yet.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn add_path(&mut self, path: impl AsRef<Path>) -> Result<usize, MissingPath> {
        self.add_files(path.as_ref(), Priority::Spare)
    }

    /// As [`Tablebase::add_path`], but of two tables of the same name the one that was added last counts, as
    /// in python-chess.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn replace_path(&mut self, path: impl AsRef<Path>) -> Result<usize, MissingPath> {
        self.add_files(path.as_ref(), Priority::First)
    }

    fn add_files(&mut self, path: &Path, priority: Priority) -> Result<usize, MissingPath> {
        let mut count = 0;
        for file in files_in(path)? {
            if let Some((family, metric, material)) = Family::of_file(&file) {
                self.add(
                    family,
                    metric,
                    material,
                    &TableLocation::File(file),
                    priority,
                );
                count += 1;
            }
        }
        Ok(count)
    }

    /// Adds a table that lies in memory, such as one that is part of the program, under the name
    /// that its file would have. Tells whether that is the name of a table.
    pub fn add_bytes(&mut self, name: &'static str, bytes: &'static [u8]) -> bool {
        let Some((family, metric, material)) = Family::of_file(Path::new(name)) else {
            return false;
        };
        let place = TableLocation::Memory(name, bytes);
        self.add(family, metric, material, &place, Priority::Spare);
        true
    }

    fn add(
        &mut self,
        family: Family,
        metric: Metric,
        material: Material,
        place: &TableLocation,
        priority: Priority,
    ) {
        self.families[family as usize].add(metric, material, place, Origin::Own, priority);
        if let Some(other) = family.pawnless_family()
            && !material.has_pawns()
        {
            self.families[other as usize].add(metric, material, place, Origin::Borrowed, priority);
        }
    }

    /// The most pieces of any table of a family; 0 when there are none.
    pub fn most_pieces(&self, family: Family) -> u32 {
        self.families[family as usize].most_pieces
    }

    /// The number of a family's own tables of this kind.
    pub fn count(&self, family: Family, metric: Metric) -> usize {
        self.tables(family)
            .filter(|&(_, each)| each == metric)
            .count()
    }

    /// Whether there is no table at all.
    pub fn is_empty(&self) -> bool {
        self.families.iter().all(|tables| tables.slots.is_empty())
    }

    /// The tables that are a family's own.
    pub fn tables(&self, family: Family) -> impl Iterator<Item = (Material, Metric)> {
        let slots = self.families[family as usize].slots.iter();
        slots
            .filter(|slot| slot.origin == Origin::Own)
            .map(|slot| (slot.material.normalized(), slot.metric))
    }

    /// As [`Tables::broken`](crate::Tables::broken).
    pub fn broken(&self) -> Option<&TableError> {
        let mut slots = self.families.iter().flat_map(|tables| &tables.slots);
        slots.find_map(|slot| fault(&slot.table, |table| table.damage.get()))
    }

    /// What captures and promotions lead to from the tables that there are, but has no WDL table, by
    /// which both kinds are resolved: each such material with one that needs it. Probes that run
    /// into these find nothing.
    pub fn missing_children(&self, family: Family) -> Vec<(Material, Material)> {
        let tables = &self.families[family as usize];
        let mut missing = Vec::new();
        let mut own: Vec<_> = self.tables(family).map(|(material, _)| material).collect();
        own.sort_by_key(|material| (material.pieces(), material.to_string()));
        for material in own {
            for child in family.children(material) {
                let has = tables.by_material.get(&child);
                let has = has.is_some_and(|slots| slots[Metric::Wdl as usize].is_some());
                let known = missing.iter().any(|&(other, _)| other == child);
                if family.allows(child) && !has && !known {
                    missing.push((child, material));
                }
            }
        }
        missing
    }

    /// The table for some material, opened if it was not.
    #[inline]
    pub(super) fn table(
        &self,
        family: Family,
        metric: Metric,
        material: Material,
    ) -> Result<&SyzygyTable, ProbeError> {
        let tables = &self.families[family as usize];
        let slot = tables
            .by_material
            .get(&material)
            .and_then(|slots| tables.slots.get(slots[metric as usize]? as usize))
            .ok_or(ProbeError::Missing(material, family, metric))?;
        let opened = slot.table.get_or_init(|| {
            open_first(&slot.place, &slot.spare, |place| {
                SyzygyTable::open(place, family, metric, slot.material)
            })
        });
        opened
            .as_ref()
            .map_err(|error| ProbeError::Broken(Arc::clone(error)))
    }
}

impl FamilyTables {
    fn add(
        &mut self,
        metric: Metric,
        material: Material,
        place: &TableLocation,
        origin: Origin,
        priority: Priority,
    ) {
        let slots = self.by_material.entry(material).or_default();
        let standing = slots[metric as usize].and_then(|at| self.slots.get_mut(at as usize));
        if let Some(standing) = standing {
            standing.add(place, origin, priority);
            return;
        }
        slots[metric as usize] = Some(self.slots.len() as u32);
        let slots = *slots;
        self.by_material.insert(material.swapped(), slots);
        self.most_pieces = self.most_pieces.max(material.pieces());
        self.slots.push(Slot {
            place: place.clone(),
            spare: Vec::new(),
            material,
            metric,
            origin,
            table: OnceLock::new(),
        });
    }
}

impl Slot {
    /// Adds a place. A family's own table comes before one that it borrows.
    fn add(&mut self, place: &TableLocation, origin: Origin, priority: Priority) {
        let mut spare = place.clone();
        if origin > self.origin || origin == self.origin && priority == Priority::First {
            std::mem::swap(&mut self.place, &mut spare);
            self.origin = origin;
        }
        self.spare.push(spare);
        self.table.take();
    }
}
