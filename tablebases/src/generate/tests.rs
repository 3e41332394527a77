use super::solve::solve;
use super::space::Row;
use super::symmetry::Symmetry;
use super::values::{ILLEGAL, Solved, Value};
use super::zeroing::Metric;
use super::{Generator, materials};
use crate::syzygy::Family;
use crate::{Material, Tablebase, Wdl};
use engine_core::{Bitboard, CastlingMode, Color, Position, Role, Setup, Square, Standard};
use std::collections::HashMap;
use std::sync::Arc;

/// Solves material in this order.
fn solved(names: &[&str], metric: Metric) -> HashMap<Material, Arc<Solved>> {
    let mut all = HashMap::new();
    for name in names {
        let material: Material = name.parse().unwrap();
        let solved = solve(material, metric, |child| all.get(&child).cloned()).unwrap();
        all.insert(material, Arc::new(solved));
    }
    all
}

/// Every legal position that is kept, with its value.
fn positions(solved: &Solved) -> impl Iterator<Item = (Color, Row, Square, Value)> + '_ {
    Color::ALL.into_iter().flat_map(move |turn| {
        let values = solved.values[turn.index()].chunks(64).enumerate();
        values.flat_map(move |(number, values)| {
            let row = solved.space.row(number);
            let legal = values.iter().zip(Bitboard::FULL);
            let legal = legal.filter(|&(&value, _)| value != ILLEGAL);
            legal.map(move |(&value, second)| (turn, row, second, value))
        })
    })
}

fn plies(value: Value) -> i32 {
    match value {
        0.. => i32::from(value),
        _ => -1 - i32::from(value),
    }
}

/// All positions; those lost, drawn and won; the sum of all plies; and the most.
fn figures(solved: &Solved) -> [i64; 6] {
    let mut figures = [0; 6];
    // How often a position counts whose white king stands here.
    let images = |king: Square| {
        let row = solved.space.row(0);
        let is_image = |square: &Square| {
            let row = row.with_king(Color::White, *square);
            solved.space.find(row).0.square(*square) == king
        };
        Bitboard::FULL.into_iter().filter(is_image).count() as i64
    };
    let images: Vec<i64> = Bitboard::FULL.into_iter().map(images).collect();
    for (_, row, _, value) in positions(solved) {
        let times = images[row.king[Color::White].index()];
        figures[0] += times;
        figures[(2 + value.signum()) as usize] += times;
        figures[4] += times * i64::from(plies(value));
        figures[5] = figures[5].max(i64::from(plies(value)));
    }
    figures
}

/// Figures of all positions of three men that others have computed: with python-chess from real
/// Syzygy tables and libgtb from Gaviota's. (They count a mate as one ply in DTZ, and round up some
/// of the plies of `KPvK`.)
#[test]
fn three_men() {
    let names = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];
    let zeroing = solved(&names, Metric::Dtz);
    let mate = solved(&names, Metric::Dtm);
    let expected = [
        ("KQvK", [368_452, 200_896, 23_048, 144_508, 4_047_140, 20]),
        ("KRvK", [399_112, 201_700, 22_244, 175_168, 7_920_824, 32]),
        ("KBvK", [417_228, 0, 417_228, 0, 0, 0]),
        ("KNvK", [429_440, 0, 429_440, 0, 0, 0]),
        ("KPvK", [331_352, 97_604, 108_788, 124_960, 4_886_144, 56]),
    ];
    for (name, figures_to_mate) in expected {
        let material: Material = name.parse().unwrap();
        assert_eq!(figures(&mate[&material]), figures_to_mate, "{name}");
        let zeroing = figures(&zeroing[&material]);
        if material.has_pawns() {
            assert_eq!(zeroing, [331_352, 97_604, 108_788, 124_960, 450_640, 20]);
        } else {
            assert_eq!(zeroing, figures_to_mate, "{name}");
        }
    }
}

/// A position, and without pawns its image in the long diagonal: files may keep them apart.
fn images(solved: &Solved, turn: Color, row: Row, second: Square) -> Vec<Position> {
    let space = &solved.space;
    let has_pawns = [space.first, Some(space.second)]
        .iter()
        .flatten()
        .any(|piece| piece.role == Role::Pawn);
    let position = |transpose| {
        let symmetry = Symmetry {
            transpose,
            ..Symmetry::default()
        };
        let mut setup = Setup {
            turn,
            ..Setup::EMPTY
        };
        let mut put = |piece, square| setup.board.put(piece, symmetry.square(square));
        for color in Color::ALL {
            put(Role::King.of(color), row.king[color]);
        }
        if let Some(first) = space.first {
            put(first, row.first);
        }
        put(space.second, second);
        Position::<Standard>::from_setup_unchecked(&setup, CastlingMode::Standard)
    };
    let symmetries: &[bool] = if has_pawns { &[false] } else { &[false, true] };
    symmetries.iter().copied().map(position).collect()
}

/// Tables of generated files.
fn tables(names: &[&'static str]) -> Tablebase {
    let mut generator = Generator::default();
    let mut tables = Tablebase::new();
    for name in names {
        let files = generator.generate(name.parse().unwrap()).unwrap();
        let leak = |name: String, bytes: Vec<u8>| (&*name.leak(), &*bytes.leak());
        for (name, bytes) in [
            leak(format!("{name}.rtbw"), files.wdl),
            leak(format!("{name}.rtbz"), files.dtz),
        ] {
            assert!(tables.add_bytes(name, bytes));
        }
    }
    tables
}

/// Every `step`th position, and its image in the long diagonal, has the value that was found for
/// it, though DTZ may be rounded.
fn check(tables: &Tablebase, solved: &Solved, step: usize) {
    for (turn, row, second, value) in positions(solved).step_by(step) {
        let wdl = match value.signum() {
            1 => Wdl::Win,
            0 => Wdl::Draw,
            _ => Wdl::Loss,
        };
        for position in images(solved, turn, row, second) {
            assert_eq!(tables.wdl(&position).unwrap(), wdl, "{position:?}");
            let dtz = tables.dtz(&position).unwrap();
            assert_eq!(dtz.signum(), i32::from(value.signum()), "{position:?}");
            assert!(dtz.abs().abs_diff(plies(value)) <= 1, "{position:?} {dtz}");
        }
    }
}

#[test]
fn files_have_the_values() {
    let names = [
        "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQvKR", "KBBvK", "KBvKN", "KRRvK", "KRNvK",
    ];
    let tables = tables(&names);
    for (material, solved) in solved(&names, Metric::Dtz) {
        let step = if material.pieces() == 3 { 1 } else { 101 };
        check(&tables, &solved, step);
    }
}

#[test]
fn material_comes_after_its_children() {
    let all = materials(4);
    assert_eq!(all.len(), 35);
    for (i, material) in all.iter().enumerate() {
        for child in Family::Standard.children(*material) {
            assert!(
                child.pieces() < 3 || all[..i].contains(&child),
                "{material}"
            );
        }
    }
    let mut generator = Generator::default();
    for name in ["KPvK", "KvKQ", "KQQQvK", "QvK", "KvK"] {
        assert!(
            generator.generate(name.parse().unwrap()).is_none(),
            "{name}"
        );
    }
}

/// Every position of three and four men has the values that the published tables give it. `STEP`
/// is for those in a hurry: one position of so many.
#[test]
#[ignore = "half an hour, and the published tables"]
fn all_positions_have_the_published_values() {
    let step = std::env::var("STEP")
        .ok()
        .and_then(|step| step.parse().ok());
    let step: usize = step.unwrap_or(1);
    let mut published = Tablebase::new();
    published.add_path(corpora::path("syzygy/regular")).unwrap();
    let mut all: HashMap<Material, Arc<Solved>> = HashMap::new();
    let mut generator = Generator::default();
    let mut tables = Tablebase::new();
    let mut wrong = 0;
    for material in materials(4) {
        let files = generator.generate(material).unwrap();
        let name = |suffix| -> &'static str { format!("{material}.{suffix}").leak() };
        tables.add_bytes(name("rtbw"), files.wdl.leak());
        tables.add_bytes(name("rtbz"), files.dtz.leak());
        let solved = solve(material, Metric::Dtz, |child| all.get(&child).cloned()).unwrap();
        let (mut count, mut differ) = (0, 0);
        for (turn, row, second, value) in positions(&solved).step_by(step) {
            for position in images(&solved, turn, row, second) {
                let values = [&published, &tables].map(|tables| {
                    let wdl = tables.wdl(&position).unwrap();
                    (wdl, tables.dtz(&position).unwrap())
                });
                count += 1;
                if values[0] != values[1] {
                    differ += 1;
                    eprintln!("{position:?} {values:?} {value}");
                }
            }
        }
        println!("{material}: {count} positions, {differ} differ");
        wrong += differ;
        all.insert(material, Arc::new(solved));
    }
    assert_eq!(wrong, 0);
}
