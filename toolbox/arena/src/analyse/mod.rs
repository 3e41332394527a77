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
use common::files::{NewFile, refuse_outputs_of_run, refuse_packed};
use common::parallel::Ended;
use common::signals;
use crossbeam_channel::never;
use indicatif::ProgressBar;
use output::JsonLines;
use std::io::{self, Write, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;
use task::AnalysisTask;
use totals::Totals;
use work::Work;

/// Runs the subcommand.
///
/// # Errors
/// When the input cannot be read, the output cannot be written, the engine fails, a signal came, or
/// fewer positions are solved than asked for.
pub fn run(args: &Args) -> Result {
    let work = args.work()?;
    if args.list_options {
        return list_options(&work);
    }
    args.refuse_stdin()?;
    let (tasks, games) = args.tasks()?;
    if args.infinite {
        if args.json.is_some() && !args.is_to_stdout() {
            let message = "--infinite writes JSON to standard output only: --json -";
            return Err(Error::Usage(message.to_owned()));
        }
        let [task] = tasks.as_slice() else {
            return Err(Error::Usage("--infinite is for one position".to_owned()));
        };
        return stream::run(&work, task, args.is_to_stdout(), &signals::watch());
    }
    if args.annotate.is_some() && games.is_empty() {
        let message = "--annotate needs a file of games (.pgn)";
        return Err(Error::Usage(message.to_owned()));
    }
    args.annotate.as_deref().map_or(Ok(()), refuse_packed)?;
    refuse_outputs_of_run(args.json.as_deref(), &[args.annotate.as_deref()])?;
    let mut inputs = work.command.files();
    inputs.extend(args.file.clone());
    let annotated = args.annotate.as_deref();
    let annotated = annotated.map(|path| NewFile::create(path, args.force.replace(), &inputs));
    let annotated = annotated.transpose()?;
    let (totals, analyses, ended) = analyse(args, &work, &tasks, &inputs)?;
    // Games that lack evaluations would look complete; the run that resumes this one writes them.
    if let Some(file) = annotated.filter(|_| ended.is_ok()) {
        output::annotate(file, games, &tasks, &analyses)?;
    }
    write_totals(args, &totals)?;
    // A stopped run says how to resume it; the resumed run reports what has failed.
    ended?;
    none_failed(&totals, tasks.len())?;
    enough_solved(args, &totals)
}

/// Totals and analyses, and for a stopped run the error that says how to resume it.
type AnalysisRun = (Totals, Vec<Analysis>, Result);

fn analyse(
    args: &Args,
    work: &Work,
    tasks: &[AnalysisTask],
    inputs: &[PathBuf],
) -> Result<AnalysisRun> {
    let header = Header {
        engine: work.command.label(),
        limits: args.limits_text(),
        positions: tasks.len(),
        scores: "white".to_owned(),
    };
    let json = args.json.as_deref();
    let replace = args.force.replace();
    let (mut lines, mut analyses) = JsonLines::open(
        json,
        &header,
        tasks,
        || args.settings(&header, &work.command),
        replace,
        inputs,
    )?;
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
        lines.add(&analysis)?;
        write_analysis(args, &analysis, &bar)?;
        analyses.push(analysis);
        bar.inc(1);
        bar.set_message(totals.text());
        Ok(ControlFlow::Continue(()))
    });
    bar.finish_and_clear();
    let ended = ended?;
    let how = lines.finish(ended == Ended::Interrupted)?;
    let unwritten = |path: &PathBuf| format!("{} is not written", path.display());
    let how = how.or_else(|| args.annotate.as_ref().map(unwritten));
    Ok((totals, analyses, ended.or_interrupted(how.as_deref())))
}

/// Prints the totals.
fn write_totals(args: &Args, totals: &Totals) -> Result {
    if !args.is_to_stdout() {
        writeln!(stdout(), "{}; scores are White's", totals.text())?;
    }
    Ok(())
}

/// Fails if a position could not be analysed.
fn none_failed(totals: &Totals, positions: usize) -> Result {
    if let Some(error) = &totals.error {
        let failed = totals.failed;
        return Err(Error::Message(format!(
            "{failed} of {} failed: {error}",
            count(positions, "position")
        )));
    }
    Ok(())
}

/// Fails if fewer positions are solved than asked for.
fn enough_solved(args: &Args, totals: &Totals) -> Result {
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
    let written = bar.suspend(|| writeln!(stdout(), "{analysis}"));
    let is_for_files = args.json.is_some() || args.annotate.is_some();
    written.map_err(|error| match error.kind() {
        // Elsewhere a closed pipe is no error; but then the files are not finished.
        io::ErrorKind::BrokenPipe if is_for_files => {
            Error::Message("standard output is closed".to_owned())
        }
        _ => error.into(),
    })
}
