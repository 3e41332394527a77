//! What the engine and the tools around it share: errors, files, lines of input and output,
//! positions and moves as people write them, progress, signals and random numbers.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod arguments;
pub mod ascii;
#[cfg(feature = "bars")]
pub mod bars;
pub mod batch;
pub mod console;
pub mod control_characters;
pub mod count;
pub mod date;
pub mod error;
pub mod error_text;
pub mod files;
pub mod input;
pub mod interval;
pub mod json;
pub mod locale;
pub mod note;
pub mod option_value;
pub mod output;
pub mod parallel;
pub mod progress;
pub mod random;
pub mod shard;
pub mod side;
pub mod signals;
pub mod threads;
#[cfg(feature = "window")]
pub mod window;

/// Name and version, as GUIs show them.
pub const ENGINE_NAME: &str = concat!("Mola ", env!("CARGO_PKG_VERSION"));
