//! A Gaviota table of any of the four compressions: compressed blocks with a valid header, or a
//! random file.
//!
//! Input: the compression, the squares of some positions, then four blocks, each with its length
//! before it, or the whole file.

#![no_main]

use engine_core::{AnyPosition, Variant};
use libfuzzer_sys::fuzz_target;
use mola_fuzz::{Input, Scratch, position};
use std::sync::LazyLock;
use tablebases::Gaviota;

/// Entries of a full block, and of the last one of each side.
const ENTRIES: [u32; 2] = [16384, 462 * 64 - 16384];
/// Bytes for the squares of the positions.
const SQUARES: usize = 64;
/// Where the first block begins: after ten words and five offsets.
const HEADS: u32 = 60;

static SCRATCH: LazyLock<Scratch> = LazyLock::new(Scratch::default);

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input(bytes);
    let kind = input.byte();
    let scheme = 1 + (kind & 3);
    let mut squares = Input(input.take(SQUARES));
    let file = if kind & 4 == 0 {
        table(scheme, &mut input)
    } else {
        input.0.to_vec()
    };
    let path = SCRATCH.write(&format!("krk.gtb.cp{scheme}"), &file);
    let mut tables = Gaviota::new();
    tables.add_path(&path).expect("the file is there");
    let material = "KRvK".parse().expect("material");
    while !squares.0.is_empty() {
        let position = position(material, Variant::Standard, &mut squares);
        if let Some(AnyPosition::Standard(position)) = position {
            let _ = tables.mate(&position);
        }
    }
});

/// A table with these blocks.
fn table(scheme: u8, input: &mut Input) -> Vec<u8> {
    let mut blocks = Vec::new();
    let mut offsets = vec![HEADS];
    for number in 0..4 {
        let entries = ENTRIES[number % 2];
        blocks.push(0);
        // The start of every valid block.
        match scheme {
            1 => blocks.extend(entries.to_le_bytes()),
            4 => {
                blocks.extend([0, 0x5d, 0x00, 0x10, 0x00, 0x00]);
                blocks.extend(u64::from(entries).to_le_bytes());
            }
            _ => {}
        }
        let length = usize::from(input.word());
        blocks.extend(input.take(length));
        offsets.push(HEADS + blocks.len() as u32);
    }
    let tail = ENTRIES[1];
    let head = [
        0,
        0,
        ENTRIES[0],
        0,
        tail,
        0,
        tail,
        0,
        HEADS,
        u32::from(scheme),
    ];
    let words = head.into_iter().chain(offsets).flat_map(u32::to_le_bytes);
    words.chain(blocks).collect()
}
