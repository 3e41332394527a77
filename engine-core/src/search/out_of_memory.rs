//! The error of a searcher that is smaller than was asked for.

use std::error::Error;
use std::fmt;

/// The system has not enough memory, nor threads, for a searcher as large as was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfMemory {
    /// A transposition table of `wanted` MB; it has `got` MB.
    Hash {
        /// The size that was asked for.
        wanted: usize,
        /// The size that was allocated.
        got: usize,
    },
    /// This number of threads; fewer were started.
    Threads {
        /// The number that was asked for.
        wanted: usize,
        /// The number that was started.
        got: usize,
    },
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutOfMemory::Hash { wanted, got } => {
                write!(
                    f,
                    "no memory for a hash table of {wanted} MB, only for {got} MB"
                )
            }
            OutOfMemory::Threads { wanted, got } => {
                write!(f, "no memory for {wanted} search threads, only for {got}")
            }
        }
    }
}

impl Error for OutOfMemory {}
