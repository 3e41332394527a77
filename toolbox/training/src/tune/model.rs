//! The evaluation as a linear model: the same features as the engine's, with real numbers.

use crate::record::Record;
use engine_core::eval::{Layout, Perspective, TABLE_SIZE, middlegame_share};
use engine_core::{Color, Role, Variant};

/// A middlegame and an endgame value.
pub(super) type Pair = [f32; 2];

/// The weights. The table of each king bucket is a common table plus a delta, so that rare buckets
/// learn from frequent ones.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) variant: Variant,
    /// What a king bucket adds to the common table.
    pub(super) deltas: Vec<Pair>,
    pub(super) common: Vec<Pair>,
    pub(super) tempo: Pair,
}

/// Centipawns by role: where learning starts from.
const MATERIAL: [f32; 6] = [100.0, 300.0, 300.0, 500.0, 900.0, 0.0];
/// The same in Antichess, where pieces are to be lost.
const LIABILITIES: [f32; 6] = [-50.0; 6];

impl Model {
    /// Plain material: each perspective has half of it.
    pub(super) fn material(variant: Variant) -> Model {
        let material = match variant {
            Variant::Suicide | Variant::Giveaway | Variant::Antichess => LIABILITIES,
            _ => MATERIAL,
        };
        let mut common = vec![[0.0; 2]; TABLE_SIZE];
        for (feature, weight) in common.iter_mut().enumerate() {
            let value = material[feature / 64 % 6] / 2.0;
            *weight = [if feature < TABLE_SIZE / 2 {
                value
            } else {
                -value
            }; 2];
        }
        Model {
            variant,
            deltas: vec![[0.0; 2]; Layout::of(variant).tables() * TABLE_SIZE],
            common,
            tempo: [0.0; 2],
        }
    }

    /// The weight of every feature.
    pub(super) fn weights(&self) -> Vec<Pair> {
        let deltas = self.deltas.iter().enumerate();
        let sum = |(at, delta): (usize, &Pair)| {
            let common = self.common[at % TABLE_SIZE];
            [common[0] + delta[0], common[1] + delta[1]]
        };
        deltas.map(sum).collect()
    }

    /// Scales all weights so that pawns are worth 100 centipawns on average, which is the scale
    /// of the search's margins.
    pub(super) fn scale_to_pawn(&mut self, records: &[Record]) {
        let weights = self.weights();
        let (mut sum, mut count) = (0.0, 0.0);
        for record in records {
            let position = Features::of(self.variant, record);
            for (color, sign) in [(Color::White, 1.0), (Color::Black, -1.0)] {
                for (square, piece) in record.pieces().filter(|(_, p)| p.role == Role::Pawn) {
                    let own = if piece.color.is_white() { sign } else { -sign };
                    let weight = weights[position.view(color).feature(piece, square)];
                    sum += f64::from(own * position.mix(weight));
                    count += 0.5;
                }
            }
        }
        let scale = (100.0 * count / f64::max(sum, 1.0)) as f32;
        let tempo = std::iter::once(&mut self.tempo);
        for pair in self.deltas.iter_mut().chain(&mut self.common).chain(tempo) {
            *pair = pair.map(|value| value * scale);
        }
    }

    /// The file that the engine includes.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let weights = self.weights();
        std::iter::once(&self.tempo)
            .chain(&weights)
            .flatten()
            .flat_map(|value| (value.round() as i16).to_le_bytes())
            .collect()
    }
}

/// The features of a position from both perspectives.
pub(super) struct Features {
    views: [Perspective; 2],
    /// The game phase: the part of the middlegame in the value, from 0 to 1.
    pub(super) middlegame: f32,
}

impl Features {
    pub(super) fn of(variant: Variant, record: &Record) -> Features {
        let king = |color| {
            let king = Role::King.of(color);
            let found = record.pieces().find(|&(_, piece)| piece == king);
            found.map(|(square, _)| square)
        };
        let layout = Layout::of(variant);
        Features {
            views: Color::ALL.map(|color| Perspective::new(layout, color, king(color))),
            middlegame: middlegame_share(variant, record.pieces().map(|(_, piece)| piece.role)),
        }
    }

    fn view(&self, color: Color) -> Perspective {
        self.views[color.index()]
    }

    fn mix(&self, pair: Pair) -> f32 {
        pair[0] * self.middlegame + pair[1] * (1.0 - self.middlegame)
    }

    /// Every feature of the position, with its sign from White's view.
    pub(super) fn each(&self, record: &Record, mut report: impl FnMut(usize, f32)) {
        let [white, black] = self.views;
        for (square, piece) in record.pieces() {
            report(white.feature(piece, square), 1.0);
            report(black.feature(piece, square), -1.0);
        }
    }

    /// The value from White's view, in centipawns.
    pub(super) fn value(&self, record: &Record, weights: &[Pair], tempo: Pair) -> f32 {
        let turn = if record.turn.is_white() { 1.0 } else { -1.0 };
        let mut sum = tempo.map(|value| value * turn);
        self.each(record, |feature, sign| {
            sum[0] += sign * weights[feature][0];
            sum[1] += sign * weights[feature][1];
        });
        self.mix(sum)
    }
}

/// The derivative of the loss by every weight.
#[derive(Clone)]
pub(super) struct Gradient {
    pub(super) weights: Vec<Pair>,
    pub(super) tempo: Pair,
    /// The loss itself.
    pub(super) loss: f64,
}

impl Gradient {
    pub(super) fn zero(features: usize) -> Gradient {
        Gradient {
            weights: vec![[0.0; 2]; features],
            tempo: [0.0; 2],
            loss: 0.0,
        }
    }

    /// Adds a position whose loss has this derivative by its value.
    pub(super) fn add(&mut self, features: &Features, record: &Record, slope: f32) {
        let slopes = [
            slope * features.middlegame,
            slope * (1.0 - features.middlegame),
        ];
        let turn = if record.turn.is_white() { 1.0 } else { -1.0 };
        for (at, slope) in slopes.into_iter().enumerate() {
            self.tempo[at] += turn * slope;
        }
        features.each(record, |feature, sign| {
            let weight = &mut self.weights[feature];
            weight[0] += sign * slopes[0];
            weight[1] += sign * slopes[1];
        });
    }

    pub(super) fn merge(&mut self, other: &Gradient) {
        for (sum, more) in self.weights.iter_mut().zip(&other.weights) {
            sum[0] += more[0];
            sum[1] += more[1];
        }
        self.tempo[0] += other.tempo[0];
        self.tempo[1] += other.tempo[1];
        self.loss += other.loss;
    }

    /// The derivative by the common table, to which every king bucket contributes.
    pub(super) fn common(&self) -> Vec<Pair> {
        let mut common = vec![[0.0; 2]; TABLE_SIZE];
        for table in self.weights.chunks_exact(TABLE_SIZE) {
            for (sum, more) in common.iter_mut().zip(table) {
                sum[0] += more[0];
                sum[1] += more[1];
            }
        }
        common
    }
}
