//! Mola in a page, as one module of WebAssembly or two: with the feature `rules` there is [`answer`],
//! which is rules, PGN and pictures, with the feature `engine` there is UCI. `js/mola.js` and
//! `js/worker.js` are the other end.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod exports;
#[cfg(feature = "rules")]
mod games;
#[cfg(feature = "rules")]
mod picture;
#[cfg(feature = "rules")]
mod position;
#[cfg(feature = "rules")]
mod requests;

#[cfg(feature = "rules")]
pub use requests::answer;
