//! The 255 colours of a film.

use color_quant::NeuQuant;
use resvg::tiny_skia::Pixmap;
use std::collections::HashMap;

/// The index that stands for a pixel that stays as it is.
pub(super) const UNCHANGED: u8 = 255;
/// The colours are taken from one pixel in this many, from 1 (all) to 30.
const SAMPLE: i32 = 3;

/// The colours of a film, found by `NeuQuant` (Dekker 1994) in some of its pictures.
pub(super) struct Palette {
    network: NeuQuant,
    /// Pictures of boards have few colours, so that each is looked up once.
    known: HashMap<[u8; 4], u8>,
}

impl Palette {
    pub(super) fn of(pictures: &[Pixmap]) -> Palette {
        let pixels: Vec<u8> = pictures.iter().flat_map(Pixmap::data).copied().collect();
        Palette {
            network: NeuQuant::new(SAMPLE, usize::from(UNCHANGED), &pixels),
            known: HashMap::new(),
        }
    }

    /// The colours as GIF has them, with one that is not used for [`UNCHANGED`].
    pub(super) fn rgb(&self) -> Vec<u8> {
        let mut colors = self.network.color_map_rgb();
        colors.resize(3 * 256, 0);
        colors
    }

    /// The index of the colour nearest to a pixel.
    pub(super) fn index(&mut self, pixel: [u8; 4]) -> u8 {
        let network = &self.network;
        *self
            .known
            .entry(pixel)
            .or_insert_with(|| u8::try_from(network.index_of(&pixel)).unwrap_or(0))
    }
}
