//! From the squares of pieces to the number of a position within a Gaviota table.
//!
//! Everything is computed from its rule. Facts: the probing code of Gaviota's author,
//! <https://github.com/michiguel/Gaviota-Tablebases>.

use crate::Material;
use engine_core::{Color, Piece, Role};

/// The most pieces of a table.
pub(super) const MAX_PIECES: usize = 5;

const fn file(square: usize) -> usize {
    square & 7
}

const fn rank(square: usize) -> usize {
    square >> 3
}

/// Mirrored top to bottom.
const fn flip(square: usize) -> usize {
    square ^ 0b111_000
}

/// Which pieces come first in the index. Their squares say how a position is mirrored, flipped and
/// transposed, so that positions that are alike share one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lead {
    /// Both kings, without pawns.
    Kings,
    /// One pawn, of this colour.
    Pawn(Color),
    /// Two white pawns.
    Pair,
    /// A white and a black pawn.
    Opposed,
    /// Two white pawns and a black one.
    PairOpposed,
    /// Three white pawns.
    Three,
}

/// How the positions of a table are numbered.
#[derive(Clone, Debug)]
pub(super) struct GaviotaIndex {
    lead: Lead,
    /// The pieces in the order of the index: kings first, then pawns, then groups of the others,
    /// larger groups first.
    pub(super) pieces: Vec<Piece>,
    /// How many equal pieces each group has.
    groups: Vec<usize>,
    /// The number of positions for each side to move.
    pub(super) size: usize,
}

impl GaviotaIndex {
    /// The layout for material whose White is the side that the table names first. `None` where
    /// there is no such table.
    pub(super) fn new(material: Material) -> Option<GaviotaIndex> {
        let count = |color: Color, role: Role| material.count(role.of(color)) as usize;
        let kings = Color::ALL.map(|color| count(color, Role::King));
        if kings != [1, 1] || !(3..=MAX_PIECES as u32).contains(&material.pieces()) {
            return None;
        }
        let pawns = Color::ALL.map(|color| count(color, Role::Pawn));
        let lead = match pawns {
            [0, 0] => Lead::Kings,
            [1, 0] => Lead::Pawn(Color::White),
            [0, 1] => Lead::Pawn(Color::Black),
            [2, 0] => Lead::Pair,
            [1, 1] => Lead::Opposed,
            [2, 1] => Lead::PairOpposed,
            [3, 0] => Lead::Three,
            _ => return None,
        };
        let mut pieces = vec![Role::King.of(Color::White), Role::King.of(Color::Black)];
        for color in Color::ALL {
            pieces.extend(vec![Role::Pawn.of(color); pawns[color.index()]]);
        }
        let is_other = |piece: &Piece| !matches!(piece.role, Role::King | Role::Pawn);
        let mut others: Vec<_> = material
            .iter()
            .filter(|(piece, _)| is_other(piece))
            .collect();
        // The sort is stable: White before Black and strong before weak.
        others.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let mut size = match lead {
            Lead::Kings => 462,
            Lead::Pawn(_) => 24 * 64 * 64,
            Lead::Pair => 576 * 64 * 64,
            Lead::Opposed => 24 * 48 * 64 * 64,
            Lead::PairOpposed => 24 * 1128 * 64 * 64,
            Lead::Three => 8648 * 64 * 64,
        };
        let mut groups = Vec::new();
        for (piece, count) in others {
            let count = count as usize;
            pieces.extend(vec![piece; count]);
            groups.push(count);
            size *= choices(count)?;
        }
        Some(GaviotaIndex {
            lead,
            pieces,
            groups,
            size,
        })
    }

    /// The number of the position with the pieces on these squares, in the order of
    /// [`GaviotaIndex::pieces`]. `None` for a position that the table does not have. The squares are mirrored
    /// and sorted on the way.
    #[inline]
    pub(super) fn index(&self, squares: &mut [u8]) -> Option<usize> {
        let [white, black, rest @ ..] = squares else {
            return None;
        };
        let (mut index, used) = match self.lead {
            Lead::Kings => {
                let symmetry = Symmetry::of(*black, *white);
                for square in [&mut *white, &mut *black]
                    .into_iter()
                    .chain(rest.iter_mut())
                {
                    *square = symmetry.apply(*square);
                }
                let class = usize::from(CLASS[usize::from(*black & 63)]);
                let number = *KINGS.get(class)?.get(usize::from(*white))?;
                (usize::from((number != NONE).then_some(number)?), 0)
            }
            lead => {
                let (slice, used) = slice_of_pawns(lead, white, black, rest)?;
                let kings = usize::from(*white) << 6 | usize::from(*black);
                (slice << 12 | kings, used)
            }
        };
        let mut rest = rest.get_mut(used..)?;
        for &count in &self.groups {
            let (group, others) = rest.split_at_mut_checked(count)?;
            index = index * choices(count)? + combination(group)?;
            rest = others;
        }
        Some(index)
    }
}

/// The number of placements of this many equal pieces on a board.
const fn choices(count: usize) -> Option<usize> {
    match count {
        1 => Some(64),
        2 => Some(2016),
        3 => Some(41_664),
        _ => None,
    }
}

/// The number of a place of equal pieces.
fn combination(group: &mut [u8]) -> Option<usize> {
    group.sort_unstable();
    match *group {
        [a] => Some(usize::from(a)),
        [a, b] => Some(pair(usize::from(a), usize::from(b), 64)),
        [a, b, c] => {
            let [a, b, c] = [a, b, c].map(usize::from);
            Some(
                a + b * b.saturating_sub(1) / 2 + c * c.saturating_sub(1) * c.saturating_sub(2) / 6,
            )
        }
        _ => None,
    }
}

/// The number of `a` and `b`, `a < b`, among all pairs below `n` in lexical order.
const fn pair(a: usize, b: usize, n: usize) -> usize {
    (a * (2 * n - 1 - a) / 2 + b).wrapping_sub(a + 1)
}

/// The symmetry of the board that brings the kings into order.
#[derive(Clone, Copy)]
struct Symmetry {
    mask: u8,
    transpose: bool,
}

impl Symmetry {
    /// Brings the first king into the triangle a1 d1 d4, and the second one below the diagonal if
    /// the first is on it.
    fn of(first: u8, second: u8) -> Symmetry {
        let mut mask = 0;
        if first & 0b000_100 != 0 {
            mask |= 0b000_111;
        }
        if first & 0b100_000 != 0 {
            mask |= 0b111_000;
        }
        let side_of_diagonal = |square: u8| (square >> 3).cmp(&(square & 7));
        let transpose = side_of_diagonal(first ^ mask)
            .then(side_of_diagonal(second ^ mask))
            .is_gt();
        Symmetry { mask, transpose }
    }

    #[inline]
    fn apply(self, square: u8) -> u8 {
        let square = square ^ self.mask;
        if self.transpose {
            (square >> 3 | square << 3) & 0b111_111
        } else {
            square
        }
    }
}

const NONE: u16 = u16::MAX;

/// The squares of the triangle a1 d1 d4 row by row.
const TRIANGLE: [usize; 10] = [0, 1, 2, 3, 9, 10, 11, 18, 19, 27];

/// The number of a square within the triangle; 10 for others.
const CLASS: [u8; 64] = {
    let mut table = [10; 64];
    let mut class = 0;
    while class < 10 {
        table[TRIANGLE[class]] = class as u8;
        class += 1;
    }
    table
};

/// The 462 places of the kings, by the class of the first and the square of the second.
const KINGS: [[u16; 64]; 10] = {
    let mut table = [[NONE; 64]; 10];
    let mut count = 0;
    let mut class = 0;
    while class < 10 {
        let first = TRIANGLE[class];
        let on_diagonal = file(first) == rank(first);
        let mut second = 0;
        while second < 64 {
            let touch =
                file(first).abs_diff(file(second)) <= 1 && rank(first).abs_diff(rank(second)) <= 1;
            if !touch && !(on_diagonal && rank(second) > file(second)) {
                table[class][second] = count;
                count += 1;
            }
            second += 1;
        }
        class += 1;
    }
    assert!(count == 462);
    table
};

/// The place of a pawn on the files a to d among 24, the nearest to promotion first.
const fn pawn_place(pawn: usize) -> usize {
    let square = flip(pawn) - 8;
    rank(square) * 4 + file(square)
}

/// Whether the first of two pawns leads: it is nearer to promotion, or to an edge, or further to
/// the left.
const fn leads(a: usize, b: usize) -> bool {
    const fn edge(square: usize) -> usize {
        if file(square) > 3 {
            file(square)
        } else {
            7 - file(square)
        }
    }
    if rank(a) != rank(b) {
        rank(a) > rank(b)
    } else if edge(a) != edge(b) {
        edge(a) > edge(b)
    } else {
        a < b
    }
}

/// The 576 places of two white pawns, by the place of the leading one and that of the other.
const PAIRS: [[u16; 48]; 24] = {
    let mut table = [[NONE; 48]; 24];
    let mut count = 0;
    let mut a = 55;
    while a >= 8 {
        let mut b = a - 1;
        while b >= 8 && file(a) > 3 {
            let (mut leader, mut other) = if leads(a, b) { (a, b) } else { (b, a) };
            if file(leader) > 3 {
                (leader, other) = (leader ^ 7, other ^ 7);
            }
            let entry = &mut table[pawn_place(leader)][flip(other) - 8];
            if *entry == NONE {
                *entry = count;
                count += 1;
            }
            b -= 1;
        }
        a -= 1;
    }
    assert!(count == 576);
    table
};

/// The order of squares for three pawns: those on the files h to e first.
fn order_of_three(square: u8) -> usize {
    let (file, rank) = (file(usize::from(square)), rank(usize::from(square)));
    let row = 4 * 6usize.saturating_sub(rank);
    if file > 3 {
        row + 7 - file
    } else {
        24 + row + 3 - file
    }
}

/// The number of three pawns, at most one of them on the files e to h.
fn three(pawns: &[u8]) -> Option<usize> {
    let &[a, b, c] = pawns else { return None };
    let mut places = [a, b, c].map(order_of_three);
    places.sort_unstable();
    let [x, y, z] = places;
    let rest = |place: usize, before: usize| place.checked_sub(before);
    let of_three = |n: usize| n * n.saturating_sub(1) * n.saturating_sub(2) / 6;
    if x < 24 {
        Some(276 * x + pair(rest(y, 24)?, rest(z, 24)?, 24))
    } else {
        let later = 47 - x;
        let before = of_three(24) - of_three(later + 1);
        Some(24 * 276 + before + pair(rest(y, x + 1)?, rest(z, x + 1)?, later))
    }
}

/// The slice of the table for these pawns, and how many pawns there are. Mirrors all squares where
/// the pawns ask for it.
fn slice_of_pawns(
    lead: Lead,
    white: &mut u8,
    black: &mut u8,
    rest: &mut [u8],
) -> Option<(usize, usize)> {
    let used = match lead {
        Lead::Kings => 0,
        Lead::Pawn(_) => 1,
        Lead::Pair | Lead::Opposed => 2,
        Lead::PairOpposed | Lead::Three => 3,
    };
    let pawns = rest.get(..used)?;
    if !pawns.iter().all(|pawn| (8..56).contains(pawn)) {
        return None;
    }
    // The pawn that is to be on the files a to d. Of three, two are to be there.
    let leader = match (lead, pawns) {
        (Lead::Pair, &[a, b]) if !leads(a.into(), b.into()) => b,
        (Lead::PairOpposed, &[.., black]) => black,
        (_, &[first, ..]) => first,
        _ => return None,
    };
    let is_right = |pawn: u8| pawn & 4 != 0;
    let must_mirror = match lead {
        Lead::Three => pawns.iter().filter(|&&pawn| is_right(pawn)).count() > 1,
        _ => is_right(leader),
    };
    if must_mirror {
        for square in [white, black].into_iter().chain(rest.iter_mut()) {
            *square ^= 7;
        }
    }
    let pawns = rest.get(..used)?;
    let leader = usize::from(leader & 63 ^ if must_mirror { 7 } else { 0 });
    let slice = match (lead, pawns) {
        (Lead::Pawn(Color::White), _) => pawn_place(leader),
        (Lead::Pawn(Color::Black), _) => pawn_place(flip(leader)),
        (Lead::Pair, &[a, b]) => {
            let other = usize::from(a ^ b) ^ leader;
            let row = PAIRS.get(pawn_place(leader))?;
            let number = *row.get(flip(other) - 8)?;
            usize::from((number != NONE).then_some(number)?)
        }
        (Lead::Opposed, &[_, black]) => pawn_place(leader) * 48 + usize::from(black) - 8,
        (Lead::PairOpposed, &[a, b, _]) => {
            let [a, b] = [a, b].map(|pawn| usize::from(pawn ^ 63) - 8);
            pawn_place(flip(leader)) * 1128 + pair(a.min(b), a.max(b), 48)
        }
        (Lead::Three, pawns) => three(pawns)?,
        _ => return None,
    };
    Some((slice, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every index up to the size occurs for slices without symmetries, and none beyond.
    #[test]
    fn pawn_slices_are_dense() {
        for (name, squares, white) in [
            ("KPPvK", 2, 2),
            ("KPPPvK", 3, 3),
            ("KPPvKP", 3, 2),
            ("KPvKP", 2, 1),
        ] {
            let layout = GaviotaIndex::new(name.parse().unwrap()).unwrap();
            let mut seen = vec![false; layout.size >> 12];
            let places = 48usize.pow(squares);
            for place in 0..places {
                let pawns = [place % 48, place / 48 % 48, place / 48 / 48];
                let mut all = vec![0, 63];
                all.extend(pawns[..squares as usize].iter().map(|pawn| *pawn as u8 + 8));
                // Two white pawns cannot share a square.
                let mut own = pawns[..white].to_vec();
                own.sort_unstable();
                own.dedup();
                if own.len() == white {
                    let index = layout.index(&mut all).unwrap();
                    seen[index >> 12] = true;
                }
            }
            assert!(seen.iter().all(|&seen| seen), "{name}");
        }
    }

    #[test]
    fn sizes() {
        for (name, size) in [
            ("KQvK", 462 * 64),
            ("KPvK", 24 * 64 * 64),
            ("KQQvK", 462 * 2016),
            ("KQQQvK", 462 * 41_664),
            ("KBBvKR", 462 * 2016 * 64),
        ] {
            assert_eq!(
                GaviotaIndex::new(name.parse().unwrap()).unwrap().size,
                size,
                "{name}"
            );
        }
        for name in ["KvK", "KQvQ", "KQRBNvK", "KPPPPvK"] {
            assert!(GaviotaIndex::new(name.parse().unwrap()).is_none(), "{name}");
        }
    }
}
