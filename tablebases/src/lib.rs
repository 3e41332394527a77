//! Endgame tables: [Syzygy](syzygy) in four families of variants, from files or memory.
//!
//! Tables are read where they lie, opened when they are first wanted, and shared by any number of
//! threads. A broken or missing file is an error value, never a crash.

mod material;
mod paths;
mod source;
pub mod syzygy;
mod wdl;

pub use material::{Material, ParseMaterialError};
pub use paths::{MissingPath, split_paths};
pub use syzygy::{ProbeError, RankedMove, Tablebase};
pub use wdl::Wdl;
