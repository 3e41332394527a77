//! The journal: a JSON line for each event, so that nothing is lost however the server ends.

use super::event::Event;
use common::error::Result;
use common::error_text::of_json;
use common::files;
use common::note;
#[cfg(unix)]
use std::fs::Permissions;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
#[cfg(unix)]
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Read and written by the owner alone.
#[cfg(unix)]
const OWNER_ONLY: u32 = 0o600;

/// The file that events are appended to.
pub(super) struct Journal {
    file: File,
    /// What could not be written yet.
    pending: Vec<u8>,
    is_dirty: bool,
}

impl Journal {
    /// Opens a journal and gives what is in it, each event with its line. A last line that was cut
    /// off is dropped. E-mail addresses and hashes of passwords are in it: nobody else may read it.
    ///
    /// # Errors
    /// When it cannot be read, or a line is no event; the file is then as it was.
    pub(super) fn open(path: &Path) -> Result<(Journal, Vec<(usize, Event)>)> {
        let name = path.display();
        let failed = |error: io::Error| format!("{name}: {error}");
        let mut options = OpenOptions::new();
        options.create(true).read(true).append(true);
        #[cfg(unix)]
        options.mode(OWNER_ONLY);
        let file = options.open(path).map_err(failed)?;
        let bytes = files::read(path)?;
        let text = Text::read(&bytes).map_err(|reason| format!("{name}, {reason}"))?;
        #[cfg(unix)]
        file.set_permissions(Permissions::from_mode(OWNER_ONLY))
            .map_err(failed)?;
        if text.whole < bytes.len() {
            let cut = bytes.len() - text.whole;
            note!("{name}: the last line was cut off; its {cut} bytes are dropped");
            // Windows lets nobody cut a file that is open to append alone.
            let writable = OpenOptions::new().write(true).open(path);
            writable
                .and_then(|file| file.set_len(text.whole as u64))
                .map_err(failed)?;
        }
        let mut journal = Journal {
            file,
            pending: text.missing_end.to_vec(),
            is_dirty: false,
        };
        journal.flush().map_err(failed)?;
        Ok((journal, text.events))
    }

    /// Writes events.
    ///
    /// # Errors
    /// When they cannot be written now. They are then written later, before any other.
    pub(super) fn write(&mut self, events: &[Event]) -> io::Result<()> {
        for event in events {
            self.pending.extend(serde_json::to_vec(event)?);
            self.pending.push(b'\n');
        }
        self.flush()
    }

    /// From now on nothing can be written.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn fill_disk(&mut self) -> io::Result<()> {
        self.file = OpenOptions::new().write(true).open("/dev/full")?;
        Ok(())
    }

    /// Writes what could not be written before.
    ///
    /// # Errors
    /// When it still cannot.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        while !self.pending.is_empty() {
            match self.file.write(&self.pending) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    self.pending.drain(..written.min(self.pending.len()));
                    self.is_dirty = true;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Hands the events to the disk, so that they survive a loss of power, too.
    pub(super) fn sync(&mut self) {
        if let Err(error) = self.flush() {
            log::error!("the journal cannot be written: {error}");
        }
        if self.is_dirty {
            self.is_dirty = false;
            if let Err(error) = self.file.sync_data() {
                log::error!("the journal cannot be written: {error}");
            }
        }
    }
}

/// What a journal says.
struct Text {
    /// Each event with its line.
    events: Vec<(usize, Event)>,
    /// How many of its bytes are events.
    whole: usize,
    /// The end of the last line, if it is missing.
    missing_end: &'static [u8],
}

impl Text {
    fn read(bytes: &[u8]) -> std::result::Result<Text, String> {
        let mut text = Text {
            events: Vec::new(),
            whole: bytes.len(),
            missing_end: b"",
        };
        for (number, line) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let is_ended = line.ends_with(b"\n");
            match serde_json::from_slice(line) {
                Ok(event) => text.events.push((number, event)),
                Err(_) if line == b"\n" => {}
                Err(_) if !is_ended && text.may_be_cut(line) => text.whole -= line.len(),
                Err(error) => return Err(format!("line {number}: {}", of_json(&error, line))),
            }
            if !is_ended && text.whole == bytes.len() {
                text.missing_end = b"\n";
            }
        }
        Ok(text)
    }

    /// Whether a last line that is no event may be the start of one, and this a journal at all. After a
    /// loss of power, NUL bytes may stand in the place of the rest.
    fn may_be_cut(&self, line: &[u8]) -> bool {
        const START: &[u8] = br#"{"event":"#;
        !self.events.is_empty() || line.starts_with(START) || START.starts_with(line)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_an_error_and_is_written_later() -> Result {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("journal.jsonl");
        let (mut journal, _) = Journal::open(&path)?;
        journal.fill_disk().map_err(|error| error.to_string())?;
        let event = |user| Event::MaxGames { user, max_games: 3 };
        assert!(journal.write(&[event(0)]).is_err() && journal.flush().is_err());
        journal.file = File::create(&path).map_err(|error| error.to_string())?;
        assert!(journal.write(&[event(1)]).is_ok());
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let expected = [event(0), event(1)].map(|event| serde_json::to_string(&event).unwrap());
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        Ok(())
    }
}
