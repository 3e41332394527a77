//! Opening an existing book.

use book::{Book, BookEntry};
use common::error::{Error, Result};
use common::files;
use std::path::Path;

/// Opens a book, which may be damaged, and surveys it.
pub(super) fn open_any(path: &Path) -> Result<Book> {
    files::refuse_stdout(&[path])?;
    if !files::is_dash(path) && path.is_file() {
        return Ok(Book::open(path).map_err(|error| files::named(path, &error))?);
    }
    // Only files can be mapped.
    files::read_input(path)
        .map(Book::from_bytes)
        .map_err(Error::from)
}

/// Opens a file that is a book.
pub(super) fn open(path: &Path) -> Result<Book> {
    let book = open_any(path)?;
    let is_whole = book.bytes().len().is_multiple_of(BookEntry::SIZE);
    if is_whole && book.iter().is_sorted_by_key(|entry| entry.key) {
        return Ok(book);
    }
    let name = files::input_name(path);
    Err(Error::Message(format!(
        "{name} is no book in Polyglot's format, or a damaged one; `mola book make` makes books of \
         games"
    )))
}
