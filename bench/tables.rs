//! Probes of endgame tables a second: `cargo bench -p mola-bench --bench tables -- FENS FOLDER...`
//! reads positions (a FEN at the start of each line, up to a comma) and folders of tables. All
//! positions have been probed before the clock starts, so the tables are in memory. The fastest round
//! counts: other load only makes rounds slower.

use engine_core::{CastlingMode, Position, Setup};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use tablebases::Tables;

/// The time for each rate.
const TIME: Duration = Duration::from_secs(2);

fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| arg != "--bench")
        .collect();
    let [file, folders @ ..] = args.as_slice() else {
        println!("skipped: give a file of positions and folders of tables");
        return;
    };
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let position = |line: &str| {
        let setup = Setup::from_fen(line.split(',').next()?).ok()?;
        Position::from_setup(&setup, CastlingMode::Standard).ok()
    };
    let positions: Vec<Position> = text.lines().filter_map(position).collect();
    let mut tables = Tables::new();
    for folder in folders {
        tables
            .add_path(Path::new(folder))
            .expect("the folder can be read");
    }
    let known = |keep: &dyn Fn(&Position) -> bool| -> Vec<Position> {
        positions
            .iter()
            .copied()
            .filter(|position| keep(position))
            .collect()
    };
    let syzygy = known(&|position| tables.syzygy.dtz(position).is_ok());
    let gaviota = known(&|position| tables.gaviota.mate(position).is_ok());
    measure("WDL", &syzygy, |position| {
        black_box(tables.syzygy.wdl(position).is_ok());
    });
    measure("DTZ", &syzygy, |position| {
        black_box(tables.syzygy.dtz(position).is_ok());
    });
    measure("Gaviota", &gaviota, |position| {
        black_box(tables.gaviota.mate(position).is_ok());
    });
}

/// Prints the rate of the best round in millions of probes a second, of one thread and of two.
fn measure(name: &str, positions: &[Position], probe: impl Fn(&Position) + Sync) {
    if positions.is_empty() {
        return;
    }
    let rate = || {
        let mut best = Duration::MAX;
        let start = Instant::now();
        while start.elapsed() < TIME {
            let round = Instant::now();
            positions.iter().for_each(&probe);
            best = best.min(round.elapsed());
        }
        positions.len() as f64 / best.as_secs_f64() / 1e6
    };
    let one = rate();
    let two: f64 = std::thread::scope(|scope| {
        let threads = [scope.spawn(rate), scope.spawn(rate)];
        threads
            .map(|thread| thread.join().unwrap_or(0.0))
            .iter()
            .sum()
    });
    let count = positions.len();
    println!("{name:8} {one:6.2} million a second, two threads {two:6.2} ({count} positions)");
}
