//! The history of `mola bench` and `mola perft`: a file with a line of JSON for each run.

use common::count::count;
use common::date;
use common::error::{Error, Result};
use common::error_text::of_json;
use common::files::{AppendFile, named, refuse_utf16, without_mark};
use common::note;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Arguments of commands that have a history.
#[derive(clap::Args, Debug)]
pub(crate) struct HistoryArgs {
    /// Append the result to this file, one line of JSON per run, and compare it with earlier runs
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    #[cfg(feature = "plot")]
    #[command(flatten)]
    plot: plots::PlotArgs,
}

/// A run, as a line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct TimedRun {
    /// The date and time.
    date: String,
    version: String,
    /// What was run; only equal runs are compared.
    run: String,
    nodes: u64,
    nps: u64,
    seconds: f64,
}

/// The history to which a run will be added.
#[derive(Default)]
pub(crate) struct RunHistory {
    file: Option<AppendFile>,
    /// Earlier runs with the same settings.
    earlier: Vec<TimedRun>,
    run: String,
    #[cfg(feature = "plot")]
    plot: Option<plot::PlotFile>,
}

impl HistoryArgs {
    /// Opens the files to be written, and reads the earlier runs with the same settings.
    ///
    /// # Errors
    /// When a file cannot be read or written, or is not a history.
    pub(crate) fn open(&self, run: String) -> Result<RunHistory> {
        let Some(path) = &self.history else {
            return Ok(RunHistory::default());
        };
        #[cfg(feature = "plot")]
        let plot = self.plot.open(path)?;
        let mut file = AppendFile::open(path)?;
        let mut earlier = read(path, &file.read()?)?;
        earlier.retain(|old| old.run == run);
        Ok(RunHistory {
            file: Some(file),
            earlier,
            run,
            #[cfg(feature = "plot")]
            plot,
        })
    }
}

/// All runs of a file.
fn read(path: &Path, text: &[u8]) -> Result<Vec<TimedRun>> {
    refuse_utf16(text).map_err(|error| named(path, &error))?;
    let text = without_mark(text);
    let lines = (1..).zip(text.split(|byte| *byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    let run = |(number, line)| {
        serde_json::from_slice(line).map_err(|error| {
            let name = path.display();
            Error::Message(format!("{name}, line {number}: {}", of_json(&error, line)))
        })
    };
    lines.map(run).collect()
}

/// Nodes per second.
pub(crate) fn nps(nodes: u64, elapsed: Duration) -> u64 {
    let nanoseconds = elapsed.as_nanos().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX)
}

impl RunHistory {
    /// Adds the run, prints a comparison, and plots all runs.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn add(self, nodes: u64, elapsed: Duration) -> Result {
        let Some(mut file) = self.file else {
            return Ok(());
        };
        let run = TimedRun {
            date: date::timestamp(SystemTime::now()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            run: self.run,
            nodes,
            nps: nps(nodes, elapsed),
            seconds: elapsed.as_secs_f64(),
        };
        let line = serde_json::to_string(&run).map_err(|error| error.to_string())?;
        file.accept_additions()?;
        file.separate("\n")?;
        file.add(format!("{line}\n").as_bytes())?;
        note!("{}", comparison(&self.earlier, &run));
        #[cfg(feature = "plot")]
        if let Some(file) = self.plot {
            file.write(&plots::plot(&self.earlier, &run))?;
        }
        Ok(())
    }
}

/// A comparison of a run with earlier ones.
fn comparison(earlier: &[TimedRun], run: &TimedRun) -> String {
    let Some(last) = earlier.last() else {
        return format!("the first run of {}", run.run);
    };
    let change = |old: u64| 100.0 * (run.nps as f64 / old.max(1) as f64 - 1.0);
    let best = earlier.iter().map(|old| old.nps).max().unwrap_or(0);
    let nodes = if run.nodes == last.nodes {
        "the same nodes".to_owned()
    } else {
        format!("{} nodes before", last.nodes)
    };
    format!(
        "speed {:+.1} % against the last of {}, {:+.1} % against the best; {nodes}",
        change(last.nps),
        count(earlier.len(), "run"),
        change(best)
    )
}

#[cfg(feature = "plot")]
mod plots {
    use super::TimedRun;
    use common::error::Result;
    use common::files::{Force, refuse_same_outputs};
    use plot::{Panel, Plot, PlotFile, Point, Scale, Series};
    use std::path::{Path, PathBuf};

    #[derive(clap::Args, Debug)]
    pub(super) struct PlotArgs {
        /// Plot the history as FILE.svg; `-` plots it in characters on standard output
        #[arg(long, value_name = "FILE", requires = "history")]
        plot: Option<PathBuf>,
        #[command(flatten)]
        force: Force,
    }

    impl PlotArgs {
        pub(super) fn open(&self, history: &Path) -> Result<Option<PlotFile>> {
            let path = self.plot.as_deref();
            refuse_same_outputs(&[Some(history), path])?;
            let open = |path| PlotFile::open(path, self.force.replace(), &[history]);
            path.map(open).transpose()
        }
    }

    /// The speed and the nodes of all runs.
    pub(super) fn plot(earlier: &[TimedRun], run: &TimedRun) -> Plot {
        let panel = |title: &str, value: fn(&TimedRun) -> u64| {
            let runs = earlier.iter().chain([run]);
            let points = (1..).zip(runs);
            let points = points.map(|(x, run)| Point::new(f64::from(x), value(run) as f64));
            Panel {
                title: title.to_owned(),
                x: "runs",
                scale: Scale::Whole,
                series: vec![Series {
                    name: String::new(),
                    points: points.collect(),
                }],
                reference_lines: Vec::new(),
            }
        };
        let day = |run: &TimedRun| run.date.chars().take(10).collect::<String>();
        let first = day(earlier.first().unwrap_or(run));
        Plot {
            title: format!("{}, {first} to {}", run.run, day(run)),
            panels: vec![
                panel("nodes a second", |run| run.nps),
                panel("nodes", |run| run.nodes),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_runs_have_their_speed() {
        assert_eq!(nps(20, Duration::from_nanos(1_900)), 10_526_315);
        assert_eq!(nps(u64::MAX, Duration::ZERO), u64::MAX);
    }

    fn run(nodes: u64, nps: u64) -> TimedRun {
        TimedRun {
            date: "2026-01-31T23:59:59Z".to_owned(),
            version: "0.1.0".to_owned(),
            run: "bench".to_owned(),
            nodes,
            nps,
            seconds: 1.0,
        }
    }

    #[test]
    fn comparisons() {
        let last = run(100, 1000);
        assert_eq!(comparison(&[], &last), "the first run of bench");
        let earlier = [run(100, 2000), run(100, 1000)];
        let said = "speed +10.0 % against the last of 2 runs, -45.0 % against the best; ";
        assert_eq!(
            comparison(&earlier, &run(100, 1100)),
            format!("{said}the same nodes")
        );
        assert_eq!(
            comparison(&earlier, &run(99, 1100)),
            format!("{said}100 nodes before")
        );
    }

    #[test]
    fn lines_are_read_or_named() {
        let line = serde_json::to_string(&run(1, 2)).unwrap();
        let path = Path::new("bench.jsonl");
        let text = format!("{line}\n\n{line}");
        assert_eq!(read(path, text.as_bytes()).unwrap(), [run(1, 2), run(1, 2)]);
        let marked = format!("\u{feff}{line}\n");
        assert_eq!(read(path, marked.as_bytes()).unwrap(), [run(1, 2)]);
        let error = read(path, b"\xff\xfe{\0").unwrap_err().to_string();
        assert_eq!(error, "bench.jsonl: it is UTF-16 text; save it as UTF-8");
        let error = read(path, format!("{line}\n{{}}\n").as_bytes()).unwrap_err();
        assert!(
            error.to_string().starts_with("bench.jsonl, line 2: "),
            "{error}"
        );
    }
}
