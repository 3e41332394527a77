//! The journal of searches: a line of JSON each, beside the file that is made of them.

use common::error::Result;
use common::files::{RecordFile, Replace};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Searches of earlier runs to be read, then those of this run to be kept.
pub(super) struct Journal {
    /// None where the output is no file.
    file: Option<Box<RecordFile>>,
    earlier: Option<BufReader<File>>,
    left: u64,
}

impl Journal {
    /// Goes on with the journal beside an output, or begins one.
    ///
    /// # Errors
    /// As [`RecordFile::open`].
    pub(super) fn open(
        path: Option<&Path>,
        settings: &str,
        replace: Replace,
        inputs: &[PathBuf],
    ) -> Result<Journal> {
        let Some(path) = path else {
            return Ok(Journal {
                file: None,
                earlier: None,
                left: 0,
            });
        };
        let mut file = RecordFile::open(path, settings, replace, inputs)?;
        Ok(Journal {
            left: file.records(),
            earlier: file.earlier()?.map(BufReader::new),
            file: Some(Box::new(file)),
        })
    }

    /// The next search of the earlier runs.
    pub(super) fn next(&mut self) -> Result<Option<String>> {
        let Some(earlier) = self.earlier.as_mut().filter(|_| self.left > 0) else {
            return Ok(None);
        };
        self.left -= 1;
        let mut line = String::new();
        earlier.read_line(&mut line)?;
        Ok(Some(line))
    }

    pub(super) fn add(&mut self, record: &str) -> Result {
        match &mut self.file {
            Some(file) => file.add(record.as_bytes()),
            None => Ok(()),
        }
    }

    /// Whether no search is kept.
    pub(super) fn is_empty(&self) -> bool {
        self.file.as_ref().is_none_or(|file| file.records() == 0)
    }

    /// How to resume a stopped run, as the end of a sentence.
    pub(super) fn how_to_go_on(&self) -> String {
        let file = self.file.as_ref();
        let how = file.map(|file| format!("; {}", file.how_to_go_on()));
        how.unwrap_or_default()
    }

    pub(super) fn discard(self) {
        if let Some(file) = self.file {
            file.discard();
        }
    }
}
