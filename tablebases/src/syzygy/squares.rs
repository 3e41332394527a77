//! How Syzygy numbers squares and sets of squares, reduced by the symmetries of the board.
//!
//! Everything is computed from its rule. Facts: the format as described at
//! <https://github.com/syzygy1/tb> and <https://www.chessprogramming.org/Syzygy_Bases>.

const fn file(square: usize) -> usize {
    square & 7
}

const fn rank(square: usize) -> usize {
    square >> 3
}

/// How many ways there are to choose `k` of `n`, for `k` up to 6.
pub(super) const BINOMIAL: [[u64; 64]; 7] = {
    let mut table = [[0; 64]; 7];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k < 7 && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The square mirrored, flipped and transposed into the triangle a1 d1 d4.
const fn fold(square: usize) -> usize {
    let file = if file(square) > 3 {
        7 - file(square)
    } else {
        file(square)
    };
    let rank = if rank(square) > 3 {
        7 - rank(square)
    } else {
        rank(square)
    };
    if rank > file {
        file * 8 + rank
    } else {
        rank * 8 + file
    }
}

/// The squares of the triangle a1 d1 d4 in their order: off the diagonal first.
pub(super) const TRIANGLE_SQUARES: [usize; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

/// The number of each square within its triangle, 6 and more for the long diagonals.
pub(super) const TRIANGLE: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        while TRIANGLE_SQUARES[table[square] as usize] != fold(square) {
            table[square] += 1;
        }
        square += 1;
    }
    table
};

/// The 28 squares below the diagonal a1 h8, row by row.
pub(super) const LOWER: [u8; 64] = {
    let mut table = [0; 64];
    let (mut square, mut count) = (0, 0);
    while square < 64 {
        if file(square) > rank(square) {
            table[square] = count;
            count += 1;
        }
        square += 1;
    }
    table
};

/// A pair that does not occur.
pub(super) const NONE: u16 = u16::MAX;

const fn touch(a: usize, b: usize) -> bool {
    file(a).abs_diff(file(b)) <= 1 && rank(a).abs_diff(rank(b)) <= 1
}

/// The 462 places of two kings that do not touch, the first in the triangle. With the first king
/// on the diagonal the second is on it or below; pairs wholly on the diagonal come last.
pub(super) const KINGS: [[u16; 64]; 10] = {
    let mut table = [[NONE; 64]; 10];
    let mut count = 0;
    let mut wholly_on_diagonal = false;
    loop {
        let mut class = 0;
        while class < 10 {
            let first = TRIANGLE_SQUARES[class];
            let mut second = 0;
            while second < 64 {
                let on_diagonal = class >= 6 && file(second) == rank(second);
                let wanted = class < 6 || file(second) >= rank(second);
                if wanted && on_diagonal == wholly_on_diagonal && !touch(first, second) {
                    table[class][second] = count;
                    count += 1;
                }
                second += 1;
            }
            class += 1;
        }
        if wholly_on_diagonal {
            break table;
        }
        wholly_on_diagonal = true;
    }
};

/// Whether a square is in the triangle a5 a7 c5: of two equal pieces in the same class that one
/// is turned to the other.
pub(super) const fn is_turned(square: usize) -> bool {
    rank(square) >= 4 && rank(square) < 7 && file(square) + rank(square) < 7
}

/// The 278 places of two equal pieces, the first in the triangle and of no higher class.
pub(super) const PAIRS: [[u16; 64]; 10] = {
    let mut table = [[NONE; 64]; 10];
    let mut count = 0;
    let mut class = 0;
    while class < 10 {
        let first = TRIANGLE_SQUARES[class];
        // A piece on a long diagonal has its fellow on the same one first, then on the other.
        let mut other_diagonal = false;
        loop {
            let mut second = 0;
            while second < 64 {
                let fellow = TRIANGLE[second] as usize;
                let wanted = if class < 6 {
                    fellow > class || fellow == class && !is_turned(second)
                } else if other_diagonal {
                    fellow >= class && file(second) > rank(second)
                } else {
                    fellow >= class && file(second) == rank(second)
                };
                if wanted && second != first {
                    table[class][second] = count;
                    count += 1;
                }
                second += 1;
            }
            if class < 6 || other_diagonal {
                break;
            }
            other_diagonal = true;
        }
        class += 1;
    }
    table
};

/// The order of all squares for three and more equal pieces: by class, and within one by octant.
pub(super) const TWIST: [u8; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (file(square), rank(square));
        let class = TRIANGLE[square] as usize;
        let right = file > 3;
        let above = rank > 3;
        // Transposed into the triangle: nearer to the edge by file than by rank.
        let steep = {
            let to_side = if right { 7 - file } else { file };
            let to_end = if above { 7 - rank } else { rank };
            to_side < to_end
        };
        table[square] = if class >= 6 {
            let corner = match (right, above) {
                (false, false) => 3,
                (false, true) => 2,
                (true, true) => 1,
                (true, false) => 0,
            };
            4 * (9 - class) + corner
        } else {
            let octant = match (right, above, steep) {
                (false, false, false) => 7,
                (false, false, true) => 6,
                (false, true, true) => 5,
                (false, true, false) => 4,
                (true, true, false) => 3,
                (true, true, true) => 2,
                (true, false, true) => 1,
                (true, false, false) => 0,
            };
            8 * (7 - class) + octant
        } as u8;
        square += 1;
    }
    table
};

/// For `n + 1` equal pieces whose first is of a class: the number of places of those whose first
/// is of a lower class. The last entry is the number of all.
pub(super) const TWIST_BEFORE: [[u64; 11]; 6] = {
    let mut table = [[0; 11]; 6];
    let mut others = 0;
    while others < 6 {
        let mut class = 0;
        while class < 10 {
            let free = TWIST[TRIANGLE_SQUARES[class]] as usize;
            table[others][class + 1] = table[others][class] + BINOMIAL[others][free];
            class += 1;
        }
        others += 1;
    }
    table
};

/// The order of the squares of pawns, 47 for a2 and 46 for h2 down to 1 for d7 and 0 for e7.
pub(super) const PAWN_ORDER: [u8; 64] = {
    let mut table = [0; 64];
    let mut next = 47;
    let mut file = 0;
    while file < 4 {
        let mut rank = 1;
        while rank < 7 {
            let square = rank * 8 + file;
            table[square] = next;
            table[square ^ 7] = next - 1;
            next = if next > 1 { next - 2 } else { 0 };
            rank += 1;
        }
        file += 1;
    }
    table
};

/// For `n + 1` leading pawns whose first stands on a rank of a file: the number of places of
/// those whose first stands lower on that file. The last rank has the number of all.
pub(super) const LEADERS_BEFORE: [[[u64; 8]; 4]; 6] = {
    let mut table = [[[0; 8]; 4]; 6];
    let mut others = 0;
    while others < 6 {
        let mut file = 0;
        while file < 4 {
            let mut rank = 1;
            while rank < 7 {
                let free = PAWN_ORDER[rank * 8 + file] as usize;
                table[others][file][rank + 1] = table[others][file][rank] + BINOMIAL[others][free];
                rank += 1;
            }
            file += 1;
        }
        others += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(table: &[[u16; 64]; 10]) -> Vec<u16> {
        let mut all: Vec<_> = table.as_flattened().to_vec();
        all.retain(|&number| number != NONE);
        all.sort_unstable();
        all
    }

    #[test]
    fn every_number_occurs_once() {
        assert_eq!(numbers(&KINGS), (0..462).collect::<Vec<_>>());
        assert_eq!(numbers(&PAIRS), (0..278).collect::<Vec<_>>());
        let mut twist = TWIST;
        twist.sort_unstable();
        assert!((0..64).eq(twist.map(usize::from)));
        let mut pawns: Vec<_> = PAWN_ORDER[8..56].to_vec();
        pawns.sort_unstable();
        assert!((0..48).eq(pawns.into_iter().map(usize::from)));
    }

    #[test]
    fn sums_are_the_numbers_of_places() {
        // One, two and three equal pieces on a board without symmetries would be 64, 2016, 41664.
        assert_eq!(TWIST_BEFORE[0][10], 10);
        assert_eq!(LEADERS_BEFORE[0][0][7], 6);
        let leaders: u64 = LEADERS_BEFORE[1].iter().map(|file| file[7]).sum();
        assert_eq!(
            leaders,
            (0..48).map(|n| u64::from(n % 2 == 1) * n).sum::<u64>()
        );
    }
}
