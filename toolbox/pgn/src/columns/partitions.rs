//! A table in folders, by the values of its keys.

use super::encoder::{Encoder, FileFormat, failed};
use super::hive::CaselessNames;
use arrow_array::RecordBatch;
use arrow_select::interleave::interleave_record_batch;
use common::error::{Error, Result};
use common::files::{NewFolder, Replace, is_temporary};
use common::threads;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The most bytes of rows in memory. Then they are written, a file for each folder that any of them
/// belongs to: neither memory nor open files grow with the number of folders.
const MAX_WAITING: usize = 48 << 20;

/// Writes rows as files in folders. The files appear all at once or, on failure, not at all.
pub(crate) struct Partitions {
    files: NewFolder,
    /// The beginning of the names of files.
    name: &'static str,
    format: FileFormat,
    batches: Vec<RecordBatch>,
    /// The rows of each folder: in which batch, and which.
    rows: BTreeMap<String, Vec<(usize, Range<usize>)>>,
    waiting: usize,
    rounds: u32,
    /// The names of folders, where the system does not tell them by case.
    names: Option<CaselessNames>,
}

impl Partitions {
    /// Begins a table in a folder that is new or empty: files of another one must not be read as
    /// part of it.
    pub(crate) fn create(
        folder: &Path,
        name: &'static str,
        format: FileFormat,
        inputs: &[PathBuf],
    ) -> Result<Partitions> {
        let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
        if entries.any(|entry| !is_temporary(&entry.file_name())) {
            let folder = folder.display();
            return Err(Error::Message(format!(
                "{folder} is not empty: --by needs an empty folder"
            )));
        }
        threads::start_pool()?;
        Ok(Partitions {
            files: NewFolder::create(folder, Replace::No, inputs)?,
            name,
            format,
            batches: Vec::new(),
            rows: BTreeMap::new(),
            waiting: 0,
            rounds: 0,
            names: cfg!(windows).then(CaselessNames::default),
        })
    }

    /// Adds rows. `folders` has each folder with the number of consecutive rows that belong to it.
    pub(crate) fn add(&mut self, batch: RecordBatch, folders: Vec<(String, usize)>) -> Result {
        let number = self.batches.len();
        let mut begin = 0;
        for (folder, rows) in folders {
            let range = begin..begin + rows;
            begin = range.end;
            let folder = match &mut self.names {
                Some(names) => names.distinct(&folder),
                None => folder,
            };
            self.rows.entry(folder).or_default().push((number, range));
        }
        self.waiting += batch.get_array_memory_size();
        self.batches.push(batch);
        if self.waiting > MAX_WAITING {
            self.write()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result {
        let batches: Vec<&RecordBatch> = self.batches.iter().collect();
        let rows = std::mem::take(&mut self.rows);
        let encode = |(folder, rows): (String, Vec<(usize, Range<usize>)>)| {
            Ok((folder, encode(&batches, &rows, self.format)?))
        };
        let encoded: Result<Vec<_>> = rows.into_par_iter().map(encode).collect();
        self.rounds += 1;
        let extension = match self.format {
            FileFormat::Parquet => "parquet",
            FileFormat::Arrow | FileFormat::ArrowStream => "arrow",
        };
        for (folder, bytes) in encoded? {
            let (name, round) = (self.name, self.rounds);
            let path = format!("{folder}/{name}-{round:05}.{extension}");
            self.files.add(&path, &bytes)?;
        }
        self.batches.clear();
        self.waiting = 0;
        Ok(())
    }

    /// Writes the waiting rows and puts all files in place; returns how many there are.
    pub(crate) fn finish(mut self) -> Result<usize> {
        self.write()?;
        let count = self.files.count();
        self.files.finish()?;
        Ok(count)
    }
}

/// Some rows as a file.
fn encode(
    batches: &[&RecordBatch],
    rows: &[(usize, Range<usize>)],
    format: FileFormat,
) -> Result<Vec<u8>> {
    let places = |(batch, rows): &(usize, Range<usize>)| {
        let batch = *batch;
        rows.clone().map(move |row| (batch, row))
    };
    let places: Vec<_> = rows.iter().flat_map(places).collect();
    let rows = interleave_record_batch(batches, &places).map_err(failed)?;
    let mut encoder = Encoder::new(format, &rows.schema(), Vec::new(), 1)?;
    encoder.write(rows)?;
    encoder.finish()
}
