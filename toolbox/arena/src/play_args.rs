//! How games are played, for all commands that play.

use crate::client::EngineCommand;
use crate::start::{engine_or_own, parse_option};
use crate::tournament::{
    AdjudicationPolicy, Draw, Entrant, Order, Plan, PlayLimits, Resign, Schedule, TimeControl,
    read_book, starts,
};
use common::arguments::{number, real};
use common::count::count;
use common::error::{Error, Result};
use common::{files, note};
use pgn::{variant_argument, variant_of};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tablebases::Tablebase;

/// Settings of the games.
#[derive(clap::Args, Debug, Clone)]
pub(crate) struct PlayArgs {
    /// A clock: [MOVES/]SECONDS[+INCREMENT], such as 10+0.1 or 40/5:00
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Seconds for each move; some XBoard engines understand only whole ones
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    st: Option<Duration>,
    /// Nodes for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Depth for each move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds by which a clock may be exceeded; a move of --st may always take 100 more
    #[arg(long, value_name = "MS", default_value_t = 0)]
    margin: u64,
    /// Number of games played at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Openings, each played with both colours: a file of EPD or FEN lines, or of games (.pgn),
    /// or one packed (.gz, .bz2, .zst); `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) book: Option<PathBuf>,
    /// The order of the openings
    #[arg(long, value_enum, default_value_t = Order::Random)]
    order: Order,
    /// Random moves after each opening, the same in both games of a pair, so that games of few
    /// openings do not repeat
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    random_plies: Option<u32>,
    /// Seed of the random order and moves
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Maximum number of plies played from an opening
    #[arg(long)]
    plies: Option<usize>,
    /// The rules, such as chess960 or atomic
    #[arg(long, value_name = "NAME", default_value = "chess", value_parser = name_of_pgn_variant)]
    variant: String,
    /// Adjudicate games as lost by the engine's own score: `moves=3,score=600[,twosided]`
    #[arg(long, value_name = "RULE", num_args = 0..=1, require_equals = true, default_missing_value = "moves=3")]
    resign: Option<Resign>,
    /// Adjudicate level games as draws: `number=34,moves=8,score=20`
    #[arg(long, value_name = "RULE", num_args = 0..=1, require_equals = true, default_missing_value = "moves=8")]
    draw: Option<Draw>,
    /// Adjudicate games as draws after this many moves
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
    /// Adjudicate games by the Syzygy tables in these folders
    #[arg(long, value_name = "PATH")]
    tb: Option<String>,
    /// Let the engines think on the opponent's time, if they can
    #[arg(long)]
    ponder: bool,
    /// Restart the engines for each game
    #[arg(long)]
    restart: bool,
    /// Set an option of all engines that have it: NAME=VALUE
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    pub(crate) options: Vec<(String, String)>,
}

/// A name of a variant, as it was typed.
pub(crate) fn name_of_pgn_variant(text: &str) -> std::result::Result<String, String> {
    variant_argument(text).map(|_| text.to_owned())
}

pub(crate) fn seconds(text: &str) -> std::result::Result<Duration, String> {
    real(text, 0.001..=1e6).map(Duration::from_secs_f64)
}

/// Reads a truth value as it is written for options of engines.
fn flag(text: &str) -> std::result::Result<bool, String> {
    match text {
        "true" | "1" | "on" => Ok(true),
        "false" | "0" | "off" => Ok(false),
        _ => Err("true or false is expected".to_owned()),
    }
}

/// Warns of fewer openings than pairs: deterministic engines repeat their games.
fn warn_of_few(openings: usize, pairs: u64) {
    if (openings as u64) < pairs {
        note!(
            "mola: {} of games from {}: engines may repeat games, which tell nothing new; a larger --book or \
            --random-plies 4 prevents it",
            count(pairs, "pair"),
            count(openings, "opening")
        );
    }
}

impl PlayArgs {
    /// The options that games depend on, as typed; the number of games at a time is not among them.
    pub(crate) fn settings(&self) -> String {
        fn option(name: &str, value: Option<impl ToString>) -> Option<String> {
            value.map(|value| format!("--{name}={}", value.to_string()))
        }
        let book = self.book.as_deref().map(files::identity);
        let order = (self.order == Order::Sequential).then_some("sequential");
        let words = [
            option("tc", self.tc),
            option("st", self.st.map(|time| time.as_secs_f64())),
            option("nodes", self.nodes),
            option("depth", self.depth),
            option("margin", Some(self.margin).filter(|&margin| margin > 0)),
            option("book", book),
            option("order", order),
            option("random-plies", self.random_plies),
            option("seed", Some(self.seed)),
            option("plies", self.plies),
            option("variant", Some(&self.variant)),
            option("resign", self.resign),
            option("draw", self.draw),
            option("max-moves", self.max_moves),
            option("tb", self.tb.as_deref()),
            self.ponder.then(|| "--ponder".to_owned()),
            self.restart.then(|| "--restart".to_owned()),
        ];
        let set = self.options.iter();
        let set = set.map(|(name, value)| format!("--option={name}={value}"));
        let words: Vec<String> = words.into_iter().flatten().chain(set).collect();
        words.join(" ")
    }

    /// What games of an engine against itself depend on, as typed, its program, and the files that its
    /// arguments and its options name, these and `more` ones.
    pub(crate) fn self_play_settings(
        &self,
        engine: Option<&str>,
        more: impl IntoIterator<Item = (String, String)>,
    ) -> Result<String> {
        let mut command = self.command(engine)?;
        command.options.extend(more);
        let files = EngineCommand::hashed_files([&command]);
        let files = files.map(|file| format!("--file={file}"));
        let words: Vec<String> = [self.settings()].into_iter().chain(files).collect();
        Ok(format!("{}, {}", engine.unwrap_or("Mola"), words.join(" ")))
    }

    /// The files that games of an engine against itself are made from.
    pub(crate) fn self_play_files(&self, engine: Option<&str>) -> Result<Vec<PathBuf>> {
        let mut files = self.command(engine)?.files();
        files.extend(self.book.clone());
        Ok(files)
    }

    /// How an engine is started, with the options of all engines; Mola itself where none is given.
    fn command(&self, engine: Option<&str>) -> Result<EngineCommand> {
        self.command_with(engine, |_, _| Ok(true))
    }

    fn command_with(
        &self,
        engine: Option<&str>,
        other: impl FnMut(&str, &str) -> std::result::Result<bool, String>,
    ) -> Result<EngineCommand> {
        let mut command = engine_or_own(engine, other)?;
        let common = self.options.iter().cloned();
        command.options_if_supported.extend(common);
        Ok(command)
    }

    /// Refuses openings that cannot be read again, where the same command resumes a stopped run.
    ///
    /// # Errors
    /// When they are on the standard input.
    pub(crate) fn refuse_stdin(&self) -> Result {
        self.book.as_deref().map_or(Ok(()), files::refuse_stdin)
    }

    /// The limits of all engines, as far as they have none of their own.
    fn limits(&self) -> PlayLimits {
        PlayLimits {
            clock: self.tc,
            move_time: self.st,
            depth: self.depth,
            nodes: self.nodes,
            margin: Duration::from_millis(self.margin),
        }
    }

    /// An engine with its own limits and options and, for the rest, those of all engines; Mola itself
    /// where none is given.
    pub(crate) fn entrant(&self, engine: Option<&str>) -> Result<Entrant> {
        let mut own = PlayLimits::default();
        let mut ponder = self.ponder;
        let mut read = |key: &str, value: &str| {
            match key {
                "tc" => own.clock = Some(value.parse()?),
                "st" => own.move_time = Some(seconds(value)?),
                "nodes" => own.nodes = Some(number(value, 1..=u64::MAX)?),
                "depth" => own.depth = Some(number(value, 1..=u32::MAX)?),
                "ponder" => ponder = flag(value)?,
                _ => return Ok(false),
            }
            Ok(true)
        };
        let command = self.command_with(engine, |key, value| {
            read(key, value).map_err(|why: String| format!("{key}={value} of an engine: {why}"))
        })?;
        let limits = self.limits().replaced_by(own);
        let none = PlayLimits {
            margin: limits.margin,
            ..PlayLimits::default()
        };
        if limits == none {
            let message = "a limit is needed: --tc, --st, --nodes or --depth";
            return Err(Error::Usage(message.to_owned()));
        }
        Ok(Entrant {
            command,
            limits,
            ponder,
            restart: self.restart,
        })
    }

    /// The plan of games between these entrants.
    pub(crate) fn plan(&self, entrants: Vec<Entrant>, schedule: Schedule) -> Result<Plan> {
        let (variant, mode) = variant_of(Some(&self.variant))?;
        let mut openings = match &self.book {
            Some(path) => read_book(path, variant, mode, self.plies)?,
            None => starts(variant, mode),
        };
        self.order.arrange(&mut openings, self.seed);
        if self.random_plies.is_none() {
            warn_of_few(openings.len(), schedule.rounds());
        }
        let tables = match &self.tb {
            Some(paths) => Some(Arc::new(open_tables(paths)?)),
            None => None,
        };
        Ok(Plan {
            entrants,
            schedule,
            openings,
            random_plies: self.random_plies.unwrap_or(0),
            seed: self.seed,
            concurrency: self.concurrency.into(),
            policy: AdjudicationPolicy {
                resign: self.resign,
                draw: self.draw,
                max_moves: self.max_moves,
                tables,
            },
        })
    }

    /// A plan of games of an engine against itself, to compare options.
    pub(crate) fn self_play(&self, engine: Option<&str>, games: u64) -> Result<Plan> {
        let mut entrant = self.entrant(engine)?;
        // There is no other engine that might have them.
        let EngineCommand {
            options,
            options_if_supported,
            ..
        } = &mut entrant.command;
        options.append(options_if_supported);
        let schedule = Schedule::round_robin(2, games);
        self.plan(vec![entrant.clone(), entrant], schedule)
    }
}

/// The single settings in what [`PlayArgs::self_play_settings`] has made.
pub(crate) fn split_settings(text: &str) -> Vec<String> {
    let (engine, settings) = text.split_once(", --").unwrap_or((text, ""));
    let settings = settings.split(" --").filter(|setting| !setting.is_empty());
    let settings = settings.map(|setting| format!("--{setting}"));
    [format!("--engine={engine}")]
        .into_iter()
        .chain(settings)
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_told_apart() {
        let text = "gnuchess --uci, --nodes=5 --seed=1 --option=Move Overhead=10";
        let wanted = [
            "--engine=gnuchess --uci",
            "--nodes=5",
            "--seed=1",
            "--option=Move Overhead=10",
        ];
        assert_eq!(split_settings(text), wanted);
        assert_eq!(split_settings(""), ["--engine="]);
    }
}
