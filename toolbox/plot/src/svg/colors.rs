//! Colours of light pages, and what becomes of them on dark ones. Each has a contrast of at least
//! 4.5 to its background; the grid alone has less.

use plotters::style::RGBColor;
use std::fmt::Write;

pub(super) const BACKGROUND: RGBColor = RGBColor(0xff, 0xff, 0xff);
pub(super) const INK: RGBColor = RGBColor(0x22, 0x22, 0x26);
pub(super) const GRID: RGBColor = RGBColor(0xdc, 0xdc, 0xe0);
pub(super) const RULE: RGBColor = RGBColor(0x6a, 0x6a, 0x72);

/// Those of curves, the ones that everybody can tell apart first.
pub(super) const CURVES: [RGBColor; crate::figure::MAX_SERIES] = [
    RGBColor(0x0b, 0x62, 0xa8),
    RGBColor(0xb3, 0x45, 0x00),
    RGBColor(0x1a, 0x73, 0x46),
    RGBColor(0x8a, 0x2f, 0x9a),
    RGBColor(0x6b, 0x5a, 0x00),
    RGBColor(0xb0, 0x1e, 0x4a),
    RGBColor(0x00, 0x6c, 0x7a),
    RGBColor(0x5a, 0x5a, 0x5a),
];

/// The same in the dark, in the order of all of the above.
const DARK: [RGBColor; 12] = [
    RGBColor(0x17, 0x19, 0x1d),
    RGBColor(0xe6, 0xe6, 0xea),
    RGBColor(0x3a, 0x3d, 0x44),
    RGBColor(0x9a, 0x9d, 0xa6),
    RGBColor(0x6c, 0xb4, 0xf5),
    RGBColor(0xf2, 0x99, 0x5b),
    RGBColor(0x6a, 0xcf, 0x98),
    RGBColor(0xd6, 0x94, 0xe4),
    RGBColor(0xd9, 0xc2, 0x55),
    RGBColor(0xf5, 0x8c, 0xad),
    RGBColor(0x5c, 0xc9, 0xd6),
    RGBColor(0xb8, 0xb8, 0xb8),
];

fn all() -> impl Iterator<Item = RGBColor> {
    [BACKGROUND, INK, GRID, RULE].into_iter().chain(CURVES)
}

/// The rules that turn the colours of the picture into those for the dark.
pub(super) fn style() -> String {
    let name = |RGBColor(r, g, b): RGBColor| format!("#{r:02X}{g:02X}{b:02X}");
    let mut rules = String::new();
    for (light, dark) in all().zip(DARK) {
        let (light, dark) = (name(light), name(dark));
        for what in ["fill", "stroke"] {
            // Writing to a string cannot fail.
            let _ = write!(rules, ".mola-plot [{what}=\"{light}\"]{{{what}:{dark}}}");
        }
    }
    format!(".mola-plot{{max-width:100%;height:auto}}@media (prefers-color-scheme:dark){{{rules}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contrast of two colours as the Web Content Accessibility Guidelines compute it.
    fn contrast(a: RGBColor, b: RGBColor) -> f64 {
        let light = |RGBColor(r, g, b): RGBColor| {
            let [r, g, b] = [r, g, b].map(|part| {
                let part = f64::from(part) / 255.0;
                if part <= 0.04045 {
                    part / 12.92
                } else {
                    ((part + 0.055) / 1.055).powf(2.4)
                }
            });
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn all_can_be_seen() {
        let light: Vec<RGBColor> = all().collect();
        assert_eq!(light.len(), DARK.len());
        for colors in [light.as_slice(), &DARK] {
            for (number, &color) in colors.iter().enumerate().skip(1) {
                let least = if color == colors[2] { 1.3 } else { 4.5 };
                let found = contrast(colors[0], color);
                assert!(found >= least, "{number}: {found}");
            }
            let distinct: std::collections::HashSet<_> =
                colors.iter().map(|c| (c.0, c.1, c.2)).collect();
            assert_eq!(distinct.len(), colors.len());
        }
    }
}
