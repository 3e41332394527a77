//! The endgame tables of the engine.

use super::messages::Notice;
use crate::options::{OptionId, Options};
use common::error_text::plain;
use engine_core::IS_PAGE;
use engine_core::search::Probe;
use std::path::Path;
use std::sync::Arc;
use tablebases::syzygy::{Family, Metric};
use tablebases::{MissingPath, Tablebase, Tables, split_paths};

/// The tables in the folders of the options, and the built-in ones. The WebAssembly module for
/// browsers has none: the code that reads them would be a tenth of its size.
pub(crate) struct EndgameTables {
    tables: Option<Arc<Tables>>,
    /// Whether a broken table has been reported: one is enough.
    is_reported: bool,
}

impl Default for EndgameTables {
    /// The built-in tables.
    fn default() -> EndgameTables {
        if IS_PAGE {
            return EndgameTables {
                tables: None,
                is_reported: false,
            };
        }
        EndgameTables::of(Tables::builtin())
    }
}

/// The most lines on missing tables; the rest is counted.
const MAX_LINES: usize = 5;

impl EndgameTables {
    fn of(tables: Tables) -> EndgameTables {
        EndgameTables {
            tables: Some(Arc::new(tables)),
            is_reported: false,
        }
    }

    /// Registers the tables in the folders of the options, one of which was set, in the place of the
    /// previous ones. Returns notices for the user: what was found, and what is missing.
    ///
    /// # Errors
    /// Says why none of the folders that were set can be used; the tables stay as they are.
    pub(crate) fn open(
        &mut self,
        set: OptionId,
        options: &Options,
    ) -> Result<Vec<Notice>, Vec<Notice>> {
        if IS_PAGE {
            let text = "in a browser page, tables cannot be read from files";
            return Err(vec![Notice::Failure(text.to_owned())]);
        }
        let mut tables = Tables::new();
        let mut lines = Vec::new();
        for (id, kind) in [
            (OptionId::SyzygyPath, "Syzygy"),
            (OptionId::GaviotaTbPath, "Gaviota"),
        ] {
            let folders = split_paths(options.text(id));
            let mut failures = Vec::new();
            for folder in &folders {
                let added = match id {
                    OptionId::SyzygyPath => tables.syzygy.add_path(folder),
                    _ => tables.gaviota.add_path(folder),
                };
                failures.extend(failure(kind, folder, added));
            }
            if id == set && !folders.is_empty() && failures.len() == folders.len() {
                return Err(failures.into_iter().map(Notice::Failure).collect());
            }
            lines.extend(failures);
        }
        lines.extend(summary(&tables));
        tables.add_builtin();
        lines.extend(missing(&tables));
        *self = EndgameTables::of(tables);
        Ok(lines.into_iter().map(Notice::Message).collect())
    }

    /// A notice of the first table that a search has found to be broken.
    pub(crate) fn broken(&mut self) -> Option<Notice> {
        // The module of a page has no code for this.
        let tables = self.tables.as_ref().filter(|_| !IS_PAGE)?;
        let error = tables.broken().filter(|_| !self.is_reported)?;
        self.is_reported = true;
        let error = plain(&error.to_string());
        Some(Notice::Failure(format!("cannot use a table: {error}")))
    }

    /// The tables as the search probes them.
    pub(crate) fn probe(&self) -> Option<Arc<dyn Probe>> {
        let tables = self.tables.clone().filter(|_| !IS_PAGE)?;
        Some(tables)
    }
}

/// Says why a folder adds no tables of a kind.
fn failure(kind: &str, folder: &Path, added: Result<usize, MissingPath>) -> Option<String> {
    match added {
        Ok(0) => Some(format!(
            "no tables: {} has none of {kind}",
            folder.display()
        )),
        Ok(_) => None,
        Err(error) => Some(format!("no tables: {}", plain(&error.to_string()))),
    }
}

/// Lines on the tables found.
pub(crate) fn summary(tables: &Tables) -> Vec<String> {
    let mut lines = Vec::new();
    for family in Family::ALL {
        let [wdl, dtz] =
            [Metric::Wdl, Metric::Dtz].map(|metric| tables.syzygy.count(family, metric));
        if wdl + dtz == 0 {
            continue;
        }
        let (name, most) = (family.name(), tables.syzygy.most_pieces(family));
        lines.push(format!(
            "{name} Syzygy tables: {wdl} WDL, {dtz} DTZ, up to {most} pieces"
        ));
    }
    let gaviota = tables.gaviota.tables().count();
    if gaviota > 0 {
        let most = tables.gaviota.most_pieces();
        lines.push(format!("Gaviota tables: {gaviota}, up to {most} pieces"));
    }
    lines
}

/// Lines on the tables that others need.
fn missing(tables: &Tables) -> Vec<String> {
    let mut lines = Vec::new();
    for family in Family::ALL {
        let missing = missing_of(&tables.syzygy, family);
        let more = missing.len().saturating_sub(MAX_LINES);
        lines.extend(missing.into_iter().take(MAX_LINES));
        if more > 0 {
            lines.push(format!("{more} more are missing"));
        }
    }
    lines
}

/// A line on each table of a family that others need.
pub(crate) fn missing_of(tables: &Tablebase, family: Family) -> Vec<String> {
    let suffix = family.suffix(Metric::Wdl);
    let missing = tables.missing_children(family).into_iter();
    let line = |(child, parent)| format!("{child}.{suffix} is missing: {parent} needs it");
    missing.map(line).collect()
}
