//! Steps a second of the environment in Rust alone: 64 games of random legal actions, with every
//! observation and mask written. Prints the number for `bench/env`.

use engine_core::Move;
use env::{ACTIONS, Batch, Config, EnvError, Form};
use std::hint::black_box;
use std::time::{Duration, Instant};

const GAMES: usize = 64;
const TIME: Duration = Duration::from_secs(3);

fn main() -> Result<(), EnvError> {
    let mut batch = Batch::new(&Config::default(), GAMES);
    let mut observations = vec![0; GAMES * Form::Stacked.bytes()];
    let mut masks = vec![0; GAMES * ACTIONS];
    let mut actions = [0; GAMES];
    let mut chance = 0x9e37_79b9_7f4a_7c15;
    let mut steps = 0;
    let start = Instant::now();
    while start.elapsed() < TIME {
        for (action, env) in actions.iter_mut().zip(batch.envs()) {
            *action = choose(env.legal(), &mut chance);
        }
        batch.step(&actions)?;
        batch.observe(None, &mut observations)?;
        batch.masks(&mut masks)?;
        black_box((&observations, &masks));
        steps += GAMES;
    }
    println!("{:.0}", steps as f64 / start.elapsed().as_secs_f64());
    Ok(())
}

fn choose(legal: &[(usize, Move)], chance: &mut u64) -> u16 {
    // Xorshift: any numbers will do.
    *chance ^= *chance << 13;
    *chance ^= *chance >> 7;
    *chance ^= *chance << 17;
    let index = *chance as usize % legal.len().max(1);
    legal.get(index).map_or(0, |&(action, _)| action as u16)
}
