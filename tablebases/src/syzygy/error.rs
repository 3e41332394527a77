//! Why a position has no value.

use super::family::{Family, Metric};
use super::table::SyzygyTable;
use crate::Material;
use crate::error::TableError;
use engine_core::{Position, Rules, Variant};
use std::fmt;
use std::sync::Arc;

/// Why a position has no value.
#[derive(Clone, Debug)]
pub enum ProbeError {
    /// There are no tables of this variant.
    Variant(Variant),
    /// None of the open tables is of this variant.
    NoTables(Variant),
    /// Tables have no castling.
    Castling,
    /// More pieces than any table has.
    TooManyPieces {
        /// The pieces on the board.
        pieces: u32,
        /// The most that any table has.
        most: u32,
    },
    /// A table is needed that is not there, for this material on the board.
    Missing(Material, Family, Metric),
    /// The position is not legal, and no table has it.
    Illegal,
    /// A table is needed that cannot be used.
    Broken(Arc<TableError>),
}

impl ProbeError {
    /// Why a table has no value for a position.
    #[cold]
    pub(super) fn of<R: Rules>(
        table: &SyzygyTable,
        error: TableError,
        position: &Position<R>,
    ) -> ProbeError {
        let fault = table.damage.note(error, position);
        fault.map_or(ProbeError::Illegal, ProbeError::Broken)
    }
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProbeError::Variant(variant) => write!(f, "there are no tables for {variant}"),
            ProbeError::NoTables(variant) => write!(f, "none of the tables is for {variant}"),
            ProbeError::Castling => f.write_str("tables have no positions with castling rights"),
            ProbeError::TooManyPieces { pieces, most } => {
                write!(f, "{pieces} pieces, and the tables have up to {most}")
            }
            ProbeError::Missing(material, family, metric) => {
                let (name, suffix) = (material.normalized(), family.suffix(*metric));
                write!(f, "{name}.{suffix} is missing")
            }
            ProbeError::Illegal => f.write_str("the position is not legal"),
            ProbeError::Broken(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ProbeError {}
