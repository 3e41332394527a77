//! `mola match`: games between engines, and what they prove.

mod duel;
mod history;
mod panels;
mod progress;
mod report;
mod standings;
mod summary;

use crate::client::EngineCommand;
use crate::play_args::PlayArgs;
use crate::tournament::{
    Entrant, GameResult, MatchGame, Plan, PlayLimits, Results, Schedule, Sprt, bad_lines, ending,
    results, tally_of_results, write,
};
use crate::trees::trees;
use common::arguments::useless_with;
use common::control_characters::without_control_characters;
use common::error::{Error, Result};
use common::files::{self, Force, NewFile, RecordFile};
use common::note;
use common::parallel::Ended;
use common::shard::Shard;
use common::signals;
use history::MatchHistory;
use pgn::command::unpack;
use plot::PlotFile;
use progress::MatchProgress;
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use summary::MatchSummary;
pub(crate) use summary::score;

/// Play engines against each other and report the results with their statistics.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, mut_args(useless_with("from", &OF_REPORTS)))]
pub struct Args {
    /// The engines, two or more: `COMMAND`, `xboard:COMMAND`, or fields such as
    /// `name=A,cmd=COMMAND,proto=xboard,option.Hash=16,tc=10+0.1`. Its own `tc` or `st`, `nodes` and `depth`
    /// each replace the limit of that kind that all engines have; the others hold for it, too
    #[arg(value_name = "ENGINE")]
    engines: Vec<String>,
    /// Evaluate the games of this file instead of playing; each ENGINE is then a name
    #[arg(long, value_name = "PGN")]
    from: Option<PathBuf>,
    /// The first engine plays all others; these do not play each other
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    play: PlayArgs,
    /// Maximum number of games between two engines
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Play only this part of the openings, to share a match among machines; combine the games with
    /// `mola pgn merge` and --from
    #[arg(
        long,
        value_name = "PART/PARTS",
        default_value_t,
        hide_default_value = true,
        conflicts_with = "sprt"
    )]
    shard: Shard,
    /// Stop when the SPRT accepts ELO0 or ELO1 as the Elo difference: `0,5`, optionally with
    /// `alpha=0.05`, `beta=0.05`, `model=normalized`, `logistic` or `bayesian`
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Write the games to this file. During the match they are in FILE.part; the same command
    /// resumes a stopped match
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the summary as JSON to this file; `-` for standard output, instead of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Plot the score, SPRT and time use as FILE.svg; `-` plots them in characters on standard
    /// output
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// The Event tag of the games
    #[arg(long, default_value = "Match")]
    event: String,
    /// Print the result of every game to stderr
    #[arg(long, short)]
    verbose: bool,
    /// Fail if the first engine was at fault in any game
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    force: Force,
}

/// What `--from` heeds; everything else is about playing.
const OF_REPORTS: [&str; 5] = ["engines", "sprt", "json", "plot", "force"];

const EXAMPLES: &str = "Examples:
  mola match 'mola uci' stockfish --tc 10+0.1 --games 200 --book openings.epd
  mola match 'name=new,cmd=./mola' 'name=old,cmd=./mola-old' --nodes 20000 --sprt 0,5
  mola match 'mola uci' xboard:fairymax --tc 5+0.05 --pgn games.pgn
  mola match 'mola uci' stockfish 'gnuchess --uci' --tc 5+0.05 --games 20    a round robin
  mola match 'cmd=mola uci,nodes=20000' 'cmd=stockfish,nodes=1000' --games 100
  mola match --from games.pgn --sprt 0,5 --plot match.svg
  mola match ./new ./old --nodes 20000 --games 16000 --shard 3/16 --pgn part-3.pgn
Ctrl-C ends the match with its report; with --pgn the same command resumes it.
The command fails if an engine crashes or hangs in all of its games.";

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be read or written, an engine cannot be started or never plays a game, or a
/// signal came.
pub fn run(args: &Args) -> Result {
    let others = [&args.json, &args.plot];
    files::refuse_outputs_of_run(args.pgn.as_deref(), &others.map(Option::as_deref))?;
    let is_json_only = args.json.as_deref().is_some_and(files::is_dash);
    // A file that cannot be written is reported before the first game.
    let json = args.json.as_deref().filter(|_| !is_json_only);
    let entrants = args.entrants()?;
    let inputs = args.inputs(&entrants);
    let json = json.map(|path| NewFile::create(path, args.force.replace(), &inputs));
    let json = json.transpose()?;
    let plot = args.open_plot(&inputs)?;
    let mut summary = match &args.from {
        Some(path) => recount(path, args)?,
        None => play(args, entrants, &inputs)?,
    };
    let text = summary.json().map_err(|error| error.to_string())?;
    // Files come before the standard output, which may be a closed pipe or on a full disk.
    // A stopped match, which the same command resumes, has no summary yet.
    let goes_on = summary.interrupted && args.pgn.is_some();
    if let Some(mut file) = json.filter(|_| !goes_on) {
        writeln!(file, "{text}")?;
        file.finish()?;
    }
    let plot = plot.filter(|plot| plot.is_stdout() || !goes_on);
    let mut plot = plot.zip(summary.history.take());
    if let Some((file, history)) = plot.take_if(|(file, _)| !file.is_stdout()) {
        file.write(&history.plot(&summary))?;
    }
    if is_json_only {
        writeln!(stdout(), "{text}")?;
    } else {
        write!(stdout(), "{summary}")?;
    }
    if let Some((file, history)) = plot {
        file.write(&history.plot(&summary))?;
    }
    if let Some(failure) = summary.failure.take() {
        return Err(failure);
    }
    if let Some(why) = summary.useless() {
        return Err(Error::Message(why));
    }
    if args.strict && !summary.results.faults(0).is_empty() {
        let first = summary.names.first().map_or("", String::as_str);
        return Err(Error::Message(format!("{first} failed")));
    }
    if summary.interrupted {
        return Err(Error::Interrupted("the match was interrupted".to_owned()));
    }
    Ok(())
}

impl Args {
    /// Where the plot goes.
    fn open_plot(&self, inputs: &[PathBuf]) -> Result<Option<PlotFile>> {
        let Some(path) = &self.plot else {
            return Ok(None);
        };
        let plot = PlotFile::open(path, self.force.replace(), inputs)?;
        if plot.is_stdout() && self.json.as_ref() == Some(path) {
            let message = "--plot - and --json - cannot both write to standard output";
            return Err(Error::Usage(message.to_owned()));
        }
        Ok(Some(plot))
    }

    /// The engines that play; none where the games of a file are counted.
    fn entrants(&self) -> Result<Vec<Entrant>> {
        if self.from.is_some() {
            return Ok(Vec::new());
        }
        if self.engines.len() < 2 {
            return Err(Error::Usage("two engines, please".to_owned()));
        }
        let engines = self.engines.iter();
        engines
            .map(|engine| self.play.entrant(Some(engine)))
            .collect()
    }

    /// The files that are read, and those that the engines are run from.
    fn inputs(&self, entrants: &[Entrant]) -> Vec<PathBuf> {
        let files = entrants.iter().flat_map(|entrant| entrant.command.files());
        let read = self.from.iter().chain(&self.play.book).cloned();
        files.chain(read).collect()
    }

    /// What the games and their tags depend on.
    fn settings(&self, entrants: &[Entrant]) -> String {
        let Args {
            engines,
            games,
            gauntlet,
            shard,
            event,
            ..
        } = self;
        let commands = entrants.iter().map(|entrant| &entrant.command);
        let files = EngineCommand::hashed_files(commands);
        let files: Vec<String> = files.map(|file| format!(", {file}")).collect();
        let kind = if *gauntlet { "gauntlet" } else { "round robin" };
        let (engines, play) = (engines.join(" | "), self.play.settings());
        let part = if shard.is_whole() {
            String::new()
        } else {
            format!(", part {shard}")
        };
        let files = files.concat();
        format!("{kind} of {engines}{files}, {games} games each{part}, {play}, event {event}")
    }
}

/// Adds up the games of a file.
fn recount(path: &Path, args: &Args) -> Result<MatchSummary> {
    let text = unpack::read_input(path)?;
    let games = results(&text);
    let names = players(&games, &args.engines);
    let [first, second, ..] = names.as_slice() else {
        let path = files::input_name(path);
        return Err(Error::Message(match args.engines.as_slice() {
            [name] => format!("{path}: no games of {name}"),
            _ => format!("{path}: no games between two players"),
        }));
    };
    let mut results = Results::new(names.len());
    for (one, name) in names.iter().enumerate() {
        for (two, other) in names.iter().enumerate().skip(one + 1) {
            results.set_tally((one, two), tally_of_results(&games, name, other));
        }
    }
    add_endings(&mut results, &games, &names);
    if results.games() == 0 {
        let path = files::input_name(path);
        let message = format!("{path}: no finished games of {first} and {second}");
        return Err(Error::Message(message));
    }
    let sprt = sprt_of_two(args, names.len())?;
    let history = args.plot.as_ref();
    let history = history.map(|_| MatchHistory::of_file(&text, &games, &names, sprt));
    Ok(MatchSummary {
        names: names
            .iter()
            .map(|name| without_control_characters(name))
            .collect(),
        results,
        sprt,
        history,
        ..MatchSummary::default()
    })
}

/// Adds how the games between these players ended, and their faults.
fn add_endings(results: &mut Results, games: &[GameResult], names: &[String]) {
    let number = |player: &String| names.iter().position(|name| name == player);
    for game in games {
        let players = (number(&game.white), number(&game.black));
        let (Some(white), Some(black)) = players else {
            continue;
        };
        if let Some(ending) = game.ending.as_ref().filter(|_| white != black) {
            results.add_ending([white, black], ending);
            for (engine, (_, times)) in [white, black].into_iter().zip(game.bad_lines) {
                results.add_bad_lines(engine, times);
            }
        }
    }
}

/// The engines whose games are counted: those named if there are two or more, else one and its
/// first opponent, or all if none is named.
fn players(games: &[GameResult], named: &[String]) -> Vec<String> {
    let mut players: Vec<String> = Vec::new();
    let has_named = |game: &&GameResult| match named {
        [one] => [&game.white, &game.black].contains(&one),
        _ => true,
    };
    let others = games.iter().filter(has_named);
    let others = others.flat_map(|game| [&game.white, &game.black]);
    let is_enough = named.len() >= 2;
    for name in named.iter().chain(others.filter(|_| !is_enough)) {
        if !players.contains(name) {
            players.push(name.clone());
        }
    }
    if named.len() == 1 {
        players.truncate(2);
    }
    players
}

/// The sequential test, which compares two engines.
fn sprt_of_two(args: &Args, engines: usize) -> Result<Option<Sprt>> {
    if args.sprt.is_some() && engines > 2 {
        let message = format!("--sprt compares two engines, not {engines}");
        return Err(Error::Usage(message));
    }
    Ok(args.sprt)
}

fn plan(args: &Args, entrants: Vec<Entrant>) -> Result<Plan> {
    let schedule = if args.gauntlet {
        Schedule::gauntlet(entrants.len(), args.games)
    } else {
        Schedule::round_robin(entrants.len(), args.games)
    };
    args.play.plan(entrants, schedule.part(args.shard))
}

/// Plays the match.
fn play(args: &Args, entrants: Vec<Entrant>, inputs: &[PathBuf]) -> Result<MatchSummary> {
    let sprt = sprt_of_two(args, args.engines.len())?;
    if args.pgn.is_some() {
        args.play.refuse_stdin()?;
    }
    let mut plan = plan(args, entrants)?;
    let mut pgn = match &args.pgn {
        Some(path) => Some(open(args, &plan.entrants, path, inputs)?),
        None => None,
    };
    let signals = signals::watch();
    let began = Instant::now();
    let introduced = plan.introduce(&signals)?;
    let names = plan.entrants.iter().map(|entrant| entrant.command.label());
    let names = names.map(|name| without_control_characters(&name));
    let limits: Vec<PlayLimits> = plan.entrants.iter().map(|entrant| entrant.limits).collect();
    let mut summary = MatchSummary {
        names: names.collect(),
        limits: limits_text(&limits),
        results: Results::new(plan.entrants.len()),
        sprt,
        interrupted: introduced == Ended::Interrupted,
        history: args
            .plot
            .as_ref()
            .map(|_| MatchHistory::new(plan.entrants.len())),
        ..MatchSummary::default()
    };
    if summary.interrupted {
        return Ok(summary);
    }
    let first = match &mut pgn {
        Some(file) => resume(file, &plan.schedule, &mut summary)?,
        None => 0,
    };
    summary.is_resumed = first > 0;
    let mut progress = MatchProgress::new(plan.schedule.len(), first, args.verbose);
    // The test of a resumed match may have ended before.
    let was_decided = summary.is_decided();
    let take = |game: MatchGame| {
        if let Some(file) = &mut pgn {
            let control = time_control(&game, &limits);
            file.add(write(&game, &args.event, &control).as_bytes())?;
        }
        summary.add(&game);
        progress.update(&game, &summary);
        Ok(if summary.is_decided() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    };
    let ended = if was_decided {
        Ok(Ended::Enough)
    } else {
        plan.play(first, &signals, take)
    };
    progress.end();
    match ended {
        Ok(ended) => summary.interrupted = ended == Ended::Interrupted,
        // What was played so far is still reported.
        Err(error) if summary.results.games() == 0 => return Err(error),
        Err(error) => {
            summary.interrupted = true;
            summary.failure = Some(error);
        }
    }
    summary.seconds = began.elapsed().as_secs_f64();
    match pgn {
        Some(file) if summary.interrupted => {
            note!("mola: {}", file.how_to_go_on());
        }
        Some(file) => file.finish()?,
        None => {}
    }
    Ok(summary)
}

fn open(args: &Args, entrants: &[Entrant], path: &Path, inputs: &[PathBuf]) -> Result<RecordFile> {
    let replace = args.force.replace();
    RecordFile::open(path, &args.settings(entrants), replace, inputs)
}

/// Adds the games that an earlier run has played, and returns their number.
fn resume(file: &mut RecordFile, schedule: &Schedule, summary: &mut MatchSummary) -> Result<u64> {
    let text = file.read()?;
    for (number, tree) in (0..).zip(trees(&text)) {
        if let (Some(scheduled), Some(ending)) = (schedule.game(number), ending(&tree)) {
            summary.add_result(scheduled, &ending);
            for (color, times) in bad_lines(&tree) {
                summary
                    .results
                    .add_bad_lines(scheduled.engine(color), times);
            }
            if let Some(history) = &mut summary.history {
                history.add_times_of(&tree, [scheduled.white, scheduled.black]);
            }
        }
    }
    Ok(file.records())
}

/// The limits of the searches: one text where they are the same for all.
fn limits_text(limits: &[PlayLimits]) -> String {
    let mut texts: Vec<String> = limits.iter().map(PlayLimits::to_string).collect();
    if texts.iter().all(|text| Some(text) == texts.first()) {
        texts.truncate(1);
    }
    texts.join(" against ")
}

/// The tag `TimeControl`; the standard has no value for different clocks.
fn time_control(game: &MatchGame, limits: &[PlayLimits]) -> String {
    let text = |engine: usize| {
        let clock = limits.get(engine).and_then(|limits| limits.clock);
        clock.map_or("-".to_owned(), |clock| clock.to_string())
    };
    let (white, black) = (text(game.scheduled.white), text(game.scheduled.black));
    if white == black {
        white
    } else {
        format!("{white} | {black}")
    }
}
