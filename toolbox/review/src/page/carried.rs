//! The engine embedded in a page: the output of `toolbox/wasm/build`, as text.

use super::json::json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::error::{Error, Result};
use serde::Serialize;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The files of the package that a page needs.
const GLUE: &str = "glue.js";
const WORKER: &str = "worker.js";
const MODULE: &str = "mola.wasm";
const RULES: &str = "rules.wasm";

/// The first bytes of every WebAssembly module.
const MAGIC: &[u8] = b"\0asm";

/// The largest file that is read, many times the size of the real ones.
const MAX_FILE_SIZE: u64 = 64 << 20;

/// An engine for pages.
pub(crate) struct Carried {
    /// What the page runs.
    pub(super) glue: String,
    /// What its worker runs, and the modules: JSON for the page.
    pub(super) data: String,
}

#[derive(Serialize)]
struct Data {
    worker: String,
    module: String,
    rules: String,
}

impl Carried {
    /// Reads the package in a folder.
    ///
    /// # Errors
    /// When a file is missing, or is not part of a package.
    pub(crate) fn open(folder: &Path) -> Result<Carried> {
        let data = Data {
            worker: script(folder, WORKER)?,
            module: module(folder, MODULE)?,
            rules: module(folder, RULES)?,
        };
        Ok(Carried {
            glue: script(folder, GLUE)?,
            data: json(&data)?,
        })
    }
}

fn refusal(folder: &Path, name: &str, reason: &str) -> Error {
    let path = folder.join(name);
    Error::Message(format!(
        "{}: {reason}; the folder is made by toolbox/wasm/build",
        path.display()
    ))
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(folder.join(name))
        .and_then(|file| file.take(MAX_FILE_SIZE).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(refusal(folder, name, &error.to_string())),
    }
}

/// A module as text.
fn module(folder: &Path, name: &str) -> Result<String> {
    let bytes = read(folder, name)?;
    if !bytes.starts_with(MAGIC) {
        return Err(refusal(folder, name, "not a WebAssembly module"));
    }
    Ok(STANDARD.encode(bytes))
}

/// A script that can be embedded in a page: it must not contain the end of a script.
fn script(folder: &Path, name: &str) -> Result<String> {
    let text =
        String::from_utf8(read(folder, name)?).map_err(|_| refusal(folder, name, "not text"))?;
    if text.to_ascii_lowercase().contains("</script") || text.contains("<!--") {
        return Err(refusal(folder, name, "it cannot be embedded in a page"));
    }
    Ok(text)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A package of almost nothing.
    pub(crate) fn package(module: &[u8]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in [
            (GLUE, b"/* glue */".as_slice()),
            (WORKER, b"'<b>'"),
            (MODULE, module),
            (RULES, module),
        ] {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        folder
    }

    #[test]
    fn packages_are_looked_at() {
        let folder = package(b"\0asm\x01\0\0\0");
        let carried = Carried::open(folder.path()).unwrap();
        assert!(carried.data.contains("AGFzbQEAAAA=") && !carried.data.contains('<'));
        let error = |folder: &Path| Carried::open(folder).err().unwrap().to_string();
        assert!(error(package(b"ELF").path()).contains("not a WebAssembly module"));
        std::fs::write(folder.path().join(GLUE), "'</SCRIPT>'").unwrap();
        assert!(error(folder.path()).contains("cannot be embedded in a page"));
        std::fs::remove_file(folder.path().join(WORKER)).unwrap();
        assert!(error(folder.path()).contains("toolbox/wasm/build"));
    }
}
