//! Endgame tables: [Syzygy](syzygy) in four families of variants, and [Gaviota](gaviota).
//!
//! Tables are read where they lie, opened when they are first wanted, and shared by any number of
//! threads. A broken or missing file is an error value, never a crash; but a file must not
//! be truncated while it is open, as it is memory-mapped.
//!
//! ```
//! use engine_core::{AnyPosition, CastlingMode, Variant};
//! use tablebases::{Mate, Tables, Wdl};
//!
//! // Those of up to three pieces are built in; `Tables::open` adds folders.
//! let tables = Tables::builtin();
//! let fen = "8/8/8/8/8/1k6/7R/K7 w - - 0 1";
//! let position = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard)?;
//! assert_eq!(tables.syzygy.probe_wdl(&position)?, Wdl::Win);
//! assert!(matches!(tables.probe_mate(&position), Some(Mate::Win(_))));
//! let best = tables.syzygy.probe_moves(&position)?[0];
//! assert_eq!(best.wdl, Wdl::Win);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
