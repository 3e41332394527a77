//! The bytes of a table: a mapped file, or memory.

use crate::error::TableError;
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The place of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TableLocation {
    File(PathBuf),
    /// Built in, under this name.
    Memory(&'static str, &'static [u8]),
}

impl TableLocation {
    /// What to call it in a message.
    pub(crate) fn display(&self) -> String {
        match self {
            TableLocation::File(path) => path.display().to_string(),
            TableLocation::Memory(name, _) => format!("{name} (built in)"),
        }
    }

    pub(crate) fn open(&self) -> io::Result<TableBytes> {
        match self {
            TableLocation::File(path) => open(path),
            TableLocation::Memory(_, bytes) => Ok(TableBytes::Memory(bytes)),
        }
    }
}

/// Opens a table at the first of its places that has a sound one. The error is that of the place
/// before all spare ones.
pub(crate) fn open_first<P, T>(
    place: &P,
    spare: &[P],
    open: impl Fn(&P) -> Result<T, TableError>,
) -> Result<T, Arc<TableError>> {
    let others = || spare.iter().find_map(|place| open(place).ok());
    open(place).or_else(|error| others().ok_or_else(|| Arc::new(error)))
}

/// What is wrong with a table, if it was wanted and could not be opened, or a probe has found
/// damage in it.
pub(crate) fn fault<T>(
    table: &OnceLock<Result<T, Arc<TableError>>>,
    damage: impl Fn(&T) -> Option<&TableError>,
) -> Option<&TableError> {
    match table.get()? {
        Ok(table) => damage(table),
        Err(error) => Some(error),
    }
}

/// The bytes of an open table. A mapped file holds no file descriptor, so any number of tables
/// can be open at once.
#[derive(Debug)]
pub(crate) enum TableBytes {
    Map(Mmap),
    Read(Vec<u8>),
    Memory(&'static [u8]),
}

impl Deref for TableBytes {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        match self {
            TableBytes::Map(map) => map,
            TableBytes::Read(bytes) => bytes,
            TableBytes::Memory(bytes) => bytes,
        }
    }
}

fn open(path: &Path) -> io::Result<TableBytes> {
    // Before it is opened, for which a pipe waits.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
    }
    // WebAssembly maps no files.
    if cfg!(target_family = "wasm") {
        return std::fs::read(path).map(TableBytes::Read);
    }
    map(path).map(TableBytes::Map)
}

#[expect(unsafe_code, reason = "a memory map cannot be had without")]
fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the map is read-only, and its bytes are only ever read as plain bytes whose values are
    // never trusted: if another program writes to the file, probes may be wrong, but not unsound.
    // Whoever truncates a table while it is in use ends the program, as with every program that
    // maps files; nothing can be done about that here.
    let map = unsafe { Mmap::map(&file)? };
    // Probes jump about, so reading ahead would only fill memory.
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Random);
    Ok(map)
}
