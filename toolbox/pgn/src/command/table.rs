//! Tables for people and programs.

use common::control_characters::without_control_characters;
use common::error::{Error, Result};
use common::json;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write;

/// The format of a table.
#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum TableFormat {
    /// Aligned columns of text
    #[default]
    Text,
    /// An array of objects
    Json,
    /// CSV with a header line
    Csv,
}

/// Writes rows that all have the same fields; `names` are those fields in their order.
pub(super) fn write(
    rows: &[impl Serialize],
    names: &[&str],
    format: TableFormat,
    out: &mut impl Write,
) -> Result {
    match format {
        TableFormat::Json => json::write_line(out, rows),
        TableFormat::Csv => {
            let failed = |error: csv::Error| Error::Message(error.to_string());
            let mut table = csv_writer(out);
            table.write_record(names).map_err(failed)?;
            for cells in cells(rows, names)? {
                table.write_record(cells).map_err(failed)?;
            }
            Ok(table.flush()?)
        }
        TableFormat::Text => {
            let mut cells = cells(rows, names)?;
            for cell in cells.iter_mut().flatten() {
                *cell = without_control_characters(cell);
            }
            text(&cells, names, out)
        }
    }
}

/// A writer of CSV, whose lines end as RFC 4180 has it.
pub(super) fn csv_writer<W: Write>(out: W) -> csv::Writer<W> {
    csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(out)
}

fn cells(rows: &[impl Serialize], names: &[&str]) -> Result<Vec<Vec<String>>> {
    let row = |row| {
        let value = serde_json::to_value(row).map_err(|error| error.to_string())?;
        let cell = |name: &&str| match value.get(name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
        };
        Ok(names.iter().map(cell).collect())
    };
    rows.iter().map(row).collect()
}

/// Columns as wide as what is in them; the first is text, numbers stand to the right.
fn text(rows: &[Vec<String>], names: &[&str], out: &mut impl Write) -> Result {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widest = cells.map(|cell| cell.chars().count()).max();
        let name = names.get(column).map_or(0, |name| name.len());
        widest.unwrap_or(0).max(name)
    };
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let names = names.iter().map(|name| name.replace('_', " ")).collect();
    for row in [&names].into_iter().chain(rows) {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            // Writing to a string cannot fail.
            let _ = match column {
                0 => write!(line, "{cell:<width$}"),
                _ => write!(line, "  {cell:>width$}"),
            };
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
