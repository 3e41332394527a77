//! Pictures of boards.

mod text;

pub use text::{TextBoard, square_set};
