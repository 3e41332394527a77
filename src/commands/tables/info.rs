//! `mola tables info`: the tables present and those missing.

use super::paths::Paths;
use crate::session::endgame_tables::missing_of;
use common::count::count;
use common::error::Result;
use engine_core::{Color, Role};
use std::collections::{BTreeMap, HashSet};
use std::io::{Write, stdout};
use tablebases::gaviota::Scheme;
use tablebases::syzygy::{Family, Metric};
use tablebases::{Material, Tablebase, Tables};

/// List the tables present, and the missing tables that they need.
///
/// Tables are not opened; use `mola tables verify` to check them.
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
    write_gaps(&syzygy, &mut out)?;
    write_missing(&syzygy, &mut out)
}

/// The most names shown; the rest is counted.
const MAX_NAMES: usize = 10;

/// The numbers of pieces for which full sets of tables are published.
const MAX_PIECES: u32 = 7;

/// Lists, for every number of pieces with tables of standard chess present, those
/// missing for a full set.
fn write_gaps(tables: &Tablebase, out: &mut impl Write) -> Result {
    let own: HashSet<(String, &str)> = tables
        .tables(Family::Standard)
        .map(|(material, metric)| (material.to_string(), Family::Standard.suffix(metric)))
        .collect();
    for pieces in 3..=MAX_PIECES {
        let all = materials(pieces);
        for metric in [Metric::Wdl, Metric::Dtz] {
            let suffix = Family::Standard.suffix(metric);
            let names = all.iter().map(|material| (material.to_string(), suffix));
            let missing: Vec<_> = names.filter(|table| !own.contains(table)).collect();
            if missing.is_empty() || missing.len() == all.len() {
                continue;
            }
            let shown: Vec<&str> = missing.iter().map(|(name, _)| name.as_str()).collect();
            let more = match shown.len().saturating_sub(MAX_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let shown = shown.into_iter().take(MAX_NAMES).collect::<Vec<_>>();
            writeln!(
                out,
                "{} of {} .{suffix} of {pieces} pieces are missing: {}{more}",
                missing.len(),
                all.len(),
                shown.join(", ")
            )?;
        }
    }
    Ok(())
}

/// All material with this many pieces, kings included.
fn materials(pieces: u32) -> Vec<Material> {
    let mut last: Vec<Material> = "KvK".parse().into_iter().collect();
    for _ in 2..pieces {
        let mut seen = HashSet::new();
        let more = last.iter().flat_map(|material| {
            Color::ALL.into_iter().flat_map(move |color| {
                let roles = Role::ALL.into_iter().filter(|role| *role != Role::King);
                roles.map(move |role| material.with(role.of(color)).normalized())
            })
        });
        last = more
            .filter(|material| seen.insert(material.to_string()))
            .collect();
    }
    last
}

/// Lists missing tables that others need.
pub(super) fn write_missing(tables: &Tablebase, out: &mut impl Write) -> Result {
    for family in Family::ALL {
        for line in missing_of(tables, family) {
            writeln!(out, "{line}")?;
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
    (total > 0).then(|| format!("{}, {}", count(total, "table"), parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_sets() {
        let counts = [3, 4, 5, 6].map(|pieces| materials(pieces).len());
        assert_eq!(counts, [5, 30, 110, 365]);
    }
}
