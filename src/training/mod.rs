//! Games that Mola played against itself, as the evaluation learns from them.

pub mod data;
pub mod progress;
pub mod random;
pub mod record;
