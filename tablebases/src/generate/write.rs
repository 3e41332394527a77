//! Syzygy files.

use super::blocks::Coded;
use super::cells::{self, Cell, cells, fill_dont_cares};
use super::values::{Solved, Value};
use crate::Material;
use crate::syzygy::checksum::checksum;
use crate::syzygy::index::SyzygyIndex;
use crate::syzygy::{Family, Metric};
use engine_core::{Color, Piece, Role};
use rayon::prelude::*;

/// The parts of a file: for each file of the leading pawn, or once, each side to move.
struct PawnFileData {
    layout: SyzygyIndex,
    sides: Vec<Coded>,
}

/// The order of the leading group and of the other side's pawns among the groups.
type Order = [u8; 2];

/// In which order a file takes the pieces, and the groups of them.
type Arrangement = (Vec<Piece>, Order);

/// Arrangements that may keep equal values together; the best is found by trying. With pawns,
/// which take long, there is one only.
fn arrangements(material: Material) -> Vec<Arrangement> {
    let [king, other] = Color::ALL.map(|color| Role::King.of(color));
    let rest = |pawns: bool| {
        let pieces = material
            .iter()
            .filter(|(piece, _)| piece.role != Role::King);
        let pieces = pieces.filter(|(piece, _)| (piece.role == Role::Pawn) == pawns);
        let repeated = |(piece, count)| std::iter::repeat_n(piece, count as usize);
        pieces.flat_map(repeated).collect::<Vec<Piece>>()
    };
    let (pawns, others) = (rest(true), rest(false));
    match (pawns.as_slice(), others.as_slice()) {
        ([white, black], []) if white != black => vec![(vec![*white, *black, king, other], [1, 3])],
        ([_, ..], _) => {
            let pieces = [pawns.as_slice(), &[king], &others, &[other]].concat();
            let groups_before_last = pieces.len() - pawns.len() - 1;
            vec![(pieces, [groups_before_last as u8, NO_PAWNS])]
        }
        ([], &[a, b]) if a == b => vec![
            (vec![other, king, a, b], [0, NO_PAWNS]),
            (vec![king, other, a, b], [0, NO_PAWNS]),
        ],
        ([], &[a, b]) => vec![
            (vec![other, king, a, b], [1, NO_PAWNS]),
            (vec![other, a, b, king], [1, NO_PAWNS]),
            (vec![a, b, king, other], [1, NO_PAWNS]),
        ],
        ([], _) => vec![([&[other, king], others.as_slice()].concat(), [0, NO_PAWNS])],
    }
}

/// The order where one side has no pawns.
const NO_PAWNS: u8 = 15;

/// The layouts of an arrangement: one, or with pawns one for each file.
fn layouts(material: Material, (pieces, order): &Arrangement) -> Option<Vec<SyzygyIndex>> {
    let files = if material.has_pawns() { 4 } else { 1 };
    let layout = |file| SyzygyIndex::new(pieces, *order, file, false);
    (0..files).map(layout).collect()
}

/// The smallest of the files that the arrangements give.
fn smallest(
    material: Material,
    file: impl Fn(&Arrangement) -> Option<Vec<u8>> + Send + Sync,
) -> Option<Vec<u8>> {
    let arrangements = arrangements(material);
    let files = arrangements.par_iter().map(file);
    let files: Vec<Vec<u8>> = files.collect::<Option<_>>()?;
    files.into_iter().min_by_key(Vec::len)
}

/// Flags of the file.
const SPLIT: u8 = 1;
const HAS_PAWNS: u8 = 2;

/// The sides to move that are kept apart.
fn turns(material: Material) -> &'static [Color] {
    if material.is_symmetric() {
        &[Color::White]
    } else {
        &Color::ALL
    }
}

/// The file of win, draw or loss.
pub(super) fn wdl(material: Material, solved: &Solved) -> Option<Vec<u8>> {
    smallest(material, |arrangement| {
        let layouts = layouts(material, arrangement)?;
        let sides = turns(material).par_iter().map(|&turn| {
            let coded = code(solved, turn, &layouts, cells::wdl, 0, 5..=6);
            coded.into_iter()
        });
        let mut sides: Vec<_> = sides.collect();
        let parts = layouts.into_iter().map(|layout| PawnFileData {
            layout,
            sides: sides.iter_mut().filter_map(Iterator::next).collect(),
        });
        let parts: Vec<PawnFileData> = parts.collect();
        Some(assemble(Metric::Wdl, material, arrangement.1, &parts))
    })
}

/// The file of distances to the next capture or pawn move.
pub(super) fn dtz(material: Material, solved: &Solved) -> Option<Vec<u8>> {
    distances(material, solved, kept(material), cells::dtz)
}

/// The side to move whose distances are kept; those of the other are found by looking a ply ahead.
/// Distances are rounded to moves, so values agree with those of the published tables only where
/// the same side is kept as there.
fn kept(material: Material) -> Color {
    const BLACK: [&str; 6] = ["KBBvK", "KBNvK", "KRvKB", "KRvKN", "KBvKP", "KNvKP"];
    Color::from_white(!BLACK.contains(&material.to_string().as_str()))
}

/// Distances to mate, in a file like that of DTZ, for White to move.
#[cfg(test)]
pub(super) fn dtm(material: Material, solved: &Solved) -> Option<Vec<u8>> {
    distances(material, solved, Color::White, cells::dtm)
}

fn distances(
    material: Material,
    solved: &Solved,
    turn: Color,
    cell: fn(Value, u8) -> Cell,
) -> Option<Vec<u8>> {
    smallest(material, |arrangement| {
        let layouts = layouts(material, arrangement)?;
        let coded = code(solved, turn, &layouts, cell, turn.index() as u8, 5..=10);
        let parts = layouts
            .into_iter()
            .zip(coded)
            .map(|(layout, coded)| PawnFileData {
                layout,
                sides: vec![coded],
            });
        let parts: Vec<PawnFileData> = parts.collect();
        Some(assemble(Metric::Dtz, material, arrangement.1, &parts))
    })
}

/// Codes the values of one side to move.
fn code(
    solved: &Solved,
    turn: Color,
    layouts: &[SyzygyIndex],
    cell: fn(Value, u8) -> Cell,
    flags: u8,
    block_bits: std::ops::RangeInclusive<u8>,
) -> Vec<Coded> {
    cells(solved, turn, layouts, cell)
        .into_par_iter()
        .map(|cells| Coded::new(flags, &fill_dont_cares(&cells), block_bits.clone()))
        .collect()
}

/// Puts a file together.
fn assemble(metric: Metric, material: Material, order: Order, parts: &[PawnFileData]) -> Vec<u8> {
    let has_pawns = material.has_pawns();
    let both_sides = metric == Metric::Wdl && !material.is_symmetric();
    // The format has Black's pieces in the upper halves of bytes.
    let twice = |low: u8| if both_sides { low | low << 4 } else { low };
    let mut file = Family::Standard.magic(metric).to_vec();
    let split = if material.is_symmetric() { 0 } else { SPLIT };
    let pawns = if has_pawns { HAS_PAWNS } else { 0 };
    file.push((material.pieces() as u8) << 4 | pawns | split);
    for part in parts {
        let orders = if order[1] == NO_PAWNS {
            &order[..1]
        } else {
            &order
        };
        file.extend(orders.iter().map(|&order| twice(order)));
        let color = |piece: &Piece| (piece.color.index() as u8) << 3;
        let nibble = |piece: &Piece| (1 + piece.role.index() as u8) | color(piece);
        file.extend(part.layout.pieces.iter().map(|piece| twice(nibble(piece))));
    }
    file.resize(file.len().next_multiple_of(2), 0);
    let coded = || parts.iter().flat_map(|part| &part.sides);
    for each in coded() {
        file.extend(&each.header);
    }
    file.resize(file.len().next_multiple_of(2), 0);
    for each in coded() {
        file.extend(&each.index);
    }
    for each in coded() {
        file.extend(&each.lengths);
    }
    for each in coded().filter(|each| !each.data.is_empty()) {
        file.resize(file.len().next_multiple_of(64), 0);
        file.extend(&each.data);
    }
    file.resize(file.len().next_multiple_of(64), 0);
    let checksum = checksum(&file);
    file.extend(checksum);
    file
}
