//! Images made of pixels, drawn by resvg: PNG, and GIF for animations.

mod animated_gif;
mod changes;
mod palette;

pub use animated_gif::write_gif;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::fmt;

/// The greatest width and height in pixels.
pub const MAX_PIXELS: u32 = 4096;

/// Why there is no image.
#[derive(Debug)]
pub enum NotDrawn {
    /// The image has no pixel, or more than [`MAX_PIXELS`] in a direction.
    Size,
    /// It is not well-formed: a style sheet or a colour of the user's breaks it.
    Svg(String),
    /// It cannot be written.
    Write(std::io::Error),
}

impl fmt::Display for NotDrawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotDrawn::Size => write!(f, "an image has 1 to {MAX_PIXELS} pixels in each direction"),
            NotDrawn::Svg(why) => write!(f, "the image cannot be drawn: {why}"),
            NotDrawn::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotDrawn {}

/// Whether a colour of CSS can be drawn: resvg would draw others in black.
#[cfg(feature = "command")]
pub(crate) fn knows_color(color: &str) -> bool {
    use svgtypes::Paint;
    matches!(Paint::from_str(color), Ok(Paint::None | Paint::Color(_)))
}

/// Draws an SVG image with this many pixels in width; the height follows.
fn pixels(svg: &str, width: u32) -> Result<Pixmap, NotDrawn> {
    let tree = Tree::from_str(svg, &Options::default());
    let tree = tree.map_err(|error| NotDrawn::Svg(error.to_string()))?;
    let size = tree.size();
    let scale = width as f32 / size.width();
    let height = (size.height() * scale).round() as u32;
    if width.max(height) > MAX_PIXELS {
        return Err(NotDrawn::Size);
    }
    let mut pixmap = Pixmap::new(width, height).ok_or(NotDrawn::Size)?;
    // The image fills all rows: a part of one would stay transparent.
    let stretch = Transform::from_scale(scale, height as f32 / size.height());
    resvg::render(&tree, stretch, &mut pixmap.as_mut());
    Ok(pixmap)
}

/// The bytes of a PNG with this many pixels in width.
///
/// ```
/// use diagram::{Diagram, png};
/// use engine_core::Position;
///
/// let start: Position = Position::start();
/// let bytes = png(&Diagram::new(start.board()).svg(), 200)?;
/// assert!(bytes.starts_with(b"\x89PNG"));
/// # Ok::<(), diagram::NotDrawn>(())
/// ```
///
/// # Errors
/// When the image is too large or not well-formed.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, NotDrawn> {
    let encoded = pixels(svg, width)?.encode_png();
    encoded.map_err(|error| NotDrawn::Svg(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Diagram, Evaluation};
    use engine_core::{Color, Position};

    /// Also where the height that follows from the width is no whole number.
    #[test]
    fn all_rows_are_filled() {
        let start: Position = Position::start();
        let mut diagram = Diagram::new(start.board());
        diagram.evaluation = Some(Evaluation::Pawns(0.4));
        diagram.caption = Some("Hi".to_owned());
        for (orientation, border) in [(Color::White, false), (Color::Black, true)] {
            (diagram.orientation, diagram.border) = (orientation, border);
            let svg = diagram.svg();
            for width in [100, 299, 300, 301, 480] {
                let image = pixels(&svg, width).unwrap();
                let solid = image.pixels().iter().all(|pixel| pixel.alpha() == 255);
                assert!(solid, "{width} pixels");
            }
        }
    }
}
