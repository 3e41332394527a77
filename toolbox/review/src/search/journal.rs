//! The journal of searches: a line of JSON each, beside the file that is made of them.

use common::error::{Error, Result};
use common::files::{RecordFile, Replace};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Searches of earlier runs to be read, then those of this run to be kept.
pub(super) struct Journal {
    /// None where the output is no file.
    file: Option<RecordFile>,
    earlier: Option<BufReader<File>>,
    /// How many searches of the earlier runs have been read, and how many are left.
    done: u64,
    left: u64,
    replace: Replace,
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
        let file = path.map(|path| RecordFile::open(path, settings, replace, inputs));
        let mut file = file.transpose()?;
        let earlier = file.as_mut().map(RecordFile::earlier).transpose()?;
        Ok(Journal {
            earlier: earlier.flatten().map(BufReader::new),
            done: 0,
            left: file.as_ref().map_or(0, RecordFile::records),
            file,
            replace,
        })
    }

    /// The next search of the earlier runs.
    pub(super) fn next(&mut self) -> Result<Option<String>> {
        let Some(earlier) = self.earlier.as_mut().filter(|_| self.left > 0) else {
            return Ok(None);
        };
        self.left -= 1;
        self.done += 1;
        let mut line = String::new();
        earlier.read_line(&mut line)?;
        Ok(Some(line))
    }

    /// Removes the search that was read last, and those behind it, as they are of no use.
    ///
    /// # Errors
    /// When they are not to be replaced, and when the file cannot be written.
    pub(super) fn give_up_rest(&mut self, why: &str) -> Result {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        if self.replace == Replace::No {
            let part = file.part().display();
            return Err(Error::Message(format!(
                "{part} cannot be resumed: {why}; begin anew with --force"
            )));
        }
        (self.earlier, self.left) = (None, 0);
        file.keep_first(self.done - 1)?;
        self.file = Some(file);
        Ok(())
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
