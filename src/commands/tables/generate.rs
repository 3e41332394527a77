//! `mola tables generate`: makes tables by retrograde analysis.

use common::arguments::number;
use common::count::count;
use common::error::{Error, Result};
use common::files::{self, Force, NO_INPUTS, NewFile, Replace, refuse_named_pipe, refuse_stdout};
use common::progress::Progress;
use common::threads::none_left;
use std::fs;
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tablebases::generate::{Generator, MAX_PIECES, materials, with_children};
use tablebases::syzygy::{Family, Metric};
use tablebases::{Material, Tables, table_files};

/// Make Syzygy tables of standard chess by retrograde analysis.
///
/// Without names it makes all tables of three and four pieces: 35 WDL and 35 DTZ tables, about 5
/// MB. For given material it also makes the tables needed to probe it, which its captures and
/// promotions lead to. Files appear in the folder only when complete, so the command can be
/// interrupted. An existing table is kept if it is intact by its checksum, whatever program made it:
/// its bytes may differ, and its values are not compared. If it is damaged, the command fails.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola tables generate --out tables
  mola tables generate --out tables --pieces 3
  mola tables generate --out tables KRPvK KBNvK")]
pub(super) struct Args {
    /// The folder to write to; created if it does not exist
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Greatest number of pieces, kings included
    #[arg(long, default_value_t = MAX_PIECES, value_parser = |text: &str| number(text, 3..=MAX_PIECES))]
    pieces: u32,
    /// Names of the tables to make
    #[arg(value_name = "MATERIAL", value_parser = material, conflicts_with = "pieces")]
    materials: Vec<Material>,
    /// Threads [default: number of cores]
    #[arg(long, value_parser = |text: &str| number(text, 1..=256_usize))]
    threads: Option<usize>,
}

fn material(name: &str) -> std::result::Result<Material, String> {
    let material: Material = name.parse().map_err(|_| "not material such as KRPvK")?;
    if !Family::Standard.allows(material) || material.pieces() > MAX_PIECES {
        return Err(format!("3 to {MAX_PIECES} pieces expected, one king each"));
    }
    Ok(material)
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> Result {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0));
    let failed = |error| none_left(&io::Error::other(error));
    let threads = threads.build().map_err(failed)?;
    threads.install(|| generate(args))
}

fn generate(args: &Args) -> Result {
    let folder = &args.out;
    files::make_folder(folder)?;
    let materials = if args.materials.is_empty() {
        materials(args.pieces)
    } else {
        with_children(&args.materials)
    };
    let start = Instant::now();
    let mut progress = Progress::new("tables", 0, materials.len() as u64).on_terminal_only();
    let mut generator = Generator::default();
    let (mut bytes, mut kept) = (0, 0);
    for (done, &material) in (0..).zip(&materials) {
        progress.update(done, &format!(", now {material}"));
        let files = generator
            .generate(material)
            .ok_or_else(|| Error::Message(format!("{material}: cannot be generated")))?;
        for (metric, contents) in [(Metric::Wdl, &files.wdl), (Metric::Dtz, &files.dtz)] {
            let name = format!("{material}.{}", Family::Standard.suffix(metric));
            if save(&folder.join(name), contents, args.force.replace())? {
                bytes += contents.len();
            } else {
                kept += 1;
            }
        }
    }
    progress.end();
    let were_there = match kept {
        0 => String::new(),
        _ => format!("; {} kept", count(kept, "other table")),
    };
    writeln!(
        stdout(),
        "{} files, {:.1} MB, in {:.1} s{were_there}",
        2 * materials.len() - kept,
        bytes as f64 / 1e6,
        start.elapsed().as_secs_f64()
    )?;
    Ok(())
}

/// Writes a table, unless it is there already. Tells whether the file has these contents: a table
/// that another program made may be coded otherwise.
fn save(path: &Path, contents: &[u8], replace: Replace) -> Result<bool> {
    refuse_named_pipe(path)?;
    refuse_stdout(&[path])?;
    let has_length = || fs::metadata(path).is_ok_and(|found| found.len() == contents.len() as u64);
    let is_there = || has_length() && fs::read(path).is_ok_and(|there| there == contents);
    if is_there() {
        return Ok(true);
    }
    if replace == Replace::No && path.is_file() {
        check(path)?;
        return Ok(false);
    }
    let write = || {
        let mut file = NewFile::create(path, replace, NO_INPUTS)?;
        file.write_all(contents)?;
        file.finish()
    };
    match write() {
        // Another run may have written the same table meanwhile.
        Err(error) if !is_there() => Err(error),
        _ => Ok(true),
    }
}

/// Refuses a file that is no intact table.
fn check(path: &Path) -> Result {
    let others = Tables::new().gaviota;
    for file in table_files(path).map_err(|error| error.to_string())? {
        let checked = file.verify(&others);
        checked.map_err(|error| format!("{error}; --force replaces the file"))?;
    }
    Ok(())
}
