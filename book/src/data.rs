//! The bytes of a book: in memory, or a large file in a memory map.

use memmap2::Mmap;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Files of up to this many bytes, nearly all books, are read: they may then be overwritten in place, as a plain
/// copy does, while an engine plays from them.
const MAX_READ: u64 = 64 << 20;

/// Bytes that do not change.
pub enum Data {
    /// A file in a memory map.
    Mapped(Mmap),
    /// Memory.
    Owned(Vec<u8>),
}

impl Data {
    /// Reads a file, or maps a large one.
    ///
    /// # Errors
    /// When it cannot be opened or is no plain file: a pipe or a device may have no end.
    #[expect(unsafe_code, reason = "a memory map: a large book opens at once")]
    pub fn open(path: impl AsRef<Path>) -> io::Result<Data> {
        let path = path.as_ref();
        // Before it is opened, for which a pipe waits.
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            return Err(io::Error::other("not a file"));
        }
        // WebAssembly cannot map at all.
        if metadata.len() <= MAX_READ || cfg!(target_family = "wasm") {
            return fs::read(path).map(Data::Owned);
        }
        let file = File::open(path)?;
        // SAFETY: the map is read-only and private to this struct, which hands out bytes, for
        // which any value is valid. Whoever cuts the file short while it is in use ends this
        // process, as with every program that maps it; Mola replaces books by renaming.
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
