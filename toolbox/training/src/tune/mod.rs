//! `mola tune`: learns the weights of the evaluation from games of `mola datagen`.

mod adam;
mod backprop;
mod curves;
mod features;
mod layers;
mod loss;
mod model;
mod quantise;
#[cfg(test)]
mod tests;
mod train;
mod units;
mod weights;

use crate::data;
use crate::packed_position::PackedPosition;
use crate::variant_argument::variant;
use adam::Hyperparameters;
use backprop::{LANES, MAX_WIDTH};
use clap::ArgGroup;
use common::arguments::{real, useless_with};
use common::count::count;
use common::error::{Error, Result};
use common::files::{self, Force, NewFile, refuse_same_outputs};
use common::note;
use common::random::Random;
use common::signals;
use engine_core::Variant;
use engine_core::eval::WeightsFile;
use features::Positions;
use model::Model;
use plot::PlotFile;
use std::io::Write;
use std::path::{Path, PathBuf};
use train::Training;

/// Train the weights of the evaluation on games.
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("source").required(true).args(["data", "material"]))]
#[command(
    mut_args(useless_with("material", &OF_MATERIAL)),
    after_help = "The weights start from plain material values and random vectors, or from a file. \
    Rebuild the engine to use new weights. Ctrl-C ends the training: the weights so far are written, \
    and the command fails.

Example:
  mola tune games.data --threads 2 --from engine-core/src/eval/weights.bin --out new.bin"
)]
pub struct Args {
    /// Files of mola datagen
    #[arg(value_name = "DATA")]
    data: Vec<PathBuf>,
    /// The variant of chess
    #[arg(long, value_name = "NAME", default_value = "chess", value_parser = variant)]
    variant: Variant,
    /// Number of epochs
    #[arg(long, default_value_t = 4)]
    epochs: u32,
    /// Threads; the weights do not depend on the number
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// The share of the game result in the training target; the rest is the search score
    #[arg(long, default_value_t = 0.1, value_parser = |text: &str| real::<f32>(text, 0.0..=1.0))]
    lambda: f32,
    /// Length of the vector of a piece on a square, a multiple of 16 up to 128; 0 for tables alone
    #[arg(long, default_value_t = 128, value_parser = width)]
    width: usize,
    /// Maximum contribution of the vectors, positive or negative, in centipawns
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u16).range(1..=2000))]
    limit: u16,
    /// Regularisation of the tables of the king buckets towards the common table
    #[arg(long, default_value_t = 0.01, value_parser = |text: &str| real::<f32>(text, 0.0..=100.0))]
    decay: f32,
    /// Initial learning rate of the tables: the change of a weight in one step, in centipawns
    #[arg(long, default_value_t = 2.0, value_parser = |text: &str| real::<f32>(text, 0.0..=1000.0))]
    rate: f32,
    /// Learn what threats and safe checks are worth, too; weights that know it keep learning it
    #[arg(long)]
    threats: bool,
    /// Initial learning rate of the threats: the change of a weight in one step, in centipawns
    #[arg(long, default_value_t = 0.5, value_parser = |text: &str| real::<f32>(text, 0.0..=1000.0))]
    threat_rate: f32,
    /// Regularisation of the vectors of the king buckets towards the common ones
    #[arg(long, default_value_t = 0.1, value_parser = |text: &str| real::<f32>(text, 0.0..=100.0))]
    vector_decay: f32,
    /// Initial learning rate of the vectors: the change of a weight in one step
    #[arg(long, default_value_t = 0.002, value_parser = |text: &str| real::<f32>(text, 0.0..=100.0))]
    vector_rate: f32,
    /// Weights to start from, of this variant or another; their vectors may be narrower
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Seed of the initial vectors and of the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plot the losses as FILE.svg; `-` plots them in characters on standard output
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write the initial weights, which are material values only
    #[arg(long)]
    material: bool,
    /// The file of weights to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// What has an effect on the file that `--material` writes.
const OF_MATERIAL: [&str; 4] = ["variant", "threats", "out", "force"];

fn width(text: &str) -> std::result::Result<usize, String> {
    let width = text.parse().ok();
    let width = width.filter(|&width: &usize| width.is_multiple_of(LANES) && width <= MAX_WIDTH);
    width.ok_or_else(|| format!("not a multiple of {LANES} up to {MAX_WIDTH}"))
}

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be read or written, there are too few positions, or a signal came.
pub fn run(args: &Args) -> Result {
    refuse_same_outputs(&[Some(&args.out), args.plot.as_deref()])?;
    let inputs: Vec<&Path> = args
        .data
        .iter()
        .chain(&args.from)
        .map(PathBuf::as_path)
        .collect();
    let mut out = NewFile::create(&args.out, args.force.replace(), &inputs)?;
    let plot = args.plot.as_deref();
    let plot = plot.map(|path| PlotFile::open(path, args.force.replace(), &inputs));
    let plot = plot.transpose()?;
    let width = if args.material { 0 } else { args.width };
    let mut model = Model::material(args.variant, width, f32::from(args.limit), args.seed);
    if args.threats {
        model = model.with_threats();
    }
    if let Some(path) = &args.from {
        let given = read_weights(path)?;
        let given_width = given.vectors.as_ref().map_or(0, |vectors| vectors.width);
        if given_width > width {
            let message = format!(
                "{}: its vectors have {given_width} numbers, so --width must be at least {given_width}",
                path.display()
            );
            return Err(Error::Message(message));
        }
        model.take(&given);
    }
    // Weights that the engine would refuse are not learned.
    let refused = |error| Error::Message(format!("--width {width}: {error}"));
    let initial = model.quantise();
    initial.check().map_err(refused)?;
    // What is learned is as long, and must not be lost on a full disk.
    out.reserve(initial.to_bytes().len() as u64)?;
    let mut reports = Vec::new();
    let mut learned = f64::from(args.epochs);
    if !args.material {
        reports = learn(args, &mut model)?;
        learned = reports.last().map_or(learned, |last| last.epochs);
    }
    out.write_all(&model.quantise().to_bytes())?;
    out.finish()?;
    if let Some(plot) = plot.filter(|_| !args.material) {
        plot.write(&curves::plot(&reports))?;
    }
    if learned < f64::from(args.epochs) {
        // So that a script does not go on with half-trained weights.
        let (path, epochs) = (args.out.display(), args.epochs);
        return Err(Error::Interrupted(format!(
            "{path}: interrupted after {learned:.2} of {epochs} epochs"
        )));
    }
    Ok(())
}

/// Learns from the data, and reports the loss of the quantised evaluation.
fn learn(args: &Args, model: &mut Model) -> Result<Vec<train::LossReport>> {
    let (training_set, validation_set) = read(args)?;
    let training = Training {
        epochs: args.epochs,
        threads: args.threads as usize,
        seed: args.seed,
        tables: Hyperparameters {
            rate: args.rate,
            decay: args.decay,
        },
        threats: Hyperparameters {
            rate: args.threat_rate,
            decay: 0.0,
        },
        vectors: Hyperparameters {
            rate: args.vector_rate,
            decay: args.vector_decay,
        },
        targets: loss::Targets::fit(&training_set.samples, args.lambda),
    };
    let reports = training.run(model, &training_set, &validation_set, &signals::watch());
    // Vectors stay in the scale of the scores. Pawns are no measure of everything in every variant.
    if args.width == 0 && args.variant == Variant::Standard {
        model.scale_to_pawn(&training_set);
    }
    let integers = model.quantise();
    let loss = quantise::integer_loss(
        &integers,
        &validation_set,
        &validation_set.samples,
        training.targets,
    );
    let real = training.loss(model, &validation_set);
    note!("validation loss in integers {loss:.6}, in real numbers {real:.6}");
    Ok(reports)
}

fn read_weights(path: &Path) -> Result<WeightsFile> {
    let bytes = files::read(path)?;
    let refused = |error| Error::Message(format!("{}: {error}", path.display()));
    WeightsFile::from_bytes(&bytes).map_err(refused)
}

/// One position in this many, at the end of each file, is held out for validation.
const HELD_OUT: usize = 20;
/// The most positions of a file that are held out.
const MAX_HELD_OUT: usize = 100_000;

/// The training set, shuffled, and the validation set in the order of the games.
fn read(args: &Args) -> Result<(Positions, Positions)> {
    let (mut training_set, mut validation_set) = (Vec::new(), Vec::new());
    for path in &args.data {
        let (found, mut packed) = data::read(path, args.threads as usize)?;
        if found != args.variant {
            let name = path.display();
            return Err(Error::Message(format!("{name} holds games of {found}")));
        }
        let positions = count(packed.len(), "position");
        note!("{}: {positions}", path.display());
        let last = (packed.len() / HELD_OUT).min(MAX_HELD_OUT);
        validation_set.extend(packed.split_off(packed.len() - last));
        training_set.extend(packed);
    }
    if validation_set.is_empty() {
        return Err(Error::Message("too few positions to train on".to_owned()));
    }
    Random::new(args.seed, 2).shuffle(&mut training_set);
    Ok((
        positions(args.variant, &training_set),
        positions(args.variant, &validation_set),
    ))
}

fn positions(variant: Variant, packed: &[PackedPosition]) -> Positions {
    let mut positions = Positions::new(variant);
    for position in packed {
        positions.push(position);
    }
    positions
}
