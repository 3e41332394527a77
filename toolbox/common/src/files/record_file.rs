//! The output of a long run, which can be stopped and resumed, record by record.

use super::device::refuse_unresumable;
use super::place::{exists, keep_rights, place, refuse_irreplaceable};
use super::temporary::{self, put};
use super::unfinished::Unfinished;
use super::{AppendFile, Replace, hold, named, same_file, sync_folder};
use crate::count::count;
use crate::error::{Error, Result};
use crate::note;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use tempfile::TempPath;

/// A file that grows by whole records and gets its name at the end of the run. Until then they are
/// in `NAME.part`, and a note beside it, `NAME.run`, has the settings of the run and the length of
/// the file after each record. Started again with the same settings, the run continues after the last
/// whole record; an incomplete one behind it is cut off.
///
/// The records of an earlier run that are to be replaced stay until the new run has its first: it may
/// fail before. Dropped before [`finish`](RecordFile::finish), it leaves its records for the next run,
/// and no file if it has none. All errors name the file.
pub struct RecordFile {
    kept: Arc<Kept>,
    settings: String,
    replace: Replace,
    // Held until the files have their names or are gone.
    part: Option<AppendFile>,
    note: Option<AppendFile>,
    // Held for its `Drop`.
    _unfinished: Unfinished,
}

/// The files of an unfinished run, and how many records they have.
struct Kept {
    names: Names,
    records: AtomicU64,
    /// Whether the files still are those of an earlier run, which the first record replaces.
    are_old: AtomicBool,
}

impl Kept {
    fn records(&self) -> u64 {
        self.records.load(Relaxed)
    }

    fn are_old(&self) -> bool {
        self.are_old.load(Relaxed)
    }

    fn how_to_go_on(&self) -> String {
        let part = self.names.part.display();
        if self.are_old() {
            return format!("no progress yet; {part} has the records of the earlier run");
        }
        let records = count(self.records(), "record");
        match self.records() {
            0 => "no progress yet".to_owned(),
            1 => format!("{records} is kept in {part}; the same command resumes the run"),
            _ => format!("{records} are kept in {part}; the same command resumes the run"),
        }
    }

    /// Removes files without a record.
    fn clear(&self) {
        if self.records() == 0 && !self.are_old() {
            let _ = fs::remove_file(&self.names.part);
            let _ = fs::remove_file(&self.names.note);
        }
    }
}

/// Opens the file of the records. A signal that ends the program then says how to resume, and removes
/// files without a record, first.
fn open_part(kept: &Arc<Kept>) -> Result<(AppendFile, Unfinished)> {
    let of_signal = Arc::clone(kept);
    let ending = move || {
        note!("\nmola: {}", of_signal.how_to_go_on());
        of_signal.clear();
    };
    Unfinished::opened(|| AppendFile::open(&kept.names.part), ending)
}

fn remove_empty(path: &Path, part: &AppendFile) {
    if part.length() == 0 {
        let _ = fs::remove_file(path);
    }
}

/// The first line of a note; a line with a length follows for each record.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The program that wrote it, for a user who finds the file.
    unfinished_run_of: String,
    settings: String,
}

const PROGRAM: &str = "mola";

struct Names {
    /// As the user calls it.
    path: PathBuf,
    /// The same, or the target of a link, which is kept.
    place: PathBuf,
    part: PathBuf,
    note: PathBuf,
}

impl Names {
    fn new(path: &Path) -> Result<Names> {
        refuse_unresumable(path)?;
        let place = place(path)?;
        if let Some(folder) = place.parent().filter(|name| !name.as_os_str().is_empty()) {
            // Else the error would name the file of the records.
            fs::metadata(folder).map_err(|error| named(path, &error))?;
        }
        let with = |end: &str| {
            let mut name = place.as_os_str().to_owned();
            name.push(end);
            PathBuf::from(name)
        };
        Ok(Names {
            part: with(".part"),
            note: with(".run"),
            path: path.to_owned(),
            place,
        })
    }
}

/// Refuses outputs that are the same file, where one of them is that of a long run, whose unfinished
/// files are outputs, too.
///
/// # Errors
/// As [`refuse_same_outputs`](super::refuse_same_outputs).
pub fn refuse_outputs_of_run(run: Option<&Path>, others: &[Option<&Path>]) -> Result {
    let names = run.map(Names::new).and_then(Result::ok);
    let unfinished = names.iter().flat_map(|names| [&names.part, &names.note]);
    let unfinished = unfinished.map(|path| Some(path.as_path()));
    let outputs: Vec<_> = unfinished
        .chain([run])
        .chain(others.iter().copied())
        .collect();
    same_file::refuse_same_outputs(&outputs)
}

/// The note that an earlier run has left.
struct Earlier {
    settings: String,
    /// The length of the file after each record, in bytes.
    lengths: Vec<u64>,
}

impl RecordFile {
    /// Begins a run, or resumes one that was stopped. The settings are all that the records
    /// depend on, as text, preferably as the user writes them: `--depth 12 games.pgn`.
    ///
    /// # Errors
    /// When the path is one of the inputs; when a file is there and not to be replaced, or cannot be; when
    /// the run that was stopped had other settings and its records are not to be replaced; and when
    /// another run writes to the file.
    pub fn open(
        path: &Path,
        settings: &str,
        replace: Replace,
        inputs: &[impl AsRef<Path>],
    ) -> Result<RecordFile> {
        let names = Names::new(path)?;
        for name in [&names.path, &names.part, &names.note] {
            same_file::refuse_input(name, inputs)?;
        }
        let earlier = names.resumable(replace)?;
        names.refuse_irreplaceable()?;
        let records = earlier.map_or(0, |earlier| earlier.lengths.len());
        let kept = Arc::new(Kept {
            names,
            records: AtomicU64::new(records as u64),
            are_old: AtomicBool::new(false),
        });
        let (part, unfinished) = open_part(&kept)?;
        // Another run may have added records, or ended, until it gave up the file. One that is about to
        // end has given the file its name, but still holds the note that it will remove.
        let free = kept.names.refuse_held_note();
        let earlier = free.and_then(|()| kept.names.resumable(replace));
        let earlier = earlier.inspect_err(|_| remove_empty(&kept.names.part, &part))?;
        let is_other = |earlier: &Earlier| earlier.is_other(settings);
        let are_old = earlier.as_ref().is_some_and(is_other);
        let lengths = match earlier {
            Some(earlier) => earlier.whole(&kept.names, settings, replace, part.length())?,
            None => Vec::new(),
        };
        kept.records.store(lengths.len() as u64, Relaxed);
        kept.are_old.store(are_old, Relaxed);
        // From here on, a failure removes the files, unless they are old.
        let mut file = RecordFile {
            _unfinished: unfinished,
            part: Some(part),
            note: None,
            settings: settings.to_owned(),
            kept,
            replace,
        };
        if !are_old {
            file.start(&lengths)?;
        }
        Ok(file)
    }

    /// Removes the records of an earlier run behind the first ones, as they are of no use after all. If
    /// none is to be kept, they stay until the first new one.
    ///
    /// # Errors
    /// When the files cannot be read or written, or the note is no longer that of a run of this
    /// program.
    pub fn keep_first(&mut self, records: u64) -> Result {
        if records == 0 && self.kept.records() > 0 {
            self.kept.are_old.store(true, Relaxed);
            self.kept.records.store(0, Relaxed);
        }
        if self.kept.are_old() {
            return Ok(());
        }
        // Under Windows, a locked file cannot be read by its name.
        let earlier = match &mut self.note {
            Some(note) => Some(Earlier::of(&note.read()?, &self.kept.names)?),
            None => Earlier::read(&self.kept.names)?,
        };
        let mut lengths = earlier.map_or(Vec::new(), |earlier| earlier.lengths);
        lengths.truncate(usize::try_from(records).unwrap_or(usize::MAX));
        self.kept.records.store(lengths.len() as u64, Relaxed);
        // Under Windows, an open file cannot be replaced.
        self.note = None;
        self.start(&lengths)
    }

    /// Gives up the records of an earlier run, if they still are in the files.
    fn replace_old(&mut self) -> Result {
        if self.kept.are_old() {
            // Under Windows, an open file cannot be replaced.
            self.note = None;
            self.start(&[])?;
            self.kept.are_old.store(false, Relaxed);
        }
        Ok(())
    }

    /// Writes the note anew, then the file up to its last whole record.
    fn start(&mut self, lengths: &[u64]) -> Result {
        let head = Head {
            unfinished_run_of: PROGRAM.to_owned(),
            settings: self.settings.clone(),
        };
        let head = serde_json::to_string(&head).map_err(io::Error::from)?;
        let lines = lengths.iter().map(|length| format!("{length}\n"));
        let text: String = std::iter::once(head + "\n").chain(lines).collect();
        super::replace(&self.kept.names.note, text.as_bytes())?;
        let end = lengths.last().copied().unwrap_or(0);
        self.part.as_mut().map_or(Ok(()), |part| part.cut(end))?;
        self.note = Some(AppendFile::open(&self.kept.names.note)?);
        #[cfg(unix)]
        self.kept.names.keep_private();
        Ok(())
    }

    /// The file of the records, unless they are those of an earlier run.
    fn own_part(&mut self) -> Option<&mut AppendFile> {
        let are_old = self.kept.are_old();
        self.part.as_mut().filter(|_| !are_old)
    }

    /// The file that has the records until the run is over.
    pub fn part(&self) -> &Path {
        &self.kept.names.part
    }

    /// The number of records in the file, those of earlier runs included.
    pub fn records(&self) -> u64 {
        self.kept.records()
    }

    /// All records so far.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn read(&mut self) -> Result<Vec<u8>> {
        self.own_part().map_or(Ok(Vec::new()), AppendFile::read)
    }

    /// A handle to read the records of earlier runs. It is invalid after the first
    /// [`add`](RecordFile::add).
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn earlier(&mut self) -> Result<Option<File>> {
        self.own_part().map(AppendFile::begin).transpose()
    }

    /// `length` bytes of the records from the offset `at` on; fewer where they end.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn read_at(&mut self, at: u64, length: u64) -> Result<Vec<u8>> {
        let part = self.own_part();
        part.map_or(Ok(Vec::new()), |part| part.read_at(at, length))
    }

    /// Adds a record. From now on it is kept, whatever happens to the program.
    ///
    /// # Errors
    /// When the disk is full; the records before it are kept.
    pub fn add(&mut self, record: &[u8]) -> Result {
        self.replace_old()?;
        let (Some(part), Some(note)) = (&mut self.part, &mut self.note) else {
            return Ok(());
        };
        part.add(record)?;
        note.add(format!("{}\n", part.length()).as_bytes())?;
        self.kept.records.fetch_add(1, Relaxed);
        Ok(())
    }

    /// Ends the run without a file, since what its records were for is done.
    pub fn discard(self) {
        // Dropped without a record, it removes its files.
        self.kept.are_old.store(false, Relaxed);
        self.kept.records.store(0, Relaxed);
    }

    /// A message for the user on how to resume after the run is stopped. A signal that ends the
    /// program, as it is not [watched](crate::signals::watch), has it written.
    pub fn how_to_go_on(&self) -> String {
        self.kept.how_to_go_on()
    }

    /// Gives the file its name; the run is over.
    ///
    /// # Errors
    /// When another file has taken its place meanwhile, or the disk fails. The records are kept.
    pub fn finish(mut self) -> Result {
        self.replace_old()?;
        if let Some(part) = &self.part {
            part.sync()?;
        }
        let Names { path, place, .. } = &self.kept.names;
        if let Ok(old) = fs::metadata(place)
            && let Ok(part) = File::open(&self.kept.names.part)
        {
            keep_rights(&part, &old);
        }
        let mut part = TempPath::try_from_path(&self.kept.names.part)?;
        part.disable_cleanup(true);
        put(part, place, self.replace).map_err(|error| {
            let error = match error.kind() {
                io::ErrorKind::AlreadyExists => exists(path),
                _ => Error::Io(named(path, &error)),
            };
            let part = self.kept.names.part.display();
            Error::Message(format!("{error}; what was written is kept in {part}"))
        })?;
        sync_folder(place);
        let _ = fs::remove_file(&self.kept.names.note);
        // Held until now, so that no other run resumes this one.
        (self.part, self.note) = (None, None);
        Ok(())
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        if self.part.is_some() {
            self.kept.clear();
        }
    }
}

impl Earlier {
    /// Reads the note; `None` if there is none.
    fn read(names: &Names) -> Result<Option<Earlier>> {
        match fs::read(&names.note) {
            Ok(text) => Earlier::of(&text, names).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::Io(named(&names.note, &error))),
        }
    }

    /// The note with this text.
    fn of(text: &[u8], names: &Names) -> Result<Earlier> {
        let text = std::str::from_utf8(text).map_err(|_| names.not_ours())?;
        // A last line that was cut off is ignored.
        let mut lines = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        let head = lines
            .next()
            .and_then(|line| serde_json::from_str(line).ok());
        let Some(Head {
            unfinished_run_of,
            settings,
        }) = head
        else {
            return Err(names.not_ours());
        };
        if unfinished_run_of != PROGRAM {
            return Err(names.not_ours());
        }
        let lengths = lines.map_while(|line| line.trim_end().parse().ok());
        Ok(Earlier {
            settings,
            lengths: lengths.collect(),
        })
    }

    /// Whether the run had other settings, and has left records.
    fn is_other(&self, settings: &str) -> bool {
        self.settings != settings && !self.lengths.is_empty()
    }

    /// The lengths of the file after each record that is complete in it; none if the run is to
    /// begin anew.
    fn whole(
        mut self,
        names: &Names,
        settings: &str,
        replace: Replace,
        length: u64,
    ) -> Result<Vec<u64>> {
        if self.settings != settings {
            return match replace {
                Replace::Yes => Ok(Vec::new()),
                Replace::No if self.lengths.is_empty() => Ok(Vec::new()),
                Replace::No => Err(Error::Message(format!(
                    "{} holds {} of a run that began with other settings, {}; these are {settings}. \
                     Go on with those, or begin anew with --force",
                    names.part.display(),
                    count(self.lengths.len(), "record"),
                    self.settings
                ))),
            };
        }
        // After a power failure the note may list records that the file has lost.
        self.lengths.retain(|&end| end <= length);
        Ok(self.lengths)
    }
}

impl Names {
    /// Refuses a note that another run holds. (The lock is given up at once: under Windows, a locked
    /// file cannot be read by its name.)
    fn refuse_held_note(&self) -> Result {
        match File::options().read(true).write(true).open(&self.note) {
            Ok(note) => hold(&note, &self.note),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Error::Io(named(&self.note, &error))),
        }
    }

    /// The run to resume, if there is one.
    fn resumable(&self, replace: Replace) -> Result<Option<Earlier>> {
        if self.place.exists() && replace == Replace::No {
            return Err(exists(&self.path));
        }
        // One of the two files alone, without a record, is left of a run that was killed as it began
        // or ended.
        let earlier = Earlier::read(self)?;
        if earlier.is_none() && fs::metadata(&self.part).is_ok_and(|found| found.len() > 0) {
            let (part, path) = (self.part.display(), self.path.display());
            return Err(Error::Message(format!(
                "{part} exists already, and is not of an unfinished run; choose another name than {path}"
            )));
        }
        Ok(earlier.filter(|_| self.part.exists()))
    }

    /// Refuses to replace what could not be replaced in the end.
    fn refuse_irreplaceable(&self) -> Result {
        let Ok(old) = fs::metadata(&self.place) else {
            return Ok(());
        };
        let probe = temporary::file(&self.place);
        let (own, _temporary) = probe.map_err(|error| named(&self.path, &error))?;
        refuse_irreplaceable(&self.path, &self.place, &old, &own)
    }

    /// Has nobody read the unfinished files who may not read the file that they will replace.
    #[cfg(unix)]
    fn keep_private(&self) {
        if let Ok(old) = fs::metadata(&self.place) {
            use std::os::unix::fs::PermissionsExt;
            // They are written, even if that file is not.
            const OWN: u32 = 0o600;
            let mode = old.permissions().mode() | OWN;
            for path in [&self.part, &self.note] {
                let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
            }
        }
    }

    fn not_ours(&self) -> Error {
        let (note, path) = (self.note.display(), self.path.display());
        Error::Message(format!(
            "{note}: not the state of an unfinished run; choose another name than {path}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::NO_INPUTS;
    use super::*;

    struct Scene {
        folder: tempfile::TempDir,
    }

    impl Scene {
        fn new() -> Scene {
            let folder = tempfile::tempdir().unwrap();
            Scene { folder }
        }

        fn at(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn open(&self, settings: &str, replace: Replace) -> Result<RecordFile> {
            RecordFile::open(&self.at("out"), settings, replace, NO_INPUTS)
        }

        /// A run that is killed after this many records.
        fn killed(&self, settings: &str, records: &[&str]) {
            self.begin(settings, Replace::No, records);
        }

        /// The same, where there is a file that it would replace.
        fn killed_over(&self, settings: &str, records: &[&str]) {
            self.begin(settings, Replace::Yes, records);
        }

        fn begin(&self, settings: &str, replace: Replace, records: &[&str]) {
            let mut file = self.open(settings, replace).unwrap();
            for record in records {
                file.add(record.as_bytes()).unwrap();
            }
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.folder.path()).unwrap();
            let mut names: Vec<String> = entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        }

        fn text(&self, name: &str) -> String {
            fs::read_to_string(self.at(name)).unwrap()
        }
    }

    #[test]
    fn records_that_have_served_leave_nothing() {
        let scene = Scene::new();
        scene.killed("", &["one\n"]);
        let mut file = scene.open("", Replace::No).unwrap();
        let mut earlier = file.earlier().unwrap().unwrap();
        assert_eq!(io::read_to_string(&mut earlier).unwrap(), "one\n");
        file.add(b"two\n").unwrap();
        assert_eq!(file.read().unwrap(), b"one\ntwo\n");
        file.discard();
        assert!(scene.names().is_empty());
    }

    #[test]
    fn a_run_goes_on_after_its_last_whole_record() {
        let scene = Scene::new();
        scene.killed("--depth 4", &["one\n", "two\n"]);
        assert_eq!(scene.names(), ["out.part", "out.run"]);
        // Killed in the middle of a record, and of its line in the note.
        fs::write(scene.at("out.part"), "one\ntwo\nthr").unwrap();
        let note = scene.text("out.run") + "1";
        fs::write(scene.at("out.run"), note).unwrap();

        let mut file = scene.open("--depth 4", Replace::No).unwrap();
        assert_eq!(
            (file.records(), file.read().unwrap()),
            (2, b"one\ntwo\n".to_vec())
        );
        assert!(file.how_to_go_on().contains("2 records"));
        file.add(b"three\n").unwrap();
        file.finish().unwrap();
        assert_eq!(scene.text("out"), "one\ntwo\nthree\n");
        assert_eq!(scene.names(), ["out"]);
    }

    #[test]
    fn records_that_the_disk_has_lost_are_done_again() {
        let scene = Scene::new();
        scene.killed("", &["one\n", "two\n", "three\n"]);
        fs::write(scene.at("out.part"), "one\ntw").unwrap();
        let mut file = scene.open("", Replace::No).unwrap();
        assert_eq!(
            (file.records(), file.read().unwrap()),
            (1, b"one\n".to_vec())
        );
    }

    #[test]
    fn records_of_no_use_make_way_for_new_ones() {
        let scene = Scene::new();
        scene.killed("--depth 4", &["one\n", "two\n"]);
        let mut file = scene.open("--depth 4", Replace::Yes).unwrap();
        file.keep_first(0).unwrap();
        assert_eq!((file.records(), file.read().unwrap()), (0, Vec::new()));
        file.add(b"three\n").unwrap();
        file.add(b"four\n").unwrap();
        drop(file);
        let mut file = scene.open("--depth 4", Replace::No).unwrap();
        assert_eq!(file.read().unwrap(), b"three\nfour\n");
        file.keep_first(1).unwrap();
        assert_eq!(
            (file.records(), file.read().unwrap()),
            (1, b"three\n".to_vec())
        );
        file.add(b"five\n").unwrap();
        drop(file);
        let file = scene.open("--depth 4", Replace::No).unwrap();
        assert_eq!(file.records(), 2);
        file.finish().unwrap();
        assert_eq!(scene.text("out"), "three\nfive\n");
        assert_eq!(scene.names(), ["out"]);
    }

    #[test]
    fn the_unfinished_files_are_outputs() {
        let scene = Scene::new();
        let run = scene.at("out");
        let refused =
            |name: &str| refuse_outputs_of_run(Some(&run), &[None, Some(&scene.at(name))]).is_err();
        for name in ["out", "out.part", "./out.part", "out.run"] {
            assert!(refused(name), "{name}");
        }
        for name in ["other", "out.json"] {
            assert!(!refused(name), "{name}");
        }
        let dash = Path::new("-");
        refuse_outputs_of_run(Some(dash), &[Some(dash)]).unwrap();
        refuse_outputs_of_run(None, &[Some(&run), None]).unwrap();
    }

    #[test]
    fn other_settings_are_refused() {
        let scene = Scene::new();
        scene.killed("--depth 4", &["one\n"]);
        let refused = scene
            .open("--depth 12", Replace::No)
            .err()
            .unwrap()
            .to_string();
        assert!(
            refused.contains("--depth 4, ") || refused.contains("--depth 4;"),
            "{refused}"
        );
        assert!(refused.contains("--depth 12"), "{refused}");
        assert_eq!(scene.text("out.part"), "one\n");
        let mut file = scene.open("--depth 12", Replace::Yes).unwrap();
        assert_eq!((file.records(), file.read().unwrap()), (0, Vec::new()));
        file.add(b"two\n").unwrap();
        assert_eq!(file.read().unwrap(), b"two\n");
        file.finish().unwrap();
        assert_eq!(scene.text("out"), "two\n");
        assert_eq!(scene.names(), ["out"]);
    }

    #[test]
    fn a_run_that_fails_before_its_first_record_keeps_those_of_another() {
        let scene = Scene::new();
        scene.killed("--depth 4", &["one\n", "two\n"]);
        let mut file = scene.open("--depth 12", Replace::Yes).unwrap();
        assert!(file.earlier().unwrap().is_none() && file.read_at(0, 4).unwrap().is_empty());
        assert!(scene.open("--depth 4", Replace::No).is_err());
        assert!(file.how_to_go_on().contains("out.part has the records"));
        drop(file);
        let mut file = scene.open("--depth 4", Replace::Yes).unwrap();
        assert_eq!(file.read().unwrap(), b"one\ntwo\n");
        file.keep_first(0).unwrap();
        assert_eq!(file.records(), 0);
        drop(file);
        assert_eq!(scene.open("--depth 4", Replace::No).unwrap().records(), 2);

        // A run that ends without a record has replaced them all the same.
        let file = scene.open("--depth 12", Replace::Yes).unwrap();
        file.finish().unwrap();
        assert_eq!(
            (scene.text("out"), scene.names()),
            (String::new(), vec!["out".to_owned()])
        );
        scene.killed_over("--depth 4", &["one\n"]);
        scene.open("--depth 12", Replace::Yes).unwrap().discard();
        assert_eq!(scene.names(), ["out"]);
    }

    #[cfg(unix)]
    #[test]
    fn unfinished_files_are_as_private_as_the_old_file() {
        use std::os::unix::fs::PermissionsExt;
        let scene = Scene::new();
        fs::write(scene.at("out"), "old").unwrap();
        fs::set_permissions(scene.at("out"), fs::Permissions::from_mode(0o400)).unwrap();
        let mode = |name: &str| {
            let found = fs::metadata(scene.at(name)).unwrap();
            found.permissions().mode() & 0o777
        };
        let file = scene.open("", Replace::Yes).unwrap();
        assert_eq!((mode("out.part"), mode("out.run")), (0o600, 0o600));
        file.finish().unwrap();
        assert_eq!(mode("out"), 0o400);
    }

    #[test]
    fn a_file_that_appears_in_the_end_is_told_with_the_place_of_the_records() {
        let scene = Scene::new();
        let mut file = scene.open("", Replace::No).unwrap();
        file.add(b"one\n").unwrap();
        fs::write(scene.at("out"), "theirs").unwrap();
        let error = file.finish().unwrap_err().to_string();
        assert!(
            error.contains("--force") && error.ends_with("out.part"),
            "{error}"
        );
        assert_eq!(scene.text("out.part"), "one\n");
    }

    #[test]
    fn files_of_others_are_kept() {
        let scene = Scene::new();
        fs::write(scene.at("out"), "theirs").unwrap();
        assert!(scene.open("", Replace::No).is_err());
        let mut file = scene.open("", Replace::Yes).unwrap();
        file.add(b"mine").unwrap();
        drop(file);
        assert_eq!(scene.text("out"), "theirs");
        // The same command resumes, and again has --force.
        assert!(scene.open("", Replace::No).is_err());
        let file = scene.open("", Replace::Yes).unwrap();
        assert_eq!(file.records(), 1);
        file.finish().unwrap();
        assert_eq!(scene.text("out"), "mine");

        for (name, text) in [
            ("out.part", "theirs"),
            ("out.run", "theirs"),
            ("out.run", "\u{0}"),
        ] {
            let scene = Scene::new();
            fs::write(scene.at(name), text).unwrap();
            assert!(scene.open("", Replace::No).is_err(), "{name}");
            assert_eq!(scene.text(name), text);
            assert_eq!(scene.names(), [name]);
        }
    }

    #[test]
    fn a_run_that_was_killed_as_it_ended_has_ended() {
        let scene = Scene::new();
        scene.killed("", &["one\n"]);
        fs::rename(scene.at("out.part"), scene.at("out")).unwrap();
        assert!(scene.open("", Replace::No).is_err());
        assert_eq!(scene.text("out"), "one\n");
    }

    #[test]
    fn a_run_that_was_killed_as_it_began_begins_anew() {
        let scene = Scene::new();
        fs::write(scene.at("out.part"), "").unwrap();
        scene.open("", Replace::No).unwrap().finish().unwrap();
        assert_eq!(scene.names(), ["out"]);
    }

    #[test]
    fn one_run_at_a_time() {
        let scene = Scene::new();
        let mut first = scene.open("", Replace::No).unwrap();
        first.add(b"one\n").unwrap();
        let second = scene.open("", Replace::No).err().unwrap();
        assert!(second.to_string().contains("another program"), "{second}");
        first.add(b"two\n").unwrap();
        first.finish().unwrap();
        assert_eq!(scene.text("out"), "one\ntwo\n");
    }

    #[test]
    fn of_runs_that_begin_and_end_together_each_record_is_kept() {
        let scene = Scene::new();
        let run = |text: &str| {
            let (mut done, mut refused) = (0, 0);
            while done < 50 {
                // Refused while the other one has the file.
                let Ok(mut file) = scene.open("", Replace::Yes) else {
                    refused += 1;
                    assert!(refused < 1_000_000, "refused for ever");
                    continue;
                };
                let before = file.read().unwrap();
                file.add(text.as_bytes()).unwrap();
                let after = [&before[..], text.as_bytes()].concat();
                assert_eq!(file.read().unwrap(), after);
                if done % 2 == 0 {
                    file.finish().unwrap();
                }
                done += 1;
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| run("one\n"));
            scope.spawn(|| run("two\n"));
        });
        assert!(scene.names().iter().all(|name| name.starts_with("out")));
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_by_the_name_of_the_user() {
        let path = Scene::new().at("none/out");
        let error = RecordFile::open(&path, "", Replace::No, NO_INPUTS).err();
        let error = error.unwrap().to_string();
        let name = path.display().to_string();
        assert!(error.starts_with(&format!("{name}: ")), "{error}");
    }

    #[test]
    fn inputs_are_refused() {
        let scene = Scene::new();
        for name in ["out", "out.part", "out.run"] {
            fs::write(scene.at(name), "in").unwrap();
            let open = RecordFile::open(&scene.at("out"), "", Replace::Yes, &[scene.at(name)]);
            assert!(open.is_err(), "{name}");
            assert_eq!(scene.text(name), "in");
            fs::remove_file(scene.at(name)).unwrap();
        }
    }
}
