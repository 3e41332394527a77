//! `mola match`: games between two engines, and what they prove.

mod progress;
mod summary;

use crate::client::Command;
use crate::tournament::{
    Adjudication, Draw, Entrant, Order, Pace, Plan, Report, Resign, Sprt, TimeControl, Tournament,
    meetings, read_book, starts, tally_of_meetings, write,
};
use common::error::{Error, Result};
use common::signals::{self, Signal};
use crossbeam_channel::select;
use engine_core::{CastlingMode, Variant};
use progress::Progress;
use std::fs::{File, OpenOptions};
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
pub(crate) use summary::Summary;
use tablebases::Tablebase;

/// Play two engines against each other, and say what the games prove.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The engines: `COMMAND`, `xboard:COMMAND`, or fields such as
    /// `name=A,cmd=COMMAND,proto=xboard,option.Hash=16,tc=10+0.1`
    #[arg(value_name = "ENGINE", num_args = 0..=2)]
    engines: Vec<String>,
    /// Add up the games of this file instead of playing; ENGINE are then names
    #[arg(long, value_name = "PGN")]
    from: Option<PathBuf>,
    #[command(flatten)]
    play: PlayArgs,
    /// How many games at most
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Stop when it is decided whether A is rather ELO1 than ELO0 stronger: `0,5`, then
    /// `alpha=0.05`, `beta=0.05`, `model=normalized`, `logistic` or `bayesian` if need be
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Append the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the summary as JSON to this file; `-` for the standard output, in place of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// What the games are called in the PGN
    #[arg(long, default_value = "Match")]
    event: String,
    /// Tell the result of every game on stderr
    #[arg(long, short)]
    verbose: bool,
    /// Fail if the first engine was at fault in any game
    #[arg(long)]
    strict: bool,
}

/// How games are played; other commands that play have them, too.
#[derive(clap::Args, Debug, Clone)]
pub(crate) struct PlayArgs {
    /// A clock: [MOVES/]SECONDS[+INCREMENT], such as 10+0.1 or 40/5:00
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    st: Option<Duration>,
    /// Nodes for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Plies for each move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds that a clock may be overdrawn
    #[arg(long, value_name = "MS", default_value_t = 0)]
    margin: u64,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Openings: lines of EPD or FEN, or a PGN by its name; each is played with both colours
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The order of the openings
    #[arg(long, value_enum, default_value_t = Order::Random)]
    order: Order,
    /// What the random order follows from
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Plies of an opening that are played at most
    #[arg(long)]
    plies: Option<usize>,
    /// The rules, such as chess960 or atomic
    #[arg(long, default_value = "chess")]
    variant: String,
    /// End games that a side calls lost: `moves=3,score=600[,twosided]`
    #[arg(long, value_name = "RULE", num_args = 0..=1, require_equals = true, default_missing_value = "moves=3")]
    resign: Option<Resign>,
    /// End level games as draws: `number=34,moves=8,score=20`
    #[arg(long, value_name = "RULE", num_args = 0..=1, require_equals = true, default_missing_value = "moves=8")]
    draw: Option<Draw>,
    /// End games as draws after so many moves
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    /// End games by the Syzygy tables of these folders
    #[arg(long, value_name = "PATH")]
    tb: Option<String>,
    /// Let the engines think on the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Start the engines anew for each game
    #[arg(long)]
    restart: bool,
    /// Set an option of both engines if they have it: NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) options: Vec<(String, String)>,
}

const EXAMPLES: &str = "Examples:
  mola match 'mola uci' stockfish --tc 10+0.1 --games 200 --book openings.epd
  mola match 'name=new,cmd=./mola' 'name=old,cmd=./mola-old' --nodes 20000 --sprt 0,5
  mola match 'mola uci' xboard:fairymax --tc 5+0.05 --pgn games.pgn
  mola match 'cmd=mola uci,nodes=20000' 'cmd=stockfish,nodes=1000' --games 100
  mola match --from games.pgn --sprt 0,5
Ctrl-C ends the match with its report.";

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds = text.parse::<f64>().ok();
    seconds
        .filter(|seconds| (0.001..=1e6).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "seconds expected, such as 0.5".to_owned())
}

pub(crate) fn pair(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE expected")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be read or written, or an engine cannot be started.
pub fn run(args: &Args) -> Result {
    let summary = match (&args.from, args.engines.as_slice()) {
        (Some(path), names) => recount(path, names, args.sprt)?,
        (None, [first, second]) => play(args, first, second)?,
        (None, _) => return Err(Error::Message("two engines, please".to_owned())),
    };
    let is_json_only = args.json.as_deref() == Some(Path::new("-"));
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&summary).map_err(|error| error.to_string())?;
        if is_json_only {
            writeln!(stdout(), "{json}")?;
        } else {
            std::fs::write(path, json + "\n").map_err(|error| named(path, &error))?;
        }
    }
    if !is_json_only {
        write!(stdout(), "{summary}")?;
    }
    if args.strict && summary.first_has_faults() {
        return Err(Error::Message(format!("{} was at fault", summary.names[0])));
    }
    Ok(())
}

fn named(path: &Path, error: &std::io::Error) -> Error {
    Error::Message(format!("{}: {error}", path.display()))
}

/// Adds up the games of a file.
fn recount(path: &Path, names: &[String], sprt: Option<Sprt>) -> Result<Summary> {
    let text = std::fs::read(path).map_err(|error| named(path, &error))?;
    let games = meetings(&text);
    let mut players: Vec<&String> = Vec::new();
    for name in names
        .iter()
        .chain(games.iter().flat_map(|game| [&game.white, &game.black]))
    {
        if !players.contains(&name) {
            players.push(name);
        }
    }
    let [first, second, ..] = players.as_slice() else {
        let message = format!("{}: no games between two players", path.display());
        return Err(Error::Message(message));
    };
    let tally = tally_of_meetings(&games, first, second);
    if tally.games() == 0 {
        let message = format!("{}: no games of {first} and {second}", path.display());
        return Err(Error::Message(message));
    }
    Ok(Summary::of_tally([first, second], tally, sprt))
}

/// Plays the match.
fn play(args: &Args, first: &str, second: &str) -> Result<Summary> {
    let entrants = [args.play.entrant(first)?, args.play.entrant(second)?];
    let [label, other] = [&entrants[0], &entrants[1]].map(|entrant| entrant.command.label());
    let paces = entrants.clone().map(|entrant| entrant.pace);
    let mut summary = Summary::new([&label, &other], pace_of_both(&paces), args.sprt);
    let mut pgn = args.pgn.as_deref().map(append).transpose()?;
    let plan = args.play.plan(entrants, args.games)?;
    let mut progress = Progress::new(args.games, args.verbose);
    let signals = signals::watch();
    let began = Instant::now();
    let tournament = Tournament::start(plan);
    loop {
        select! {
            recv(tournament.reports()) -> report => {
                let Ok(report) = report else {
                    break;
                };
                let report = report?;
                if let Some(file) = &mut pgn {
                    let control = time_control(&report, &paces);
                    file.write_all(write(&report, &args.event, &control).as_bytes())?;
                }
                summary.add(&report);
                summary.set_elapsed(began.elapsed());
                progress.tell(&report, &summary);
                if summary.verdict().is_some() {
                    break;
                }
            }
            recv(signals) -> signal => {
                summary.interrupted = true;
                if signal == Ok(Signal::Terminate) {
                    log::warn!("terminated");
                }
                break;
            }
        }
    }
    progress.end();
    drop(tournament);
    Ok(summary)
}

fn append(path: &Path) -> Result<File> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.map_err(|error| named(path, &error))
}

fn pace_of_both([first, second]: &[Pace; 2]) -> String {
    if first == second {
        first.to_string()
    } else {
        format!("{first} against {second}")
    }
}

/// Two engines that play without chance repeat a game that they have played.
fn warn_of_few(openings: usize, games: u64) {
    let (count, pairs) = (openings as u64, games.div_ceil(2));
    if count < pairs {
        let _ = writeln!(
            stderr(),
            "mola: {pairs} pairs of games from {count} opening(s): engines may repeat games; a \
             larger --book prevents it"
        );
    }
}

/// The tag of the PGN; the standard knows none for different clocks.
fn time_control(report: &Report, paces: &[Pace; 2]) -> String {
    let [first, second] = paces.map(|pace| pace.clock.map(|clock| clock.to_string()));
    let (white, black) = if report.is_first_white() {
        (first, second)
    } else {
        (second, first)
    };
    let text = |clock: Option<String>| clock.unwrap_or_else(|| "-".to_owned());
    if white == black {
        text(white)
    } else {
        format!("{} | {}", text(white), text(black))
    }
}

impl PlayArgs {
    /// The pace of both engines.
    fn pace(&self) -> Pace {
        Pace {
            clock: self.tc,
            move_time: self.st,
            depth: self.depth,
            nodes: self.nodes,
            margin: Duration::from_millis(self.margin),
        }
    }

    /// An engine with what is said of it, and for the rest what is said of both.
    pub(crate) fn entrant(&self, text: &str) -> Result<Entrant> {
        let mut own = Pace::default();
        let mut ponder = self.ponder;
        let number = |value: &str| value.parse().map_err(|_| format!("{value:?} is no number"));
        let mut command = Command::parse_with(text, |key, value| {
            match key {
                "tc" => own.clock = Some(value.parse()?),
                "st" => own.move_time = Some(seconds(value)?),
                "nodes" => own.nodes = Some(number(value)?),
                "depth" => own.depth = Some(number(value)? as u32),
                "ponder" => ponder = matches!(value, "true" | "1" | "on"),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        command.wishes.extend(self.options.iter().cloned());
        let mut pace = self.pace();
        let is_own = own != Pace::default();
        if is_own {
            own.margin = pace.margin;
            pace = own;
        }
        if (Pace {
            margin: Duration::ZERO,
            ..pace
        }) == Pace::default()
        {
            let message = "a pace is needed: --tc, --st, --nodes or --depth";
            return Err(Error::Message(message.to_owned()));
        }
        Ok(Entrant {
            command,
            pace,
            ponder,
            restart: self.restart,
        })
    }

    /// What is to be played between two entrants.
    pub(crate) fn plan(&self, entrants: [Entrant; 2], games: u64) -> Result<Plan> {
        let (variant, mode) = rules(&self.variant)?;
        let mut openings = match &self.book {
            Some(path) => read_book(path, variant, mode, self.plies)?,
            None => starts(variant, mode),
        };
        self.order.arrange(&mut openings, self.seed);
        warn_of_few(openings.len(), games);
        let tables = match &self.tb {
            Some(paths) => Some(Arc::new(open_tables(paths)?)),
            None => None,
        };
        Ok(Plan {
            entrants,
            openings,
            games,
            concurrency: self.concurrency.into(),
            rules: Adjudication {
                resign: self.resign,
                draw: self.draw,
                max_moves: self.max_moves,
                tables,
            },
        })
    }
}

/// Variant and castling by a name, of which some mean Chess960.
fn rules(name: &str) -> Result<(Variant, CastlingMode)> {
    let is_960 = pgn::variant_of(Some(name));
    is_960.map_err(Error::Message)
}

fn open_tables(paths: &str) -> Result<Tablebase> {
    let mut tables = Tablebase::new();
    for path in tablebases::split_paths(paths) {
        let added = tables.add_path(&path);
        added.map_err(|error| Error::Message(error.to_string()))?;
    }
    if tables.is_empty() {
        return Err(Error::Message(format!("{paths}: no Syzygy tables there")));
    }
    Ok(tables)
}
