//! Why tables cannot be used.

use engine_core::{Position, Rules};
use std::sync::{Arc, OnceLock};
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

/// What probes of an open table have found to be wrong with it, if anything.
#[derive(Debug, Default)]
pub(crate) struct Damage(OnceLock<Arc<TableError>>);

impl Damage {
    /// Keeps the first fault that a probe of a legal position has found, and gives it. `None` if the position
    /// is not legal: then the table is not to blame.
    #[cold]
    pub(crate) fn note<R: Rules>(
        &self,
        error: TableError,
        position: &Position<R>,
    ) -> Option<Arc<TableError>> {
        let faults = Position::<R>::faults_of(&position.to_setup(), position.mode());
        let fault = || Arc::clone(self.0.get_or_init(|| Arc::new(error)));
        faults.is_empty().then(fault)
    }

    pub(crate) fn get(&self) -> Option<&TableError> {
        self.0.get().map(Arc::as_ref)
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
