//! Parts of images, for programs that draw their own.

use diagram::parts::{define_piece, push_word, word_width};
use engine_core::Piece;

/// The side of a square.
pub(super) const SIDE: i32 = 45;

/// The cross on a marked square.
pub const CROSS: &str = r##"<g id="xx"><path d="M11 11l23 23m0-23l-23 23" fill="none" stroke="#000" stroke-width="3" stroke-linecap="round"/></g>"##;

/// The glow around a king in check.
pub const CHECK_GRADIENT: &str = r##"<radialGradient id="check_gradient" r=".5"><stop offset="0" stop-color="#f00" stop-opacity="1"/><stop offset=".5" stop-color="#e70000" stop-opacity="1"/><stop offset="1" stop-color="#9e0000" stop-opacity="0"/></radialGradient>"##;

/// A piece by itself.
pub fn piece(piece: Piece) -> String {
    let mut text = begin_piece(piece);
    define_piece(piece.role, &mut text);
    text + "</g>"
}

/// The name of a file or rank in the middle of a square.
pub fn coordinate(name: &str) -> String {
    let middle = f64::from(SIDE) / 2.0;
    let mut text = r#"<g fill="none" stroke="currentColor" stroke-width="1.1">"#.to_owned();
    push_word(
        name,
        middle - word_width(name) / 2.0,
        middle - 3.0,
        1.0,
        &mut text,
    );
    text + "</g>"
}

/// The group of a piece with its name and its colours.
pub(super) fn begin_piece(piece: Piece) -> String {
    let ink = if piece.color.is_white() {
        r##"fill="#fff" stroke="#1f1a16" color="#1f1a16""##
    } else {
        r##"fill="#3d3734" stroke="#12100e" color="#e9dfd2""##
    };
    let (id, color, shape) = (id(piece), piece.color.name(), piece.role.name());
    format!(
        r#"<g id="{id}" class="{color} {shape}" {ink} stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round">"#
    )
}

/// The name of a piece's group.
pub(super) fn id(piece: Piece) -> String {
    format!("{}-{}", piece.color.name(), piece.role.name())
}
