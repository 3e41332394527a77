//! Thousands of tables in a tree of folders.

use engine_core::{Bitboard, Board, CastlingMode, Color, Position, Role, Setup, Square};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tablebases::generate::Generator;
use tablebases::{Material, Tables};

/// The number of open files of this process, on systems that tell.
fn open_files() -> usize {
    Path::new("/proc/self/fd")
        .read_dir()
        .map_or(0, Iterator::count)
}

/// The legal position with White's pieces on the first possible squares.
fn position(material: Material) -> Option<Position> {
    let mut board = Board::EMPTY;
    let mut free = Bitboard::FULL.into_iter().skip(8);
    for (piece, count) in material.iter() {
        for _ in 0..count {
            let square = match (piece.role, piece.color) {
                (Role::King, Color::White) => Square::A1,
                (Role::King, Color::Black) => Square::H8,
                _ => free.next()?,
            };
            board.put(piece, square);
        }
    }
    let setup = Setup {
        board,
        ..Setup::EMPTY
    };
    Position::from_setup(&setup, CastlingMode::Standard).ok()
}

/// A thousand tables of up to seven pieces.
fn materials() -> Vec<Material> {
    let mut sides = vec![String::from("K")];
    for length in 1..6 {
        let longer = |side: &String| ["Q", "R", "B", "N", "P"].map(|role| format!("{side}{role}"));
        let longest = sides.iter().filter(|side| side.len() == length);
        let longer: Vec<_> = longest.flat_map(longer).collect();
        sides.extend(longer);
    }
    let few = |(white, black): &(&String, &String)| (3..=7).contains(&(white.len() + black.len()));
    let pairs = sides
        .iter()
        .flat_map(|white| sides.iter().map(move |black| (white, black)));
    let names = pairs
        .filter(few)
        .map(|(white, black)| format!("{white}v{black}"));
    let materials: BTreeMap<String, Material> = names
        .map(|name| name.parse::<Material>().unwrap().normalized())
        .map(|material| (material.to_string(), material))
        .collect();
    materials.into_values().take(1000).collect()
}

pub(crate) fn thousands_of_tables_take_no_time_and_no_files() {
    let root = std::env::temp_dir().join(format!("mola-many-{}", std::process::id()));
    let files = Generator::default()
        .generate("KNvK".parse().unwrap())
        .unwrap();
    // Most are files of KNvK under another name, which is noticed when they are opened.
    let names = materials();
    assert_eq!(names.len(), 1000);
    for (number, name) in names.iter().enumerate() {
        let folder = root.join(format!("{}/{}", number % 3, number % 20));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{name}.rtbw")), &files.wdl).unwrap();
        fs::write(folder.join(format!("{name}.rtbz")), &files.dtz).unwrap();
    }
    let before = open_files();
    let start = Instant::now();
    let mut tables = Tables::new();
    let count = tables.add_path(&root).unwrap();
    let spent = start.elapsed();
    assert_eq!(count, 2000);
    // 5 ms on a quiet machine.
    assert!(spent < Duration::from_secs(2), "{spent:?}");
    let positions: Vec<_> = names.into_iter().filter_map(position).collect();
    assert!(positions.len() > 100);
    for position in &positions {
        let _ = (tables.syzygy.wdl(position), tables.syzygy.dtz(position));
    }
    assert!(open_files() <= before + 200);
    fs::remove_dir_all(&root).unwrap();
}
