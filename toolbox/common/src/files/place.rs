//! Where a file gets its name, and what can be known before the work of what would prevent it.

#[cfg(unix)]
use super::folder_of;
use super::named;
use super::windows_name::refuse_unusable;
use crate::error::{Error, Result};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf, is_separator};

/// Why a file that is there is not replaced.
pub(super) fn exists(path: &Path) -> Error {
    Error::Message(format!(
        "{} exists already: --force replaces it",
        path.display()
    ))
}

fn folder_not_file(path: &Path) -> Error {
    Error::Message(format!("{}: a folder, not a file", path.display()))
}

/// The path itself, or the target of a link, so that the link is kept.
///
/// # Errors
/// When there can be no file of that name.
pub(super) fn place(path: &Path) -> Result<PathBuf> {
    let refuse = |why: &str| Err(Error::Message(format!("{}: {why}", path.display())));
    refuse_unusable(path)?;
    if path.is_dir() {
        return Err(folder_not_file(path));
    }
    if path.file_name().is_none_or(OsStr::is_empty) || ends_as_folder(path) {
        return refuse("not the name of a file");
    }
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => match path.canonicalize() {
            Ok(place) => Ok(place),
            Err(_) => refuse("a dangling symbolic link"),
        },
        // Too long, for one: a file without a name could be written, but not get this one.
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::Io(named(path, &error)))
        }
        _ => Ok(path.to_owned()),
    }
}

/// Whether a path is spelled as only that of a folder can be: `folder/` or `folder/.`. [`Path`] does not
/// tell it from `folder`, but the system does.
fn ends_as_folder(path: &Path) -> bool {
    let text = path.as_os_str().as_encoded_bytes();
    let text = text.strip_suffix(b".").unwrap_or(text);
    text.last().is_some_and(|&last| is_separator(last.into()))
}

/// Refuses to replace a file that the system would not let go in the end. `own` is any file of this
/// program in the same folder.
///
/// # Errors
/// When it is immutable, a mount of its own, or another user's in a folder such as `/tmp`, or, in
/// Windows, read-only; `path` is what the user calls it.
pub(super) fn refuse_irreplaceable(
    path: &Path,
    place: &Path,
    old: &Metadata,
    own: &File,
) -> Result {
    let refused = locked(place, old).or_else(|| belongs_to_another(place, old, own));
    refused.map_or(Ok(()), |why| {
        let path = path.display();
        let message = format!("{path} cannot be replaced: {why}; choose another name");
        Err(Error::Message(message))
    })
}

#[cfg(target_os = "linux")]
fn locked(place: &Path, _old: &Metadata) -> Option<&'static str> {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let found = statx(CWD, place, AtFlags::empty(), StatxFlags::BASIC_STATS).ok()?;
    let has = |attributes| found.stx_attributes.intersects(attributes);
    if has(StatxAttributes::IMMUTABLE | StatxAttributes::APPEND) {
        Some("it is immutable")
    } else if has(StatxAttributes::MOUNT_ROOT) {
        Some("it is mounted by itself")
    } else {
        None
    }
}

#[cfg(windows)]
fn locked(_place: &Path, old: &Metadata) -> Option<&'static str> {
    old.permissions().readonly().then_some("it is read-only")
}

#[cfg(not(any(target_os = "linux", windows)))]
fn locked(_place: &Path, _old: &Metadata) -> Option<&'static str> {
    None
}

/// In a folder with the sticky bit only the owner of a file or of the folder may replace it.
#[cfg(unix)]
fn belongs_to_another(place: &Path, old: &Metadata, own: &File) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt;
    const STICKY: u32 = 0o1000;
    const ROOT: u32 = 0;
    let folder = fs::metadata(folder_of(place)).ok()?;
    let user = own.metadata().ok()?.uid();
    let may_replace = [ROOT, folder.uid(), old.uid()].contains(&user);
    let is_shared = folder.mode() & STICKY != 0;
    (is_shared && !may_replace).then_some("it belongs to another user")
}

#[cfg(not(unix))]
fn belongs_to_another(_place: &Path, _old: &Metadata, _own: &File) -> Option<&'static str> {
    None
}

/// Gives a file the owner, the group and the rights of the one that it will replace, as far as
/// permitted.
pub(super) fn keep_rights(file: &File, old: &Metadata) {
    #[cfg(unix)]
    keep_owner(file, old);
    // Fails where the old file has another owner.
    let _ = file.set_permissions(old.permissions());
}

/// Before the rights, of which a change of the owner may remove some.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    // Only root may give files away; others may have several groups.
    if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
        let _ = fchown(file, None, Some(old.gid()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_too_long_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = place(&folder.path().join("x".repeat(300))).unwrap_err();
        assert!(!error.to_string().contains("os error"), "{error}");
        place(&folder.path().join("x".repeat(200))).unwrap();
    }

    #[test]
    fn a_name_that_only_a_folder_has_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        for end in ["/", "/.", "//"] {
            for name in ["file", "none"] {
                let path = folder.path().join(format!("{name}{end}"));
                let error = place(&path).unwrap_err().to_string();
                assert!(error.ends_with("not the name of a file"), "{error}");
            }
        }
        assert!(place(&file.join("within")).is_err());
        place(&folder.path().join("dot.")).unwrap();
    }

    /// Only root can tell, who may make files of other users.
    #[cfg(unix)]
    #[test]
    fn files_of_others_in_a_shared_folder() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, owner) in [("mine", 65534), ("theirs", 1)] {
            fs::write(at(name), "").unwrap();
            if chown(at(name), Some(owner), None).is_err() {
                return;
            }
        }
        let own = File::open(at("mine")).unwrap();
        let refused = |name: &str| {
            let old = fs::metadata(at(name)).unwrap();
            refuse_irreplaceable(&at(name), &at(name), &old, &own).is_err()
        };
        let mode = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode));
        mode(0o777).unwrap();
        assert!(!refused("mine") && !refused("theirs"));
        mode(0o1777).unwrap();
        assert!(!refused("mine") && refused("theirs"));
        let own = File::open(folder.path()).unwrap();
        let old = fs::metadata(at("theirs")).unwrap();
        refuse_irreplaceable(&at("theirs"), &at("theirs"), &old, &own).unwrap();

        let new = at("new");
        fs::write(&new, "").unwrap();
        fs::set_permissions(at("theirs"), fs::Permissions::from_mode(0o640)).unwrap();
        let old = fs::metadata(at("theirs")).unwrap();
        keep_rights(&File::open(&new).unwrap(), &old);
        let kept = fs::metadata(&new).unwrap();
        assert_eq!((kept.uid(), kept.gid()), (old.uid(), old.gid()));
        assert_eq!(kept.permissions(), old.permissions());
    }
}
