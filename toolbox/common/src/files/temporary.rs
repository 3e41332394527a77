//! Temporary files and folders, and the removal of those that killed programs have left.

use super::unfinished::Unfinished;
#[cfg(windows)]
use super::windows_name::verbatim;
use super::{CURRENT, Replace, folder_of};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::{Builder, TempDir, TempPath};

/// The place of a file until it gets its name.
pub(super) enum Temporary {
    /// None: the system frees a nameless file with the program, however that ends.
    #[cfg(target_os = "linux")]
    Unnamed,
    /// In the folder of its place, under a name that is removed with it.
    Named(TempPath, Unfinished),
}

/// The beginning of temporary names, and their end.
const PREFIX: &str = ".mola-";
const SUFFIX: &str = ".part";
/// The lock file of a temporary folder, and its name until it is locked.
const LOCK: &str = ".lock";
const NEW_LOCK: &str = ".lock-new";
/// Files, and folders without a lock file, that are younger than this are not removed: they may not be
/// locked yet.
const LEAST_AGE: Duration = Duration::from_secs(5);

/// Whether a file is one that a command has not finished, by its name.
pub fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// The temporary file beside a path that is the lock of it.
pub(super) fn lock_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(PREFIX);
    name.push(path.file_name().unwrap_or_default());
    name.push(SUFFIX);
    path.with_file_name(name)
}

/// The rights in Unix of any new file, before the user's mask, and of a folder of one's own.
const ANY: u32 = 0o666;
const OWN: u32 = 0o700;

fn builder(rights: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(rights));
    }
    #[cfg(not(unix))]
    let _ = rights;
    builder
}

/// A file in the folder of its place, with the rights that any new file has.
pub(super) fn file(place: &Path) -> io::Result<(File, Temporary)> {
    let folder = folder_of(place);
    remove_abandoned(folder);
    #[cfg(target_os = "linux")]
    if let Some(file) = unnamed(folder) {
        return Ok((file, Temporary::Unnamed));
    }
    named(folder)
}

fn named(folder: &Path) -> io::Result<(File, Temporary)> {
    let (file, unfinished) = Unfinished::temporary(|| builder(ANY).tempfile_in(folder))?;
    let (file, path) = file.into_parts();
    // Where there are no locks, files of killed programs are not removed.
    let _ = file.try_lock();
    Ok((file, Temporary::Named(path, unfinished)))
}

/// A folder in another one, for its owner alone, as it may hold what replaces private files; it is locked as
/// long as the file lives.
pub(super) fn folder(folder: &Path) -> io::Result<(TempDir, File, Unfinished)> {
    remove_abandoned(folder);
    let (made, unfinished) = Unfinished::temporary(|| builder(OWN).tempdir_in(folder))?;
    let at = |name| made.path().join(name);
    let lock = File::create_new(at(NEW_LOCK))?;
    let _ = lock.try_lock();
    // Who finds it under its name finds it locked as long as this program lives.
    fs::rename(at(NEW_LOCK), at(LOCK))?;
    Ok((made, lock, unfinished))
}

/// `None` where the file system has no such files, or they could not get a name.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = File::from(open(folder, flags, Mode::from_raw_mode(ANY)).ok()?);
    fs::metadata(in_proc(&file)).is_ok().then_some(file)
}

/// The name that the system shows for an open file.
#[cfg(target_os = "linux")]
fn in_proc(file: &File) -> String {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(
        CWD,
        in_proc(file),
        CWD,
        path,
        AtFlags::SYMLINK_FOLLOW,
    )?)
}

impl Temporary {
    /// Gives the file its name.
    pub(super) fn put(self, file: &File, place: &Path, replace: Replace) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Temporary::Unnamed if replace == Replace::No => link(file, place),
            // A nameless file cannot replace another at once: it gets a temporary name first.
            #[cfg(target_os = "linux")]
            Temporary::Unnamed => {
                let make = || builder(ANY).make_in(folder_of(place), |path| link(file, path));
                let (named, _unfinished) = Unfinished::temporary(make)?;
                put(named.into_temp_path(), place, replace)
            }
            Temporary::Named(path, _unfinished) => {
                let _ = file;
                put(path, place, replace)
            }
        }
    }
}

/// Gives a temporary file its name. tempfile hands names to Windows as they are.
#[cfg(windows)]
pub(super) fn put(mut temporary: TempPath, path: &Path, replace: Replace) -> io::Result<()> {
    let mut by_full_path = TempPath::try_from_path(full_path(&temporary)?)?;
    by_full_path.disable_cleanup(true);
    rename(by_full_path, &full_path(path)?, replace)?;
    temporary.disable_cleanup(true);
    Ok(())
}

/// Gives a temporary file its name.
#[cfg(not(windows))]
pub(super) fn put(temporary: TempPath, path: &Path, replace: Replace) -> io::Result<()> {
    rename(temporary, path, replace)
}

fn rename(temporary: TempPath, path: &Path, replace: Replace) -> io::Result<()> {
    if replace == Replace::Yes {
        return Ok(temporary.persist(path)?);
    }
    match temporary.persist_noclobber(path) {
        Ok(()) => Ok(()),
        // Some file systems cannot rename without replacing.
        Err(failed) if fs::symlink_metadata(path).is_err() => Ok(failed.path.persist(path)?),
        Err(failed) => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            failed.error.to_string(),
        )),
    }
}

/// A path as Windows takes it even if it has more than 260 characters.
#[cfg(windows)]
fn full_path(path: &Path) -> io::Result<PathBuf> {
    // Without dots and blanks at its end, which would count in such a path.
    let path = std::path::absolute(path)?;
    Ok(path
        .to_str()
        .map_or(path.clone(), |text| verbatim(text).into()))
}

/// Copies a file that could not get its name into one that stays: in its folder, or, where that is
/// gone, in the current one or that of the system for temporary files. (A nameless file can get a name
/// only once.)
pub(super) fn keep(file: &File, place: &Path) -> io::Result<PathBuf> {
    // WebAssembly has no such folder.
    let of_system = (!cfg!(target_family = "wasm")).then(env::temp_dir);
    let folders = [
        Some(folder_of(place)),
        Some(Path::new(CURRENT)),
        of_system.as_deref(),
    ];
    let mut last = Err(io::ErrorKind::NotFound.into());
    for folder in folders.into_iter().flatten() {
        last = keep_in(file, folder);
        if last.is_ok() {
            break;
        }
    }
    last
}

/// Has the files of a temporary folder stay, under a name that is not temporary.
pub(super) fn keep_folder(folder: TempDir) -> PathBuf {
    let made = folder.keep();
    let _ = fs::remove_file(made.join(LOCK));
    let name = made.file_name().unwrap_or_default().to_string_lossy();
    let kept = made.with_file_name(name.trim_start_matches('.'));
    match fs::rename(&made, &kept) {
        Ok(()) => kept,
        Err(_) => made,
    }
}

fn keep_in(mut file: &File, folder: &Path) -> io::Result<PathBuf> {
    let mut builder = Builder::new();
    // Not as those that are removed when their program has ended.
    builder.prefix("mola-").suffix(SUFFIX);
    #[cfg(not(windows))]
    let mut kept = builder.tempfile_in(folder)?;
    // Not as one that may go: tempfile marks its files so, and long paths stay marked.
    #[cfg(windows)]
    let mut kept = builder.make_in(folder, |path| File::create_new(path))?;
    file.seek(SeekFrom::Start(0))?;
    io::copy(&mut file, kept.as_file_mut())?;
    kept.as_file().sync_all()?;
    kept.disable_cleanup(true);
    let path = kept.path();
    let name = path.file_name().map(Path::new);
    let shown = name.filter(|_| folder == Path::new(CURRENT));
    Ok(shown.unwrap_or(path).to_owned())
}

/// Removes the temporary files and folders that killed programs left in a folder: those that are not
/// locked, and not just being made.
pub(super) fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_temporary(&entry.file_name()) {
            continue;
        }
        let path = entry.path();
        // A failure to remove one is ignored.
        let _ = match entry.file_type() {
            Ok(kind) if kind.is_file() && is_old(&path) && is_free(&path) => fs::remove_file(&path),
            Ok(kind) if kind.is_dir() && is_abandoned(&path) => fs::remove_dir_all(&path),
            _ => Ok(()),
        };
    }
}

/// Whether the program that made a temporary folder has ended. It may have been killed before there was
/// a lock file. Where nobody can tell whether there is one, the folder may be in use.
fn is_abandoned(folder: &Path) -> bool {
    let lock = folder.join(LOCK);
    match lock.try_exists() {
        Ok(true) => is_free(&lock),
        Ok(false) => is_old(folder),
        Err(_) => false,
    }
}

fn is_old(path: &Path) -> bool {
    let changed = fs::metadata(path).and_then(|found| found.modified());
    let age = changed.map(|changed| SystemTime::now().duration_since(changed));
    age.is_ok_and(|age| age.is_ok_and(|age| age > LEAST_AGE))
}

fn is_free(path: &Path) -> bool {
    let mut options = File::options();
    let file = options.read(true).write(true).open(path);
    file.is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn age(path: &Path) {
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - 2 * LEAST_AGE)
            .unwrap();
    }

    #[test]
    fn what_killed_programs_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [".mola-d.part", ".mola-e.part", ".mola-f.part"] {
            fs::create_dir(at(name)).unwrap();
        }
        let (held, held_folder, _unfinished) = super::folder(folder.path()).unwrap();
        let (held_file, _temporary) = named(folder.path()).unwrap();
        for name in [
            ".mola-a.part",
            ".mola-b.part",
            ".mola-c",
            ".mola-d.part/.lock",
            ".mola-f.part/.lock-new",
        ] {
            fs::write(at(name), "").unwrap();
        }
        for name in [".mola-a.part", ".mola-c"] {
            age(&at(name));
        }
        age(&held.path().join(LOCK));
        held_file
            .set_modified(SystemTime::now() - 2 * LEAST_AGE)
            .unwrap();
        remove_abandoned(folder.path());
        drop(held_folder);
        assert!(!at(".mola-a.part").exists() && !at(".mola-d.part").exists());
        for name in [".mola-b.part", ".mola-c", ".mola-e.part", ".mola-f.part"] {
            assert!(at(name).exists(), "{name}");
        }
        assert!(held.path().exists());
        // These four, the folder that is held, and the file that is.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
    }

    /// Only Unix sets the time of a folder by its open file.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_was_never_locked_is_removed_when_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join(".mola-a.part");
        fs::create_dir(&made).unwrap();
        fs::write(made.join(NEW_LOCK), "").unwrap();
        remove_abandoned(folder.path());
        assert!(made.exists());
        let old = SystemTime::now() - 2 * LEAST_AGE;
        File::open(&made).unwrap().set_modified(old).unwrap();
        remove_abandoned(folder.path());
        assert!(!made.exists());
    }

    /// A link to itself cannot be followed.
    #[cfg(unix)]
    #[test]
    fn a_folder_whose_lock_cannot_be_looked_at_stays() {
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join(".mola-a.part");
        fs::create_dir(&made).unwrap();
        std::os::unix::fs::symlink(LOCK, made.join(LOCK)).unwrap();
        let old = SystemTime::now() - 2 * LEAST_AGE;
        File::open(&made).unwrap().set_modified(old).unwrap();
        remove_abandoned(folder.path());
        assert!(made.exists());
    }

    #[test]
    fn a_name_is_given_in_both_ways() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        for make in [file, |path: &Path| named(folder_of(path))] {
            for (text, replace) in [("one", Replace::No), ("two", Replace::Yes)] {
                let (mut file, temporary) = make(&path).unwrap();
                file.write_all(text.as_bytes()).unwrap();
                temporary.put(&file, &path, replace).unwrap();
                assert_eq!(fs::read_to_string(&path).unwrap(), text);
            }
            let (file, temporary) = make(&path).unwrap();
            let refused = temporary.put(&file, &path, Replace::No).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
            fs::remove_file(&path).unwrap();
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
