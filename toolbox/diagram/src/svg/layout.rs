//! The sizes of an image, and where its parts lie.

use super::diagram::Diagram;
use super::glyph;
use super::pieces::SQUARE;
use engine_core::{Color, Square};

/// The side of the board.
pub(super) const BOARD: f64 = 8.0 * SQUARE;

/// The upper left corner of a square on the board.
pub(super) fn corner(orientation: Color, square: Square) -> (f64, f64) {
    let (file, rank) = (square.file().index() as f64, square.rank().index() as f64);
    match orientation {
        Color::White => (file * SQUARE, (7.0 - rank) * SQUARE),
        Color::Black => ((7.0 - file) * SQUARE, rank * SQUARE),
    }
}

/// Left, top, width and height of what lies between two squares.
pub(super) fn rectangle(orientation: Color, corners: [Square; 2]) -> [f64; 4] {
    let [(x0, y0), (x1, y1)] = corners.map(|square| corner(orientation, square));
    let side = |from: f64, to: f64| (from - to).abs() + SQUARE;
    [x0.min(x1), y0.min(y1), side(x0, x1), side(y0, y1)]
}

/// Width of the evaluation bar, in units of the view box.
pub(super) const BAR: f64 = 16.0;
/// Height of the strip of a side's name and clock.
pub(super) const STRIP: f64 = 32.0;
/// Height of a caption.
pub(super) const CAPTION: f64 = 26.0;
/// Width of the margins around the board and beside texts.
pub(super) const MARGIN: f64 = 8.0;
/// The scale of a caption's letters if it has room; 1 is the size in [`super::glyph`].
pub(super) const CAPTION_SCALE_MAX: f64 = 1.5;
/// The smallest scale that can be read.
pub(super) const CAPTION_SCALE_MIN: f64 = 0.7;

/// How wide a caption is that has room.
pub(super) fn caption_width(caption: &str) -> f64 {
    CAPTION_SCALE_MAX * glyph::width(caption)
}

/// The whole image, and where the board lies in it.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) left: f64,
    pub(super) top: f64,
}

impl Panel {
    /// How much larger the names of files and ranks are, to be read on a board of few pixels.
    pub(super) fn zoom_of_letters(&self, size: Option<u32>) -> f64 {
        size.map_or(1.0, |size| (self.width / f64::from(size)).clamp(1.0, 1.5))
    }

    pub(super) fn of(diagram: &Diagram) -> Panel {
        let has_bar = diagram.evaluation.is_some();
        let has_strips =
            diagram.pockets.is_some() || diagram.checks.is_some() || diagram.clocks.is_some();
        let has_caption = diagram.caption.is_some();
        if !(has_bar || has_strips || has_caption) {
            return Panel {
                width: BOARD,
                height: BOARD,
                left: 0.0,
                top: 0.0,
            };
        }
        let left = if has_bar { BAR + 2.0 * MARGIN } else { MARGIN };
        let top = if has_strips { STRIP + MARGIN } else { MARGIN };
        let bottom = if has_caption { CAPTION } else { MARGIN };
        let strip = if has_strips { STRIP } else { 0.0 };
        Panel {
            width: left + BOARD + MARGIN,
            height: top + BOARD + strip + bottom,
            left,
            top,
        }
    }
}
