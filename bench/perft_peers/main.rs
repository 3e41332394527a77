//! Move generation measured against peers: `cargo bench -p mola-bench [-- ROUNDS]`.
//!
//! One thread, and the peers take turns at every position, so that a busy or throttled machine
//! slows all of them alike. The best of the rounds counts, in CPU time: noise only ever adds to it.

mod cozy;
mod mola;
mod shakmaty;
mod variants;

use cpu_time::ThreadTime;
use std::hint::black_box;
use std::time::Duration;

/// A move generator at one position.
trait Peer {
    /// Leaves counted by the fastest means that it has.
    fn bulk(&self, depth: u32) -> u64;
    /// Leaves counted from a list of moves built at the last ply too, as a search needs it.
    fn with_lists(&self, depth: u32) -> u64;
}

const NAMES: [&str; 3] = ["mola", "cozy-chess", "shakmaty"];
/// The one that the others are compared with.
const BASE: usize = 1;

/// The start position, Kiwipete and positions 3 to 6 of
/// <https://www.chessprogramming.org/Perft_Results>.
const POSITIONS: [(&str, &str, u32); 6] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        5,
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
    ),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    (
        "position 4",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
    ),
    (
        "position 5",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        4,
    ),
    (
        "position 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        4,
    ),
];

fn peers(fen: &str) -> [Box<dyn Peer>; 3] {
    [mola::at(fen), cozy::at(fen), shakmaty::at(fen)]
}

/// What a measurement calls at a peer.
type Count = fn(&dyn Peer, u32) -> u64;

/// The best rate of each peer in millions of leaves a second.
fn rates(fen: &str, depth: u32, rounds: u32, count: Count) -> [f64; 3] {
    best_rates(&peers(fen), depth, rounds, count)
}

/// The same for any peers at one position, which must agree.
fn best_rates<const N: usize>(
    peers: &[Box<dyn Peer>; N],
    depth: u32,
    rounds: u32,
    count: Count,
) -> [f64; N] {
    let leaves = count(&*peers[0], depth);
    let mut best = [Duration::MAX; N];
    for _ in 0..rounds {
        for (peer, best) in peers.iter().zip(&mut best) {
            let start = ThreadTime::now();
            let counted = count(black_box(&**peer), black_box(depth));
            *best = start.elapsed().min(*best);
            assert_eq!(counted, leaves, "depth {depth}");
        }
    }
    best.map(|time| leaves as f64 / time.as_secs_f64() / 1e6)
}

fn table(title: &str, rounds: u32, count: Count) {
    println!(
        "\n{title}: million leaves a second, best of {rounds} (ratio to {})",
        NAMES[BASE]
    );
    print!("{:<12}", "");
    for name in NAMES {
        print!("{name:>20}");
    }
    println!();
    let mut logs = [0.0; 3];
    for (name, fen, depth) in POSITIONS {
        print!("{:<12}", format!("{name} {depth}"));
        let rates = rates(fen, depth, rounds, count);
        for (rate, log) in rates.iter().zip(&mut logs) {
            let ratio = rate / rates[BASE];
            *log += ratio.ln();
            print!("{rate:>12.1} ({ratio:.2}x)");
        }
        println!();
    }
    print!("{:<12}", "geomean");
    for log in logs {
        print!("{:>19.3}x", (log / POSITIONS.len() as f64).exp());
    }
    println!();
}

fn main() {
    // Cargo itself adds `--bench`.
    let rounds = std::env::args()
        .skip(1)
        .find_map(|word| word.parse().ok())
        .unwrap_or(11);
    let sliders = if cfg!(target_feature = "bmi2") {
        "PEXT"
    } else {
        "magics"
    };
    println!("Built with {sliders}.");
    table("Bulk counting", rounds, |peer, depth| peer.bulk(depth));
    table("With lists of moves", rounds, |peer, depth| {
        peer.with_lists(depth)
    });
    variants::table(rounds);
}
