//! The part of an image that differs from the previous one.

use resvg::tiny_skia::Pixmap;

/// A rectangle of pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Area {
    pub(super) left: usize,
    pub(super) top: usize,
    /// The first column and row beyond it.
    pub(super) right: usize,
    pub(super) bottom: usize,
}

impl Area {
    /// The smallest area with all differences of two images; one pixel if they are the same,
    /// the least size of a GIF frame.
    pub(super) fn of_changes(before: &Pixmap, after: &Pixmap) -> Area {
        let width = after.width() as usize;
        let mut area: Option<Area> = None;
        let pairs = before.pixels().iter().zip(after.pixels());
        for (place, _) in pairs.enumerate().filter(|(_, (one, other))| one != other) {
            let (x, y) = (place % width, place / width);
            let pixel = Area {
                left: x,
                top: y,
                right: x + 1,
                bottom: y + 1,
            };
            area = Some(area.map_or(pixel, |area| area.with(pixel)));
        }
        area.unwrap_or(Area {
            left: 0,
            top: 0,
            right: 1,
            bottom: 1,
        })
    }

    /// The whole image.
    pub(super) fn all(image: &Pixmap) -> Area {
        Area {
            left: 0,
            top: 0,
            right: image.width() as usize,
            bottom: image.height() as usize,
        }
    }

    fn with(self, other: Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The indices of its pixels in an image of this width.
    pub(super) fn places(self, width: usize) -> impl Iterator<Item = usize> {
        (self.top..self.bottom)
            .flat_map(move |y| (self.left..self.right).map(move |x| y * width + x))
    }
}
