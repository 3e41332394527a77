//! Whether a Gaviota file is whole. It has no checksum, but its values must follow from each other.

use super::probe::FORBIDDEN;
use super::table::BLOCK;
use super::{Gaviota, GaviotaError, Mate, name_of};
use crate::Material;
use crate::error::{TableError, TableFault};
use crate::source::TableLocation;
use engine_core::{Board, CastlingMode, Color, Piece, Position, Setup, Square, next_splitmix64};
use std::path::Path;

/// Positions of which a sample is made, where there are too many to look at all.
const SAMPLE: u32 = 100_000;

/// Checks a file; `None` when its name is not that of a table.
pub(crate) fn verify(path: &Path, others: &Gaviota) -> Option<Result<(), TableError>> {
    let (scheme, material) = name_of(path)?;
    let mut own = Gaviota::new();
    if !own.add(scheme, material, TableLocation::File(path.to_owned())) {
        return None;
    }
    let result = decompress(&own).and_then(|()| compare(&own, material, others));
    let failed = |fault| TableError::new(path.display().to_string(), fault);
    Some(result.map_err(|problem| match problem {
        Problem::Fault(what) => failed(TableFault::Corrupt(what)),
        // The error is about this file, and has no other owner yet.
        Problem::Open(error) => {
            drop(own);
            std::sync::Arc::into_inner(error)
                .unwrap_or_else(|| failed(TableFault::Corrupt("it cannot be opened")))
        }
    }))
}

/// What is wrong with a file.
enum Problem {
    /// Its contents.
    Fault(&'static str),
    /// It cannot be opened.
    Open(std::sync::Arc<TableError>),
}

/// Decompresses every block, and looks at the byte before it.
fn decompress(own: &Gaviota) -> Result<(), Problem> {
    for slot in &own.slots {
        let table = slot.open().map_err(Problem::Open)?;
        for side in 0..2 {
            for block in 0..table.blocks() {
                let values = table.block(side, block);
                if values.is_none() || !table.is_marked(side, block) {
                    return Err(Problem::Fault("an invalid block"));
                }
            }
        }
    }
    Ok(())
}

/// Compares values with those after each move.
fn compare(own: &Gaviota, material: Material, others: &Gaviota) -> Result<(), Problem> {
    let pieces: Vec<Piece> = material
        .iter()
        .flat_map(|(piece, count)| std::iter::repeat_n(piece, count as usize))
        .collect();
    if pieces.len() == 3 {
        return compare_all(own, &pieces, others);
    }
    let mut state = 1;
    for _ in 0..SAMPLE {
        for position in positions(&pieces, next_splitmix64(&mut state)) {
            check(own, &position, others)?;
        }
    }
    Ok(())
}

/// Compares all values of three pieces. What is no position must be marked as such, so that no
/// entry goes unseen.
fn compare_all(own: &Gaviota, pieces: &[Piece], others: &Gaviota) -> Result<(), Problem> {
    for slot in &own.slots {
        let mut seen = [(); 2].map(|()| vec![false; slot.layout.size]);
        for places in 0..1u64 << 18 {
            for position in positions(pieces, places) {
                check(own, &position, others)?;
                let index = slot.index(&position, false);
                let side = &mut seen[position.turn().index()];
                if let Some(seen) = index.and_then(|index| side.get_mut(index)) {
                    *seen = true;
                }
            }
        }
        let table = slot.open().map_err(Problem::Open)?;
        for (side, seen) in seen.iter().enumerate() {
            for (block, seen) in seen.chunks(BLOCK).enumerate() {
                let values = table.block(side, block).unwrap_or_default();
                let mut unseen = values.iter().zip(seen).filter(|&(_, &seen)| !seen);
                if unseen.any(|(&value, _)| value != FORBIDDEN) {
                    return Err(Problem::Fault("values of an illegal position"));
                }
            }
        }
    }
    Ok(())
}

/// The legal positions with pieces on these squares, six bits each.
fn positions(pieces: &[Piece], places: u64) -> impl Iterator<Item = Position> {
    let mut board = Board::EMPTY;
    for (number, &piece) in pieces.iter().enumerate() {
        let square = Square::from_index_masked((places >> (6 * number)) as usize & 63);
        if !board.occupied().has(square) {
            board.put(piece, square);
        }
    }
    let is_whole = board.occupied().count() as usize == pieces.len();
    let turns = Color::ALL.into_iter().filter(move |_| is_whole);
    turns.filter_map(move |turn| {
        let setup = Setup {
            board,
            turn,
            ..Setup::EMPTY
        };
        Position::from_setup(&setup, CastlingMode::Standard).ok()
    })
}

/// Checks the value of a position.
fn check(own: &Gaviota, position: &Position, others: &Gaviota) -> Result<(), Problem> {
    match value(own, position, others) {
        Some(wanted) if own.mate(position).ok() != Some(wanted) => {
            Err(Problem::Fault("values that contradict each other"))
        }
        _ => Ok(()),
    }
}

/// The value of a position by those after each move; `None` where tables for that are missing.
fn value(own: &Gaviota, position: &Position, others: &Gaviota) -> Option<Mate> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        let mated = position.in_check();
        return Some(if mated { Mate::Loss(0) } else { Mate::Draw });
    }
    let mut best = Mate::Loss(0);
    for &m in &*moves {
        let next = position.after(m);
        let mate = match own.mate(&next) {
            Err(GaviotaError::Missing(_)) => others.mate(&next).ok()?,
            mate => mate.ok()?,
        };
        best = best.max(mate.before());
    }
    Some(best)
}
