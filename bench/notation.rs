//! FEN, legal moves and SAN measured against shakmaty, and pictures, which it does not draw, alone:
//! `cargo bench -p mola-bench --bench notation [-- ROUNDS]`.
//!
//! One thread, and the two take turns. The fastest round counts: other load only makes rounds slower.

use diagram::Diagram;
use engine_core::{CastlingMode, Setup};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode as Mode, Chess, Position};
use std::hint::black_box;
use std::time::{Duration, Instant};

type Ours = engine_core::Position<engine_core::Standard>;

/// Positions of 40 games that pick moves from the sorted list by a fixed rule.
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
        let start = Instant::now();
        mola();
        best[0] = start.elapsed().min(best[0]);
        let start = Instant::now();
        peer();
        best[1] = start.elapsed().min(best[1]);
    }
    best
}

fn report(what: &str, count: usize, best: [Duration; 2]) {
    let [mola, peer] = best.map(|time| time.as_nanos() as f64 / count as f64);
    let ratio = peer / mola;
    println!("{what:<24}{mola:>10.1} ns{peer:>12.1} ns{ratio:>9.2}x");
}

fn fens(rounds: u32, fens: &[String]) {
    let parse = race(
        rounds,
        || {
            for fen in fens {
                let _ = black_box(Setup::from_fen(black_box(fen)));
            }
        },
        || {
            for fen in fens {
                let _ = black_box(black_box(fen).parse::<Fen>());
            }
        },
    );
    report("FEN parse", fens.len(), parse);
    let position = race(
        rounds,
        || {
            for fen in fens {
                let setup = Setup::from_fen(black_box(fen)).expect("a FEN");
                let _ = black_box(Ours::from_setup(&setup, CastlingMode::Standard));
            }
        },
        || {
            for fen in fens {
                let fen: Fen = black_box(fen).parse().expect("a FEN");
                let _ = black_box(fen.into_position::<Chess>(Mode::Standard));
            }
        },
    );
    report("FEN to checked position", fens.len(), position);
}

fn moves(rounds: u32, mine: &[Ours], peers: &[Chess]) {
    let legal = race(
        rounds,
        || {
            for position in mine {
                let _ = black_box(position.legal_moves());
            }
        },
        || {
            for position in peers {
                let _ = black_box(position.legal_moves());
            }
        },
    );
    report("legal moves", mine.len(), legal);
    let count = mine.iter().map(|position| position.legal_moves().len());
    let count = count.sum();
    let san = race(
        rounds,
        || {
            for position in mine {
                for m in &position.legal_moves() {
                    let _ = black_box(position.to_san(m).to_string());
                }
            }
        },
        || {
            for position in peers {
                for m in position.legal_moves() {
                    let _ = black_box(SanPlus::from_move(position.clone(), m).to_string());
                }
            }
        },
    );
    report("SAN write", count, san);
}

fn main() {
    // Cargo itself adds `--bench`.
    let mut words = std::env::args().skip(1);
    let rounds = words.find_map(|word| word.parse().ok());
    let rounds = rounds.unwrap_or(21);
    let texts = positions();
    let mine: Vec<Ours> = texts.iter().map(|fen| ours(fen)).collect();
    let peers: Vec<Chess> = texts.iter().map(|fen| theirs(fen)).collect();
    println!(
        "{:<24}{:>13}{:>15}{:>10}",
        "best of rounds", "mola", "shakmaty", "ratio"
    );
    fens(rounds, &texts);
    moves(rounds, &mine, &peers);
    let start = Instant::now();
    for position in &mine {
        black_box(Diagram::new(position.board()).svg());
    }
    let each = start.elapsed().as_secs_f64() / mine.len() as f64;
    let (micros, rate) = (each * 1e6, 1.0 / each);
    println!("{:<24}{micros:>10.1} us ({rate:.0} a second)", "SVG");
}
