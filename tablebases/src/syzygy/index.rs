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
pub(super) const MOST: usize = 7;

/// How the leading pieces, which take up the symmetries of the board, are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lead {
    /// Three pieces without their like.
    Three,
    /// Two kings that may not touch.
    Kings,
    /// Two pieces without their like that may stand side by side.
    Two,
    /// Two equal pieces, where nothing else is single.
    Pair,
    /// Three and more equal pieces.
    Many,
    /// The pawns of one side; each file has a table of its own.
    Pawns,
}

impl Lead {
    /// How many places so many leading pieces have, pawns with the first on this file.
    fn choices(self, count: usize, file: usize) -> u64 {
        match self {
            Lead::Three => 31_332,
            Lead::Kings => 462,
            Lead::Two => 518,
            Lead::Pair => 278,
            Lead::Many => TWIST_BEFORE[count - 1][10],
            Lead::Pawns => LEADERS_BEFORE[count - 1][file & 3][7],
        }
    }
}

/// The order in which a table takes the pieces, and the weight of each group of equal ones.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// As in the file: White is the side that the table is named after.
    pub(crate) pieces: ArrayVec<Piece, MOST>,
    lead: Lead,
    groups: ArrayVec<Group, MOST>,
    /// The number of positions.
    pub(crate) size: u64,
}

/// Equal pieces, or those that lead.
#[derive(Clone, Debug)]
struct Group {
    length: usize,
    /// What one step in its number counts in the index.
    factor: u64,
    /// Squares below the first one: those of the first rank for pawns.
    below: usize,
}

impl Layout {
    /// The layout of these pieces, the leading and second groups having these places in the order
    /// of weights; `file` is that of the leading pawn. `None` when it makes no sense.
    pub(crate) fn new(
        pieces: &[Piece],
        order: [u8; 2],
        file: usize,
        connected_kings: bool,
    ) -> Option<Layout> {
        let material = pieces
            .iter()
            .fold(Material::default(), |sum, &piece| sum.with(piece));
        let pawns = |color: Color| material.count(Role::Pawn.of(color)) as usize;
        let other_pawns = pawns(Color::White) > 0 && pawns(Color::Black) > 0;
        let singles = material.iter().filter(|&(_, count)| count == 1).count();
        let fewest = material
            .iter()
            .map(|(_, count)| count)
            .filter(|&n| n > 1)
            .min();
        let (lead, first) = if material.has_pawns() {
            let leader = pieces.first().filter(|piece| piece.role == Role::Pawn)?;
            (Lead::Pawns, pawns(leader.color))
        } else {
            match (singles, fewest) {
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
        // Equal pieces that are not side by side would be taken twice.
        let groups = 1 + material
            .iter()
            .filter(|(piece, _)| !leaders.contains(piece))
            .count();
        if !consistent || other_pawns != second_is_pawns || lengths.len() != groups {
            return None;
        }

        let mut layout = Layout {
            pieces: pieces.try_into().ok()?,
            lead,
            groups: ArrayVec::new(),
            size: 1,
        };
        layout.weigh(&lengths, other_pawns, order, file)?;
        Some(layout)
    }

    /// Computes the groups and the size. `other_pawns` says that the second group is the other
    /// side's pawns.
    fn weigh(
        &mut self,
        lengths: &[usize],
        other_pawns: bool,
        order: [u8; 2],
        file: usize,
    ) -> Option<()> {
        let set_aside = if other_pawns { 2 } else { 1 };
        let mut free = 64 - lengths[..set_aside].iter().sum::<usize>();
        let mut next = set_aside;
        let [first, second] = order.map(usize::from);
        let mut factors = [0; MOST];
        for place in 0..lengths.len() {
            let (group, choices) = if place == first {
                (0, self.lead.choices(lengths[0], file))
            } else if other_pawns && place == second {
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
                below: if other_pawns && number == 1 { 8 } else { 0 },
            });
        }
        // Both special groups must have had their place.
        (first < lengths.len() && (!other_pawns || second < lengths.len() && second != first))
            .then_some(())
    }

    /// The number of leading pawns.
    pub(super) fn leading_pawns(&self) -> usize {
        let leaders = self.groups.first().filter(|_| self.lead == Lead::Pawns);
        leaders.map_or(0, |group| group.length)
    }

    /// The number of the position with the pieces on these squares, in the order of the layout,
    /// leading pawns sorted by [`lead_pawn_file`]. `None` for a position that the table does not
    /// have, such as touching kings.
    #[inline]
    pub(crate) fn index(&self, mut squares: Squares) -> Option<u64> {
        let groups = self.groups.as_slice();
        let (lead, rest) = groups.split_first()?;
        let mut index = lead.factor
            * match self.lead {
                Lead::Pawns => index_of_pawns(&mut squares, lead.length),
                Lead::Pair => index_of_pair(&mut squares)?,
                Lead::Many => index_of_many(&mut squares, lead.length),
                Lead::Three => index_of_three(orient(&mut squares, 3)),
                Lead::Two => index_of_two(orient(&mut squares, 2)),
                Lead::Kings => number(&KINGS, orient(&mut squares, 2))?,
            };
        let mut squares = squares.iter();
        let mut set = |count| -> u64 {
            let squares = squares.by_ref().take(count);
            squares.fold(0, |set, &square| set | 1 << (square & 63))
        };
        let mut before = set(lead.length);
        for group in rest {
            let own = set(group.length);
            let (mut rest, mut sum) = (own, 0);
            for choices in &BINOMIAL[1..] {
                if rest == 0 {
                    break;
                }
                let square = rest.trailing_zeros() as usize;
                let smaller = (before & ((1 << square) - 1)).count_ones() as usize;
                sum += choices[square.wrapping_sub(group.below + smaller) & 63];
                rest &= rest - 1;
            }
            index += sum * group.factor;
            before |= own;
        }
        Some(index)
    }
}

/// The squares of the pieces in the order of a layout; what is behind them means nothing.
pub(crate) type Squares = [u8; 8];

/// Sorts leading pawns, so that the one that decides comes first, and tells its file: 0 for the
/// a-file and the h-file to 3.
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
fn mirror(squares: &mut Squares) {
    *squares = (u64::from_ne_bytes(*squares) ^ all(0b000_111)).to_ne_bytes();
}

/// Top to bottom.
#[inline]
fn flip(squares: &mut Squares) {
    *squares = (u64::from_ne_bytes(*squares) ^ all(0b111_000)).to_ne_bytes();
}

/// About the diagonal a1 h8.
#[inline]
pub(crate) fn transpose(squares: &mut Squares) {
    let word = u64::from_ne_bytes(*squares);
    let transposed = word >> 3 & all(0b000_111) | word << 3 & all(0b111_000);
    *squares = transposed.to_ne_bytes();
}

/// Mirrors and flips so that the first square is in the quarter a1 d1 d4 a4.
#[inline]
fn to_quarter(squares: &mut Squares) {
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
fn orient(squares: &mut Squares, leading: usize) -> Squares {
    to_quarter(squares);
    let mut leaders = squares.iter().take(leading);
    let decisive = leaders.find(|&&square| !is_on_diagonal(square));
    if decisive.is_some_and(|&square| is_above_diagonal(square)) {
        transpose(squares);
    }
    *squares
}

#[inline]
fn class(square: u8) -> u8 {
    TRIANGLE[usize::from(square & 63)]
}

#[inline]
fn number(table: &[[u16; 64]; 10], squares: Squares) -> Option<u64> {
    let number = table[usize::from(class(squares[0]))][usize::from(squares[1] & 63)];
    (number != NONE).then_some(u64::from(number))
}

/// A number among 64, as it is when the squares before it are left out.
#[inline]
fn rest(square: u8, before: &[u8]) -> u64 {
    let smaller = before.iter().filter(|&&other| other < square).count();
    u64::from(square).wrapping_sub(smaller as u64)
}

/// The row of a square on the diagonal, as it is when the squares before it are left out.
#[inline]
fn rest_on_diagonal(square: u8, before: &[u8]) -> u64 {
    let smaller = before.iter().filter(|&&other| other < square).count();
    u64::from(square >> 3).wrapping_sub(smaller as u64)
}

fn lower(square: u8) -> u64 {
    u64::from(LOWER[usize::from(square & 63)])
}

fn index_of_three([a, b, c, ..]: Squares) -> u64 {
    let off_diagonal = 6 * 63 * 62;
    let one = 4 * 28 * 62;
    let two = 4 * 7 * 28;
    if !is_on_diagonal(a) {
        u64::from(class(a)) * 63 * 62 + rest(b, &[a]) * 62 + rest(c, &[a, b])
    } else if !is_on_diagonal(b) {
        off_diagonal + u64::from(a >> 3) * 28 * 62 + lower(b) * 62 + rest(c, &[a, b])
    } else if !is_on_diagonal(c) {
        off_diagonal + one + u64::from(a >> 3) * 7 * 28 + rest_on_diagonal(b, &[a]) * 28 + lower(c)
    } else {
        off_diagonal
            + one
            + two
            + u64::from(a >> 3) * 7 * 6
            + rest_on_diagonal(b, &[a]) * 6
            + rest_on_diagonal(c, &[a, b])
    }
}

fn index_of_two([a, b, ..]: Squares) -> u64 {
    if !is_on_diagonal(a) {
        u64::from(class(a)) * 63 + rest(b, &[a])
    } else if !is_on_diagonal(b) {
        6 * 63 + u64::from(a >> 3) * 28 + lower(b)
    } else {
        6 * 63 + 4 * 28 + u64::from(a >> 3) * 7 + rest_on_diagonal(b, &[a])
    }
}

fn index_of_pair(squares: &mut Squares) -> Option<u64> {
    if class(squares[0]) > class(squares[1]) {
        squares.swap(0, 1);
    }
    orient(squares, 2);
    if is_turned(usize::from(squares[1])) && class(squares[0]) == class(squares[1]) {
        squares.swap(0, 1);
        flip(squares);
        transpose(squares);
    }
    number(&PAIRS, *squares)
}

fn index_of_many(squares: &mut Squares, count: usize) -> u64 {
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

fn index_of_pawns(squares: &mut Squares, count: usize) -> u64 {
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
