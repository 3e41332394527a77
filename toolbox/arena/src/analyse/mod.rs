//! `mola analyse`: any engine on positions, test suites and games.

mod goal;
mod record;
mod task;
mod work;

use crate::client::Command;
use crate::matches::pair;
use common::error::{Error, Result};
use common::signals;
use crossbeam_channel::select;
use engine_core::search::Limits;
use indicatif::{ProgressBar, ProgressStyle};
use pgn::{DeepEval, Eval, Tree, Writer, variant_of};
use record::{Header, Record};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;
use task::Task;
use work::Work;

/// Analyse positions, test suites and games with any engine.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Lines of FEN or EPD, or a PGN by its name
    #[arg(required_unless_present = "fen")]
    file: Option<PathBuf>,
    /// A position
    #[arg(long)]
    fen: Vec<String>,
    /// The engine: `COMMAND`, `xboard:COMMAND`, or fields such as `cmd=COMMAND,option.Hash=16`;
    /// Mola if none is given
    #[arg(long, value_name = "ENGINE")]
    engine: Option<Command>,
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
    /// Lines for each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Search for a move to play rather than analyse: limits of strength count
    #[arg(long)]
    play: bool,
    /// Set an option of the engine: NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// Positions at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// The rules, such as chess960 or atomic
    #[arg(long, default_value = "chess")]
    variant: String,
    /// Write a line of JSON for each position to this file, or go on where it ends; `-` for the
    /// standard output, in place of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the games with evaluations to this file
    #[arg(long, value_name = "PGN")]
    annotate: Option<PathBuf>,
    /// Tell solved positions of a suite, too
    #[arg(long, short)]
    verbose: bool,
    /// Fail if fewer positions are solved
    #[arg(long, value_name = "COUNT")]
    least: Option<usize>,
}

const EXAMPLES: &str = "Examples:
  mola analyse --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' --depth 15
  mola analyse win_at_chess.epd --nodes 100000                 solved of all, by bm, am and dm
  mola analyse win_at_chess.epd --nodes 100000 --engine stockfish
  mola analyse mate3.fen --mate 3
  mola analyse games.pgn --depth 12 --annotate annotated.pgn --json games.jsonl
A run that was stopped goes on where it was when it is started again with the same --json FILE.";

/// A number of positions that can be counted in.
#[derive(Default)]
struct Count {
    solved: usize,
    asked: usize,
    points: u32,
    most: u32,
    failed: usize,
    nodes: u64,
}

impl Count {
    fn add(&mut self, record: &Record) {
        self.asked += usize::from(record.solved.is_some());
        self.solved += usize::from(record.solved == Some(true));
        let (points, most) = record.points.unwrap_or_default();
        self.points += points;
        self.most += most;
        self.failed += usize::from(record.error.is_some());
        self.nodes += record
            .lines
            .first()
            .and_then(|line| line.nodes)
            .unwrap_or(0);
    }

    fn text(&self) -> String {
        let mut parts = Vec::new();
        if self.asked > 0 {
            parts.push(format!("{} of {} solved", self.solved, self.asked));
        }
        if self.most > 0 {
            parts.push(format!("{} of {} points", self.points, self.most));
        }
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        parts.push(format!("{} nodes", self.nodes));
        parts.join(", ")
    }
}

/// Runs the subcommand.
///
/// # Errors
/// When the input cannot be read, the output cannot be written, the engine cannot be started, or
/// fewer positions are solved than asked for.
pub fn run(args: &Args) -> Result {
    let (tasks, games) = tasks(args)?;
    let work = work(args)?;
    let header = Header {
        engine: work.command.label(),
        limits: limits_text(args),
        positions: tasks.len(),
    };
    let (mut records, mut file) = open(args, &header, &tasks)?;
    let mut count = Count::default();
    for record in &records {
        count.add(record);
    }
    let bar = progress(tasks.len(), records.len());
    let signals = signals::watch();
    let running = work.start(&tasks, records.len(), args.concurrency.into());
    let mut early: BTreeMap<usize, Record> = BTreeMap::new();
    let mut is_stopped = false;
    while records.len() < tasks.len() && !is_stopped {
        select! {
            recv(running.records()) -> record => match record {
                Ok(record) => {
                    let record = record?;
                    early.insert(record.number, record);
                }
                Err(_) => is_stopped = true,
            },
            recv(signals) -> _ => is_stopped = true,
        }
        while let Some(record) = early.remove(&records.len()) {
            count.add(&record);
            tell(args, &record, &bar)?;
            if let Some(file) = &mut file {
                let line = serde_json::to_string(&record).map_err(|error| error.to_string())?;
                writeln!(file, "{line}")?;
                file.flush()?;
            }
            records.push(record);
            bar.set_position(records.len() as u64);
            bar.set_message(count.text());
        }
    }
    drop(running);
    bar.finish_and_clear();
    if let Some(path) = &args.annotate {
        annotate(path, games, &tasks, &records)?;
    }
    finish(args, &count, records.len() < tasks.len())
}

/// Says what it came to.
fn finish(args: &Args, count: &Count, is_stopped: bool) -> Result {
    if !is_to_stdout(args) {
        let stopped = match (is_stopped, &args.json) {
            (false, _) => "",
            (true, None) => "; stopped",
            (true, Some(_)) => "; stopped: the same command continues",
        };
        writeln!(stdout(), "{}{stopped}", count.text())?;
    }
    match args.least {
        Some(least) if count.solved < least => Err(Error::Message(format!(
            "{} solved, fewer than {least}",
            count.solved
        ))),
        _ => Ok(()),
    }
}

fn is_to_stdout(args: &Args) -> bool {
    args.json.as_deref() == Some(Path::new("-"))
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
    if let Some(moves) = args.mate {
        for task in &mut tasks {
            task.goal.mate = Some(moves);
        }
    }
    if args.least.is_some() && tasks.iter().all(|task| task.goal.is_empty()) {
        return Err(Error::Message("no position asks for a move".to_owned()));
    }
    Ok((tasks, games))
}

fn work(args: &Args) -> Result<Work> {
    let mut command = match &args.engine {
        Some(command) => command.clone(),
        None => Command {
            name: Some(common::ENGINE_NAME.to_owned()),
            ..Command::own()?
        },
    };
    command.options.extend(args.options.iter().cloned());
    let move_time = match args.time {
        Some(time) if !(0.001..=1e6).contains(&time) => {
            return Err(Error::Message("--time is seconds from 0.001 on".to_owned()));
        }
        time => time.map(Duration::from_secs_f64),
    };
    let has_limit = args.nodes.is_some() || args.depth.is_some() || move_time.is_some();
    if !has_limit && args.mate.is_none() {
        let message = "a limit is needed: --nodes, --depth, --time or --mate";
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
        multi_pv: args.multipv.into(),
        analyse: !args.play,
    })
}

fn limits_text(args: &Args) -> String {
    let mut parts = Vec::new();
    parts.extend(args.nodes.map(|nodes| format!("nodes {nodes}")));
    parts.extend(args.depth.map(|depth| format!("depth {depth}")));
    parts.extend(args.time.map(|time| format!("time {time}")));
    parts.extend(args.mate.map(|mate| format!("mate {mate}")));
    parts.push(format!("multipv {}", args.multipv));
    parts.extend(
        args.options
            .iter()
            .map(|(name, value)| format!("{name}={value}")),
    );
    parts.join(", ")
}

fn progress(all: usize, done: usize) -> ProgressBar {
    let bar = ProgressBar::new(all as u64).with_position(done as u64);
    let style = ProgressStyle::with_template("{pos}/{len} {bar:20} {eta} left  {wide_msg}");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

fn named(path: &Path, error: &std::io::Error) -> Error {
    Error::Message(format!("{}: {error}", path.display()))
}

/// Where records are written, and those that are there already.
type Opened = (Vec<Record>, Option<Box<dyn Write>>);

fn open(args: &Args, header: &Header, tasks: &[Task]) -> Result<Opened> {
    let Some(path) = &args.json else {
        return Ok((Vec::new(), None));
    };
    let first = serde_json::to_string(header).map_err(|error| error.to_string())?;
    if is_to_stdout(args) {
        let mut out = stdout();
        writeln!(out, "{first}")?;
        return Ok((Vec::new(), Some(Box::new(out))));
    }
    let (records, length) = match File::open(path) {
        Ok(file) => read_records(path, file, header, tasks)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => (Vec::new(), 0),
        Err(error) => return Err(named(path, &error)),
    };
    let file = OpenOptions::new().append(true).create(true).open(path);
    let mut file = file.map_err(|error| named(path, &error))?;
    // A line that was not finished is written again.
    file.set_len(length)?;
    if length == 0 {
        writeln!(file, "{first}")?;
    }
    Ok((records, Some(Box::new(file))))
}

/// The records of a file, and the length of what is whole.
fn read_records(
    path: &Path,
    file: File,
    header: &Header,
    tasks: &[Task],
) -> Result<(Vec<Record>, u64)> {
    let other = || {
        let path = path.display();
        Error::Message(format!(
            "{path} is of another engine, other limits or positions"
        ))
    };
    let mut reader = BufReader::new(file);
    let mut records: Vec<Record> = Vec::new();
    let mut length = 0;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 && line.ends_with('\n') {
        if length == 0 {
            let found: Header = serde_json::from_str(&line).map_err(|_| other())?;
            if found != *header {
                return Err(other());
            }
        } else {
            let record: Record = serde_json::from_str(&line).map_err(|_| other())?;
            let task = tasks.get(records.len()).ok_or_else(other)?;
            if record.number != records.len() || record.fen != task.fen() {
                return Err(other());
            }
            records.push(record);
        }
        length += line.len() as u64;
        line.clear();
    }
    Ok((records, length))
}

/// A line for people, where there is something to tell.
fn tell(args: &Args, record: &Record, bar: &ProgressBar) -> Result {
    if is_to_stdout(args) || (record.solved == Some(true) && !args.verbose) {
        return Ok(());
    }
    let write = || writeln!(stdout(), "{record}");
    Ok(bar.suspend(write)?)
}

/// Writes games with the evaluations that were found.
fn annotate(path: &Path, mut games: Vec<Tree>, tasks: &[Task], records: &[Record]) -> Result {
    let mut places: Vec<_> = games.iter().map(Tree::root).collect();
    for (task, record) in tasks.iter().zip(records) {
        let Some((game, place)) = task
            .source
            .and_then(|source| games.get_mut(source).zip(places.get_mut(source)))
        else {
            continue;
        };
        let Some(&node) = game.children(*place).first() else {
            continue;
        };
        *place = node;
        let turn = task.game.position().turn();
        let sign = if turn.is_white() { 1 } else { -1 };
        if let Some(line) = record.lines.first() {
            let eval = match (line.mate, line.cp) {
                (Some(mate), _) => Some(Eval::Mate(sign * i64::from(mate))),
                (None, cp) => cp.map(|cp| Eval::Cp(sign * i64::from(cp))),
            };
            let depth = line.depth.map(u64::from);
            game.set_eval(node, eval.map(|eval| DeepEval { eval, depth }));
        }
    }
    let mut file = File::create(path).map_err(|error| named(path, &error))?;
    for game in &games {
        writeln!(file, "{}\n", Writer::new().write(game))?;
    }
    Ok(())
}
