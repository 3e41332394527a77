//! Reading of whole files.

use super::blocks::{DataBlock, DataBlocks};
use super::damaged;
use super::format::Recipe;
use super::replay::{Visit, replay};
use crate::packed_position::PackedPosition;
use common::error::{Error, Result};
use common::files::{named, refuse_stdout};
use common::note;
use common::parallel::{self, Workers};
use engine_core::Variant;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;

/// The variant of a file and all its quiet positions, in the order of the games.
///
/// # Errors
/// When the file cannot be read, is no such file or is damaged. A block that is cut off at the end
/// is left out, with a note.
pub fn read(path: &Path, threads: usize) -> Result<(Variant, Vec<PackedPosition>)> {
    let mut all = Vec::new();
    let recipe = read_each(path, threads, |block: Vec<PackedPosition>| {
        all.extend(block);
        Ok(())
    })?;
    Ok((recipe.variant, all))
}

/// Shows the quiet positions of each block to a new visitor, several blocks at a time, and hands
/// the visitors over in the order of the blocks.
///
/// # Errors
/// As [`read`], and when `take` fails.
pub fn read_each<V: Visit + Default + Send>(
    path: &Path,
    threads: usize,
    mut take: impl FnMut(V) -> Result + Send,
) -> Result<Recipe> {
    let mut blocks = open(path)?;
    let recipe = blocks.recipe;
    let workers = Workers {
        threads,
        ahead: 4 * threads,
        signals: crossbeam_channel::never(),
    };
    let work = |block: Result<DataBlock>| {
        let block = block?;
        let mut visitor = V::default();
        replay(&block, recipe.variant, &mut visitor).ok_or_else(|| damaged(path, block.offset))?;
        Ok(visitor)
    };
    parallel::in_order(
        &workers,
        blocks.by_ref(),
        |_| Ok(work),
        |visitor| {
            take(visitor)?;
            Ok(ControlFlow::Continue(()))
        },
    )?;
    if blocks.is_torn {
        note!(
            "{}: truncated after byte {}; the rest is ignored",
            path.display(),
            blocks.offset
        );
    }
    Ok(recipe)
}

/// How the games of a file were made.
///
/// # Errors
/// When the file cannot be read or is no such file.
pub fn recipe(path: &Path) -> Result<Recipe> {
    Ok(open(path)?.recipe)
}

fn open(path: &Path) -> Result<DataBlocks<'_, BufReader<File>>> {
    refuse_stdout(&[path])?;
    let file = File::open(path).map_err(|error| Error::Io(named(path, &error)))?;
    DataBlocks::new(path, BufReader::new(file))
}
