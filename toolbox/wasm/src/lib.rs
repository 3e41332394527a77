//! Mola as modules of WebAssembly for pages: with the feature `rules` [`answer`] for rules, PGN and
//! pictures, with the feature `engine` UCI. The scripts that use them are `js/rules.js` and
//! `js/worker.js`.
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
