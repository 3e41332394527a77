//! What is wrong with a query.

use std::fmt;

/// Why a text is no query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError {
    /// Where the fault is, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.reason)
    }
}

impl std::error::Error for QueryError {}
