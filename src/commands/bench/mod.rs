//! `mola bench`: searches fixed positions to a fixed depth. The number of nodes is the fingerprint
//! of the search; the time tells its speed.

mod positions;

use common::error::Result;
use crossbeam_channel::unbounded;
use engine_core::Variant;
use engine_core::search::{Convergence, Event, Limits, Pool, Root, SearchOptions};
use std::fmt;
use std::io::{Write, stderr, stdout};
use std::time::{Duration, Instant};

/// Deep enough for every rule of the search to have its say, in a few seconds.
pub const DEPTH: u32 = 15;

/// The table in MB.
const HASH: usize = 16;

/// Search fixed positions and tell nodes and speed.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "The node count is the same on every machine: it changes when the search does."
)]
pub struct Args {
    /// How deep
    #[arg(long, default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// The variant of chess
    #[arg(long, value_name = "NAME", default_value_t)]
    variant: Variant,
}

/// Runs the subcommand.
///
/// # Errors
/// When the output is closed.
pub fn run_command(args: &Args) -> Result {
    let total = positions::all(args.variant).len();
    let report = run(args.variant, args.depth, &mut |progress| {
        if let Some((number, nodes)) = progress {
            let _ = writeln!(stderr(), "Position {number}/{total}: {nodes}");
        }
        true
    });
    if let Some(report) = report {
        writeln!(stdout(), "{report}")?;
    }
    Ok(())
}

/// What a bench found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The nodes of all positions.
    pub nodes: u64,
    elapsed: Duration,
    /// Of each iteration, in ascending order.
    probes: Vec<u32>,
    stores: u64,
    contradictions: u64,
}

impl Report {
    /// The number of probes that this share of the iterations, in percent, does not exceed.
    fn probes_within(&self, percent: usize) -> u32 {
        let number = (self.probes.len() * percent).div_ceil(100);
        self.probes
            .get(number.saturating_sub(1))
            .copied()
            .unwrap_or(0)
    }
}

impl fmt::Display for Report {
    /// As Stockfish writes it, and a last line for OpenBench.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.elapsed.as_micros().max(1);
        let nps = u128::from(self.nodes) * 1_000_000 / micros;
        writeln!(f, "===========================")?;
        writeln!(f, "Total time (ms) : {}", micros / 1000)?;
        writeln!(f, "Nodes searched  : {}", self.nodes)?;
        writeln!(f, "Nodes/second    : {nps}")?;
        let [median, most] = [50, 99].map(|percent| self.probes_within(percent));
        writeln!(f, "Probes/iteration: median {median}, 99 % {most}")?;
        let share = 100.0 * self.contradictions as f64 / self.stores.max(1) as f64;
        writeln!(f, "Contradictions  : {share:.3} % of stores")?;
        write!(f, "{} nodes {nps} nps", self.nodes)
    }
}

/// Searches every position. The caller is told the number and the nodes of each, and nothing some
/// hundred times a second in between; it ends the bench by answering false.
pub fn run(
    variant: Variant,
    depth: u32,
    tell: &mut dyn FnMut(Option<(usize, u64)>) -> bool,
) -> Option<Report> {
    let (sender, events) = unbounded();
    let mut pool = Pool::new(HASH, sender);
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    // The clock begins when the table's memory is there, as in Stockfish's bench.
    pool.clear();
    let start = Instant::now();
    let mut report = Report {
        nodes: 0,
        elapsed: Duration::ZERO,
        probes: Vec::new(),
        stores: 0,
        contradictions: 0,
    };
    for (number, position) in (1..).zip(positions::all(variant)) {
        let root = Root {
            position,
            history: Vec::new(),
        };
        pool.start(root, limits.clone(), SearchOptions::default());
        // A thread that is woken for each event would take time from the search.
        while !pool.wait_for(Duration::from_millis(10)) {
            if !tell(None) {
                pool.stop();
                pool.wait();
                return None;
            }
        }
        let mut nodes = 0;
        let mut told = 0;
        let mut last = Convergence::default();
        for event in events.try_iter() {
            if let Event::Info(info) = event {
                nodes = info.nodes;
                last = info.convergence;
                // The last iteration is told twice.
                if info.depth > told {
                    report.probes.push(last.probes);
                    told = info.depth;
                }
            }
        }
        report.nodes += nodes;
        report.stores += last.stores;
        report.contradictions += last.contradictions;
        if !tell(Some((number, nodes))) {
            return None;
        }
    }
    report.probes.sort_unstable();
    report.elapsed = start.elapsed();
    Some(report)
}
