//! Solved material: a value for every position.

use super::space::{Row, Space};
use crate::Material;
use engine_core::{ByColor, Color, Piece, Square};
use std::sync::Arc;

/// The value of a position for the side to move: 0 is a draw, n a win in n plies, -1 - n a loss
/// in n plies.
pub(super) type Value = i8;

/// The position is not legal: squares coincide, or the side to move could take the king.
pub(super) const ILLEGAL: Value = Value::MIN;

/// The value of a win in this many plies.
pub(super) fn win(plies: u32) -> Value {
    plies as Value
}

/// The value of a loss in this many plies.
pub(super) fn loss(plies: u32) -> Value {
    -1 - plies as Value
}

/// What is known of a position beside its value; bits of one byte.
pub(super) mod flag {
    /// The best capture loses, draws or wins; 0 when there is none.
    pub(in super::super) const CAPTURE: u8 = 3;
    pub(in super::super) const CAPTURE_LOSES: u8 = 1;
    pub(in super::super) const CAPTURE_DRAWS: u8 = 2;
    pub(in super::super) const CAPTURE_WINS: u8 = 3;
    /// A capture or pawn move wins.
    pub(in super::super) const WINS_AT_ONCE: u8 = 4;
}

/// The values of all positions of some material.
#[derive(Debug)]
pub(super) struct Solved {
    pub(super) space: Space,
    /// By side to move, then by row and square of the second extra piece.
    pub(super) values: [Vec<Value>; 2],
    /// Likewise.
    pub(super) flags: [Vec<u8>; 2],
}

impl Solved {
    /// The value of a position with the second extra piece on a square.
    pub(super) fn value(&self, turn: Color, row: Row, second: Square) -> Value {
        let (symmetry, number) = self.space.find(row);
        self.values[turn.index()][number * 64 + symmetry.square(second).index()]
    }
}

/// The material that a capture or promotion leads to.
#[derive(Clone, Debug)]
pub(super) enum Child {
    /// Two kings: a draw.
    Kings,
    /// Solved material, perhaps with colours and the extra pieces exchanged.
    Solved {
        solved: Arc<Solved>,
        flip: bool,
        swap: bool,
    },
}

impl Child {
    /// The material with these extra pieces, by what was solved before.
    pub(super) fn new(
        extras: &[Piece],
        find: impl Fn(Material) -> Option<Arc<Solved>>,
    ) -> Option<Child> {
        if extras.is_empty() {
            return Some(Child::Kings);
        }
        let kings = "KvK".parse().unwrap_or_default();
        let material = extras
            .iter()
            .fold(kings, |sum: Material, &piece| sum.with(piece));
        let flip = material.normalized() != material;
        let solved = find(material.normalized())?;
        let flipped = |piece: Piece| piece.role.of(if flip { !piece.color } else { piece.color });
        let last = extras.last().copied().map(flipped);
        Some(Child::Solved {
            swap: extras.len() == 2 && last != Some(solved.space.second),
            solved,
            flip,
        })
    }

    /// The value for the side to move with the kings, and the extra pieces in the order in which
    /// they were given; of one piece only `last` counts.
    pub(super) fn value(&self, turn: Color, row: Row, last: Square) -> Value {
        match self {
            Child::Kings if row.kings_touch() => ILLEGAL,
            Child::Kings => 0,
            Child::Solved { solved, flip, swap } => {
                let (mut turn, mut row, mut last) = (turn, row, last);
                if *flip {
                    turn = !turn;
                    let ByColor([white, black]) = row.king;
                    row = Row {
                        king: ByColor([black.flip(), white.flip()]),
                        first: row.first.flip(),
                    };
                    last = last.flip();
                }
                if *swap {
                    std::mem::swap(&mut row.first, &mut last);
                }
                solved.value(turn, row, last)
            }
        }
    }
}
