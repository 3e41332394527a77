//! Learning as a whole.

use super::adam::{self, Hyperparameters, PARTS};
use super::backprop::{Gradient, Pass};
use super::features::Positions;
use super::loss::Targets;
use super::model::Model;
use super::positions;
use super::quantise::{integer_loss, integer_value};
use super::train::Training;
use crate::packed_position::PackedPosition;
use common::random::Random;
use common::signals::Signal;
use crossbeam_channel::{never, unbounded};
use engine_core::eval::{EvalRules, Weights, WeightsFile, evaluate_with};
use engine_core::{
    Atomic, CastlingMode, Color, Crazyhouse, Horde, KingOfTheHill, Position, RacingKings, Role,
    Setup, Square, Standard, ThreeCheck, Variant,
};
use std::sync::Arc;

/// A knight more on either side, which wins.
fn knights() -> Positions {
    let pack = |number: usize| {
        let mut setup = Setup::EMPTY;
        let board = &mut setup.board;
        board.put(Role::King.of(Color::White), Square::ALL[number % 8]);
        board.put(Role::King.of(Color::Black), Square::G8);
        board.put(Role::Pawn.of(Color::Black), Square::ALL[48 + number % 6]);
        let color = Color::ALL[number % 2];
        board.put(Role::Knight.of(color), Square::ALL[16 + number % 32]);
        let sign = if color.is_white() { 1 } else { -1 };
        setup.turn = Color::ALL[number / 2 % 2];
        let result = (1 + sign) as u8;
        let mode = CastlingMode::Standard;
        let position = Position::<Standard>::from_setup_unchecked(&setup, mode);
        PackedPosition::new(&position, 400 * sign, result)
    };
    let packed: Vec<PackedPosition> = (0..2000).filter_map(pack).collect();
    positions(Variant::Standard, &packed)
}

fn training(threads: usize) -> Training {
    Training {
        epochs: 20,
        threads,
        seed: 1,
        tables: Hyperparameters {
            rate: 2.0,
            decay: 0.01,
        },
        threats: Hyperparameters {
            rate: 2.0,
            decay: 0.0,
        },
        vectors: Hyperparameters {
            rate: 0.01,
            decay: 0.1,
        },
        targets: Targets {
            lambda: 0.5,
            steepness: 0.005,
        },
    }
}

#[test]
fn the_loss_falls_and_threads_do_not_matter() {
    let positions = knights();
    for width in [0, 16, 64] {
        let learn = |threads| {
            let training = training(threads);
            let mut model = Model::material(Variant::Standard, width, 1000.0, 1).with_threats();
            let before = training.loss(&model, &positions);
            let reports = training.run(&mut model, &positions, &positions, &never());
            let after = training.loss(&model, &positions);
            assert!(after < before / 2.0, "{before} to {after}");
            assert!(
                reports
                    .last()
                    .is_some_and(|last| last.validation_loss < before)
            );
            let file = model.quantise();
            let integers = integer_loss(&file, &positions, &positions.samples, training.targets);
            assert!((integers - after).abs() < 1e-3, "{after} to {integers}");
            let bytes = file.to_bytes();
            let read = WeightsFile::from_bytes(&bytes).expect("our file");
            assert_eq!(read, file);
            bytes
        };
        assert_eq!(learn(1), learn(3));
    }
}

#[test]
fn derivatives_are_those_of_small_differences() {
    let positions = knights();
    let targets = training(1).targets;
    let model = Model::material(Variant::Standard, 32, 1000.0, 5).with_threats();
    let samples = &positions.samples[..64];
    let mut gradient = Gradient::zero(&model);
    Pass::new(&model, &positions, targets).learn(samples, &mut gradient);
    let layers = gradient.slopes.each().into_iter().enumerate();
    for (layer, slopes) in layers {
        // The largest derivatives are least disturbed by rounding.
        let mut indices: Vec<usize> = (0..slopes.len()).collect();
        indices.sort_by(|&a, &b| slopes[b].abs().total_cmp(&slopes[a].abs()));
        for &at in indices.iter().take(20).filter(|&&at| slopes[at] != 0.0) {
            let step = if layer < 3 { 0.5 } else { 0.004 };
            let loss = |step: f32| {
                let mut moved = model.clone();
                moved.layers.each_mut()[layer].sums[at] += step;
                Pass::new(&moved, &positions, targets).loss(samples)
            };
            let measured = (loss(step) - loss(-step)) / f64::from(2.0 * step);
            let slope = f64::from(slopes[at]);
            let wrong = (measured - slope).abs();
            assert!(
                wrong < 0.03 * slope.abs() + 1e-5,
                "layer {layer}, weight {at}: {slope} against {measured}"
            );
        }
    }
}

#[test]
fn integers_stay_in_their_bounds() {
    let positions = knights();
    let mut model = Model::material(Variant::Standard, 16, 300.0, 1);
    let mut gradients: [Gradient; PARTS] = std::array::from_fn(|_| Gradient::zero(&model));
    let far = Hyperparameters {
        rate: 1000.0,
        decay: 0.0,
    };
    let hyperparameters = model.layers.map(|_| far);
    for number in 1..4 {
        for gradient in &mut gradients {
            for slopes in gradient.slopes.each_mut() {
                let slopes = slopes.iter_mut().enumerate();
                slopes.for_each(|(at, slope)| *slope = if at % 3 == 0 { 1.0 } else { -1.0 });
            }
        }
        adam::step(&mut model, &mut gradients, &hyperparameters, number, 2);
    }
    let vectors = model.quantise().vectors.expect("vectors");
    let largest = |values: &[i16]| values.iter().map(|value| value.unsigned_abs()).max();
    assert_eq!(largest(&vectors.features), Some(500));
    assert_eq!(largest(&vectors.bias), Some(767));
    assert_eq!(largest(&vectors.outputs), Some(127));
    assert_eq!((vectors.limit, vectors.output_bias.len()), (300, 8));
    assert_eq!(vectors.outputs.len(), 8 * 2 * 16);
    assert_eq!(positions.samples[0].output, 0);
}

#[test]
fn a_signal_ends_learning_with_what_was_learned() {
    let positions = knights();
    let training = training(1);
    let mut model = Model::material(Variant::Standard, 0, 1000.0, 1);
    let before = training.loss(&model, &positions);
    let (sender, signals) = unbounded();
    sender.send(Signal::Interrupt).unwrap();
    let reports = training.run(&mut model, &positions, &positions, &signals);
    let epochs: Vec<f64> = reports.iter().map(|report| report.epochs).collect();
    assert_eq!(epochs, [1.0], "one step of twenty");
    assert!(training.loss(&model, &positions) < before);
}

#[test]
fn learning_goes_on_from_a_file() {
    let mut model = Model::material(Variant::Standard, 16, 1000.0, 3).with_threats();
    model.layers.threats.sums[7] = 30.0;
    let file = model.quantise();
    let mut other = Model::material(Variant::Standard, 16, 1000.0, 4);
    assert_ne!(other.quantise(), file);
    other.take(&file);
    assert_eq!(other.quantise(), file);
}

/// The engine's values of the positions of random games against the plain ones here.
fn values_are_the_engines<R: EvalRules>(limit: f32) {
    let variant = R::VARIANT;
    let mut model = Model::material(variant, 32, limit, 7).with_threats();
    let mut random = Random::new(3, 4);
    for weights in model.layers.each_mut() {
        let bound = weights.shape.bound.min(200.0);
        for sum in &mut weights.sums {
            *sum += bound / 4.0 * ((random.below(2001) as f32) / 1000.0 - 1.0);
        }
    }
    let file = model.quantise();
    let weights = Weights::from_bytes(&file.to_bytes()).expect("weights that fit");
    let weights = Arc::new(weights);
    for _ in 0..20 {
        let mut position = Position::<R>::start();
        for _ in 0..100 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
            let packed = PackedPosition::new(&position, 0, 1);
            let positions = positions(variant, &[packed.expect("a board of the variant")]);
            let plain = integer_value(&file, &positions, &positions.samples[0]);
            let value = evaluate_with(&position, &weights);
            assert_eq!(plain, i64::from(value), "{variant}");
        }
    }
}

#[test]
fn the_engine_says_the_same_of_what_was_learned() {
    values_are_the_engines::<Standard>(1000.0);
    values_are_the_engines::<Standard>(100.0);
    values_are_the_engines::<Atomic>(1000.0);
    values_are_the_engines::<Crazyhouse>(1000.0);
    values_are_the_engines::<Horde>(1000.0);
    values_are_the_engines::<KingOfTheHill>(1000.0);
    values_are_the_engines::<RacingKings>(1000.0);
    values_are_the_engines::<ThreeCheck>(1000.0);
}

#[test]
fn wider_vectors_begin_with_the_values_of_the_narrower() {
    let positions = knights();
    let targets = training(1).targets;
    let narrow = Model::material(Variant::Standard, 32, 1000.0, 3).quantise();
    let loss = |file: &WeightsFile| integer_loss(file, &positions, &positions.samples, targets);
    for (width, is_taken) in [(32, true), (64, true), (16, false)] {
        let mut model = Model::material(Variant::Standard, width, 1000.0, 9);
        model.take(&narrow);
        let difference = loss(&model.quantise()) - loss(&narrow);
        assert_eq!(difference.abs() < 1e-12, is_taken, "{width}");
    }
    let mut model = Model::material(Variant::Standard, 64, 1000.0, 9);
    model.take(&narrow);
    let before = loss(&narrow);
    training(2).run(&mut model, &positions, &positions, &never());
    let outputs = model.quantise().vectors.expect("vectors").outputs;
    assert!(
        outputs
            .chunks(32)
            .all(|part| part.iter().any(|&output| output != 0))
    );
    assert!(loss(&model.quantise()) < before);
}
