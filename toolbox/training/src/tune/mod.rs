//! `mola tune`: learns the weights of the evaluation from games of `mola datagen`.

mod loss;
#[cfg_attr(
    not(test),
    expect(clippy::indexing_slicing, reason = "features are below FEATURES")
)]
mod model;
#[cfg_attr(
    not(test),
    expect(clippy::indexing_slicing, reason = "pairs have two halves")
)]
mod train;

use crate::data;
use crate::record::Record;
use common::count::count;
use common::error::{Error, Result};
use common::files::{Force, NewFile};
use common::note;
use engine_core::Variant;
use model::Model;
use std::io::Write;
use std::path::PathBuf;
use train::Training;

/// Learn the weights of the evaluation from games.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "The weights start from plain material values. The engine takes up new ones \
    when it is built again.

Example:
  mola tune games.data --threads 2 --out engine-core/src/eval/weights.bin --force"
)]
pub struct Args {
    /// Files of mola datagen
    #[arg(required_unless_present = "material", value_name = "DATA")]
    data: Vec<PathBuf>,
    /// The variant of chess
    #[arg(long, value_name = "NAME", default_value_t)]
    variant: Variant,
    /// How often to go through all positions
    #[arg(long, default_value_t = 20)]
    epochs: u32,
    /// Threads; the weights do not depend on their number
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// The part of the game's result in what is learned; the rest is the search's score
    #[arg(long, default_value_t = 0.2)]
    lambda: f32,
    /// How hard the tables of the king buckets are held to the common table
    #[arg(long, default_value_t = 0.01)]
    decay: f32,
    /// How far a weight moves in one step at first, in centipawns
    #[arg(long, default_value_t = 2.0)]
    rate: f32,
    /// Write the material values that learning starts from
    #[arg(long, conflicts_with = "data")]
    material: bool,
    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be read or written, or there are too few positions.
pub fn run(args: &Args) -> Result {
    let mut out = NewFile::create(&args.out, args.force.replace(), &args.data)?;
    let mut model = Model::material(args.variant);
    if !args.material {
        let (learned, held_out) = read(args.variant, &args.data, args.threads as usize)?;
        let training = Training {
            epochs: args.epochs,
            threads: args.threads as usize,
            rate: args.rate,
            decay: args.decay,
            targets: loss::Targets::fit(&learned, args.lambda),
        };
        training.run(&mut model, &learned, &held_out);
        // Pawns are no measure of everything in every variant.
        if args.variant == Variant::Standard {
            model.scale_to_pawn(&learned);
        }
    }
    out.write_all(&model.to_bytes())?;
    out.finish()
}

/// One position in so many, at the end of each file, only measures what was learned from the
/// others.
const HELD_OUT: usize = 20;

type Records = Vec<Record>;

/// The positions to learn from and those held out.
fn read(variant: Variant, files: &[PathBuf], threads: usize) -> Result<(Records, Records)> {
    let (mut learned, mut held_out) = (Vec::new(), Vec::new());
    for path in files {
        let (found, mut records) = data::read(path, threads)?;
        if found != variant {
            let name = path.display();
            return Err(Error::Message(format!("{name} holds games of {found}")));
        }
        let positions = count(records.len(), "position");
        note!("{}: {positions}", path.display());
        held_out.extend(records.split_off(records.len() - records.len() / HELD_OUT));
        learned.extend(records);
    }
    if held_out.is_empty() {
        return Err(Error::Message("too few positions to learn from".to_owned()));
    }
    Ok((learned, held_out))
}
