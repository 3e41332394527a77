//! The 255 colours of an animation.

use color_quant::NeuQuant;
use resvg::tiny_skia::Pixmap;
use std::collections::HashMap;

/// The index that stands for a pixel that stays as it is.
pub(super) const UNCHANGED: u8 = 255;
/// The colours are taken from one pixel in this many, from 1 (all) to 30.
const SAMPLE: i32 = 3;

/// The colours of an animation, found by `NeuQuant` (Dekker 1994) in some of its images.
pub(super) struct Palette {
    network: NeuQuant,
    /// Images of boards have few colours, so each is looked up in the network only once.
    known: HashMap<[u8; 4], u8>,
}

impl Palette {
    pub(super) fn of(images: &[Pixmap]) -> Palette {
        let pixels: Vec<u8> = images.iter().flat_map(Pixmap::data).copied().collect();
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
