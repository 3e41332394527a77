//! Games of `PettingZoo` itself, played again: every observation, mask, reward and flag.

use super::action::ACTIONS;
use super::game::{Config, Env};
use super::observation::Form;
use engine_core::Color;
use fnv::FnvHasher;
use serde::Deserialize;
use std::hash::Hasher;

/// A line of `recorded.jsonl`, which `tests/tools/make_env.py` has written.
#[derive(Deserialize)]
struct RecordedGame {
    actions: Vec<usize>,
    sums: Vec<String>,
}

fn checksum(env: &Env) -> String {
    let mut bytes = vec![0; 2 * Form::Stacked.bytes() + ACTIONS];
    let (views, mask) = bytes.split_at_mut(2 * Form::Stacked.bytes());
    let (white, black) = views.split_at_mut(Form::Stacked.bytes());
    env.observe(Color::White, white).unwrap();
    env.observe(Color::Black, black).unwrap();
    env.mask(mask).unwrap();
    bytes.extend(env.rewards().map(i8::cast_unsigned));
    bytes.extend([u8::from(env.is_terminated()); 2]);
    bytes.extend([u8::from(env.is_truncated()); 2]);
    let mut hasher = FnvHasher::default();
    hasher.write(&bytes);
    format!("{:016x}", hasher.finish())
}

#[test]
fn recorded_games_are_bit_for_bit_the_same() {
    let mut env = Env::new(Config::default());
    let games = include_str!("recorded.jsonl").lines();
    for (number, line) in games.enumerate() {
        let game: RecordedGame = serde_json::from_str(line).unwrap();
        env.reset();
        assert_eq!(checksum(&env), game.sums[0]);
        for (ply, (&action, sum)) in game.actions.iter().zip(&game.sums[1..]).enumerate() {
            env.step(action).unwrap();
            assert_eq!(checksum(&env), *sum, "game {number}, ply {}", ply + 1);
        }
    }
}
