//! Endgame tables: [Syzygy](syzygy) in four families of variants, and [Gaviota](gaviota).
//!
//! Tables are read where they lie, opened when they are first wanted, and shared by any number of
//! threads. A broken or missing file is an error value, never a crash.

mod builtin;
mod error;
pub mod gaviota;
pub mod generate;
mod material;
mod paths;
#[cfg(feature = "search")]
mod search;
mod source;
pub mod syzygy;
mod tables;
mod verify;
mod wdl;

pub use error::{TableError, TableFault};
pub use gaviota::{Gaviota, GaviotaError, Mate};
pub use material::{Material, ParseMaterialError};
pub use paths::{MissingPath, split_paths};
pub use syzygy::{ProbeError, RankedMove, Tablebase};
pub use tables::Tables;
pub use verify::{TableFile, table_files};
pub use wdl::Wdl;
