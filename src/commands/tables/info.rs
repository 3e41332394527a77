//! `mola tables info`: which tables there are, and which are missing.

use super::Paths;
use common::error::Result;
use std::collections::BTreeMap;
use std::io::{Write, stdout};
use tablebases::gaviota::Scheme;
use tablebases::syzygy::{Family, Metric};
use tablebases::{Material, Tablebase, Tables};

/// Tell which tables there are, and which of those that they need are missing.
///
/// No table is opened; `mola tables verify` reads them.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  mola tables info --path '/tables/3-4-5;/tables/6'")]
pub(super) struct Args {
    #[command(flatten)]
    paths: Paths,
}

pub(super) fn run(args: &Args) -> Result {
    let Tables {
        syzygy, gaviota, ..
    } = args.paths.open()?;
    let mut out = stdout().lock();
    for family in Family::ALL {
        for metric in [Metric::Wdl, Metric::Dtz] {
            let own = syzygy.tables(family).filter(|&(_, of)| of == metric);
            if let Some(counts) = counts(own.map(|(material, _)| material)) {
                let (name, suffix) = (family.name(), family.suffix(metric));
                writeln!(out, "{name} .{suffix}: {counts}")?;
            }
        }
    }
    for scheme in Scheme::ALL {
        let own = gaviota.tables().filter(|&(_, of)| of == scheme);
        if let Some(counts) = counts(own.map(|(material, _)| material)) {
            writeln!(out, "Gaviota .{}: {counts}", scheme.suffix())?;
        }
    }
    tell_missing(&syzygy, &mut out)
}

/// Names tables that others need and that are missing.
pub(super) fn tell_missing(tables: &Tablebase, out: &mut impl Write) -> Result {
    for family in Family::ALL {
        for (child, metric, parent) in tables.missing_children(family) {
            let suffix = family.suffix(metric);
            writeln!(out, "{child}.{suffix} is missing: {parent} needs it")?;
        }
    }
    Ok(())
}

/// `35 tables, 5 of 3 pieces, 30 of 4 pieces`; nothing for none.
fn counts(materials: impl Iterator<Item = Material>) -> Option<String> {
    let mut by_pieces = BTreeMap::<u32, usize>::new();
    for material in materials {
        *by_pieces.entry(material.pieces()).or_default() += 1;
    }
    let total: usize = by_pieces.values().sum();
    let parts: Vec<_> = by_pieces
        .iter()
        .map(|(pieces, count)| format!("{count} of {pieces} pieces"))
        .collect();
    (total > 0).then(|| format!("{total} tables, {}", parts.join(", ")))
}
