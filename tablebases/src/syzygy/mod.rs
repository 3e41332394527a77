//! Syzygy tables: win, draw or loss, and the distance to the next capture or pawn move, both
//! with regard to the fifty-move rule.
//!
//! ```no_run
//! use engine_core::{CastlingMode, Position, Setup, Standard};
//! use tablebases::{Tablebase, Wdl};
//!
//! let mut tables = Tablebase::new();
//! tables.add_path("/tables/syzygy")?;
//! let setup = Setup::from_fen("8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1")?;
//! let position: Position = Position::from_setup(&setup, CastlingMode::Standard)?;
//! assert_eq!(tables.wdl(&position)?, Wdl::Loss);
//! assert_eq!(tables.dtz(&position)?, -53);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
pub(crate) mod checksum;
mod children;
mod error;
mod family;
pub(crate) mod index;
mod losing;
mod pairs;
mod probe;
mod root;
mod squares;
mod table;
mod tablebase;

pub use error::ProbeError;
pub use family::{Family, Metric};
pub use root::RankedMove;
pub(crate) use table::verify;
pub use tablebase::Tablebase;
