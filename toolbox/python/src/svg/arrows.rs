//! Arrows, and circles for arrows from a square to itself.

use super::Element;
use super::parts::SIDE;
use super::picture::Picture;
use diagram::Arrow;
use diagram::parts::ARROWS;
use engine_core::Square;
use engine_core::notation::float;

impl Picture<'_> {
    /// Draws all arrows.
    pub(super) fn draw_arrows<'a>(&'a self, draw: &mut impl FnMut(Element<'a>)) {
        for arrow in &self.diagram.arrows {
            // A colour that has no name is drawn as it is, transparency and all.
            let (color, opacity) = if ARROWS.contains(&arrow.color.as_str()) {
                self.color(&format!("arrow {}", arrow.color))
                    .unwrap_or_default()
            } else {
                (arrow.color.as_str(), 1.0)
            };
            if arrow.tail == arrow.head {
                draw(self.circle(arrow.head, color).with_opacity(opacity));
            } else {
                for part in self.arrow(arrow, color) {
                    draw(part.with_opacity(opacity));
                }
            }
        }
    }

    fn middle(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        let half = f64::from(SIDE) / 2.0;
        (f64::from(x) + half, f64::from(y) + half)
    }

    fn circle<'a>(&self, square: Square, color: &'a str) -> Element<'a> {
        let (side, (x, y)) = (f64::from(SIDE), self.middle(square));
        Element::new(
            "circle",
            [
                ("cx", x.into()),
                ("cy", y.into()),
                ("r", (side * 0.9 / 2.0).into()),
                ("stroke-width", (side * 0.1).into()),
                ("stroke", color.into()),
                ("fill", "none".into()),
                ("class", "circle".into()),
            ],
        )
    }

    /// The shaft and the head.
    fn arrow<'a>(&self, arrow: &Arrow, color: &'a str) -> [Element<'a>; 2] {
        let side = f64::from(SIDE);
        let (tail, head) = (self.middle(arrow.tail), self.middle(arrow.head));
        let (size, margin) = (0.75 * side, 0.1 * side);
        let (dx, dy) = (head.0 - tail.0, head.1 - tail.1);
        let length = dx.hypot(dy);
        let back = |far: f64| (head.0 - dx * far / length, head.1 - dy * far / length);
        let (neck, tip) = (back(size + margin), back(margin));
        let (across, along) = (dy * 0.5 * size / length, dx * 0.5 * size / length);
        let line = Element::new(
            "line",
            [
                ("x1", tail.0.into()),
                ("y1", tail.1.into()),
                ("x2", neck.0.into()),
                ("y2", neck.1.into()),
                ("stroke", color.into()),
                ("stroke-width", (side * 0.2).into()),
                ("stroke-linecap", "butt".into()),
                ("class", "arrow".into()),
            ],
        );
        let points = [
            tip,
            (neck.0 + across, neck.1 - along),
            (neck.0 - across, neck.1 + along),
        ];
        let points = points
            .map(|(x, y)| format!("{},{}", float(x), float(y)))
            .join(" ");
        let head = Element::new(
            "polygon",
            [
                ("points", points.into()),
                ("fill", color.into()),
                ("class", "arrow".into()),
            ],
        );
        [line, head]
    }
}
