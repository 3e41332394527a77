//! Why tables cannot be used.

use std::{fmt, io};

/// Why a table cannot be used.
#[derive(Debug)]
pub struct TableError {
    table: String,
    fault: TableFault,
}

/// What is wrong with a table.
#[derive(Debug)]
pub enum TableFault {
    /// It cannot be read.
    Io(io::Error),
    /// Its length in bytes is impossible for a table.
    Length(usize),
    /// It does not begin as a table of its name does.
    Magic,
    /// Its headers do not fit its name or its length, or its values lead nowhere.
    Corrupt(&'static str),
    /// The checksum at its end is not that of its contents.
    Checksum,
}

impl TableError {
    pub(crate) fn new(table: String, fault: TableFault) -> TableError {
        TableError { table, fault }
    }

    /// What is wrong.
    pub fn fault(&self) -> &TableFault {
        &self.fault
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.table, self.fault)
    }
}

impl std::error::Error for TableError {}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFault::Io(error) => error.fmt(f),
            TableFault::Length(length) => {
                write!(
                    f,
                    "{length} bytes is not a possible size of a Syzygy table; is the file complete?"
                )
            }
            TableFault::Magic => {
                f.write_str("the magic number is not that of a table of this name")
            }
            TableFault::Corrupt(what) => write!(f, "corrupt: {what}"),
            TableFault::Checksum => f.write_str("corrupt: wrong checksum"),
        }
    }
}
