//! Piece placement as bitboards.

mod attack_maps;

use crate::attacks;
use crate::types::{Bitboard, ByColor, ByRole, Color, Piece, Role, Square};
use crate::zobrist;

/// The pieces on the board as sets, with their Zobrist key.
///
/// Only the methods that put, remove and move pieces and the FEN reader's `PieceSets` write here, so
/// the key always matches the pieces. `remove` and `relocate`, which are for moves, do not check what
/// stands on the squares: a wrong call leaves an inconsistent board, which
/// [`Position::validate`](crate::Position::validate) finds in tests, but never panics.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    roles: ByRole<Bitboard>,
    colors: ByColor<Bitboard>,
    key: u64,
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Board = Board {
        roles: ByRole([Bitboard::EMPTY; 6]),
        colors: ByColor([Bitboard::EMPTY; 2]),
        key: 0,
    };

    /// Puts a piece on a square, in place of what stands there.
    ///
    /// ```
    /// use engine_core::{Board, Color, Role, Square};
    ///
    /// let mut board = Board::EMPTY;
    /// for role in [Role::Pawn, Role::Queen] {
    ///     board.put(role.of(Color::White), Square::E8);
    /// }
    /// assert_eq!(board.piece_at(Square::E8), Some(Role::Queen.of(Color::White)));
    /// assert!(board.role(Role::Pawn).is_empty());
    /// ```
    pub fn put(&mut self, piece: Piece, square: Square) {
        self.remove_at(square);
        self.put_on_empty(piece, square);
    }

    /// Puts a piece on a square that is known to be empty, as most are that moves lead to.
    #[inline(always)]
    pub(crate) fn put_on_empty(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
    }

    /// Removes this piece from its square, where it must stand; see [`Board::remove_at`].
    #[inline(always)]
    pub fn remove(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.roles[piece.role] ^= square.bitboard();
        self.colors[piece.color] ^= square.bitboard();
        self.key ^= zobrist::piece(piece, square);
    }

    /// Moves a piece from its square, where it must stand, to an empty one.
    #[inline(always)]
    pub fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        let both = from.bitboard() ^ to.bitboard();
        self.roles[piece.role] ^= both;
        self.colors[piece.color] ^= both;
        self.key ^= zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
    }

    /// Empties a square and returns the piece that stood there.
    pub fn remove_at(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.remove(piece, square);
        Some(piece)
    }

    /// The Zobrist key of the pieces alone.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// All pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[Color::White] | self.colors[Color::Black]
    }

    /// All pieces of a colour.
    #[inline(always)]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color]
    }

    /// All pieces of a role.
    #[inline(always)]
    pub fn role(&self, role: Role) -> Bitboard {
        self.roles[role]
    }

    /// The pieces of a role and colour.
    #[inline(always)]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.roles[role] & self.colors[color]
    }

    /// Rooks and queens of both colours.
    #[inline(always)]
    pub fn orthogonals(&self) -> Bitboard {
        self.roles[Role::Rook] | self.roles[Role::Queen]
    }

    /// Bishops and queens of both colours.
    #[inline(always)]
    pub fn diagonals(&self) -> Bitboard {
        self.roles[Role::Bishop] | self.roles[Role::Queen]
    }

    /// The role on a square that is known to be occupied (a pawn where it is not).
    #[inline(always)]
    pub fn role_on(&self, square: Square) -> Role {
        self.planes().role_on(square)
    }

    /// The bit planes of the roles, for look-ups on many squares.
    #[inline(always)]
    pub(crate) fn planes(&self) -> Planes {
        let [_, knight, bishop, rook, queen, king] = self.roles.0;
        Planes([knight | rook | king, bishop | rook, queen | king])
    }

    /// The role on a square.
    #[inline(always)]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        if self.occupied().has(square) {
            Some(self.role_on(square))
        } else {
            None
        }
    }

    /// The colour of the piece on a square.
    #[inline(always)]
    pub fn color_at(&self, square: Square) -> Option<Color> {
        if self.colors[Color::White].has(square) {
            Some(Color::White)
        } else if self.colors[Color::Black].has(square) {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Some(self.role_on(square).of(self.color_at(square)?))
    }

    /// The king of a colour (the lowest, should there be several).
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, Role::King).first()
    }

    /// Pieces of a colour that attack a square, given which squares are occupied.
    #[inline(always)]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let pawns = attacks::pawn(!by, square) & self.roles[Role::Pawn];
        (pawns | self.piece_attackers(square, occupied)) & self.colors[by]
    }

    /// Pieces of both colours that attack a square, given which squares are occupied.
    #[inline(always)]
    pub fn attackers_of_both(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns = (attacks::pawn(Color::White, square) & self.colors[Color::Black])
            | (attacks::pawn(Color::Black, square) & self.colors[Color::White]);
        (pawns & self.roles[Role::Pawn]) | self.piece_attackers(square, occupied)
    }

    #[inline(always)]
    fn piece_attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::knight(square) & self.roles[Role::Knight])
            | (attacks::king(square) & self.roles[Role::King])
            | (attacks::bishop(square, occupied) & self.diagonals())
            | (attacks::rook(square, occupied) & self.orthogonals())
    }

    /// Squares that the piece on a square attacks; empty for an empty square.
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        self.piece_at(square).map_or(Bitboard::EMPTY, |piece| {
            attacks::piece(piece, square, self.occupied())
        })
    }

    /// Every piece with its square, a1 first.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let (planes, white) = (self.planes(), self.color(Color::White));
        self.occupied().into_iter().map(move |square| {
            let color = Color::from_white(white.has(square));
            (square, planes.role_on(square).of(color))
        })
    }
}

/// A board while a FEN is read: one set of squares for each kind of piece, numbered in the order of
/// a FEN, which begins with a8. Four more sets take what is no piece, so that the reader adds every
/// byte to a set without a branch on its meaning.
#[derive(Default)]
pub(crate) struct PieceSets {
    sets: [Bitboard; 16],
    key: u64,
}

impl PieceSets {
    /// How many sets are of pieces.
    pub(crate) const KINDS: u8 = 12;

    /// Adds a square, of which the low six bits count, to a set.
    #[inline(always)]
    pub(crate) fn put(&mut self, set: u8, square: usize) {
        let square = square & 63;
        self.sets[usize::from(set & 15)] |= Bitboard(1 << square);
        self.key ^= zobrist::piece_from_a8(set, square);
    }

    /// One set.
    #[inline(always)]
    pub(crate) fn get(&self, set: u8) -> Bitboard {
        self.sets[usize::from(set & 15)]
    }

    /// All squares with a piece.
    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        let [pieces @ .., _, _, _, _] = self.sets;
        pieces.into_iter().fold(Bitboard::EMPTY, Bitboard::or)
    }

    /// The board, if no square is in two sets.
    #[inline(always)]
    pub(crate) fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for role in Role::ALL {
            for color in Color::ALL {
                let squares = self.get(zobrist::kind(role.of(color)));
                board.roles[role] |= squares.flip();
                board.colors[color] |= squares.flip();
            }
        }
        board.key = self.key;
        board
    }
}

/// Eight lines of FEN letters and `.`, the eighth rank first.
impl core::fmt::Debug for Board {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let square = Square::from_index_masked(rank * 8 + file);
                let letter = self.piece_at(square).map_or('.', Piece::letter);
                write!(f, "{letter}{}", if file < 7 { ' ' } else { '\n' })?;
            }
        }
        Ok(())
    }
}

/// The roles on all squares as three bit planes: together they hold a role's index for each square.
#[derive(Clone, Copy)]
pub(crate) struct Planes([Bitboard; 3]);

impl Planes {
    /// The role on a square that is known to be occupied (a pawn where it is not).
    #[inline(always)]
    pub(crate) fn role_on(&self, square: Square) -> Role {
        // A load from a table instead of a match, which would be a jump that is often mispredicted.
        static ROLES: [Role; 8] = {
            let [pawn, knight, bishop, rook, queen, king] = Role::ALL;
            [pawn, knight, bishop, rook, queen, king, king, king]
        };
        let bit = |plane: usize| usize::from(self.0[plane].has(square)) << plane;
        ROLES[bit(0) | bit(1) | bit(2)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn role_on_finds_every_role() {
        for role in Role::ALL {
            for color in Color::ALL {
                let mut board = Board::EMPTY;
                board.put(role.of(color), Square::E4);
                assert_eq!(board.role_on(Square::E4), role);
                assert_eq!(board.piece_at(Square::E4), Some(role.of(color)));
                assert_eq!(board.piece_at(Square::E5), None);
            }
        }
    }

    #[test]
    fn attackers_are_those_whose_attacks_hit() {
        let mut board = Board::EMPTY;
        let pieces = [Square::A1, Square::C2, Square::D5, Square::F6, Square::H8];
        for (i, square) in pieces.into_iter().enumerate() {
            for (j, other) in pieces.into_iter().enumerate() {
                board.put(Role::ALL[i].of(Color::White), square);
                if square != other {
                    board.put(Role::ALL[j].of(Color::Black), other);
                }
                for target in Square::ALL {
                    let expected = Square::ALL
                        .into_iter()
                        .filter(|&from| board.attacks_from(from).has(target))
                        .collect::<Bitboard>();
                    let occupied = board.occupied();
                    assert_eq!(board.attackers_of_both(target, occupied), expected);
                    for color in Color::ALL {
                        let found = board.attackers(target, color, occupied);
                        assert_eq!(found, expected & board.color(color));
                    }
                }
            }
        }
    }

    #[test]
    fn a_piece_takes_the_place_of_another() {
        let pieces = Role::ALL.map(|role| Color::ALL.map(|color| role.of(color)));
        for old in pieces.into_iter().flatten() {
            for new in pieces.into_iter().flatten() {
                let (mut board, mut expected) = (Board::EMPTY, Board::EMPTY);
                board.put(old, Square::E1);
                board.put(new, Square::E1);
                expected.put(new, Square::E1);
                assert_eq!(board, expected);
                assert_eq!(board.iter().collect::<Vec<_>>(), [(Square::E1, new)]);
            }
        }
    }

    #[test]
    fn the_key_is_that_of_the_pieces_alone() {
        let mut board = Board::EMPTY;
        board.put(Role::King.of(Color::White), Square::E1);
        let key = board.key();
        board.put(Role::Pawn.of(Color::Black), Square::A7);
        board.relocate(Role::Pawn.of(Color::Black), Square::A7, Square::A5);
        assert_ne!(board.key(), key);
        assert_eq!(
            board.remove_at(Square::A5),
            Some(Role::Pawn.of(Color::Black))
        );
        assert_eq!(board.remove_at(Square::A5), None);
        assert_eq!(board.key(), key);
    }
}
