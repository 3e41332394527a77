//! `mola analyse`: any engine on positions, test suites and games.

mod analysis;
mod arguments;
mod goal;
mod output;
mod stream;
mod task;
mod totals;
mod work;

use crate::{progress, start};
use analysis::{Analysis, Header};
pub use arguments::Args;
use common::count::count;
use common::error::{Error, Result};
use common::files::{NewFile, refuse_same_outputs};
use common::parallel::Ended;
use common::signals;
use crossbeam_channel::never;
use indicatif::ProgressBar;
use output::Lines;
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use task::Task;
use totals::Totals;
use work::Work;

/// Runs the subcommand.
///
/// # Errors
/// When the input cannot be read, the output cannot be written, the engine fails, or fewer
/// positions are solved than asked for.
pub fn run(args: &Args) -> Result {
    let work = args.work()?;
    if args.list_options {
        return list_options(&work);
    }
    let (tasks, games) = args.tasks()?;
    if args.infinite {
        let [task] = tasks.as_slice() else {
            return Err(Error::Message("--infinite is for one position".to_owned()));
        };
        return stream::run(&work, task, args.is_to_stdout(), &signals::watch());
    }
    refuse_same_outputs(&[args.annotate.as_deref(), args.json.as_deref()])?;
    let inputs: Vec<&Path> = args.file.iter().map(PathBuf::as_path).collect();
    let annotated = args.annotate.as_deref();
    let annotated = annotated.map(|path| NewFile::create(path, args.force.replace(), &inputs));
    let annotated = annotated.transpose()?;
    let (totals, analyses, stopped) = analyse(args, &work, &tasks, &inputs)?;
    if let Some(file) = annotated {
        output::annotate(file, games, &tasks, &analyses)?;
    }
    finish(args, &totals, tasks.len(), stopped.as_deref())
}

/// Totals and analyses, and for a stopped run the message on how to resume it.
type AnalysisRun = (Totals, Vec<Analysis>, Option<String>);

fn analyse(args: &Args, work: &Work, tasks: &[Task], inputs: &[&Path]) -> Result<AnalysisRun> {
    let header = Header {
        engine: work.command.label(),
        limits: args.limits_text(),
        positions: tasks.len(),
        scores: "white".to_owned(),
    };
    let json = args.json.as_deref();
    let replace = args.force.replace();
    let (mut lines, mut analyses) =
        Lines::open(json, &header, &args.settings(&header), replace, inputs)?;
    let mut totals = Totals::default();
    for analysis in &analyses {
        totals.add(analysis);
    }
    let (all, first) = (tasks.len(), analyses.len());
    let template = "{pos}/{len} {bar:20} {eta} left  {wide_msg}";
    let bar = progress::bar(template, all as u64, first as u64);
    let concurrency = args.concurrency.into();
    let signals = signals::watch();
    let ended = work.run(tasks, first, concurrency, &signals, |analysis| {
        totals.add(&analysis);
        write_analysis(args, &analysis, &bar)?;
        lines.add(&analysis)?;
        analyses.push(analysis);
        bar.inc(1);
        bar.set_message(totals.text());
        Ok(ControlFlow::Continue(()))
    });
    bar.finish_and_clear();
    let is_stopped = ended? == Ended::Interrupted;
    let how = lines.finish(is_stopped)?;
    Ok((totals, analyses, is_stopped.then_some(how)))
}

/// Prints the totals, and fails if a position could not be analysed or too few are solved.
fn finish(args: &Args, totals: &Totals, positions: usize, stopped: Option<&str>) -> Result {
    if !args.is_to_stdout() {
        let text = totals.text();
        let stopped = stopped.map(|how| format!("; stopped{how}"));
        let stopped = stopped.unwrap_or_default();
        writeln!(stdout(), "{text}{stopped}; scores are White's")?;
    }
    if let Some(error) = &totals.error {
        let failed = totals.failed;
        return Err(Error::Message(format!(
            "{failed} of {} failed: {error}",
            count(positions, "position")
        )));
    }
    match args.least {
        Some(least) if totals.solved < least => Err(Error::Message(format!(
            "{} solved, fewer than {least}",
            totals.solved
        ))),
        _ => Ok(()),
    }
}

/// Prints the options that the engine declares.
fn list_options(work: &Work) -> Result {
    let engine = start::start(&work.command, &never())?;
    let mut out = stdout().lock();
    for option in engine.options() {
        writeln!(out, "{option}")?;
    }
    Ok(())
}

/// Prints an analysis; one of a solved position only with `--verbose`.
fn write_analysis(args: &Args, analysis: &Analysis, bar: &ProgressBar) -> Result {
    if args.is_to_stdout() || (analysis.solved == Some(true) && !args.verbose) {
        return Ok(());
    }
    let write = || writeln!(stdout(), "{analysis}");
    Ok(bar.suspend(write)?)
}
