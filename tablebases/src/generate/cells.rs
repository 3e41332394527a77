//! The values that a Syzygy file has to store, in its order of positions.
//!
//! A prober searches captures (for DTZ pawn moves, too) before it reads a value, so many positions
//! may have any value, or any up to the true one: "don't cares", chosen so that the file compresses
//! well.

use super::space::Row;
use super::values::{ILLEGAL, Solved, Value, flag};
use crate::syzygy::index::{PieceSquares, SyzygyIndex, lead_pawn_file, transpose};
use engine_core::{Bitboard, Color, Piece, Role, Square};

/// What a file may store for a position: a value, which may be marked with [`OR_LESS`], or [`ANY`].
pub(super) type Cell = u8;

/// Any value: there is no such position, or a prober finds its value without the file.
pub(super) const ANY: Cell = 0xff;
/// A mark: smaller values are allowed, since a capture gives the true one.
pub(super) const OR_LESS: Cell = 0x80;

/// The outcome of a position, 0 for a loss to 4 for a win; or less where a capture is as good as
/// any move.
pub(super) fn wdl(value: Value, flags: u8) -> Cell {
    let outcome = 2 + 2 * value.signum();
    let by_capture = match flags & flag::CAPTURE {
        flag::CAPTURE_LOSES => 0,
        flag::CAPTURE_DRAWS => 2,
        flag::CAPTURE_WINS => 4,
        _ => -1,
    };
    if by_capture == outcome {
        outcome as Cell | OR_LESS
    } else {
        outcome as Cell
    }
}

/// The distance to the next capture or pawn move, in moves less one. A prober knows the outcome,
/// and whether a capture or pawn move wins.
pub(super) fn dtz(value: Value, flags: u8) -> Cell {
    match value {
        0 => ANY,
        1.. if flags & flag::WINS_AT_ONCE != 0 => ANY,
        1.. => (value as Cell - 1) / 2,
        // Being mated counts like the move before it.
        _ => (value.unsigned_abs() - 1).saturating_sub(1) / 2,
    }
}

/// The distance to mate for the winner, in moves less one like [`dtz`]. Losses are not stored: they
/// are found by looking one ply ahead.
#[cfg(test)]
pub(super) fn dtm(value: Value, _: u8) -> Cell {
    match value {
        1.. => (value as Cell - 1) / 2,
        _ => ANY,
    }
}

/// Which square of a solved position is that of a piece of the layout.
#[derive(Clone, Copy)]
enum SolvedSquare {
    King(Color),
    First,
    Second,
}

impl SolvedSquare {
    fn square(self, row: Row, second: Square) -> u8 {
        let square = match self {
            SolvedSquare::King(color) => row.king[color],
            SolvedSquare::First => row.first,
            SolvedSquare::Second => second,
        };
        square.index() as u8
    }
}

/// The cells of one side to move, in the order of each layout: one layout, or with pawns one for
/// each file of the leading pawn.
pub(super) fn cells(
    solved: &Solved,
    turn: Color,
    layouts: &[SyzygyIndex],
    cell: fn(Value, u8) -> Cell,
) -> Vec<Vec<Cell>> {
    let mut cells: Vec<Vec<Cell>> = layouts
        .iter()
        .map(|layout| vec![ANY; layout.size as usize])
        .collect();
    let Some(pieces) = layouts.first().map(|layout| layout.pieces.as_slice()) else {
        return cells;
    };
    let sources = sources(solved, pieces);
    let leaders = match pieces.first() {
        Some(&lead) if lead.role == Role::Pawn => {
            pieces.iter().filter(|&&piece| piece == lead).count()
        }
        _ => 0,
    };
    let values = solved.values[turn.index()].as_chunks::<64>().0;
    let flags = solved.flags[turn.index()].as_chunks::<64>().0;
    for (number, (values, flags)) in values.iter().zip(flags).enumerate() {
        let row = solved.space.row(number);
        for second in Bitboard::FULL {
            let value = values[second.index()];
            if value == ILLEGAL {
                continue;
            }
            let mut squares = PieceSquares::default();
            for (square, source) in squares.iter_mut().zip(&sources) {
                *square = source.square(row, second);
            }
            let file = match leaders {
                0 => 0,
                leaders => lead_pawn_file(&mut squares[..leaders]),
            };
            let mut put = |squares| {
                if let Some(index) = layouts[file].index(squares) {
                    cells[file][index as usize] = cell(value, flags[second.index()]);
                }
            };
            put(squares);
            // With the leading pieces on a diagonal the file has a position and its mirror image
            // apart; the solved positions have one of them.
            let on_diagonal = |&square: &u8| square % 9 == 0 || square % 7 == 0;
            if leaders == 0 && squares.iter().take(2).all(on_diagonal) {
                transpose(&mut squares);
                put(squares);
            }
        }
    }
    cells
}

/// The source of each piece of a layout; of two equal pieces the first comes first.
fn sources(solved: &Solved, pieces: &[Piece]) -> Vec<SolvedSquare> {
    let mut first = solved.space.first;
    pieces
        .iter()
        .map(|&piece| match (piece.role, piece.color) {
            (Role::King, color) => SolvedSquare::King(color),
            _ if first == Some(piece) => {
                first = None;
                SolvedSquare::First
            }
            _ => SolvedSquare::Second,
        })
        .collect()
}

/// Values that the cells allow, each the same as the one before it wherever possible.
pub(super) fn fill_dont_cares(cells: &[Cell]) -> Vec<u16> {
    let decided = cells.iter().find(|&&cell| cell != ANY);
    let mut last = decided.map_or(0, |cell| cell & !OR_LESS);
    cells
        .iter()
        .map(|&cell| {
            let value = cell & !OR_LESS;
            let keeps = cell == ANY || cell & OR_LESS != 0 && last <= value;
            if !keeps {
                last = value;
            }
            u16::from(last)
        })
        .collect()
}
