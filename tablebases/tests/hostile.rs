//! Broken files: no panic, no hang, no value outside the range in the headers, and
//! verification finds each.
//!
//! `BROKEN_FILES` is how many of each kind are made, 60 without it; `SEED` draws other ones.

#[path = "probing/recode.rs"]
mod recode;

use corpora::path;
use cpu_time::ThreadTime;
use engine_core::{
    AnyPosition, Board, CastlingMode, Color, Role, Setup, Square, Variant, dispatch,
    next_splitmix64,
};
use recode::{HEAD, recode};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tablebases::{Gaviota, Material, Tables, table_files};

/// Pseudo-random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        next_splitmix64(&mut self.0)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// A broken copy of a table.
fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // Most faults are in the headers.
    let limit = if random.below(4) < 3 {
        bytes.len().min(400)
    } else {
        bytes.len()
    };
    match random.below(8) {
        0 => bytes.truncate(random.below(bytes.len())),
        1 => bytes.truncate(64 * random.below(bytes.len() / 64) + 16),
        2 => bytes.extend(vec![random.next() as u8; 1 + random.below(200)]),
        3 => bytes.clear(),
        4 => {
            let at = random.below(limit);
            let end = (at + 1 + random.below(64)).min(bytes.len());
            let fill = [0, 0xff, random.next() as u8][random.below(3)];
            bytes[at..end].fill(fill);
        }
        5 => {
            for _ in 0..random.below(30) {
                let at = random.below(limit);
                bytes[at] = random.next() as u8;
            }
        }
        _ => {
            let at = random.below(limit);
            bytes[at] ^= 1 << random.below(8);
        }
    }
    bytes
}

/// A legal position with this material, or none.
fn position(material: Material, variant: Variant, random: &mut Random) -> Option<AnyPosition> {
    let mut board = Board::EMPTY;
    for (piece, count) in material.iter() {
        for _ in 0..count {
            let square = Square::from_index_masked(random.below(64));
            let is_back = [0, 7].contains(&square.rank().index());
            if board.occupied().has(square) || piece.role == Role::Pawn && is_back {
                return None;
            }
            board.put(piece, square);
        }
    }
    let turn = [Color::White, Color::Black][random.below(2)];
    let setup = Setup {
        board,
        turn,
        ..Setup::EMPTY
    };
    AnyPosition::from_setup(variant, &setup, CastlingMode::Standard).ok()
}

fn material(path: &Path) -> Option<Material> {
    let stem = path.file_name()?.to_str()?.split('.').next()?;
    if stem.contains('v') {
        return stem.parse().ok();
    }
    let second = 1 + stem.get(1..)?.find('k')?;
    let (white, black) = stem.split_at(second);
    format!("{}v{}", white.to_uppercase(), black.to_uppercase())
        .parse()
        .ok()
}

/// The contents of the blocks of a `.gtb.cp2` file: LZF encodings are not unique.
fn lzf_contents(file: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (words, _) = file.as_chunks();
    let word = |number: usize| {
        words
            .get(number)
            .map(|&word| u32::from_le_bytes(word) as usize)
    };
    let count = word(8)?.checked_div(4)?.checked_sub(HEAD + 1)?;
    let block = |number| file.get(word(number)?..word(number + 1)?)?.split_first();
    let unpack = |number| lzf::decompress(block(number)?.1, 1 << 14).ok();
    (HEAD..HEAD + count).map(unpack).collect()
}

/// Breaks files with this suffix, probes them and verifies them.
fn torture(suffix: &str, variant: Variant, files: &[PathBuf], count: usize) {
    let seed = std::env::var("SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let mut random = Random(seed.unwrap_or(1));
    let folder = std::env::temp_dir().join(format!("mola-hostile-{}-{suffix}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut others = Gaviota::new();
    others.add_path(path("gaviota")).unwrap();
    let (mut unnoticed, mut longest) = (Vec::new(), Duration::ZERO);
    for number in 0..count {
        let source = &files[random.below(files.len())];
        let bytes = fs::read(source).unwrap();
        let misnamed = random.below(10) == 0;
        let name_of = if misnamed {
            &files[random.below(files.len())]
        } else {
            source
        };
        let broken = if misnamed {
            bytes.clone()
        } else {
            mutate(&bytes, &mut random)
        };
        if broken == bytes && name_of.file_name() == source.file_name() {
            continue;
        }
        let path = folder.join(name_of.file_name().unwrap());
        fs::write(&path, &broken).unwrap();
        let start = ThreadTime::now();
        let mut tables = Tables::new();
        // WDL comes from the sound files where a DTZ file is broken, and the reverse.
        tables.add_path(&path).unwrap();
        tables.add_path(source.parent().unwrap()).unwrap();
        for _ in 0..30 {
            let Some(material) = material(&path) else {
                break;
            };
            let Some(position) = position(material, variant, &mut random) else {
                continue;
            };
            dispatch!(&position, |position| {
                let _ = tables.syzygy.wdl(position);
                let _ = tables.syzygy.dtz(position);
                let _ = tables.syzygy.ranked_moves(position);
                let _ = tables.gaviota.mate(position);
            });
        }
        let spent = start.elapsed();
        longest = longest.max(spent);
        assert!(
            spent < Duration::from_secs(1),
            "{spent:?} for number {number}, {}",
            source.display()
        );
        let found = table_files(&path).unwrap();
        let is_same =
            suffix == "gtb.cp2" && !misnamed && lzf_contents(&broken) == lzf_contents(&bytes);
        if !is_same && found.iter().any(|file| file.verify(&others).is_ok()) {
            let differ = broken.iter().zip(&bytes).position(|(a, b)| a != b);
            unnoticed.push(format!(
                "{} from {}, at {differ:?}",
                path.display(),
                source.display()
            ));
        }
        fs::remove_file(&path).unwrap();
    }
    fs::remove_dir_all(&folder).unwrap();
    println!("{suffix}: {count} files, {longest:?} at most");
    assert!(
        unnoticed.is_empty(),
        "{suffix}: {} unnoticed: {unnoticed:#?}",
        unnoticed.len()
    );
}

/// Small files of a folder with this suffix.
fn files(folder: &str, suffix: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = path(folder)
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(suffix))
        .filter(|path| path.metadata().unwrap().len() < 100_000)
        .collect();
    files.sort();
    files
}

const KINDS: [(&str, &str, Variant); 9] = [
    ("syzygy/regular", "rtbw", Variant::Standard),
    ("syzygy/regular", "rtbz", Variant::Standard),
    ("tables/suicide", "stbw", Variant::Suicide),
    ("tables/suicide", "stbz", Variant::Suicide),
    ("tables/giveaway", "gtbw", Variant::Giveaway),
    ("tables/giveaway", "gtbz", Variant::Giveaway),
    ("tables/atomic", "atbw", Variant::Atomic),
    ("tables/atomic", "atbz", Variant::Atomic),
    ("gaviota", "gtb.cp4", Variant::Standard),
];

fn all(count: usize) {
    for (folder, suffix, variant) in KINDS {
        torture(suffix, variant, &files(folder, suffix), count);
    }
}

/// The other compressions of Gaviota tables.
fn recoded(count: usize) {
    let sound = files("gaviota", "gtb.cp4");
    for scheme in 1..=3 {
        let folder =
            std::env::temp_dir().join(format!("mola-recoded-{}-{scheme}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let suffix = format!("gtb.cp{scheme}");
        let write = |path: &PathBuf| {
            let name = path.with_extension(format!("cp{scheme}"));
            let copy = folder.join(name.file_name().unwrap());
            fs::write(&copy, recode(&fs::read(path).unwrap(), scheme)).unwrap();
            copy
        };
        let files: Vec<_> = sound.iter().map(write).collect();
        let found = table_files(&folder).unwrap();
        assert!(
            found
                .iter()
                .all(|file| file.verify(&Gaviota::new()).is_ok())
        );
        torture(&suffix, Variant::Standard, &files, count);
        fs::remove_dir_all(&folder).unwrap();
    }
}

fn broken_files_do_no_harm() {
    let count = std::env::var("BROKEN_FILES").map_or(60, |count| count.parse().expect("a number"));
    all(count);
    recoded(count);
}

fn a_table_of_other_pieces_is_found_out() {
    // The headers of both would match, except for the number of pieces.
    let sound = path("syzygy/regular/KQQvK.rtbw");
    let folder = std::env::temp_dir().join(format!("mola-misnamed-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("KQvK.rtbw");
    fs::copy(sound, &path).unwrap();
    let file = &table_files(&path).unwrap()[0];
    assert!(file.verify(&Gaviota::new()).is_err());
    fs::remove_dir_all(&folder).unwrap();
}

fn another_copy_is_used_instead_of_a_broken_one() {
    let folder = std::env::temp_dir().join(format!("mola-spare-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("kqk.gtb.cp4"), "").unwrap();
    let mut tables = Gaviota::new();
    tables.add_path(&folder).unwrap();
    tables.add_path(path("gaviota/kqk.gtb.cp4")).unwrap();
    let position = position("KQvK".parse().unwrap(), Variant::Standard, &mut Random(1));
    dispatch!(position.as_ref().unwrap(), |position| {
        assert!(tables.mate(position).is_ok());
    });
    fs::remove_dir_all(&folder).unwrap();
}

corpora::tests! {
    a_table_of_other_pieces_is_found_out: ["syzygy/regular/KQQvK.rtbw"],
    another_copy_is_used_instead_of_a_broken_one: ["gaviota/kqk.gtb.cp4"],
    broken_files_do_no_harm: ["gaviota", "syzygy/regular", "tables/atomic", "tables/giveaway", "tables/suicide"],
}
