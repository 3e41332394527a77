//! A Syzygy table: a valid one with random changes, or a random file.
//!
//! Input: which table, the squares of some positions, then changes (a word for the place, a byte)
//! or the whole file.

#![no_main]

use engine_core::{Variant, dispatch};
use libfuzzer_sys::fuzz_target;
use mola_fuzz::{Input, Scratch, position};
use std::sync::LazyLock;
use tablebases::generate::Generator;
use tablebases::syzygy::{Family, Metric};
use tablebases::{Material, Tablebase};

/// The tables to generate; each needs the previous ones.
const MATERIALS: [&str; 7] = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQvKR", "KRvKN"];
const VARIANTS: [Variant; 4] = [
    Variant::Standard,
    Variant::Suicide,
    Variant::Giveaway,
    Variant::Atomic,
];
/// Bytes for the squares of the positions.
const SQUARES: usize = 64;

/// A valid table.
struct Table {
    variant: Variant,
    material: Material,
    name: String,
    bytes: Vec<u8>,
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let mut generator = Generator::default();
    let mut tables = Vec::new();
    for material in MATERIALS {
        let material: Material = material.parse().expect("material");
        let files = generator
            .generate(material)
            .expect("its children were made");
        for variant in VARIANTS {
            let family = Family::of(variant).expect("a family");
            for (metric, bytes) in [(Metric::Wdl, &files.wdl), (Metric::Dtz, &files.dtz)] {
                // The headers are right for every family, though the values are not.
                let mut bytes = bytes.clone();
                bytes[..4].copy_from_slice(&family.magic(metric));
                let name = format!("{material}.{}", family.suffix(metric));
                tables.push(Table {
                    variant,
                    material,
                    name,
                    bytes,
                });
            }
        }
    }
    tables
});
static SCRATCH: LazyLock<Scratch> = LazyLock::new(Scratch::default);

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input(bytes);
    let table = &TABLES[usize::from(input.byte()) % TABLES.len()];
    let kind = input.byte();
    let mut squares = Input(input.take(SQUARES));
    let file = if kind & 1 == 0 {
        changed(&table.bytes, &mut input, kind & 2 != 0)
    } else {
        made_up(&table.bytes[..4], input.0)
    };
    let mut tables = Tablebase::new();
    // The first table of a name counts; all others are valid.
    tables
        .add_path(&SCRATCH.write(&table.name, &file))
        .expect("the file is there");
    for sound in TABLES.iter().filter(|sound| sound.variant == table.variant) {
        tables.add_bytes(&sound.name, &sound.bytes);
    }
    while !squares.0.is_empty() {
        if let Some(position) = position(table.material, table.variant, &mut squares) {
            dispatch!(&position, |position| {
                let _ = tables.wdl(position);
                let _ = tables.dtz(position);
                let _ = tables.ranked_moves(position);
            });
        }
    }
});

/// A table with some bytes changed, perhaps truncated.
fn changed(sound: &[u8], input: &mut Input, cut: bool) -> Vec<u8> {
    let mut file = sound.to_vec();
    if cut {
        file.truncate(usize::from(input.word()) % file.len());
    }
    while !input.0.is_empty() && !file.is_empty() {
        let at = usize::from(input.word()) % file.len();
        file[at] = input.byte();
    }
    file
}

/// A file of a possible size with this magic number.
fn made_up(magic: &[u8], contents: &[u8]) -> Vec<u8> {
    let mut file = [magic, contents].concat();
    file.resize(file.len().next_multiple_of(64) + 16, 0);
    file
}
