//! From the squares of pieces to the number of a position within a table.

use super::squares::{
    BINOMIAL, KINGS, LEADERS_BEFORE, LOWER, NONE, PAIRS, PAWN_ORDER, TRIANGLE, TWIST, TWIST_BEFORE,
    is_turned,
};
use crate::Material;
use arrayvec::ArrayVec;
use engine_core::{Color, Piece, Role};
use std::cmp::Reverse;

/// The most pieces of a table.
pub(super) const MAX_PIECES: usize = 7;

/// Which pieces lead. They are numbered together, and their squares say how a position is mirrored,
/// flipped and transposed, so that positions that are alike share one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lead {
    /// Three unique pieces: there is one of each.
    Three,
    /// The two kings, which may not touch, where no other piece is unique.
    Kings,
    /// Two unique pieces, where kings may touch.
    Two,
    /// Two equal pieces, where fewer than two are unique, as in variants without royal kings.
    Pair,
    /// Three or more equal pieces, where in addition there is no pair.
    Many,
    /// The pawns of one side; each file has a table of its own.
    Pawns,
}

impl Lead {
    /// The number of placements of this many leading pieces, up to symmetry; pawns with the first of
    /// them on this file, 0 to 3. `None` for seven equal pieces, which leave no room for the other side's.
    fn choices(self, count: usize, file: usize) -> Option<u64> {
        Some(match self {
            Lead::Three => 31_332,
            Lead::Kings => 462,
            Lead::Two => 518,
            Lead::Pair => 278,
            Lead::Many => TWIST_BEFORE.get(count - 1)?[10],
            Lead::Pawns => LEADERS_BEFORE.get(count - 1)?[file & 3][7],
        })
    }
}

/// In which order a table numbers the pieces, and the factor in the index of each group of them.
#[derive(Clone, Debug)]
pub(crate) struct SyzygyIndex {
    /// As in the file: White is the side that the table is named after.
    pub(crate) pieces: ArrayVec<Piece, MAX_PIECES>,
    lead: Lead,
    groups: ArrayVec<Group, MAX_PIECES>,
    /// The number of positions.
    pub(crate) size: u64,
}

/// The leading pieces, or equal pieces.
#[derive(Clone, Debug)]
struct Group {
    /// The number of pieces.
    length: usize,
    /// What the number of the group is multiplied by in the index.
    factor: u64,
    /// How many squares below the first it never stands on: the first rank for pawns, else none.
    below: usize,
}

impl SyzygyIndex {
    /// The layout of these pieces. `order` has the places of the leading group, and of the other
    /// side's pawns if both have some, among the groups from the smallest factor to the largest;
    /// `file`, 0 to 3, is that of the leading pawn. `None` if the pieces or the order are not those
    /// of a table.
    pub(crate) fn new(
        pieces: &[Piece],
        order: [u8; 2],
        file: usize,
        connected_kings: bool,
    ) -> Option<SyzygyIndex> {
        let material = pieces
            .iter()
            .fold(Material::default(), |sum, &piece| sum.with(piece));
        let pawns = |color: Color| material.count(Role::Pawn.of(color)) as usize;
        let both_have_pawns = pawns(Color::White) > 0 && pawns(Color::Black) > 0;
        let uniques = material.iter().filter(|&(_, count)| count == 1).count();
        let smallest_group = material
            .iter()
            .map(|(_, count)| count)
            .filter(|&n| n > 1)
            .min();
        let (lead, first) = if material.has_pawns() {
            let leader = pieces.first().filter(|piece| piece.role == Role::Pawn)?;
            (Lead::Pawns, pawns(leader.color))
        } else {
            match (uniques, smallest_group) {
                (3.., _) => (Lead::Three, 3),
                (2, _) if connected_kings => (Lead::Two, 2),
                (2, _) => (Lead::Kings, 2),
                (_, Some(2)) => (Lead::Pair, 2),
                (_, Some(count)) => (Lead::Many, count as usize),
                (_, None) => return None,
            }
        };
        let rest = pieces.get(first..)?;
        let lengths = rest.chunk_by(Piece::eq).map(<[Piece]>::len);
        let lengths: Vec<usize> = std::iter::once(first).chain(lengths).collect();
        let is_group = |group: &[Piece]| group.iter().all(|&piece| piece == group[0]);
        let leaders = &pieces[..first];
        let consistent = match lead {
            Lead::Three | Lead::Two => leaders.iter().all(|&piece| material.count(piece) == 1),
            Lead::Kings => leaders.iter().all(|piece| piece.role == Role::King),
            Lead::Pair | Lead::Many | Lead::Pawns => is_group(leaders),
        };
        let second_is_pawns = rest.first().is_some_and(|piece| piece.role == Role::Pawn);
        // Equal pieces that are not listed side by side would make two groups.
        let groups = 1 + material
            .iter()
            .filter(|(piece, _)| !leaders.contains(piece))
            .count();
        if !consistent || both_have_pawns != second_is_pawns || lengths.len() != groups {
            return None;
        }

        let mut layout = SyzygyIndex {
            pieces: pieces.try_into().ok()?,
            lead,
            groups: ArrayVec::new(),
            size: 1,
        };
        layout.add_groups(&lengths, both_have_pawns, order, file)?;
        Some(layout)
    }

    /// Computes the groups and the size. If both sides have pawns the second group is those of the
    /// side that does not lead.
    fn add_groups(
        &mut self,
        lengths: &[usize],
        both_have_pawns: bool,
        order: [u8; 2],
        file: usize,
    ) -> Option<()> {
        let set_aside = if both_have_pawns { 2 } else { 1 };
        let mut free = 64 - lengths[..set_aside].iter().sum::<usize>();
        let mut next = set_aside;
        let [first, second] = order.map(usize::from);
        let mut factors = [0; MAX_PIECES];
        for place in 0..lengths.len() {
            let (group, choices) = if place == first {
                (0, self.lead.choices(lengths[0], file)?)
            } else if both_have_pawns && place == second {
                (1, BINOMIAL[lengths[1]][48 - lengths[0]])
            } else {
                let &length = lengths.get(next)?;
                let choices = BINOMIAL[length][free];
                free -= length;
                next += 1;
                (next - 1, choices)
            };
            factors[group] = self.size;
            self.size = self.size.checked_mul(choices)?;
        }
        for (number, (&length, factor)) in lengths.iter().zip(factors).enumerate() {
            self.groups.push(Group {
                length,
                factor,
                below: if both_have_pawns && number == 1 { 8 } else { 0 },
            });
        }
        // Both groups that the order names must have had a place.
        (first < lengths.len() && (!both_have_pawns || second < lengths.len() && second != first))
            .then_some(())
    }

    /// The number of leading pawns.
    pub(super) fn leading_pawns(&self) -> usize {
        let leaders = self.groups.first().filter(|_| self.lead == Lead::Pawns);
        leaders.map_or(0, |group| group.length)
    }

    /// The index of the position with the pieces on these squares, in the order of the layout,
    /// leading pawns sorted by [`lead_pawn_file`]. `None` for a position that the table does not
    /// have, such as one with touching kings.
    #[inline]
    pub(crate) fn index(&self, mut squares: PieceSquares) -> Option<u64> {
        let groups = self.groups.as_slice();
        let (lead, rest) = groups.split_first()?;
        let mut index = lead.factor
            * match self.lead {
                Lead::Pawns => index_of_pawns(&mut squares, lead.length),
                Lead::Pair => index_of_pair(&mut squares)?,
                Lead::Many => index_of_many(&mut squares, lead.length),
                Lead::Three => index_of_three(orient(&mut squares, 3)),
                Lead::Two => index_of_two(orient(&mut squares, 2)),
                Lead::Kings => pair_number(&KINGS, orient(&mut squares, 2))?,
            };
        let mut squares = squares.iter();
        let mut set = |count| -> u64 {
            let squares = squares.by_ref().take(count);
            squares.fold(0, |set, &square| set | 1 << (square & 63))
        };
        let mut before = set(lead.length);
        for group in rest {
            let own = set(group.length);
            index += set_number(own, before, group.below) * group.factor;
            before |= own;
        }
        Some(index)
    }
}

/// The number of a set of squares among those of its size, where squares of the set `before` are
/// taken, and so are the first `below` ones: that of the combinatorial number system.
#[inline(always)]
fn set_number(set: u64, before: u64, below: usize) -> u64 {
    let (mut rest, mut number) = (set, 0);
    for choices in &BINOMIAL[1..] {
        if rest == 0 {
            break;
        }
        let square = rest.trailing_zeros() as usize;
        let smaller = (before & ((1 << square) - 1)).count_ones() as usize;
        number += choices[square.wrapping_sub(below + smaller) & 63];
        rest &= rest - 1;
    }
    number
}

/// The squares of the pieces in the order of a layout, A1 = 0 to H8 = 63; those behind the last
/// piece are ignored.
pub(crate) type PieceSquares = [u8; 8];

/// Sorts leading pawns, so that the one whose file selects the table comes first, and returns that
/// file: 0 for a and h to 3 for d and e.
pub(crate) fn lead_pawn_file(pawns: &mut [u8]) -> usize {
    if pawns.len() > 1 {
        let order = |&square: &u8| Reverse(PAWN_ORDER[usize::from(square & 63)]);
        pawns.sort_unstable_by_key(order);
    }
    let file = pawns.first().map_or(0, |square| usize::from(square & 7));
    file.min(7 - file)
}

#[inline]
fn is_on_diagonal(square: u8) -> bool {
    square >> 3 == square & 7
}

#[inline]
fn is_above_diagonal(square: u8) -> bool {
    square >> 3 > square & 7
}

/// The same byte eight times.
const fn all(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Left to right.
#[inline]
fn mirror(squares: &mut PieceSquares) {
    *squares = (u64::from_ne_bytes(*squares) ^ all(0b000_111)).to_ne_bytes();
}

/// Top to bottom.
#[inline]
fn flip(squares: &mut PieceSquares) {
    *squares = (u64::from_ne_bytes(*squares) ^ all(0b111_000)).to_ne_bytes();
}

/// About the diagonal a1 h8.
#[inline]
pub(crate) fn transpose(squares: &mut PieceSquares) {
    let word = u64::from_ne_bytes(*squares);
    let transposed = word >> 3 & all(0b000_111) | word << 3 & all(0b111_000);
    *squares = transposed.to_ne_bytes();
}

/// Mirrors and flips so that the first square is in the quarter a1 d1 d4 a4.
#[inline]
fn to_quarter(squares: &mut PieceSquares) {
    if squares[0] & 4 != 0 {
        mirror(squares);
    }
    if squares[0] & 32 != 0 {
        flip(squares);
    }
}

/// Brings the first square into the triangle a1 d1 d4, and the first of the leading squares that
/// is off the diagonal below it.
#[inline]
fn orient(squares: &mut PieceSquares, leading: usize) -> PieceSquares {
    to_quarter(squares);
    let mut leaders = squares.iter().take(leading);
    let decisive = leaders.find(|&&square| !is_on_diagonal(square));
    if decisive.is_some_and(|&square| is_above_diagonal(square)) {
        transpose(squares);
    }
    *squares
}

/// The number of a square's image in the triangle a1 d1 d4: 0 to 5 off the diagonal, 6 to 9 on it.
#[inline]
fn class(square: u8) -> u8 {
    TRIANGLE[usize::from(square & 63)]
}

/// The number of the first two pieces in a table by class of the first one and square of the
/// second.
#[inline]
fn pair_number(table: &[[u16; 64]; 10], squares: PieceSquares) -> Option<u64> {
    let number = table[usize::from(class(squares[0]))][usize::from(squares[1] & 63)];
    (number != NONE).then_some(u64::from(number))
}

/// The number of a square among those that the pieces before it leave free.
#[inline]
fn free_number(square: u8, before: &[u8]) -> u64 {
    let smaller = before.iter().filter(|&&other| other < square).count();
    u64::from(square).wrapping_sub(smaller as u64)
}

/// The same for a square on the diagonal, among the squares of the diagonal.
#[inline]
fn free_number_on_diagonal(square: u8, before: &[u8]) -> u64 {
    let smaller = before.iter().filter(|&&other| other < square).count();
    u64::from(square >> 3).wrapping_sub(smaller as u64)
}

/// The number of a square among the 28 below the diagonal.
fn lower(square: u8) -> u64 {
    u64::from(LOWER[usize::from(square & 63)])
}

/// The number of three unique pieces that [`orient`] has turned. Positions come in the order of how
/// many of the first pieces stand on the diagonal: none, one, two, all three.
fn index_of_three([a, b, c, ..]: PieceSquares) -> u64 {
    let off_diagonal = 6 * 63 * 62;
    let one = 4 * 28 * 62;
    let two = 4 * 7 * 28;
    if !is_on_diagonal(a) {
        u64::from(class(a)) * 63 * 62 + free_number(b, &[a]) * 62 + free_number(c, &[a, b])
    } else if !is_on_diagonal(b) {
        off_diagonal + u64::from(a >> 3) * 28 * 62 + lower(b) * 62 + free_number(c, &[a, b])
    } else if !is_on_diagonal(c) {
        off_diagonal
            + one
            + u64::from(a >> 3) * 7 * 28
            + free_number_on_diagonal(b, &[a]) * 28
            + lower(c)
    } else {
        off_diagonal
            + one
            + two
            + u64::from(a >> 3) * 7 * 6
            + free_number_on_diagonal(b, &[a]) * 6
            + free_number_on_diagonal(c, &[a, b])
    }
}

/// The number of two unique pieces that [`orient`] has turned, in the same order.
fn index_of_two([a, b, ..]: PieceSquares) -> u64 {
    if !is_on_diagonal(a) {
        u64::from(class(a)) * 63 + free_number(b, &[a])
    } else if !is_on_diagonal(b) {
        6 * 63 + u64::from(a >> 3) * 28 + lower(b)
    } else {
        6 * 63 + 4 * 28 + u64::from(a >> 3) * 7 + free_number_on_diagonal(b, &[a])
    }
}

/// Turns two equal pieces and all others with them, and returns the number of the two.
fn index_of_pair(squares: &mut PieceSquares) -> Option<u64> {
    if class(squares[0]) > class(squares[1]) {
        squares.swap(0, 1);
    }
    orient(squares, 2);
    if is_turned(usize::from(squares[1])) && class(squares[0]) == class(squares[1]) {
        squares.swap(0, 1);
        flip(squares);
        transpose(squares);
    }
    pair_number(&PAIRS, *squares)
}

/// The same of three or more equal pieces: the one of the lowest class leads, and the others are a
/// combination of squares in the order of [`TWIST`].
fn index_of_many(squares: &mut PieceSquares, count: usize) -> u64 {
    for i in 1..count {
        if class(squares[0]) > class(squares[i]) {
            squares.swap(0, i);
        }
    }
    to_quarter(squares);
    if is_above_diagonal(squares[0]) {
        transpose(squares);
    }
    let twist = |square: u8| usize::from(TWIST[usize::from(square & 63)]);
    squares[1..count].sort_unstable_by_key(|&square| twist(square));
    let others = squares[1..count].iter().enumerate();
    TWIST_BEFORE[(count - 1).min(5)][usize::from(class(squares[0]))]
        + others
            .map(|(i, &square)| BINOMIAL[(i + 1).min(6)][twist(square)])
            .sum::<u64>()
}

/// The same of the leading pawns, of which the first is the one that [`lead_pawn_file`] puts there.
fn index_of_pawns(squares: &mut PieceSquares, count: usize) -> u64 {
    if squares[0] & 4 != 0 {
        mirror(squares);
    }
    let order = |square: u8| usize::from(PAWN_ORDER[usize::from(square & 63)]);
    squares[1..count].sort_unstable_by_key(|&square| order(square));
    let others = squares[1..count].iter().enumerate();
    let (file, rank) = (
        usize::from(squares[0] & 3),
        usize::from(squares[0] >> 3 & 7),
    );
    LEADERS_BEFORE[(count - 1).min(5)][file][rank]
        + others
            .map(|(i, &square)| BINOMIAL[(i + 1).min(6)][order(square)])
            .sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a damaged file of seven pieces may list them.
    #[test]
    fn seven_equal_pieces_are_no_table() {
        for role in Role::ALL {
            let pieces = [role.of(Color::White); MAX_PIECES];
            for connected_kings in [false, true] {
                let layout = SyzygyIndex::new(&pieces, [0, 15], 0, connected_kings);
                assert!(layout.is_none(), "{role:?}");
            }
        }
    }
}
