//! Searches of fixed positions to a fixed depth. The number of nodes is the fingerprint of the
//! search; the time measures its speed.

pub(crate) mod command;
mod positions;

use crate::history::nps;
use crate::options::{MAX_DEPTH, MAX_HASH, MAX_THREADS};
use crate::session::memory::largest_table;
use common::arguments::number;
use common::count::count;
use common::input::shorten;
use crossbeam_channel::{Sender, unbounded};
use engine_core::Variant;
use engine_core::search::{
    Convergence, Event, Instant, Limits, OutOfMemory, Pool, Root, SearchOptions,
};
use std::fmt;
use std::time::Duration;

/// Deep enough for every rule of the search to take effect; takes a few seconds.
const DEPTH: u32 = 13;

/// The hash size in MB.
const HASH: usize = 16;

/// The settings of a bench.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    variant: Variant,
    hash: usize,
    threads: usize,
    depth: u32,
}

impl Settings {
    /// The bench whose node count is the fingerprint.
    pub(crate) fn new(variant: Variant) -> Settings {
        Settings {
            variant,
            hash: HASH,
            threads: 1,
            depth: DEPTH,
        }
    }

    /// Nothing, `DEPTH`, or `HASH THREADS DEPTH` as in scripts of engine testers.
    ///
    /// # Errors
    /// When the text is none of these, or a number is out of range.
    pub(crate) fn parse(text: &str, variant: Variant) -> Result<Settings, String> {
        // Stockfish's arguments for positions and kind of limit are accepted if they name the defaults.
        let text = text.trim_end().trim_end_matches("mixed").trim_end();
        let text = text.trim_end_matches("default depth");
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut settings = Settings::new(variant);
        let (size, depth) = match *words.as_slice() {
            [] => (None, None),
            [depth] => (None, Some(depth)),
            [hash, threads, depth] => (Some((hash, threads)), Some(depth)),
            _ => return Err("bench takes DEPTH, or HASH THREADS DEPTH".into()),
        };
        let read = |name, text: &str, most| {
            let read = number(text, 1..=most);
            read.map_err(|why| format!("bench: {name} {}: {why}", shorten(text)))
        };
        if let Some((hash, threads)) = size {
            settings.hash = read("HASH", hash, MAX_HASH)? as usize;
            settings.threads = read("THREADS", threads, MAX_THREADS)? as usize;
        }
        if let Some(depth) = depth {
            settings.depth = read("DEPTH", depth, MAX_DEPTH.into())? as u32;
        }
        Ok(settings)
    }
}

/// `bench, depth 13, 16 MB, 1 thread`.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { hash, depth, .. } = self;
        let threads = count(self.threads, "thread");
        write!(f, "bench, depth {depth}, {hash} MB, {threads}")?;
        match self.variant {
            Variant::Standard => Ok(()),
            variant => write!(f, ", {variant}"),
        }
    }
}

/// The result of a bench.
#[derive(Clone, Debug)]
pub(crate) struct BenchReport {
    /// The nodes of all positions.
    pub(crate) nodes: u64,
    elapsed: Duration,
    /// The geometric mean of the times of the positions, which gives all positions the same weight.
    to_depth: Duration,
    /// The root searches of each iteration, in ascending order: aspiration windows, or probes of MTD(f).
    probes: Vec<u32>,
    stores: u64,
    contradictions: u64,
}

impl BenchReport {
    /// A percentile of the number of probes per iteration.
    fn probes_within(&self, percent: usize) -> u32 {
        let number = (self.probes.len() * percent).div_ceil(100);
        self.probes
            .get(number.saturating_sub(1))
            .copied()
            .unwrap_or(0)
    }
}

impl fmt::Display for BenchReport {
    /// In Stockfish's format, with a last line for OpenBench.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nps = nps(self.nodes, self.elapsed);
        writeln!(f, "===========================")?;
        writeln!(f, "Total time (ms) : {}", self.elapsed.as_millis())?;
        writeln!(f, "Nodes searched  : {}", self.nodes)?;
        writeln!(f, "Nodes/second    : {nps}")?;
        let to_depth = 1e3 * self.to_depth.as_secs_f64();
        writeln!(f, "Time to depth   : {to_depth:.2} ms, geometric mean")?;
        let [median, most] = [50, 99].map(|percent| self.probes_within(percent));
        writeln!(f, "Probes/iteration: median {median}, 99 % {most}")?;
        let share = 100.0 * self.contradictions as f64 / self.stores.max(1) as f64;
        writeln!(f, "Contradictions  : {share:.3} % of stores")?;
        write!(f, "{} nodes {nps} nps", self.nodes)
    }
}

/// Searches every position. `progress` is called with the number and the nodes of each, and with
/// `None` about a hundred times a second in between; it returns whether to continue. If not, there is
/// no report.
///
/// # Errors
/// When there is no memory for the table or the threads.
pub(crate) fn run(
    settings: &Settings,
    progress: &mut dyn FnMut(Option<(usize, u64)>) -> bool,
) -> Result<Option<BenchReport>, String> {
    let (sender, events) = unbounded();
    let mut pool = pool(settings, sender)?;
    let limits = Limits {
        depth: Some(settings.depth),
        ..Limits::default()
    };
    // The time starts after the allocation of the hash table, as in Stockfish's bench.
    pool.clear();
    let start = Instant::now();
    let mut report = BenchReport {
        nodes: 0,
        elapsed: Duration::ZERO,
        to_depth: Duration::ZERO,
        probes: Vec::new(),
        stores: 0,
        contradictions: 0,
    };
    let mut times = Vec::new();
    for (number, position) in (1..).zip(positions::all(settings.variant)) {
        let began = Instant::now();
        let root = Root::from(position);
        pool.start(root, limits.clone(), SearchOptions::default());
        // Waking this thread for each event would take time from the search.
        while !pool.wait_for(Duration::from_millis(10)) {
            if !progress(None) {
                pool.stop();
                pool.wait();
                return Ok(None);
            }
        }
        times.push(began.elapsed());
        let mut nodes = 0;
        let mut reported_depth = 0;
        let mut last = Convergence::default();
        for event in events.try_iter() {
            if let Event::Info(info) = event {
                nodes = info.nodes;
                last = info.convergence;
                // The last iteration is reported twice.
                if info.depth > reported_depth {
                    report.probes.push(last.probes);
                    reported_depth = info.depth;
                }
            }
        }
        report.nodes += nodes;
        report.stores += last.stores;
        report.contradictions += last.contradictions;
        if !progress(Some((number, nodes))) {
            return Ok(None);
        }
    }
    report.probes.sort_unstable();
    report.elapsed = start.elapsed();
    report.to_depth = geometric_mean(&times);
    Ok(Some(report))
}

/// A searcher of exactly this table and these threads.
fn pool(settings: &Settings, events: Sender<Event>) -> Result<Pool, String> {
    let &Settings { hash, threads, .. } = settings;
    // The usual table is tried even if the system claims to have less.
    let got = largest_table(0).max(HASH);
    if hash > got {
        return Err(OutOfMemory::Hash { wanted: hash, got }.to_string());
    }
    let mut pool = Pool::new(hash, events);
    pool.set_hash(hash).map_err(|error| error.to_string())?;
    pool.set_threads(threads)
        .map_err(|error| error.to_string())?;
    Ok(pool)
}

fn geometric_mean(times: &[Duration]) -> Duration {
    let logarithms = times.iter().map(|time| time.as_nanos().max(1) as f64);
    let sum: f64 = logarithms.map(f64::ln).sum();
    Duration::from_nanos((sum / times.len().max(1) as f64).exp() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_geometric_mean_weighs_factors() {
        let times = [1, 10, 100].map(Duration::from_millis);
        let mean = geometric_mean(&times).as_secs_f64();
        assert!((mean - 0.01).abs() < 1e-6, "{mean}");
        assert!(geometric_mean(&[]) < Duration::from_micros(1));
    }

    #[test]
    fn settings() {
        let parse = |text| Settings::parse(text, Variant::Standard);
        let of = |text| {
            let settings = parse(text).unwrap();
            (settings.hash, settings.threads, settings.depth)
        };
        assert_eq!(of(""), (HASH, 1, DEPTH));
        assert_eq!(of(" 9 "), (HASH, 1, 9));
        assert_eq!(of("64 2 11"), (64, 2, 11));
        let text = parse("64 2 11").unwrap().to_string();
        assert_eq!(text, "bench, depth 11, 64 MB, 2 threads");
        for bad in [
            "0",
            "x",
            "64 2",
            "64 0 9",
            "1 2 3 4",
            "-1",
            "256",
            "1 1025 1",
            "33554433 1 1",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
