//! The endgame tables of the engine.

use super::Notice;
use crate::options::{OptionId, Options};
use engine_core::IS_PAGE;
use engine_core::search::Probe;
use std::sync::Arc;
use tablebases::syzygy::{Family, Metric};
use tablebases::{MissingPath, Tables, split_paths};

/// The tables in the folders of the options, and the built-in ones. The WebAssembly module for
/// browsers has none: the code that reads them would be a tenth of its size.
pub(crate) struct EndgameTables {
    tables: Option<Arc<dyn Probe>>,
}

impl Default for EndgameTables {
    /// The built-in tables.
    fn default() -> EndgameTables {
        if IS_PAGE {
            return EndgameTables { tables: None };
        }
        EndgameTables::with_builtin(Tables::new())
    }
}

/// The most lines on missing tables; the rest is counted.
const MOST_LINES: usize = 5;

impl EndgameTables {
    fn with_builtin(mut tables: Tables) -> EndgameTables {
        tables.add_builtin();
        EndgameTables {
            tables: Some(Arc::new(tables)),
        }
    }

    /// Registers the tables in the folders of the options, replacing the previous ones. Returns
    /// notices for the user: what was found, and what is missing.
    pub(crate) fn open(&mut self, options: &Options) -> Vec<Notice> {
        if IS_PAGE {
            let text = "in a browser page, tables cannot be read from files";
            return vec![Notice::Failure(text.to_owned())];
        }
        let mut tables = Tables::new();
        let mut notices = Vec::new();
        for folder in split_paths(options.text(OptionId::SyzygyPath)) {
            notices.extend(failure(tables.syzygy.add_path(&folder)));
        }
        for folder in split_paths(options.text(OptionId::GaviotaTbPath)) {
            notices.extend(failure(tables.gaviota.add_path(&folder)));
        }
        notices.extend(summary(&tables).into_iter().map(Notice::Message));
        *self = EndgameTables::with_builtin(tables);
        notices
    }

    /// The tables as the search probes them.
    pub(crate) fn probe(&self) -> Option<Arc<dyn Probe>> {
        self.tables.clone()
    }
}

fn failure(added: Result<usize, MissingPath>) -> Option<Notice> {
    let error = added.err()?;
    Some(Notice::Failure(format!("no tables: {error}")))
}

/// Lines on the tables found and those missing.
fn summary(tables: &Tables) -> Vec<String> {
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
        let missing = tables.syzygy.missing_children(family);
        for (child, metric, parent) in missing.iter().take(MOST_LINES) {
            let suffix = family.suffix(*metric);
            lines.push(format!("{child}.{suffix} is missing: {parent} needs it"));
        }
        if missing.len() > MOST_LINES {
            lines.push(format!("{} more are missing", missing.len() - MOST_LINES));
        }
    }
    let gaviota = tables.gaviota.tables().count();
    if gaviota > 0 {
        let most = tables.gaviota.most_pieces();
        lines.push(format!("Gaviota tables: {gaviota}, up to {most} pieces"));
    }
    lines
}
