//! What a position is to the model: the squares of its pieces as its two sides see them, decoded
//! once and packed, as learning goes through all positions many times.

use crate::record::Record;
use engine_core::eval::{Layout, Perspective, TABLE_SIZE, middlegame_share, output_bucket};
use engine_core::{Color, Role, Variant};

/// The phase of the start position.
pub(super) const TOTAL_PHASE: u8 = 24;
/// More pieces than a record holds.
pub(super) const MAX_PIECES: usize = 64;

/// A position. Its pieces lie in [`Positions::pieces`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    first: u32,
    count: u8,
    /// XOR of the squares that the two sides see.
    mirror: u8,
    /// The table of the side to move and of the opponent.
    pub(super) tables: [u8; 2],
    /// The same of the vectors.
    pub(super) vectors: [u8; 2],
    /// The bucket of the outputs.
    pub(super) output: u8,
    /// The game phase, at most [`TOTAL_PHASE`].
    pub(super) phase: u8,
    /// The search's score for the side to move, in centipawns.
    pub(super) score: i16,
    /// The half points of the side to move.
    pub(super) result: u8,
}

impl Sample {
    /// The weight of the middlegame, from 0 to 1.
    pub(super) fn middlegame(&self) -> f32 {
        f32::from(self.phase) / f32::from(TOTAL_PHASE)
    }
}

/// Positions with their pieces.
pub(super) struct Positions {
    layout: Layout,
    /// What each role adds to the phase.
    phases: [u8; 6],
    pub(super) samples: Vec<Sample>,
    /// Pieces of the positions, one after the other: (side, role, square) as the side to move sees
    /// them, below [`TABLE_SIZE`].
    pieces: Vec<u16>,
}

impl Positions {
    pub(super) fn new(variant: Variant) -> Positions {
        let phase = |role| {
            let share = middlegame_share(variant, std::iter::once(role));
            (share * f32::from(TOTAL_PHASE)).round() as u8
        };
        Positions {
            layout: Layout::of(variant),
            phases: Role::ALL.map(phase),
            samples: Vec::new(),
            pieces: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    /// Adds a position.
    pub(super) fn push(&mut self, record: &Record) {
        let views = [record.turn, !record.turn].map(|color| self.view(record, color));
        let (mut mirror, mut phase) = (0, 0);
        let (mut tables, mut vectors) = ([0; 2], [0; 2]);
        let first = self.pieces.len();
        for (square, piece) in record.pieces() {
            let seen = views.map(|view| view.feature(piece, square));
            tables = seen.map(|feature| (feature / TABLE_SIZE) as u8);
            vectors = views.map(|view| (view.vector_row(piece, square) / TABLE_SIZE) as u8);
            mirror = (seen[0] ^ seen[1]) as u8 % 64;
            phase += u32::from(self.phases[piece.role.index()]);
            self.pieces.push((seen[0] % TABLE_SIZE) as u16);
        }
        let count = self.pieces.len() - first;
        let sign = if record.turn.is_white() { 1 } else { -1 };
        self.samples.push(Sample {
            first: first as u32,
            count: count as u8,
            mirror,
            tables,
            vectors,
            output: output_bucket(count) as u8,
            phase: phase.min(u32::from(TOTAL_PHASE)) as u8,
            score: record.score.saturating_mul(sign),
            result: if record.turn.is_white() {
                record.result
            } else {
                2 - record.result
            },
        });
    }

    fn view(&self, record: &Record, color: Color) -> Perspective {
        let king = Role::King.of(color);
        let square = record.pieces().find(|&(_, piece)| piece == king);
        Perspective::new(self.layout, color, square.map(|(square, _)| square))
    }

    /// The pieces of a position as the side to move and as the opponent see them.
    #[inline(always)]
    pub(super) fn seen<'a>(&self, sample: &Sample, to: &'a mut Seen) -> [&'a [u16]; 2] {
        let first = sample.first as usize;
        let count = usize::from(sample.count).min(MAX_PIECES);
        let pieces = &self.pieces[first..first + count];
        let [own, opponent] = &mut to.0;
        own[..count].copy_from_slice(pieces);
        for (to, &piece) in opponent.iter_mut().zip(pieces) {
            *to = opposite(piece) ^ u16::from(sample.mirror);
        }
        [&own[..count], &opponent[..count]]
    }
}

/// Room for the pieces of a position, seen from both sides.
pub(super) struct Seen([[u16; MAX_PIECES]; 2]);

impl Seen {
    pub(super) const EMPTY: Seen = Seen([[0; MAX_PIECES]; 2]);
}

/// The same piece on the same square, of the other side.
#[inline(always)]
fn opposite(piece: u16) -> u16 {
    const HALF: u16 = TABLE_SIZE as u16 / 2;
    if piece < HALF {
        piece + HALF
    } else {
        piece - HALF
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{Board, Square};

    #[test]
    fn both_sides_see_what_the_engine_says() {
        for variant in [Variant::Standard, Variant::RacingKings, Variant::Horde] {
            let mut board = Board::EMPTY;
            board.put(Role::King.of(Color::White), Square::C1);
            board.put(Role::King.of(Color::Black), Square::G7);
            board.put(Role::Pawn.of(Color::Black), Square::A4);
            board.put(Role::Queen.of(Color::White), Square::H5);
            let record = Record::new(variant, &board, Color::Black, 35, 0).expect("few pieces");
            let mut positions = Positions::new(variant);
            positions.push(&record);
            let sample = positions.samples[0];
            assert_eq!((sample.score, sample.result), (-35, 2));
            let mut room = Seen::EMPTY;
            let seen = positions.seen(&sample, &mut room);
            let layout = Layout::of(variant);
            let kings = [(Color::Black, Square::G7), (Color::White, Square::C1)];
            for (side, (color, king)) in kings.into_iter().enumerate() {
                let view = Perspective::new(layout, color, Some(king));
                for (at, (square, piece)) in record.pieces().enumerate() {
                    let feature = view.feature(piece, square);
                    assert_eq!(usize::from(seen[side][at]), feature % TABLE_SIZE);
                    assert_eq!(usize::from(sample.tables[side]), feature / TABLE_SIZE);
                    let row = view.vector_row(piece, square);
                    assert_eq!(usize::from(sample.vectors[side]), row / TABLE_SIZE);
                }
            }
        }
    }
}
