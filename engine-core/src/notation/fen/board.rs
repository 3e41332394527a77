//! Reading the first field of a FEN.

use super::FenProblem;
use crate::{Bitboard, Board, Color, Piece, Role, Square};

/// What a byte of the field means. Squares are counted from a8 with eight idle places after each
/// rank, so that a slash must lead to a multiple of 16 and anything else to 1 to 8 beyond one.
#[derive(Clone, Copy)]
struct Token {
    class: u8,
    /// Classes that may not follow.
    forbidden: u8,
    /// How many places it takes.
    step: u8,
    /// `(place + offset) & mask` must be zero behind it.
    offset: u8,
    mask: u8,
    piece: Piece,
}

const PIECE: u8 = 1;
const DIGIT: u8 = 2;
const SLASH: u8 = 4;
const PROMOTED: u8 = 8;
const OTHER: u8 = 16;

impl Token {
    const fn new(class: u8, forbidden: u8, step: u8) -> Token {
        Token {
            class,
            forbidden: forbidden | OTHER,
            step,
            // Minus one, so that eight squares are well and nine are not.
            offset: 15,
            mask: 8,
            piece: Role::Pawn.of(Color::White),
        }
    }

    const fn of(letter: u8) -> Token {
        match letter {
            b'/' => Token {
                offset: 0,
                mask: 15,
                ..Token::new(SLASH, PROMOTED, 8)
            },
            b'1'..=b'8' => Token::new(DIGIT, DIGIT | PROMOTED, letter - b'0'),
            b'~' => Token::new(PROMOTED, PROMOTED, 0),
            _ => match Piece::from_letter(letter as char) {
                Some(piece) => Token {
                    piece,
                    ..Token::new(PIECE, 0, 1)
                },
                None => Token::new(OTHER, PROMOTED, 0),
            },
        }
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "the compiler itself would catch it"
)]
const TOKENS: [Token; 256] = {
    let mut tokens = [Token::of(0); 256];
    let mut byte = 0;
    while byte < 128 {
        tokens[byte] = Token::of(byte as u8);
        byte += 1;
    }
    tokens
};

fn token(byte: u8) -> &'static Token {
    const { &TOKENS }
        .get(usize::from(byte))
        .unwrap_or(const { &Token::of(0) })
}

/// The pieces and those marked as promoted, or the first problem and its byte.
///
/// Which kind of byte comes next is nearly random, so that branches on it would cost more than all
/// the rest; the problem is looked for only once it is known that there is one.
pub(super) fn read_board(field: &str) -> Result<(Board, Bitboard), (usize, FenProblem)> {
    let mut pieces = [(0, 0); 64];
    let (mut count, mut place) = (0, 0_u32);
    let (mut forbidden, mut wrong) = (OTHER | PROMOTED, 0);
    for byte in field.bytes() {
        let token = token(byte);
        if let Some(slot) = pieces.get_mut(count & 63) {
            *slot = (byte, place as u8);
        }
        count += usize::from(token.class & PIECE);
        place = place.wrapping_add(u32::from(token.step));
        wrong |= token.class & forbidden;
        wrong |= (place as u8).wrapping_add(token.offset) & token.mask;
        forbidden = token.forbidden;
    }
    if wrong != 0 || place != 16 * 8 - 8 {
        return Err(find_problem(field));
    }
    let mut board = Board::EMPTY;
    for &(byte, place) in pieces.iter().take(count) {
        board.put(token(byte).piece, square_of(place));
    }
    let promoted = if field.contains('~') {
        find_promoted(field)
    } else {
        Bitboard::EMPTY
    };
    Ok((board, promoted))
}

/// The text begins with a8, squares with a1.
fn square_of(place: u8) -> Square {
    Square::from_index_masked(usize::from(place / 16 * 8 + place % 8)).flip()
}

/// The pieces of a good field that a `~` follows.
#[cold]
fn find_promoted(field: &str) -> Bitboard {
    let (mut promoted, mut place) = (Bitboard::EMPTY, 0_u8);
    for byte in field.bytes() {
        if byte == b'~' {
            promoted |= square_of(place.wrapping_sub(1)).bitboard();
        }
        place = place.wrapping_add(token(byte).step);
    }
    promoted
}

/// The first problem of a field that has one.
#[cold]
fn find_problem(field: &str) -> (usize, FenProblem) {
    let (mut squares, mut ranks, mut forbidden) = (0, 1, OTHER | PROMOTED);
    for (i, letter) in field.char_indices() {
        let token = token(u8::try_from(letter).unwrap_or(0));
        let problem = match token.class {
            OTHER => Some(FenProblem::NotAPiece(letter)),
            DIGIT if forbidden & DIGIT != 0 => Some(FenProblem::ConsecutiveDigits),
            PROMOTED if forbidden & PROMOTED != 0 => Some(FenProblem::StrayPromotionMark),
            SLASH if squares != 8 => Some(FenProblem::RankWidth),
            SLASH if ranks == 8 => Some(FenProblem::RankCount),
            PIECE | DIGIT if squares + token.step > 8 => Some(FenProblem::RankWidth),
            _ => None,
        };
        if let Some(problem) = problem {
            return (i, problem);
        }
        if token.class == SLASH {
            squares = 0;
            ranks += 1;
        } else {
            squares += token.step;
        }
        forbidden = token.forbidden;
    }
    let problem = if squares == 8 {
        FenProblem::RankCount
    } else {
        FenProblem::RankWidth
    };
    (field.len(), problem)
}
