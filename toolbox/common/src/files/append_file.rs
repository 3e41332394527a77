//! Records added to the end of a file.

use super::device::refuse_named_pipe;
use super::same_file::leads_to;
use super::windows_name::refuse_unusable;
use super::{hold, is_plain, named, refuse_dash, writing};
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that whole records are added to, in one write each; a record for which the disk has no
/// room is removed again. While it is open no other run of Mola adds to it. All errors name the
/// file.
pub struct AppendFile {
    path: PathBuf,
    file: File,
    length: u64,
    /// Whether it is a file, not a pipe or a terminal, which have no offsets.
    is_plain: bool,
}

impl AppendFile {
    /// Opens a file to add to, or creates it. Its contents stay as they are.
    ///
    /// # Errors
    /// When it cannot be opened, or another program adds to it; and when it is a pipe, which would lose
    /// what is written before another program has opened it, or after that has ended.
    pub fn open(path: &Path) -> Result<AppendFile> {
        refuse_dash(path)?;
        refuse_named_pipe(path)?;
        refuse_unusable(path)?;
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let failed = |error| Error::Io(named(path, &error));
        let mut file = options.open(path).map_err(failed)?;
        hold(&file, path)?;
        let is_plain = is_plain(&file);
        // The program that held it may just have given it another name.
        if is_plain && !leads_to(path, &file) {
            return Err(writing(path));
        }
        let length = if is_plain {
            file.seek(SeekFrom::End(0)).map_err(failed)?
        } else {
            0
        };
        Ok(AppendFile {
            path: path.to_owned(),
            file,
            length,
            is_plain,
        })
    }

    /// Adds the separator, or what the end of the file lacks of it, as after a record that was cut
    /// off. A game of PGN ends with `"\n\n"`, a line with `"\n"`.
    ///
    /// # Errors
    /// When the end cannot be read, or the disk is full.
    pub fn separate(&mut self, separator: &str) -> Result {
        let missing = self.missing(separator.as_bytes());
        let missing = self.named(missing)?;
        if missing > 0 {
            let (_, rest) = separator.split_at(separator.len() - missing);
            self.add(rest.as_bytes())?;
        }
        Ok(())
    }

    /// How many bytes of the separator the end of the file lacks: none if it is empty.
    fn missing(&mut self, separator: &[u8]) -> io::Result<usize> {
        let wanted = self.length.min(separator.len() as u64);
        let mut end = Vec::new();
        if wanted > 0 {
            self.file.seek(SeekFrom::Start(self.length - wanted))?;
            self.file.read_to_end(&mut end)?;
        }
        if end.is_empty() {
            return Ok(0);
        }
        let has = |there: &usize| end.ends_with(separator.split_at(*there).0);
        let there = (0..=separator.len()).rev().find(has).unwrap_or(0);
        Ok(separator.len() - there)
    }

    /// The bytes in the file.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// What is in the file, from its beginning: nothing in a pipe or a device, which may have no end.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&mut self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if !self.is_plain {
            return Ok(bytes);
        }
        let read = self.file.seek(SeekFrom::Start(0));
        let read = read.and_then(|_| self.file.read_to_end(&mut bytes));
        self.named(read)?;
        Ok(bytes)
    }

    /// `length` bytes from the offset `at` on; fewer where the file ends.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn read_at(&mut self, at: u64, length: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self.file.seek(SeekFrom::Start(at));
        let read = read.and_then(|_| (&self.file).take(length).read_to_end(&mut bytes));
        self.named(read)?;
        Ok(bytes)
    }

    /// The open file, to read it from its beginning.
    ///
    /// # Errors
    /// When it cannot seek to its beginning; a pipe or a device cannot.
    pub fn reader(&mut self) -> Result<impl Read> {
        let begin = self.seek_begin();
        self.named(begin)?;
        Ok(&self.file)
    }

    /// A second handle to the file, at its beginning. Both share one offset, so it must not be used
    /// after the next record is added.
    ///
    /// # Errors
    /// When it cannot seek to its beginning.
    pub fn begin(&mut self) -> Result<File> {
        let begin = self.seek_begin();
        let file = begin.and_then(|()| self.file.try_clone());
        self.named(file)
    }

    fn seek_begin(&mut self) -> io::Result<()> {
        if !self.is_plain {
            return Err(io::Error::other("not a regular file"));
        }
        self.file.seek(SeekFrom::Start(0)).map(drop)
    }

    /// Seeks the end of the file, where the next record goes; none in a pipe or a device.
    fn end(&mut self) -> Result<Option<u64>> {
        if !self.is_plain {
            return Ok(None);
        }
        let end = self.file.seek(SeekFrom::End(0));
        self.named(end).map(Some)
    }

    /// Seeks the end, which must be where this file left it: other programs know nothing of the lock,
    /// and what they have added must not be overwritten.
    fn seek_own_end(&mut self) -> Result {
        if self.end()?.is_some_and(|end| end != self.length) {
            let path = self.path.display();
            let message = format!("{path}: another program has written to it meanwhile");
            return Err(Error::Message(message));
        }
        Ok(())
    }

    /// Accepts what other programs have added since the file was opened.
    ///
    /// # Errors
    /// When the end cannot be found.
    pub fn accept_additions(&mut self) -> Result {
        self.length = self.end()?.unwrap_or(self.length);
        Ok(())
    }

    /// Truncates the file to this many bytes, to remove a record that a run left incomplete.
    ///
    /// # Errors
    /// When the file cannot be written, or another program has added to it.
    pub fn cut(&mut self, length: u64) -> Result {
        if length < self.length {
            self.seek_own_end()?;
            let cut = self.file.set_len(length);
            self.named(cut)?;
            self.length = length;
        }
        Ok(())
    }

    /// Adds a record.
    ///
    /// # Errors
    /// When the disk is full, or another program has added to the file; it is then unchanged.
    pub fn add(&mut self, record: &[u8]) -> Result {
        self.seek_own_end()?;
        if let Err(error) = self.file.write_all(record) {
            let _ = self.file.set_len(self.length);
            return Err(Error::Io(named(&self.path, &error)));
        }
        self.length += record.len() as u64;
        Ok(())
    }

    /// Replaces all from the offset `begin` on by a record. It is first added behind, so that at any
    /// moment the file has the old or the new one whole.
    ///
    /// # Errors
    /// As [`add`](AppendFile::add).
    pub fn replace_from(&mut self, begin: u64, record: &[u8]) -> Result {
        let is_end = begin == self.length;
        self.add(record)?;
        if is_end {
            return Ok(());
        }
        self.write_over(begin, record)?;
        self.cut(begin + record.len() as u64)
    }

    /// Lengthens the record that begins at `begin` and is the last: adds `rest` to its end, then writes
    /// over the first bytes with a `head` that counts the rest, too. Until then it is as it was, apart from
    /// bytes behind its end.
    ///
    /// # Errors
    /// As [`add`](AppendFile::add), and when the disk fails; the file is then unchanged.
    pub fn lengthen(&mut self, begin: u64, head: &[u8], rest: &[u8]) -> Result {
        let before = self.length;
        let old = self.read_at(begin, head.len() as u64)?;
        self.add(rest)?;
        // The head must not reach the disk before what it counts.
        let written = self.sync().and_then(|()| self.write_over(begin, head));
        written.inspect_err(|_| {
            let _ = self.write_over(begin, &old);
            let _ = self.cut(before);
        })
    }

    fn write_over(&mut self, begin: u64, bytes: &[u8]) -> Result {
        let there = self.file.seek(SeekFrom::Start(begin));
        let written = there.and_then(|_| self.file.write_all(bytes));
        self.named(written)
    }

    /// Flushes the records to the disk, so that they survive a power failure. What is written into a
    /// pipe or onto a terminal is beyond this.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sync(&self) -> Result {
        if !self.is_plain {
            return Ok(());
        }
        self.named(self.file.sync_all())
    }

    /// The same result, whose error names the file.
    fn named<T>(&self, result: io::Result<T>) -> Result<T> {
        result.map_err(|error| Error::Io(named(&self.path, &error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn records_stand_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let after = |old: &str| {
            fs::write(&path, old).unwrap();
            let mut file = AppendFile::open(&path).unwrap();
            file.separate("\n\n").unwrap();
            file.add(b"new\n\n").unwrap();
            assert_eq!(file.length(), fs::metadata(&path).unwrap().len());
            fs::read_to_string(&path).unwrap()
        };
        assert_eq!(after(""), "new\n\n");
        assert_eq!(after("old\n\n"), "old\n\nnew\n\n");
        assert_eq!(after("old\n"), "old\n\nnew\n\n");
        assert_eq!(after("1. e4 e"), "1. e4 e\n\nnew\n\n");
        assert_eq!(after("\n"), "\n\nnew\n\n");
    }

    // Without a process of its own, which would share the locks of other tests until it is executed.
    #[cfg(target_os = "linux")]
    #[test]
    fn only_an_open_pipe_takes_records() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let error = AppendFile::open(&path).err().unwrap().to_string();
        assert!(
            error.ends_with("pipe: a file is expected, not a pipe"),
            "{error}"
        );
        let mut options = File::options();
        let held = options.read(true).write(true).open(&path).unwrap();
        let open = format!("/proc/self/fd/{}", held.as_raw_fd());
        let mut pipe = AppendFile::open(Path::new(&open)).unwrap();
        pipe.add(b"one\n").unwrap();
        pipe.sync().unwrap();
        assert!(pipe.read().unwrap().is_empty() && pipe.reader().is_err());
        let mut bytes = [0; 4];
        File::open(&path).unwrap().read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"one\n");
    }

    #[test]
    fn one_program_adds_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut first = AppendFile::open(&path).unwrap();
        first.add(b"one\n").unwrap();
        assert!(AppendFile::open(&path).is_err());
        assert_eq!(first.read().unwrap(), b"one\n");
        first.add(b"two\n").unwrap();
        first.cut(4).unwrap();
        first.add(b"three\n").unwrap();
        first.replace_from(4, b"four\n").unwrap();
        assert_eq!(first.length(), 9);
        first.replace_from(4, b"six\n").unwrap();
        drop(first);
        AppendFile::open(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\nsix\n");
    }

    #[test]
    fn a_record_is_lengthened_behind_its_old_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut file = AppendFile::open(&path).unwrap();
        file.add(b"one,").unwrap();
        file.add(b"1:a").unwrap();
        file.lengthen(4, b"2", b"b").unwrap();
        file.lengthen(4, b"4", b"cd").unwrap();
        file.add(b",two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one,4:abcd,two");
    }

    #[test]
    fn what_others_add_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut file = AppendFile::open(&path).unwrap();
        file.add(b"one\n").unwrap();
        let mut other = File::options().append(true).open(&path).unwrap();
        other.write_all(b"two\n").unwrap();
        let refused = [file.add(b"three\n"), file.cut(0), file.replace_from(0, b"")];
        for refused in refused {
            let error = refused.unwrap_err().to_string();
            assert!(
                error.ends_with("another program has written to it meanwhile"),
                "{error}"
            );
        }
        file.accept_additions().unwrap();
        file.add(b"three\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\nthree\n");
    }
}
