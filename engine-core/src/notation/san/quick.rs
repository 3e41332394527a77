//! The fast path of reading SAN, without generating moves.

use super::text::without_check_mark;
use crate::attacks;
use crate::notation::square;
use crate::rules::Rules;
use crate::{Bitboard, File, Move, Position, Rank, Role, Square, Variant};

/// The meaning of the first letter of a move.
#[derive(Clone, Copy)]
enum First {
    Piece(Role),
    /// The file that a pawn comes from.
    File,
    Other,
}

static FIRST: [First; 256] = {
    let mut table = [First::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        if let Some(first) = table.split_at_mut(byte).1.first_mut() {
            *first = match byte as u8 {
                b'N' => First::Piece(Role::Knight),
                b'B' => First::Piece(Role::Bishop),
                b'R' => First::Piece(Role::Rook),
                b'Q' => First::Piece(Role::Queen),
                b'K' => First::Piece(Role::King),
                b'a'..=b'h' => First::File,
                _ => First::Other,
            };
        }
        byte += 1;
    }
    table
};

impl<R: Rules> Position<R> {
    /// The move of a SAN in standard form if exactly one piece can play it in standard chess. `None`
    /// means that the slow path must decide: promotion, castling, en passant, other forms, errors.
    ///
    /// It looks from the target for pieces that attack it on an empty board, mostly a single one, and
    /// for pieces in between. The large tables of sliders, which often miss the cache, are used only
    /// if the king could be attacked.
    #[inline(always)]
    pub(super) fn quick_san(&self, bytes: &[u8]) -> Option<Move> {
        if R::VARIANT != Variant::Standard {
            return None;
        }
        let [head @ .., file, rank] = without_check_mark(bytes) else {
            return None;
        };
        let to = square(*file, *rank)?;
        let board = self.board();
        let us = self.turn();
        let king = board.pieces(us, Role::King).single()?;
        if (board.color(us) | board.role(Role::King)).has(to) {
            return None;
        }
        let origins = match head {
            [] => self.pushed_from(to),
            [letter, rest @ ..] => {
                let (reach, among) = match *FIRST.get(usize::from(*letter))? {
                    First::Piece(role) => (
                        attacks::on_empty_board(role, to) & board.role(role),
                        among(rest)?,
                    ),
                    First::File
                        if rest == b"x" && (board.color(!us) - Bitboard::BACKRANKS).has(to) =>
                    {
                        let file = File::from_letter(char::from(*letter))?;
                        (
                            attacks::pawn(!us, to) & board.role(Role::Pawn),
                            file.bitboard(),
                        )
                    }
                    _ => return None,
                };
                reach & board.color(us) & among
            }
        };
        let mut found = None;
        for from in origins {
            let is_free = (attacks::between(from, to) & board.occupied()).is_empty();
            if is_free
                && self.is_safe(king, from, to)
                && found.replace(Move::normal(from, to)).is_some()
            {
                return None;
            }
        }
        found
    }

    /// Whether the king, on `king` before the move, is safe after it.
    #[inline(always)]
    fn is_safe(&self, king: Square, from: Square, to: Square) -> bool {
        let (us, board) = (self.turn(), self.board());
        let king = if from == king { to } else { king };
        let near = (attacks::knight(king) & board.role(Role::Knight))
            | (attacks::king(king) & board.role(Role::King))
            | (attacks::pawn(us, king) & board.role(Role::Pawn));
        let enemies = board.color(!us) - to.bitboard();
        if ((near | board.snipers(king)) & enemies).is_empty() {
            return true;
        }
        let after = (board.occupied() - from.bitboard()) | to.bitboard();
        (board.attackers(king, !us, after) & enemies).is_empty()
    }

    /// The pawn that can push to this square without promoting.
    #[inline(always)]
    fn pushed_from(&self, to: Square) -> Bitboard {
        let (us, board) = (self.turn(), self.board());
        let occupied = board.occupied();
        let rank = us.relative_rank(to.rank());
        if occupied.has(to) || matches!(rank, Rank::First | Rank::Second | Rank::Eighth) {
            return Bitboard::EMPTY;
        }
        let step = if us.is_white() {
            8
        } else {
            8_usize.wrapping_neg()
        };
        let behind = |steps: usize| {
            Square::from_index_masked(to.index().wrapping_sub(step.wrapping_mul(steps)))
        };
        let from = if rank == Rank::Fourth && !occupied.has(behind(1)) {
            behind(2)
        } else {
            behind(1)
        };
        board.pieces(us, Role::Pawn) & from.bitboard()
    }
}

/// The from-squares that the text between the letter of a piece and the target allows.
#[inline(always)]
fn among(rest: &[u8]) -> Option<Bitboard> {
    let origin = match rest {
        [origin @ .., b'x'] => origin,
        _ => rest,
    };
    match *origin {
        [] => Some(Bitboard::FULL),
        [byte] => match File::from_letter(char::from(byte)) {
            Some(file) => Some(file.bitboard()),
            None => Some(Rank::from_digit(char::from(byte))?.bitboard()),
        },
        [file, rank] => Some(square(file, rank)?.bitboard()),
        _ => None,
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "in a test")]
mod tests {
    use crate::{Position, Standard, zobrist};

    /// Plays at random and reads the texts of legal moves, the same with a letter left out, and
    /// random texts.
    #[test]
    fn agrees_with_the_generator() {
        let mut seed = 11;
        let mut random = |below: usize| {
            seed = zobrist::splitmix64(seed);
            (seed >> 32) as usize % below
        };
        let mut quick = 0;
        for _ in 0..60 {
            let mut position = Position::<Standard>::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut texts = Vec::new();
                for m in &moves {
                    let san = position.to_san(m).to_string();
                    let mut shorter = san.clone();
                    shorter.remove(random(san.len()));
                    texts.extend([san, shorter]);
                }
                for _ in 0..40 {
                    let part = |of: &[&str], n| String::from(of[n % of.len()]);
                    let letter = part(
                        &["", "", "N", "B", "R", "Q", "K", "a", "e", "h"],
                        random(99),
                    );
                    let origin = part(
                        &["", "", "", "a", "d", "g", "1", "5", "8", "e4", "h"],
                        random(99),
                    );
                    let x = part(&["", "x", "-"], random(99));
                    let square = crate::Square::ALL[random(64)];
                    let mark = part(&["", "+", "#", "=Q", "!"], random(99));
                    texts.push(format!("{letter}{origin}{x}{square}{mark}"));
                }
                for text in texts {
                    if let Some(found) = position.quick_san(text.as_bytes()) {
                        let slow = position.read_san(text.as_bytes());
                        assert_eq!(slow, Ok(found), "{position:?} {text}");
                        quick += 1;
                    }
                }
                position.play(moves[random(moves.len())]);
            }
        }
        assert!(quick > 100_000, "{quick}");
    }
}
