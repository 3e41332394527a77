//! The bytes of a book: a file in a memory map, or memory.

use memmap2::Mmap;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Bytes that do not change.
pub enum Data {
    /// A file in a memory map.
    Mapped(Mmap),
    /// Memory.
    Owned(Vec<u8>),
}

impl Data {
    /// Maps a file.
    ///
    /// # Errors
    /// When it cannot be opened or is no plain file: a pipe or a device may have no end.
    #[expect(unsafe_code, reason = "a memory map: a large book opens at once")]
    pub fn open(path: &Path) -> io::Result<Data> {
        // Before it is opened, for which a pipe waits.
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            return Err(io::Error::other("not a file"));
        }
        // Not every system can map an empty file, and WebAssembly cannot map at all.
        if metadata.len() == 0 || cfg!(target_family = "wasm") {
            return fs::read(path).map(Data::Owned);
        }
        let file = File::open(path)?;
        // SAFETY: the map is read-only and private to this struct, which hands out bytes, for
        // which any value is valid. Whoever cuts the file short while it is in use ends this
        // process, as with every program that maps it; writers replace books by renaming.
        unsafe { Mmap::map(&file) }.map(Data::Mapped)
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Data::Mapped(map) => map,
            Data::Owned(bytes) => bytes,
        }
    }
}
