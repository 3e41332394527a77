//! FEN, legal moves, SAN and pictures measured against shakmaty: `cargo bench -p mola-bench --bench
//! notation [-- ROUNDS]`.
//!
//! One thread, the two take turns, and the best of the rounds counts: noise only ever adds time.

use engine_core::draw::Diagram;
use engine_core::{CastlingMode, Setup};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode as Mode, Chess, Position};
use std::hint::black_box;
use std::time::{Duration, Instant};

type Ours = engine_core::Position<engine_core::Standard>;

/// Positions on the way of games that always play the move in the middle of the sorted list.
fn positions() -> Vec<String> {
    let mut fens = Vec::new();
    for skip in 0..40_usize {
        let mut position: Ours = Ours::start();
        for ply in 0..80_usize {
            let mut moves = position.legal_moves().to_vec();
            moves.sort_unstable();
            let Some(&m) = moves.get((skip * 7 + ply * 13) % moves.len().max(1)) else {
                break;
            };
            position.play(m);
            if ply % 4 == skip % 4 {
                fens.push(position.fen(engine_core::notation::EnPassant::Legal));
            }
        }
    }
    fens
}

fn ours(fen: &str) -> Ours {
    let setup = Setup::from_fen(fen).expect("a FEN");
    Ours::from_setup_unchecked(&setup, CastlingMode::Standard)
}

fn theirs(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(Mode::Standard)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .expect("a legal position")
}

/// The shortest time of each of two ways to do the same work.
fn race(rounds: u32, mut mola: impl FnMut(), mut peer: impl FnMut()) -> [Duration; 2] {
    let mut best = [Duration::MAX; 2];
    for _ in 0..rounds {
        for (index, best) in best.iter_mut().enumerate() {
            let start = Instant::now();
            if index == 0 {
                mola()
            } else {
                peer()
            }
            *best = start.elapsed().min(*best);
        }
    }
    best
}

fn report(what: &str, count: usize, best: [Duration; 2]) {
    let [mola, peer] = best.map(|time| time.as_nanos() as f64 / count as f64);
    println!(
        "{what:<24}{mola:>10.1} ns{peer:>12.1} ns{:>9.2}x",
        peer / mola
    );
}

fn main() {
    // Cargo adds `--bench` of its own.
    let rounds = std::env::args()
        .skip(1)
        .find_map(|word| word.parse().ok())
        .unwrap_or(21);
    let fens = positions();
    let mine: Vec<Ours> = fens.iter().map(|fen| ours(fen)).collect();
    let peers: Vec<Chess> = fens.iter().map(|fen| theirs(fen)).collect();
    println!(
        "{:<24}{:>13}{:>15}{:>10}",
        "each, best of rounds", "mola", "shakmaty", "ratio"
    );

    let setup = race(
        rounds,
        || {
            fens.iter()
                .for_each(|fen| drop(black_box(Setup::from_fen(black_box(fen)))))
        },
        || {
            fens.iter()
                .for_each(|fen| drop(black_box(black_box(fen).parse::<Fen>())))
        },
    );
    report("FEN parse", fens.len(), setup);
    let position = race(
        rounds,
        || {
            for fen in &fens {
                let setup = Setup::from_fen(black_box(fen)).expect("a FEN");
                let _ = black_box(Ours::from_setup(&setup, CastlingMode::Standard));
            }
        },
        || {
            for fen in &fens {
                let fen: Fen = black_box(fen).parse().expect("a FEN");
                let _ = black_box(fen.into_position::<Chess>(Mode::Standard));
            }
        },
    );
    report("FEN to checked position", fens.len(), position);
    let moves: usize = mine
        .iter()
        .map(|position| position.legal_moves().len())
        .sum();
    let legal = race(
        rounds,
        || {
            mine.iter()
                .for_each(|position| drop(black_box(position.legal_moves())))
        },
        || {
            peers
                .iter()
                .for_each(|position| drop(black_box(position.legal_moves())))
        },
    );
    report("legal moves", fens.len(), legal);
    let san = race(
        rounds,
        || {
            for position in &mine {
                for m in &position.legal_moves() {
                    let _ = black_box(position.to_san(m));
                }
            }
        },
        || {
            for position in &peers {
                for m in position.legal_moves() {
                    let _ = black_box(SanPlus::from_move(position.clone(), m));
                }
            }
        },
    );
    report("SAN write", moves, san);
    let text = race(
        rounds,
        || {
            for position in &mine {
                for m in &position.legal_moves() {
                    let _ = black_box(position.to_san(m).to_string());
                }
            }
        },
        || {
            for position in &peers {
                for m in position.legal_moves() {
                    let _ = black_box(SanPlus::from_move(position.clone(), m).to_string());
                }
            }
        },
    );
    report("SAN write as a string", moves, text);
    let start = Instant::now();
    for position in &mine {
        black_box(Diagram::new(position.board()).svg());
    }
    let each = start.elapsed().as_secs_f64() / mine.len() as f64;
    println!(
        "{:<24}{:>10.1} us ({:.0} a second)",
        "SVG",
        each * 1e6,
        1.0 / each
    );
}
