//! Compresses the weights of the evaluation, with the feature for that.

#[cfg(not(feature = "packed"))]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}

#[cfg(feature = "packed")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    packed::write_all()
}

#[cfg(feature = "packed")]
mod packed {
    use lzma_rust2::{LzmaOptions, LzmaWriter};
    use std::error::Error;
    use std::ffi::OsStr;
    use std::io::Write;
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    /// Compresses each weights file in `src/eval` into a file of the same name in the output folder.
    pub(super) fn write_all() -> Result<(), Box<dyn Error>> {
        println!("cargo::rerun-if-changed=build.rs");
        let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
        for folder in ["", "variants", "variants/tables"] {
            let from = Path::new("src/eval").join(folder);
            println!("cargo::rerun-if-changed={}", from.display());
            fs::create_dir_all(out.join(folder))?;
            for entry in fs::read_dir(&from)? {
                let path = entry?.path();
                if path.extension() == Some(OsStr::new("bin")) {
                    let name = path.file_name().ok_or("no name")?;
                    let packed = pack(&fs::read(&path)?)?;
                    fs::write(out.join(folder).join(name), packed)?;
                }
            }
        }
        Ok(())
    }

    /// LZMA of the header, the bytes of all weights (the low bytes of all, then the next, up to the
    /// high ones) and the hash. The high bytes are mostly zero, so they compress well together.
    fn pack(file: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
        let (header, rest) = file.split_first_chunk::<16>().ok_or("too short")?;
        let (body, hash) = rest.split_last_chunk::<8>().ok_or("too short")?;
        let integers = integers(body);
        let mut bytes = header.to_vec();
        for plane in 0..4 {
            bytes.extend(integers.iter().map(|integer| integer.to_le_bytes()[plane]));
        }
        bytes.extend(hash);
        // The bytes are almost random, so context bits do not help.
        let options = LzmaOptions {
            dict_size: u32::try_from(bytes.len())?.next_power_of_two(),
            lc: 0,
            pb: 0,
            ..LzmaOptions::with_preset(9)
        };
        let size = Some(bytes.len() as u64);
        let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, size)?;
        writer.write_all(&bytes)?;
        Ok(writer.finish()?)
    }

    /// Reads integers of variable length: seven bits a byte, low ones first, and bit 7 if more follow.
    fn integers(body: &[u8]) -> Vec<u32> {
        let mut integers = Vec::new();
        let (mut integer, mut group) = (0, 0);
        for byte in body {
            integer |= u32::from(byte & 0x7F) << (7 * group);
            group += 1;
            if byte & 0x80 == 0 {
                integers.push(integer);
                (integer, group) = (0, 0);
            }
        }
        integers
    }
}
