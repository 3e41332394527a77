//! `mola analyse`: any engine on positions, test suites and games.

mod analysis;
mod goal;
mod output;
mod stream;
mod task;
mod totals;
mod work;

use crate::client::EngineCommand;
use crate::progress;
use crate::start::{self, parse_option};
use crate::tournament::TimeControl;
use analysis::{Analysis, Header};
use common::count::count;
use common::error::{Error, Result};
use common::files::{Force, NewFile};
use common::parallel::Ended;
use common::signals;
use crossbeam_channel::never;
use engine_core::ByColor;
use engine_core::search::Limits;
use indicatif::ProgressBar;
use output::Lines;
use pgn::{Tree, variant_of};
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use task::Task;
use totals::Totals;
use work::Work;

/// Analyse positions, test suites and games with any engine.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub struct Args {
    /// Lines of FEN or EPD, or a PGN by its name
    #[arg(required_unless_present_any = ["fen", "list_options"])]
    file: Option<PathBuf>,
    /// A position; `startpos` is the start position
    #[arg(long)]
    fen: Vec<String>,
    /// The engine: `COMMAND`, `xboard:COMMAND`, or fields such as `cmd=COMMAND,option.Hash=16`;
    /// Mola if none is given
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineCommand>,
    /// Nodes for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies for each position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Seconds for each position
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Every position is a mate in so many moves; without another limit, search for it by `go mate`
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    mate: Option<u32>,
    /// The clocks: White's, or both with a comma between; [MOVES/]SECONDS[+INCREMENT]
    #[arg(long, value_name = "CLOCK", value_delimiter = ',', num_args = 1)]
    clock: Vec<TimeControl>,
    /// Search without end, and show every line of the engine until Ctrl-C
    #[arg(long, conflicts_with_all = ["nodes", "depth", "time", "mate", "clock", "annotate", "least"])]
    infinite: bool,
    /// Search these moves alone, with commas between: e4,d2d4,Nf3
    #[arg(long, value_name = "MOVES", value_delimiter = ',', num_args = 1)]
    moves: Vec<String>,
    /// Lines for each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Search for a move to play rather than analyse: limits of strength count
    #[arg(long)]
    play: bool,
    /// Set an option of the engine: NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Positions at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// The rules, such as chess960 or atomic
    #[arg(long, default_value = "chess")]
    variant: String,
    /// Write a line of JSON for each position to this file; `-` for the standard output, in place
    /// of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the games with evaluations to this file
    #[arg(long, value_name = "PGN")]
    annotate: Option<PathBuf>,
    /// Show the solved positions of a suite, too
    #[arg(long, short)]
    verbose: bool,
    /// Fail if fewer positions are solved
    #[arg(long, value_name = "COUNT")]
    least: Option<usize>,
    /// List the options of the engine, and end
    #[arg(long)]
    list_options: bool,
    #[command(flatten)]
    force: Force,
}

const EXAMPLES: &str = "Examples:
  mola analyse --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' --depth 15
  mola analyse win_at_chess.epd --nodes 100000                 solved of all, by bm, am and dm
  mola analyse win_at_chess.epd --nodes 100000 --engine stockfish
  mola analyse mate3.fen --mate 3
  mola analyse games.pgn --depth 12 --annotate annotated.pgn --json games.jsonl
  mola analyse --fen startpos --infinite --moves e4,d4 --multipv 2    until Ctrl-C
  mola analyse --engine stockfish --list-options
Scores are White's, in pawns: #3 is a mate in three by White, #-3 one by Black.
A run that was stopped goes on where it was when it is started again with the same --json FILE.";

/// Runs the subcommand.
///
/// # Errors
/// When the input cannot be read, the output cannot be written, the engine fails, or fewer
/// positions are solved than asked for.
pub fn run(args: &Args) -> Result {
    let work = work(args)?;
    if args.list_options {
        return list_options(&work);
    }
    let (tasks, games) = tasks(args)?;
    if args.infinite {
        let [task] = tasks.as_slice() else {
            return Err(Error::Message("--infinite is for one position".to_owned()));
        };
        return stream::run(&work, task, is_to_stdout(args), &signals::watch());
    }
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

/// Totals and analyses, and after a run that was stopped before the end the words on how to go on.
type Found = (Totals, Vec<Analysis>, Option<String>);

fn analyse(args: &Args, work: &Work, tasks: &[Task], inputs: &[&Path]) -> Result<Found> {
    let header = Header {
        engine: work.command.label(),
        limits: limits_text(args),
        positions: tasks.len(),
        scores: "white".to_owned(),
    };
    let json = args.json.as_deref();
    let replace = args.force.replace();
    let (mut lines, mut analyses) =
        Lines::open(json, &header, &settings(args, &header), replace, inputs)?;
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
    if !is_to_stdout(args) {
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

fn is_to_stdout(args: &Args) -> bool {
    args.json.as_deref() == Some(Path::new("-"))
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

fn tasks(args: &Args) -> Result<(Vec<Task>, Vec<Tree>)> {
    let (variant, mode) = variant_of(Some(&args.variant))?;
    let (mut tasks, games) = match &args.file {
        Some(path) => task::from_file(path, variant, mode)?,
        None => (Vec::new(), Vec::new()),
    };
    for fen in &args.fen {
        let task = task::from_line(fen, tasks.len() + 1, variant, mode)?;
        tasks.push(task);
    }
    if tasks.is_empty() {
        return Err(Error::Message("no position to analyse".to_owned()));
    }
    for task in &mut tasks {
        task.goal.mate = args.mate.or(task.goal.mate);
        task.set_moves(&args.moves)?;
    }
    if args.least.is_some() && tasks.iter().all(|task| task.goal.is_empty()) {
        return Err(Error::Message("no position asks for a move".to_owned()));
    }
    Ok((tasks, games))
}

fn work(args: &Args) -> Result<Work> {
    let mut command = match &args.engine {
        Some(command) => command.clone(),
        None => EngineCommand {
            name: Some(common::ENGINE_NAME.to_owned()),
            ..EngineCommand::own()?
        },
    };
    let show_wdl = ("UCI_ShowWDL".to_owned(), "true".to_owned());
    command.wishes.push(show_wdl);
    command.options.extend(args.options.iter().cloned());
    let move_time = match args.time {
        Some(time) if !(0.001..=1e6).contains(&time) => {
            return Err(Error::Message("--time is seconds from 0.001 on".to_owned()));
        }
        time => time.map(Duration::from_secs_f64),
    };
    let clocks = match *args.clock.as_slice() {
        [] => None,
        [both] => Some(ByColor([both; 2])),
        [white, black] => Some(ByColor([white, black])),
        _ => return Err(Error::Message("--clock has one clock or two".to_owned())),
    };
    let has_limit =
        args.nodes.is_some() || args.depth.is_some() || move_time.is_some() || clocks.is_some();
    if !has_limit && args.mate.is_none() && !args.infinite && !args.list_options {
        let message = "a limit is needed: --nodes, --depth, --time, --clock, --mate or --infinite";
        return Err(Error::Message(message.to_owned()));
    }
    Ok(Work {
        command,
        limits: Limits {
            nodes: args.nodes,
            depth: args.depth,
            move_time,
            // An ordinary search has to find the mate by itself.
            mate: args.mate.filter(|_| !has_limit),
            ..Limits::default()
        },
        clocks,
        multi_pv: args.multipv.into(),
        analyse: !args.play,
    })
}

fn limits_text(args: &Args) -> String {
    let mut parts = Vec::new();
    parts.extend(args.nodes.map(|nodes| format!("nodes {nodes}")));
    parts.extend(args.depth.map(|depth| format!("depth {depth}")));
    parts.extend(args.time.map(|time| format!("time {time}")));
    parts.extend(args.clock.iter().map(|clock| format!("clock {clock}")));
    parts.extend(args.mate.map(|mate| format!("mate {mate}")));
    if !args.moves.is_empty() {
        parts.push(format!("moves {}", args.moves.join(" ")));
    }
    parts.push(format!("multipv {}", args.multipv));
    let options = args.options.iter();
    parts.extend(options.map(|(name, value)| format!("{name}={value}")));
    parts.join(", ")
}

/// What the analyses depend on: a run goes on with a file only if this is the same.
fn settings(args: &Args, header: &Header) -> String {
    let mut parts = vec![header.engine.clone(), header.limits.clone()];
    parts.extend(args.file.iter().map(|path| path.display().to_string()));
    parts.extend(args.fen.iter().cloned());
    parts.push(count(header.positions, "position"));
    if args.play {
        parts.push("play".to_owned());
    }
    parts.join(", ")
}

/// Prints an analysis; one of a solved position only with `--verbose`.
fn write_analysis(args: &Args, analysis: &Analysis, bar: &ProgressBar) -> Result {
    if is_to_stdout(args) || (analysis.solved == Some(true) && !args.verbose) {
        return Ok(());
    }
    let write = || writeln!(stdout(), "{analysis}");
    Ok(bar.suspend(write)?)
}
