//! Boards as images and as text.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

#[cfg(feature = "command")]
pub mod command;
#[cfg(feature = "raster")]
mod raster;
mod svg;
mod text;

#[cfg(feature = "raster")]
pub use raster::{MAX_PIXELS, NotDrawn, png, write_gif};
pub use svg::parts;
pub use svg::{
    Animation, AnimationStep, Arrow, Diagram, Evaluation, InHand, ParseArrowError, Theme,
    UnknownTheme, is_css_color, piece_svg,
};
pub use text::{TextBoard, TextFrame};
