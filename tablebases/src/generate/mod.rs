//! Making tables: retrograde analysis of all positions of three and four pieces, and Syzygy files
//! of what it finds.
//!
//! ```
//! use tablebases::generate::{Generator, materials};
//!
//! let mut generator = Generator::default();
//! for material in materials(3) {
//!     let files = generator.generate(material).expect("its captures and promotions came before");
//!     assert!(files.wdl.len() % 64 == 16);
//! }
//! ```

mod blocks;
mod cells;
mod huffman;
mod order;
mod predecessors;
mod solve;
mod space;
mod symbols;
mod symmetry;
mod values;
mod write;
mod zeroing;

pub use order::{MAX_PIECES, materials, with_children};

use crate::Material;
use solve::solve;
use std::collections::HashMap;
use std::sync::Arc;
use values::Solved;
use zeroing::Metric;

/// Solves material and makes the files of its tables.
#[derive(Debug, Default)]
pub struct Generator {
    solved: HashMap<Material, Arc<Solved>>,
}

/// The tables of some material of standard chess, as Syzygy probers read them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// Win, draw or loss: the contents of the `.rtbw` file.
    pub wdl: Vec<u8>,
    /// Distance to the next capture or pawn move: the contents of the `.rtbz` file.
    pub dtz: Vec<u8>,
}

impl Generator {
    /// Solves material and makes its files. `None` unless it is normalized, of three or four
    /// pieces, and what its captures and promotions lead to has been generated before;
    /// [`materials`] and [`with_children`] give the order.
    pub fn generate(&mut self, material: Material) -> Option<Files> {
        if material != material.normalized() {
            return None;
        }
        let mut solved = self.solve(material, Metric::Dtz)?;
        let (wdl, dtz) = rayon::join(
            || write::wdl(material, &solved),
            || write::dtz(material, &solved),
        );
        // Only files need them.
        solved.flags = Default::default();
        self.solved.insert(material, Arc::new(solved));
        Some(Files {
            wdl: wdl?,
            dtz: dtz?,
        })
    }

    fn solve(&self, material: Material, metric: Metric) -> Option<Solved> {
        solve(material, metric, |child| self.solved.get(&child).cloned())
    }
}

/// Distances to mate of material of three pieces, for the built-in tables: a file like that of DTZ,
/// with every win of White to move, in plies; what Black loses is one ply more than the best that
/// White is left with.
#[cfg(test)]
pub(crate) fn distances_to_mate(material: Material) -> Option<Vec<u8>> {
    let mut generator = Generator::default();
    for child in with_children(&[material])
        .into_iter()
        .filter(|&child| child != material)
    {
        let solved = generator.solve(child, Metric::Dtm)?;
        generator.solved.insert(child, Arc::new(solved));
    }
    let solved = generator.solve(material, Metric::Dtm)?;
    write::dtm(material, &solved)
}

#[cfg(test)]
mod tests;
