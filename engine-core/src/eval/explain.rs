//! The static evaluation of a position term by term, for people.

use super::accumulator::Accumulator;
use super::centipawns::Centipawns;
use super::evaluate_with;
use super::evaluator::Evaluator;
use super::rules::EvalRules;
use super::tapered::{TOTAL_PHASE, Tapered, taper};
use super::tracker::Tracker;
use super::vectors::{Vectors, output_bucket};
use super::weights::Weights;
use crate::types::{ByColor, Color, File, Piece, Rank, Role, Square};
use crate::{AnyPosition, Position, dispatch};
use std::fmt;
use std::ops::Neg;
use std::sync::Arc;

/// The static evaluation of a position term by term; all values are White's, in centipawns.
///
/// `Display` draws a board with the contribution of each piece, and a table of the parts.
///
/// ```
/// use engine_core::eval::{Explanation, Weights};
/// use engine_core::{AnyPosition, Variant};
///
/// let start = AnyPosition::start(Variant::Standard);
/// let explanation = Explanation::of(&start, Weights::built_in(Variant::Standard));
/// assert_eq!(explanation.tables.tapered, 0, "both sides have the same");
/// assert!(explanation.tempo.tapered > 0, "but White is to move");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The value that the search uses: the sum of the parts.
    pub value: i32,
    /// The weight of the middlegame values, from 0 to [`Explanation::TOTAL_PHASE`].
    pub phase: i32,
    /// The piece-square tables.
    pub tables: TaperedTerm,
    /// The threats of both sides, if the weights know them.
    pub threats: Option<TaperedTerm>,
    /// The bonus of the side to move.
    pub tempo: TaperedTerm,
    /// The extra terms of the variant.
    pub extra: TaperedTerm,
    /// The piece-square vectors, if there are any.
    pub vectors: Option<VectorTerm>,
    /// The pieces from a1 to h8, each with its contribution: the value less that of the position
    /// without the piece. `None` for a royal king, which cannot be removed.
    pub pieces: Vec<(Square, Piece, Option<i32>)>,
}

/// A part that differs between middlegame and endgame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TaperedTerm {
    /// With all material on the board.
    pub middlegame: i32,
    /// In a bare endgame.
    pub endgame: i32,
    /// What it adds to the value, rounded so that the parts add up.
    pub tapered: i32,
}

/// The part of the vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VectorTerm {
    /// What they add to the value.
    pub value: i32,
    /// What they would add without their limit.
    pub unclipped: i32,
    /// The output bucket, which follows from the number of pieces.
    pub bucket: usize,
}

/// Explains the value of a position by these weights. Those of another variant are not used.
pub fn explain<R: EvalRules>(position: &Position<R>, weights: &Arc<Weights>) -> Explanation {
    let weights = Weights::or_built_in(Some(weights), R::VARIANT);
    let tracker = Tracker::of(position);
    let mut evaluator = Evaluator::new(Arc::clone(weights), 1);
    evaluator.enter(0, &tracker);
    let value = for_white(position, evaluator.value(0, position, &tracker));
    let sums = &evaluator.sums(0, position, &tracker);
    let (white, black) = (Color::White, Color::Black);
    let extra = for_white(position, R::extra_terms(position));
    let phase = tracker.taper_phase();
    let mut parts = Parts {
        sum: Tapered::default(),
        phase,
    };
    Explanation {
        value,
        phase: phase.min(TOTAL_PHASE),
        tables: parts.add(sums[white].table - sums[black].table),
        threats: weights.threats.is_some().then(|| {
            let threats = weights.threats(position.board(), position.turn());
            parts.add(for_white(position, threats))
        }),
        tempo: parts.add(for_white(position, weights.tempo)),
        extra: TaperedTerm {
            middlegame: extra,
            endgame: extra,
            tapered: extra,
        },
        vectors: weights
            .vectors
            .as_ref()
            .map(|vectors| vector_part(position, vectors, sums)),
        pieces: contributions(position, value, weights),
    }
}

/// A value for the side to move as White sees it.
fn for_white<R: EvalRules, T: Neg<Output = T>>(position: &Position<R>, value: T) -> T {
    if position.turn().is_white() {
        value
    } else {
        -value
    }
}

/// The parts so far. They are tapered one by one, and only their sum is divided.
struct Parts {
    sum: Tapered,
    phase: i32,
}

impl Parts {
    fn add(&mut self, part: Tapered) -> TaperedTerm {
        let before = taper(self.sum, self.phase);
        self.sum += part;
        TaperedTerm {
            middlegame: part.middlegame(),
            endgame: part.endgame(),
            tapered: taper(self.sum, self.phase) - before,
        }
    }
}

fn vector_part<R: EvalRules>(
    position: &Position<R>,
    vectors: &Vectors,
    sums: &ByColor<Accumulator>,
) -> VectorTerm {
    let turn = position.turn();
    let pieces = position.board().occupied().count() as usize;
    let unclipped = vectors.unclipped(&sums[turn].vector, &sums[!turn].vector, pieces);
    VectorTerm {
        value: for_white(position, vectors.clip(unclipped)),
        unclipped: for_white(position, unclipped),
        bucket: output_bucket(pieces),
    }
}

fn contributions<R: EvalRules>(
    position: &Position<R>,
    value: i32,
    weights: &Arc<Weights>,
) -> Vec<(Square, Piece, Option<i32>)> {
    let setup = position.to_setup();
    let without = |square| {
        let mut setup = setup.clone();
        setup.board.remove_at(square);
        let position = Position::<R>::from_setup_unchecked(&setup, position.mode());
        value - for_white(&position, evaluate_with(&position, weights))
    };
    let pieces = position.board().iter().map(|(square, piece)| {
        let is_royal = R::ROYAL && piece.role == Role::King;
        (square, piece, (!is_royal).then(|| without(square)))
    });
    pieces.collect()
}

impl Explanation {
    /// The phase of the start position: pure middlegame.
    pub const TOTAL_PHASE: i32 = TOTAL_PHASE;

    /// Explains the value of a position by these weights. Those of another variant are not used.
    pub fn of(position: &AnyPosition, weights: &Arc<Weights>) -> Explanation {
        dispatch!(position, |position| explain(position, weights))
    }

    /// The board, two lines a rank: the pieces, and below them what they contribute.
    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = "+-------".repeat(8) + "+";
        for rank in Rank::ALL.into_iter().rev() {
            let on = |file| {
                let square = Square::new(file, rank);
                self.pieces.iter().find(|&&(at, ..)| at == square)
            };
            writeln!(f, "{rule}")?;
            for file in File::ALL {
                let letter = on(file).map_or(' ', |(_, piece, _)| piece.letter());
                write!(f, "|   {letter}   ")?;
            }
            writeln!(f, "| {}", rank.digit())?;
            for file in File::ALL {
                match on(file) {
                    Some(&(_, _, Some(contribution))) => {
                        write!(f, "|{:^7}", Centipawns(contribution))?;
                    }
                    _ => f.write_str("|       ")?,
                }
            }
            writeln!(f, "|")?;
        }
        writeln!(f, "{rule}")?;
        for file in File::ALL {
            write!(f, "    {}   ", file.letter())?;
        }
        f.write_str("\n")
    }
}

impl fmt::Display for Explanation {
    /// Lines of plain characters that fit in 80 columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_board(f)?;
        write!(f, "\nPart      Middlegame    Endgame    Tapered\n")?;
        let extra = (self.extra != TaperedTerm::default()).then_some(self.extra);
        let parts = [
            ("Tables", Some(self.tables)),
            ("Threats", self.threats),
            ("Tempo", Some(self.tempo)),
            ("Variant", extra),
        ];
        for (name, part) in parts {
            let Some(part) = part else { continue };
            let [middlegame, endgame] = [part.middlegame, part.endgame].map(Centipawns);
            let tapered = Centipawns(part.tapered);
            writeln!(f, "{name:<8}{middlegame:>12}{endgame:>11}{tapered:>11}")?;
        }
        if let Some(part) = self.vectors {
            let value = Centipawns(part.value);
            write!(f, "Vectors {value:>34}   output bucket {}", part.bucket)?;
            if part.value != part.unclipped {
                write!(f, ", cut from {}", Centipawns(part.unclipped))?;
            }
            f.write_str("\n")?;
        }
        let (value, all) = (Centipawns(self.value), TOTAL_PHASE);
        write!(f, "Sum     {value:>34}   phase {} of {all}", self.phase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::file::WeightsFile;
    use crate::eval::{
        OUTPUT_BUCKETS, OUTPUT_UNIT, TABLE_SIZE, THREATS, VectorsFile, WeightsLayout,
    };
    use crate::{CastlingMode, Setup, Variant, zobrist};

    /// Positions of a random game, as long as there are kings.
    fn random_game(variant: Variant, seed: &mut u64) -> Vec<AnyPosition> {
        let mut position = AnyPosition::start(variant);
        let mut game = Vec::new();
        for _ in 0..120 {
            game.push(position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            *seed = zobrist::splitmix64(*seed);
            position.play(moves[*seed as usize % moves.len()]);
        }
        game
    }

    fn adds_up(explanation: &Explanation) {
        let vectors = explanation.vectors.map_or(0, |part| part.value);
        let tapered = [explanation.tables, explanation.tempo, explanation.extra];
        let tapered = tapered.iter().chain(&explanation.threats);
        let tapered: i32 = tapered.map(|part| part.tapered).sum();
        assert_eq!(explanation.value, tapered + vectors, "{explanation}");
        for line in explanation.to_string().lines() {
            assert!(line.len() <= 80 && line.is_ascii(), "{line}");
        }
    }

    #[test]
    fn the_parts_add_up_to_the_value_of_the_search() {
        let mut seed = 3;
        for variant in Variant::all() {
            for weights in [
                Weights::built_in(variant),
                Weights::built_in_tables(variant),
            ] {
                for position in random_game(variant, &mut seed) {
                    let explanation = Explanation::of(&position, weights);
                    adds_up(&explanation);
                    dispatch!(&position, |position| {
                        let value = evaluate_with(position, weights);
                        let sign = if position.turn().is_white() { 1 } else { -1 };
                        assert_eq!(explanation.value, sign * value);
                        assert_eq!(
                            explanation.pieces.len(),
                            position.board().occupied().count() as usize
                        );
                    });
                }
            }
        }
    }

    #[test]
    fn a_piece_contributes_what_its_loss_costs() {
        let value = |fen| {
            let mode = crate::CastlingMode::Standard;
            let position = AnyPosition::from_fen(Variant::Standard, fen, mode).expect("a position");
            Explanation::of(&position, Weights::built_in(Variant::Standard))
        };
        let with = value("r3k3/2p5/8/8/3N4/8/5PP1/4K3 b - - 0 1");
        let without = value("r3k3/2p5/8/8/8/8/5PP1/4K3 b - - 0 1");
        let contribution = |square| {
            let mut pieces = with.pieces.iter();
            pieces
                .find(|&&(at, ..)| at == square)
                .and_then(|found| found.2)
        };
        let knight = contribution(Square::D4);
        assert_eq!(knight, Some(with.value - without.value));
        assert!(knight > Some(200) && contribution(Square::A8) < Some(-300));
        assert_eq!(contribution(Square::E1), None);
        assert_eq!(with.pieces.len(), 7);
    }

    #[test]
    fn no_weights_and_no_number_of_pieces_overflow() {
        let mut setup = Setup::from_fen("k7/8/8/8/8/8/8/7K b - - 0 1").expect("a FEN");
        let value = |setup: &Setup, weights: &Arc<Weights>| {
            let mode = CastlingMode::Standard;
            let position = AnyPosition::from_setup_unchecked(Variant::Standard, setup, mode);
            let explanation = Explanation::of(&position, weights);
            adds_up(&explanation);
            explanation
        };
        let tables = Weights::built_in_tables(Variant::Standard);
        let mut before = 0;
        for square in Square::ALL {
            if setup.board.role_at(square).is_none() {
                setup.board.put(Role::Queen.of(Color::White), square);
                let part = value(&setup, tables).tables.middlegame;
                assert!(part > before + 500, "{square}: {part} after {before}");
                before = part;
            }
        }
        let layout = WeightsLayout::of(Variant::Standard);
        let most = [i16::MAX, i16::MIN];
        let weight = |at: usize| {
            let is_own = at % TABLE_SIZE < TABLE_SIZE / 2;
            if is_own { most } else { [i16::MIN, i16::MAX] }
        };
        let file = WeightsFile {
            variant: Variant::Standard,
            tempo: most,
            threats: vec![most; THREATS],
            tables: (0..layout.tables() * TABLE_SIZE).map(weight).collect(),
            vectors: None,
        };
        let weights = Weights::from_bytes(&file.to_bytes()).expect("usable weights");
        let tables = value(&setup, &Arc::new(weights)).tables;
        // 63 white pieces, a black one, each seen by both sides.
        let sum = 62 * (i32::from(i16::MAX) - i32::from(i16::MIN));
        assert_eq!([tables.middlegame, tables.endgame], [sum, -sum]);
    }

    #[test]
    fn weights_of_another_variant_are_not_used() {
        let horde = AnyPosition::start(Variant::Horde);
        let value = |of| Explanation::of(&horde, Weights::built_in(of)).value;
        assert_eq!(value(Variant::Atomic), value(Variant::Horde));
    }

    #[test]
    fn the_limit_is_told() {
        let layout = WeightsLayout::of(Variant::Atomic);
        let file = WeightsFile {
            variant: Variant::Atomic,
            tempo: [0, 0],
            threats: Vec::new(),
            tables: vec![[0, 0]; layout.tables() * TABLE_SIZE],
            vectors: Some(VectorsFile {
                width: 1,
                features: vec![0; layout.vector_rows()],
                bias: vec![0],
                outputs: vec![0; 2 * OUTPUT_BUCKETS],
                output_bias: vec![900 * OUTPUT_UNIT; OUTPUT_BUCKETS],
                limit: 800,
            }),
        };
        let weights = Weights::from_bytes(&file.to_bytes()).expect("usable weights");
        let start = AnyPosition::start(Variant::Atomic);
        let explanation = Explanation::of(&start, &Arc::new(weights));
        let part = VectorTerm {
            value: 800,
            unclipped: 900,
            bucket: 7,
        };
        assert_eq!(explanation.vectors, Some(part));
        adds_up(&explanation);
        assert!(explanation.to_string().contains("bucket 7, cut from +9.00"));
    }
}
