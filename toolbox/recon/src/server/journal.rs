//! The journal: a JSON line for each event, so that nothing is lost however the server ends.

use super::event::Event;
use common::error::Result;
use common::error_text::of_json;
use common::files;
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
    /// Opens a journal and gives what is in it. A last line that was cut off is dropped. E-mail
    /// addresses and hashes of passwords are in it: nobody else may read it.
    ///
    /// # Errors
    /// When it cannot be read, or a line is no event.
    pub(super) fn open(path: &Path) -> Result<(Journal, Vec<Event>)> {
        let name = path.display();
        let failed = |error: io::Error| format!("{name}: {error}");
        let mut options = OpenOptions::new();
        options.create(true).read(true).append(true);
        #[cfg(unix)]
        options.mode(OWNER_ONLY);
        let file = options.open(path).map_err(failed)?;
        #[cfg(unix)]
        file.set_permissions(Permissions::from_mode(OWNER_ONLY))
            .map_err(failed)?;
        let bytes = files::read(path)?;
        let whole = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        if whole < bytes.len() {
            log::warn!("{name}: the last line is incomplete and was dropped");
            file.set_len(whole as u64).map_err(failed)?;
        }
        let lines = bytes.split_at(whole).0.split(|&byte| byte == b'\n');
        let lines = lines.enumerate().filter(|(_, line)| !line.is_empty());
        let events = lines.map(|(number, line)| {
            serde_json::from_slice(line)
                .map_err(|error| format!("{name}, line {}: {}", number + 1, of_json(&error)))
        });
        let events: std::result::Result<Vec<Event>, String> = events.collect();
        Ok((
            Journal {
                file,
                pending: Vec::new(),
                is_dirty: false,
            },
            events?,
        ))
    }

    /// Writes an event. If that fails it is tried again with the next one.
    pub(super) fn write(&mut self, event: &Event) {
        match serde_json::to_vec(event) {
            Ok(line) => {
                self.pending.extend(line);
                self.pending.push(b'\n');
            }
            Err(error) => log::error!("an event cannot be written as JSON: {error}"),
        }
        while !self.pending.is_empty() {
            match self.file.write(&self.pending) {
                Ok(written @ 1..) => {
                    self.pending.drain(..written.min(self.pending.len()));
                    self.is_dirty = true;
                }
                Ok(0) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    log::error!("the journal cannot be written: {error}");
                    break;
                }
            }
        }
    }

    /// Hands the events to the disk, so that they survive a loss of power, too.
    pub(super) fn sync(&mut self) {
        if self.is_dirty {
            self.is_dirty = false;
            if let Err(error) = self.file.sync_data() {
                log::error!("the journal cannot be written: {error}");
            }
        }
    }
}
