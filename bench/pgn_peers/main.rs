//! Reading PGN measured against pgn-reader and shakmaty:
//! `cargo bench -p mola-bench --bench pgn-peers [-- ROUNDS [MB]]`.
//!
//! The files are those of `$MOLA_DATA/pgn`, repeated up to 100 MB. One thread, CPU time, and the
//! peers take turns, so that a busy machine slows all of them alike. The fastest round
//! counts: other load only makes rounds slower. What is found must be the same.

mod mola;
mod peer;

use cpu_time::ProcessTime;
use std::path::PathBuf;
use std::time::Duration;

/// Games, and moves or (task `headers`) bytes of tag names and values.
type Counts = (u64, u64);

/// Something to do with the text of a file, by Mola and by its peer.
struct Task {
    name: &'static str,
    /// How many times as fast as its peer Mola should be.
    goal: f64,
    mola: fn(&[u8]) -> Counts,
    peer: fn(&[u8]) -> Counts,
}

const TASKS: [Task; 3] = [
    Task {
        name: "tokens",
        goal: 1.8,
        mola: mola::tokens,
        peer: peer::tokens,
    },
    Task {
        name: "headers",
        goal: 2.0,
        mola: mola::headers,
        peer: peer::headers,
    },
    Task {
        name: "validation",
        goal: 1.5,
        mola: mola::validate,
        peer: peer::validate,
    },
];

const FILES: [&str; 2] = ["lichess_db_1000k.pgn", "twic1599_1000k.pgn"];

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok());
    let rounds = numbers.next().unwrap_or(5);
    let size = numbers.next().unwrap_or(100) << 20;
    let data = std::env::var_os("MOLA_DATA").map_or("../shared/data".into(), PathBuf::from);
    println!(
        "{:<24}{:<12}{:>12}{:>16}{:>8}",
        "file", "task", "mola MB/s", "pgn-reader MB/s", "ratio"
    );
    for file in FILES {
        let path = data.join("pgn").join(file);
        let Ok(text) = std::fs::read(&path) else {
            println!("{} is not there; set $MOLA_DATA", path.display());
            continue;
        };
        // The last game of the files is cut off.
        let end = text
            .windows(8)
            .rposition(|window| window == b"\n[Event ")
            .unwrap_or(text.len());
        let text = text[..=end].repeat(size / end + 1);
        for task in &TASKS {
            measure(file, task, &text, rounds);
        }
    }
}

/// Prints the rates of both in millions of bytes a second of CPU time, and their ratio.
fn measure(file: &str, task: &Task, text: &[u8], rounds: usize) {
    let mut best = [Duration::MAX; 2];
    for _ in 0..rounds {
        let mut found = [(0, 0); 2];
        for ((run, best), found) in [task.mola, task.peer].iter().zip(&mut best).zip(&mut found) {
            let start = ProcessTime::now();
            *found = run(text);
            *best = start.elapsed().min(*best);
        }
        assert_eq!(found[0], found[1], "{file}, {}", task.name);
    }
    let rate = best.map(|time| text.len() as f64 / 1e6 / time.as_secs_f64());
    let ratio = rate[0] / rate[1];
    println!(
        "{file:<24}{:<12}{:>12.0}{:>16.0}{ratio:>7.2}x (goal {})",
        task.name, rate[0], rate[1], task.goal
    );
}
