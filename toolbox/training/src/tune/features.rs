//! Positions as the model takes them: features of the pieces from the perspectives of both sides,
//! decoded once and packed, as learning goes through all positions many times.

#![cfg_attr(
    not(test),
    expect(
        clippy::indexing_slicing,
        reason = "sizes follow from the shapes of the layers"
    )
)]

use crate::packed_position::PackedPosition;
use engine_core::eval::{
    Explanation, Perspective, TABLE_SIZE, WeightsLayout, middlegame_share, output_bucket,
};
use engine_core::{Bitboard, Color, Role, Square, Variant};

/// The phase of the start position.
pub(super) const TOTAL_PHASE: u8 = Explanation::TOTAL_PHASE as u8;
/// More pieces than a packed position holds.
pub(super) const MAX_PIECES: usize = 64;

/// A position. Its pieces lie in [`Positions::pieces`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    first: usize,
    count: u8,
    /// How many of them are not pieces on squares but extra features, such as pieces in hand.
    extras: u8,
    /// What turns a square of the perspective of the side to move into that of the opponent, by
    /// XOR.
    mirror: u8,
    /// The table of the side to move and of the opponent.
    pub(super) tables: [u8; 2],
    /// The same of the vectors.
    pub(super) vectors: [u8; 2],
    /// The bucket of the outputs.
    pub(super) output: u8,
    /// The game phase, at most [`TOTAL_PHASE`].
    pub(super) phase: u8,
    /// The extra terms of the variant, added to the learned value, in centipawns.
    pub(super) extra: i16,
    /// The threats of the side to move and the opponent, a bit each.
    pub(super) threats: u32,
    /// The search's score for the side to move, in centipawns.
    pub(super) score: i16,
    /// The result in half points of the side to move: 0, 1 or 2.
    pub(super) result: u8,
}

impl Sample {
    /// The numbers of the threats.
    #[inline(always)]
    pub(super) fn threats(&self) -> impl Iterator<Item = usize> {
        Bitboard(self.threats.into()).into_iter().map(Square::index)
    }

    /// The weight of the middlegame, from 0 to 1.
    pub(super) fn middlegame(&self) -> f32 {
        f32::from(self.phase) / f32::from(TOTAL_PHASE)
    }
}

/// Positions with their pieces.
pub(super) struct Positions {
    layout: WeightsLayout,
    /// The weight of each role in the game phase.
    phases: [u8; 6],
    pub(super) samples: Vec<Sample>,
    /// Pieces of the positions, one after the other: (side, role, square) as the side to move sees
    /// them, below [`TABLE_SIZE`], then its extra features, below [`WeightsLayout::table_size`].
    pieces: Vec<u16>,
}

impl Positions {
    pub(super) fn new(variant: Variant) -> Positions {
        let phase = |role| {
            let share = middlegame_share(variant, std::iter::once(role));
            (share * f32::from(TOTAL_PHASE)).round() as u8
        };
        Positions {
            layout: WeightsLayout::of(variant),
            phases: Role::ALL.map(phase),
            samples: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// Features in one table.
    pub(super) fn table_size(&self) -> usize {
        self.layout.table_size()
    }

    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    /// Adds a position.
    pub(super) fn push(&mut self, packed: &PackedPosition) {
        let views = [packed.turn, !packed.turn].map(|color| self.view(packed, color));
        let (mut mirror, mut phase) = (0, 0);
        let (mut tables, mut vectors) = ([0; 2], [0; 2]);
        let first = self.pieces.len();
        for (square, piece) in packed.pieces() {
            let seen = views.map(|view| view.feature(piece, square));
            let size = self.layout.table_size();
            tables = seen.map(|feature| (feature / size) as u8);
            vectors = views.map(|view| (view.vector_row(piece, square) / size) as u8);
            let seen = seen.map(|feature| (feature % size) as u16);
            mirror = (seen[0] ^ seen[1]) as u8 % 64;
            phase += u32::from(self.phases[piece.role.index()]);
            self.pieces.push(seen[0]);
        }
        let pieces = self.pieces.len() - first;
        self.push_extras(packed, MAX_PIECES - pieces);
        let count = self.pieces.len() - first;
        let sign = if packed.turn.is_white() { 1 } else { -1 };
        self.samples.push(Sample {
            first,
            count: count as u8,
            extras: (count - pieces) as u8,
            mirror,
            tables,
            vectors,
            output: output_bucket(pieces) as u8,
            phase: phase.min(u32::from(TOTAL_PHASE)) as u8,
            extra: packed.extra,
            threats: packed.threats,
            score: packed.score.saturating_mul(sign),
            result: if packed.turn.is_white() {
                packed.result
            } else {
                2 - packed.result
            },
        });
    }

    /// Adds the extra features of both sides, if there are no more than so many.
    fn push_extras(&mut self, packed: &PackedPosition, most: usize) {
        let each = self.layout.extras();
        let mut room = most;
        for color in Color::ALL {
            let theirs = usize::from(color != packed.turn);
            let has = |extra: &usize| packed.extra_features[color.index()] >> extra & 1 > 0;
            for extra in (0..each).filter(has).take(room) {
                room -= 1;
                self.pieces
                    .push((TABLE_SIZE + theirs * each + extra) as u16);
            }
        }
    }

    fn view(&self, packed: &PackedPosition, color: Color) -> Perspective {
        let king = Role::King.of(color);
        let square = packed.pieces().find(|&(_, piece)| piece == king);
        Perspective::new(self.layout, color, square.map(|(square, _)| square))
    }

    /// The pieces of a position as the side to move and as the opponent see them.
    #[inline(always)]
    pub(super) fn seen<'a>(&self, sample: &Sample, to: &'a mut Seen) -> [&'a [u16]; 2] {
        let first = sample.first;
        let count = usize::from(sample.count).min(MAX_PIECES);
        let pieces = &self.pieces[first..first + count];
        let [own, opponent] = &mut to.0;
        own[..count].copy_from_slice(pieces);
        let (on_squares, extras) = pieces.split_at(count - usize::from(sample.extras));
        let (to_squares, to_extras) = opponent.split_at_mut(on_squares.len());
        for (to, &piece) in to_squares.iter_mut().zip(on_squares) {
            *to = opposite(piece, 0, TABLE_SIZE) ^ u16::from(sample.mirror);
        }
        for (to, &extra) in to_extras.iter_mut().zip(extras) {
            *to = opposite(extra, TABLE_SIZE, self.layout.table_size());
        }
        [&own[..count], &opponent[..count]]
    }
}

/// Room for the pieces of a position, seen from both sides.
pub(super) struct Seen([[u16; MAX_PIECES]; 2]);

impl Seen {
    pub(super) const EMPTY: Seen = Seen([[0; MAX_PIECES]; 2]);
}

/// The same of the other side, among features of which the own come first.
#[inline(always)]
fn opposite(feature: u16, first: usize, end: usize) -> u16 {
    let half = (end - first) as u16 / 2;
    if feature < first as u16 + half {
        feature + half
    } else {
        feature - half
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::eval::EvalRules;
    use engine_core::{
        CastlingMode, Crazyhouse, Horde, Pockets, Position, RacingKings, Setup, Square, Standard,
        ThreeCheck,
    };

    fn seen_as_by_the_engine<R: EvalRules>() {
        let mut setup = Setup {
            turn: Color::Black,
            ..Setup::EMPTY
        };
        setup.board.put(Role::King.of(Color::White), Square::C1);
        setup.board.put(Role::King.of(Color::Black), Square::G7);
        setup.board.put(Role::Pawn.of(Color::Black), Square::A4);
        setup.board.put(Role::Queen.of(Color::White), Square::H5);
        let mut pockets = Pockets::default();
        pockets.add(Color::White, Role::Rook);
        pockets.add(Color::Black, Role::Pawn);
        pockets.add(Color::Black, Role::Pawn);
        setup.pockets = Some(pockets);
        let position = Position::<R>::from_setup_unchecked(&setup, CastlingMode::Standard);
        let packed = PackedPosition::new(&position, 35, 0).expect("few pieces");
        let mut positions = Positions::new(R::VARIANT);
        positions.push(&packed);
        let sample = positions.samples[0];
        assert_eq!((sample.score, sample.result), (-35, 2));
        let mut room = Seen::EMPTY;
        let seen = positions.seen(&sample, &mut room);
        let size = R::LAYOUT.table_size();
        let kings = [(Color::Black, Square::G7), (Color::White, Square::C1)];
        for (side, (color, king)) in kings.into_iter().enumerate() {
            let view = Perspective::new(R::LAYOUT, color, Some(king));
            let pieces = packed.pieces();
            let pieces = pieces.map(|(square, piece)| {
                [view.feature(piece, square), view.vector_row(piece, square)]
            });
            let extras = Color::ALL.into_iter().flat_map(|of| {
                let extras = R::extra_features(&position, of);
                let has = (0..32).filter(move |extra| extras >> extra & 1 > 0);
                has.map(move |extra| view.extra_feature(R::LAYOUT, of, extra))
            });
            let features: Vec<[usize; 2]> = pieces.chain(extras).collect();
            assert_eq!(seen[side].len(), features.len());
            for (&seen, [feature, row]) in seen[side].iter().zip(features) {
                assert_eq!(usize::from(seen), feature % size);
                assert_eq!(usize::from(sample.tables[side]), feature / size);
                assert_eq!(usize::from(seen), row % size);
                assert_eq!(usize::from(sample.vectors[side]), row / size);
            }
        }
    }

    #[test]
    fn both_sides_see_what_the_engine_says() {
        seen_as_by_the_engine::<Standard>();
        seen_as_by_the_engine::<RacingKings>();
        seen_as_by_the_engine::<Horde>();
        seen_as_by_the_engine::<ThreeCheck>();
        seen_as_by_the_engine::<Crazyhouse>();
    }
}
