//! The bytes of a table: a mapped file, or memory.

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// The place of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    File(PathBuf),
    /// Built in, under this name.
    Memory(&'static str, &'static [u8]),
}

impl Place {
    /// What to call it in a message.
    pub(crate) fn display(&self) -> String {
        match self {
            Place::File(path) => path.display().to_string(),
            Place::Memory(name, _) => format!("{name} (built in)"),
        }
    }

    pub(crate) fn open(&self) -> io::Result<Source> {
        match self {
            // WebAssembly maps no files.
            Place::File(path) if cfg!(target_family = "wasm") => {
                std::fs::read(path).map(Source::Read)
            }
            Place::File(path) => map(path).map(Source::Map),
            Place::Memory(_, bytes) => Ok(Source::Memory(bytes)),
        }
    }
}

/// The bytes of an open table. A mapped file holds no file descriptor, so any number of tables
/// can be open at once.
#[derive(Debug)]
pub(crate) enum Source {
    Map(Mmap),
    Read(Vec<u8>),
    Memory(&'static [u8]),
}

impl Deref for Source {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        match self {
            Source::Map(map) => map,
            Source::Read(bytes) => bytes,
            Source::Memory(bytes) => bytes,
        }
    }
}

#[expect(unsafe_code, reason = "a memory map cannot be had without")]
fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
    }
    // SAFETY: the map is private and read-only, and its bytes are only ever read as plain bytes
    // whose values are never trusted. Whoever truncates a table while it is in use ends the
    // program, as with every program that maps files; nothing can be done about that here.
    let map = unsafe { Mmap::map(&file)? };
    // Probes jump about, so reading ahead would only fill memory.
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Random);
    Ok(map)
}
