//! Compiles the names of openings in `data/eco` into a table by the key of the position.

use engine_core::{Position, Standard};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// LZMA of how many names there are, of the keys of their positions, and of the names in their order, each a
/// line.
#[cfg(feature = "packed")]
fn packed(names: &BTreeMap<u64, String>) -> Result<Vec<u8>, Box<dyn Error>> {
    use lzma_rust2::{LzmaOptions, LzmaWriter};
    use std::io::Write;

    let mut sorted: Vec<_> = names.iter().map(|(key, name)| (name, key)).collect();
    sorted.sort_unstable();
    let mut bytes = u32::try_from(sorted.len())?.to_le_bytes().to_vec();
    for (_, key) in &sorted {
        bytes.extend(key.to_le_bytes());
    }
    for (name, _) in &sorted {
        bytes.extend(name.as_bytes());
        bytes.push(b'\n');
    }
    let options = LzmaOptions {
        dict_size: u32::try_from(bytes.len())?.next_power_of_two(),
        ..LzmaOptions::with_preset(9)
    };
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(bytes.len() as u64))?;
    writer.write_all(&bytes)?;
    Ok(writer.finish()?)
}

/// Slots of the hash table, a power of two: four times as many as there are names, so that most
/// positions without a name find an empty slot at once.
#[cfg(not(feature = "packed"))]
const SLOT_BITS: u32 = 14;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=data/eco");
    println!("cargo::rerun-if-changed=build.rs");
    let mut names = BTreeMap::new();
    for volume in ["a", "b", "c", "d", "e"] {
        read_volume(Path::new(&format!("data/eco/{volume}.tsv")), &mut names)?;
    }
    let folder = env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    let folder = Path::new(&folder);
    #[cfg(not(feature = "packed"))]
    fs::write(folder.join("openings.rs"), source(&names))?;
    #[cfg(feature = "packed")]
    fs::write(folder.join("openings.lzma"), packed(&names)?)?;
    Ok(())
}

/// Adds the names of a volume: by key, the code and the name with a blank between.
fn read_volume(path: &Path, names: &mut BTreeMap<u64, String>) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    for (number, line) in text.lines().enumerate().skip(1) {
        let place = format!("{}:{}", path.display(), number + 1);
        let [eco, name, moves] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("{place}: three columns are expected").into());
        };
        if eco.len() != 3 {
            return Err(format!("{place}: {eco:?} is not an ECO code").into());
        }
        let mut position = Position::<Standard>::start();
        for word in moves.split(' ').filter(|word| !word.ends_with('.')) {
            let m = position.parse_san(word);
            position.play(m.map_err(|error| format!("{place}: {word}: {error}"))?);
        }
        if names
            .insert(position.key(), format!("{eco} {name}"))
            .is_some()
        {
            return Err(format!("{place}: this position has a name already").into());
        }
    }
    Ok(())
}

/// The table as Rust: sorted keys, the name of each, and a hash table that finds a key.
#[cfg(not(feature = "packed"))]
fn source(names: &BTreeMap<u64, String>) -> String {
    use std::fmt::Write;

    let mut slots = vec![0_usize; 1 << SLOT_BITS];
    let (mut keys, mut ends, mut text) = (String::new(), String::new(), String::new());
    for (index, (key, name)) in names.iter().enumerate() {
        let mut slot = (key >> (64 - SLOT_BITS)) as usize;
        while slots[slot] != 0 {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = index + 1;
        text += name;
        // Writing to a string cannot fail.
        let _ = write!(keys, "{key:#x}, ");
        let _ = write!(ends, "{}, ", text.len());
    }
    let count = names.len();
    format!(
        "pub(super) const SLOT_BITS: u32 = {SLOT_BITS};\n\
         pub(super) static SLOTS: [u16; 1 << SLOT_BITS] = {slots:?};\n\
         pub(super) static KEYS: [u64; {count}] = [{keys}];\n\
         pub(super) static ENDS: [u32; {count}] = [{ends}];\n\
         pub(super) static NAMES: &str = {text:?};\n"
    )
}
