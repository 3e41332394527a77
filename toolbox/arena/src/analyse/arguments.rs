//! The arguments of `mola analyse`, and the searches that they ask for.

use super::analysis::Header;
use super::task::{self, AnalysisTask};
use super::work::Work;
use crate::client::EngineCommand;
use crate::play_args::{name_of_pgn_variant, seconds};
use crate::start::parse_option;
use crate::tournament::TimeControl;
use clap::ArgGroup;
use common::count::count;
use common::error::{Error, Result};
use common::files::{self, Force};
use engine_core::ByColor;
use engine_core::search::Limits;
use pgn::{Tree, variant_of};
use std::path::PathBuf;
use std::time::Duration;

/// Analyse positions, test suites and games with any engine.
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("positions").required(true).multiple(true).args(["file", "fen", "list_options"]))]
#[command(visible_alias = "analyze", after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub struct Args {
    /// A file of FEN or EPD lines, or of games (.pgn), or one packed (.gz, .bz2, .zst); `-` is
    /// standard input, which has games if it begins with a tag
    pub(super) file: Option<PathBuf>,
    /// A position; `startpos` is the start position
    #[arg(long)]
    fen: Vec<String>,
    /// The engine: `COMMAND`, `xboard:COMMAND`, or fields such as `cmd=COMMAND,option.Hash=16`
    /// [default: Mola]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineCommand>,
    /// Nodes for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Seconds for each position
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Every position is a mate in this many moves or fewer; without another limit, search with `go mate`
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    mate: Option<u32>,
    /// The clocks: White's, or both separated by a comma; [MOVES/]SECONDS[+INCREMENT]
    #[arg(long, value_name = "CLOCK", value_delimiter = ',', num_args = 1)]
    clock: Vec<TimeControl>,
    /// Search and show every line of the engine until Ctrl-C
    #[arg(long, conflicts_with_all = ["nodes", "depth", "time", "mate", "clock", "annotate", "least"])]
    pub(super) infinite: bool,
    /// Search only these moves, separated by commas: e4,d2d4,Nf3
    #[arg(long, value_name = "MOVES", value_delimiter = ',', num_args = 1)]
    moves: Vec<String>,
    /// Number of lines for each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Search as for play instead of analysis, so that strength limits apply
    #[arg(long)]
    play: bool,
    /// Set an option of the engine: NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Number of positions searched at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: u16,
    /// The rules, such as chess960 or atomic
    #[arg(long, value_name = "NAME", default_value = "chess", value_parser = name_of_pgn_variant)]
    variant: String,
    /// Write a line of JSON for each position to this file; `-` for standard output, instead of the
    /// text
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write the games with evaluations added to this file; scores that are only bounds are left
    /// out
    #[arg(long, value_name = "PGN")]
    pub(super) annotate: Option<PathBuf>,
    /// Also show the solved positions of a suite
    #[arg(long, short)]
    pub(super) verbose: bool,
    /// Fail if fewer positions are solved
    #[arg(long, value_name = "COUNT")]
    pub(super) least: Option<usize>,
    /// List the options of the engine and exit
    #[arg(long)]
    pub(super) list_options: bool,
    #[command(flatten)]
    pub(super) force: Force,
}

const EXAMPLES: &str = "Examples:
  mola analyse --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -' --depth 15
  mola analyse win_at_chess.epd --nodes 100000                 counts the solved by bm, am, dm
  mola analyse win_at_chess.epd --nodes 100000 --engine stockfish
  mola analyse mate3.fen --mate 3
  mola analyse games.pgn --depth 12 --annotate annotated.pgn --json games.jsonl
  mola analyse --fen startpos --infinite --moves e4,d4 --multipv 2    until Ctrl-C
  mola analyse --engine stockfish --list-options
Of games, the positions after each move are analysed, and the first one (ply 0) if it has a FEN.
Scores are in pawns from White's point of view: #3 is mate in three by White, #-3 by Black.
>= or <= before a score (in JSON \"bound\": \"lower\" or \"upper\") says that White stands at least or at
most so well: >=#3 is a proven mate in three or fewer, <=#-3 one by Black.
A stopped run is resumed by the same command with the same --json FILE.";

impl Args {
    /// The positions to analyse, and the games that they are from.
    ///
    /// # Errors
    /// When the input cannot be read, has no position, or does not fit the options.
    pub(super) fn tasks(&self) -> Result<(Vec<AnalysisTask>, Vec<Tree>)> {
        let (variant, mode) = variant_of(Some(&self.variant))?;
        let (mut tasks, games) = match &self.file {
            Some(path) => task::from_file(path, variant, mode)?,
            None => (Vec::new(), Vec::new()),
        };
        for fen in &self.fen {
            let task = task::from_line(fen, tasks.len() + 1, variant, mode)?;
            tasks.push(task);
        }
        if tasks.is_empty() {
            return Err(Error::Message("no position to analyse".to_owned()));
        }
        for task in &mut tasks {
            task.goal.mate = self.mate.or(task.goal.mate);
            task.set_moves(&self.moves)?;
        }
        if self.least.is_some() && !tasks.iter().any(|task| task.goal.can_be_met()) {
            return Err(Error::Message(
                "no position has a move to find (bm, am or dm)".to_owned(),
            ));
        }
        Ok((tasks, games))
    }

    /// The engine and the limits of each search.
    ///
    /// # Errors
    /// When there is no limit, or one is out of range.
    pub(super) fn work(&self) -> Result<Work> {
        let mut command = match &self.engine {
            Some(command) => command.clone(),
            None => EngineCommand {
                name: Some(common::ENGINE_NAME.to_owned()),
                ..EngineCommand::own()?
            },
        };
        let show_wdl = ("UCI_ShowWDL".to_owned(), "true".to_owned());
        command.options_if_supported.push(show_wdl);
        command.options.extend(self.options.iter().cloned());
        let clocks = match *self.clock.as_slice() {
            [] => None,
            [both] => Some(ByColor([both; 2])),
            [white, black] => Some(ByColor([white, black])),
            _ => return Err(Error::Usage("--clock takes one clock or two".to_owned())),
        };
        let has_limit =
            self.nodes.is_some() || self.depth.is_some() || self.time.is_some() || clocks.is_some();
        if !has_limit && self.mate.is_none() && !self.infinite && !self.list_options {
            let message =
                "a limit is needed: --nodes, --depth, --time, --clock, --mate or --infinite";
            return Err(Error::Usage(message.to_owned()));
        }
        Ok(Work {
            command,
            limits: Limits {
                nodes: self.nodes,
                depth: self.depth,
                move_time: self.time,
                // An ordinary search has to find the mate by itself.
                mate: self.mate.filter(|_| !has_limit),
                ..Limits::default()
            },
            clocks,
            multi_pv: self.multipv.into(),
            analyse: !self.play,
        })
    }

    /// The limits and options of each search, for the header of the output.
    pub(super) fn limits_text(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.nodes.map(|nodes| format!("nodes {nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        let time = self.time.map(|time| time.as_secs_f64());
        parts.extend(time.map(|time| format!("time {time}")));
        parts.extend(self.clock.iter().map(|clock| format!("clock {clock}")));
        parts.extend(self.mate.map(|mate| format!("mate {mate}")));
        if !self.moves.is_empty() {
            parts.push(format!("moves {}", self.moves.join(" ")));
        }
        parts.push(format!("multipv {}", self.multipv));
        let options = self.options.iter();
        parts.extend(options.map(|(name, value)| format!("{name}={value}")));
        parts.join(", ")
    }

    /// What the analyses depend on: a run resumes a file only if this is the same.
    pub(super) fn settings(&self, header: &Header, command: &EngineCommand) -> String {
        let variant = format!("variant {}", self.variant);
        let mut parts = vec![header.engine.clone(), header.limits.clone(), variant];
        parts.extend(self.engine.iter().map(|engine| format!("engine {engine}")));
        parts.extend(EngineCommand::hashed_files([command]));
        parts.extend(self.file.as_deref().map(files::identity));
        parts.extend(self.fen.iter().cloned());
        parts.push(count(header.positions, "position"));
        if self.play {
            parts.push("play".to_owned());
        }
        parts.join(", ")
    }

    /// Refuses positions that cannot be read again, where the same command resumes a stopped run.
    ///
    /// # Errors
    /// When they are on the standard input.
    pub(super) fn refuse_stdin(&self) -> Result {
        match &self.file {
            Some(path) if self.json.is_some() && !self.is_to_stdout() => files::refuse_stdin(path),
            _ => Ok(()),
        }
    }

    /// Whether lines of JSON go to the standard output, where no text may be then.
    pub(super) fn is_to_stdout(&self) -> bool {
        self.json.as_deref().is_some_and(files::is_dash)
    }
}
