//! Reading the first field of a FEN.

use super::FenProblem;
use crate::board::PieceSets;
use crate::{Bitboard, Board, Piece, Square, zobrist};

/// Which set a byte of the field adds its square to, and how many squares it takes.
///
/// Pieces go to the sets of their kinds, other bytes to four more sets. The kind of the next byte is
/// hard to predict, so branches on it would cost more than everything else.
#[derive(Clone, Copy)]
struct FieldByte {
    set: u8,
    step: u8,
}

const SLASH: u8 = PieceSets::KINDS;
const DIGIT: u8 = SLASH + 1;
const PROMOTED: u8 = SLASH + 2;
const OTHER: u8 = SLASH + 3;

impl FieldByte {
    const fn of(letter: u8) -> FieldByte {
        let (set, step) = match letter {
            b'/' => (SLASH, 0),
            b'1'..=b'8' => (DIGIT, letter - b'0'),
            b'~' => (PROMOTED, 0),
            _ => match Piece::from_letter(letter as char) {
                Some(piece) => (zobrist::kind(piece), 1),
                None => (OTHER, 0),
            },
        };
        FieldByte { set, step }
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "the compiler itself would catch it"
)]
static FIELD_BYTES: [FieldByte; 256] = {
    let mut tokens = [FieldByte::of(0); 256];
    let mut byte = 0;
    while byte < 128 {
        tokens[byte] = FieldByte::of(byte as u8);
        byte += 1;
    }
    tokens
};

#[inline(always)]
fn field_byte(byte: u8) -> FieldByte {
    let other = FieldByte {
        set: OTHER,
        step: 0,
    };
    FIELD_BYTES.get(usize::from(byte)).copied().unwrap_or(other)
}

/// Reads the first field of a FEN: the pieces and, under any rules, those that `~` marks as promoted.
///
/// # Errors
/// The first problem and its byte.
pub fn read_board(field: &str) -> Result<(Board, Bitboard), (usize, FenProblem)> {
    match place(field.bytes(), field.len()) {
        Some(board) => Ok((board, Bitboard::EMPTY)),
        None => read_marked_board(field),
    }
}

/// The pieces, unless something is wrong or marked as promoted. There are `length` bytes.
///
/// The text is validated at the end. Slashes lie where ranks end, so no digit reaches beyond a rank;
/// and each piece, each run of empty squares and each end of a rank takes at least one byte, so that
/// a text of just this length has neither two digits in a row nor a slash too many.
#[inline(always)]
fn place(bytes: impl Iterator<Item = u8>, length: usize) -> Option<Board> {
    const MAX_LENGTH: usize = 64 + 7;
    const SLASHES: Bitboard = Bitboard(0x0101_0101_0101_0100);
    if length > MAX_LENGTH {
        return None;
    }
    let mut sets = PieceSets::default();
    let mut square = 0;
    for byte in bytes {
        let parsed = field_byte(byte);
        sets.put(parsed.set, square);
        square += usize::from(parsed.step);
    }
    let occupied = sets.occupied();
    let empty = !occupied;
    let after_empty = Bitboard(empty.0 << 1) - Bitboard::FILE_A;
    let runs = empty - after_empty;
    let is_well = square == 64
        && sets.get(SLASH) == SLASHES
        && (sets.get(PROMOTED) | sets.get(OTHER)).is_empty()
        && length as u32 == occupied.count() + runs.count() + 7;
    is_well.then(|| sets.board())
}

/// The same for the rare cases: marks of promotion, and problems.
#[cold]
fn read_marked_board(field: &str) -> Result<(Board, Bitboard), (usize, FenProblem)> {
    if let Some(problem) = find_problem(field) {
        return Err(problem);
    }
    let (mut promoted, mut marks, mut square) = (Bitboard::EMPTY, 0, 0_usize);
    for byte in field.bytes() {
        if byte == b'~' {
            marks += 1;
            promoted |= Square::from_index_masked(square.wrapping_sub(1))
                .flip()
                .bitboard();
        }
        square += usize::from(field_byte(byte).step);
    }
    let pieces = field.bytes().filter(|&byte| byte != b'~');
    let board = place(pieces, field.len() - marks);
    let board = board.ok_or((field.len(), FenProblem::RankWidth))?;
    Ok((board, promoted))
}

/// The first problem and its byte.
fn find_problem(field: &str) -> Option<(usize, FenProblem)> {
    let (mut squares, mut ranks, mut before) = (0, 1, SLASH);
    for (i, letter) in field.char_indices() {
        let FieldByte { set, step } = u8::try_from(letter).map_or(FieldByte::of(0), field_byte);
        let problem = match set {
            OTHER => Some(FenProblem::NotAPiece(letter)),
            DIGIT if before == DIGIT => Some(FenProblem::ConsecutiveDigits),
            PROMOTED if before >= SLASH => Some(FenProblem::StrayPromotionMark),
            SLASH if squares != 8 => Some(FenProblem::RankWidth),
            SLASH if ranks == 8 => Some(FenProblem::RankCount),
            _ if squares + step > 8 => Some(FenProblem::RankWidth),
            _ => None,
        };
        if let Some(problem) = problem {
            return Some((i, problem));
        }
        if set == SLASH {
            squares = 0;
            ranks += 1;
        } else {
            squares += step;
        }
        before = set;
    }
    match (squares, ranks) {
        (8, 8) => None,
        (8, _) => Some((field.len(), FenProblem::RankCount)),
        _ => Some((field.len(), FenProblem::RankWidth)),
    }
}
