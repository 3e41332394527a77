//! A bot and its options, as given on a command line.

use super::{AttackerBot, MolaBot, MolaOptions, ProcessBot, RandomBot, TroutBot};
use crate::player::Player;
use arena::client;
use common::arguments::{number, real};
use common::error::Result;
use common::files::named;
use common::random::Random;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// A bot by name, with its options: `random`, `attacker`, `trout`, `trout:time=0.1,stockfish`,
/// `mola`, `mola:time=1,threads=2`, `BOT.py` for one that was written for reconchess, or
/// `cmd:PROGRAM` for one that speaks JSON lines.
#[derive(Clone, PartialEq, Debug)]
pub enum BotSpec {
    /// [`RandomBot`].
    Random,
    /// [`AttackerBot`].
    Attacker,
    /// [`TroutBot`] with an engine, or Mola's own search, and the time for a search.
    Trout(Option<client::EngineCommand>, Duration),
    /// [`MolaBot`].
    Mola(MolaOptions),
    /// [`ProcessBot`].
    Process(client::EngineCommand),
    /// [`ProcessBot`] of Mola's Python package.
    Python {
        /// Python with the package.
        command: client::EngineCommand,
        /// What it plays.
        file: PathBuf,
    },
}

/// How long trout lets its engine think, twice a turn.
const TROUT_TIME: Duration = Duration::from_millis(500);

impl BotSpec {
    /// The bots and their options, for the help of commands.
    pub const HELP: &str = "Bots:
  random                        senses and moves at random
  attacker                      plays a few fixed moves towards the king
  trout                         tracks one board; Mola's search chooses its moves
  trout:time=0.1,stockfish      with another UCI engine and this many seconds per search
  mola                          tracks all possible boards; the strongest
  mola:time=5,threads=4         seconds per move (default 0.5), threads; cap=N: number of boards
  my_bot.py                     a bot written for reconchess, run by Mola's Python package in a new
                                process for each game
  cmd:python3 my_bot.py         a program that uses JSON lines (see mola recon match --help)";

    /// The bot, with a stream of random numbers.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn build(&self, random: Random) -> Result<Box<dyn Player>> {
        Ok(match self {
            BotSpec::Random => Box::new(RandomBot::new(random)),
            BotSpec::Attacker => Box::new(AttackerBot::new(random)),
            BotSpec::Trout(command, time) => {
                Box::new(TroutBot::new(random, command.clone(), *time)?)
            }
            BotSpec::Mola(options) => Box::new(MolaBot::new(random, *options)?),
            BotSpec::Process(command) => Box::new(ProcessBot::start(command, false)?),
            BotSpec::Python { command, .. } => {
                self.require_file()?;
                Box::new(ProcessBot::start(command, true)?)
            }
        })
    }

    /// The bot for a game that shall repeat: Python's random numbers, too, depend on the stream. Without
    /// that wish they are left alone, as a bot may seed them itself.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn build_seeded(&self, random: Random) -> Result<Box<dyn Player>> {
        let mut seeded = self.clone();
        let BotSpec::Python { command, .. } = &mut seeded else {
            return self.build(random);
        };
        let seed = random.clone().draw().to_string();
        command.args.extend(["--seed".to_owned(), seed]);
        seeded.build(random)
    }

    /// Looks for the file of a bot, as Python would tell at length that it is not there.
    ///
    /// # Errors
    /// When it is not there.
    pub fn require_file(&self) -> Result {
        if let BotSpec::Python { file, .. } = self {
            fs::metadata(file).map_err(|error| named(file, &error))?;
        }
        Ok(())
    }

    /// The files that the bot is run from, as far as it is another program.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            BotSpec::Trout(Some(command), _)
            | BotSpec::Process(command)
            | BotSpec::Python { command, .. } => command.files(),
            BotSpec::Random | BotSpec::Attacker | BotSpec::Trout(None, _) | BotSpec::Mola(_) => {
                Vec::new()
            }
        }
    }

    /// Whether the bot is for one game: a program for reconchess is loaded anew for each.
    pub fn is_for_one_game(&self) -> bool {
        matches!(self, BotSpec::Python { .. })
    }
}

impl FromStr for BotSpec {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<BotSpec, String> {
        let (name, more) = text.split_once(':').unwrap_or((text, ""));
        match (name, more) {
            ("random", "") => Ok(BotSpec::Random),
            ("attacker", "") => Ok(BotSpec::Attacker),
            ("trout", more) => trout(more),
            ("mola", more) => mola(more).map(BotSpec::Mola),
            ("cmd", more) => Ok(BotSpec::Process(more.parse()?)),
            _ if is_python(text) => Ok(python(text)),
            _ => Err(format!(
                "unknown bot {text:?}: random, attacker, trout, mola, BOT.py or cmd:PROGRAM expected"
            )),
        }
    }
}

/// A name for tables and histories.
impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotSpec::Random => f.write_str("random"),
            BotSpec::Attacker => f.write_str("attacker"),
            BotSpec::Trout(None, _) => f.write_str("trout"),
            BotSpec::Trout(Some(command), _) => write!(f, "trout:{}", command.label()),
            BotSpec::Mola(_) => f.write_str("mola"),
            BotSpec::Process(command) | BotSpec::Python { command, .. } => {
                f.write_str(&command.label())
            }
        }
    }
}

/// Whether a name is that of a Python file.
fn is_python(name: &str) -> bool {
    Path::new(name).extension() == Some(OsStr::new("py"))
}

/// A bot that was written for reconchess: the Python package plays it.
fn python(file: &str) -> BotSpec {
    let path = PathBuf::from(file);
    let stem = path.file_stem();
    let command = client::EngineCommand {
        name: stem.map(|stem| stem.to_string_lossy().into_owned()),
        program: "python3".to_owned(),
        args: ["-m", "mola.recon", file].map(str::to_owned).to_vec(),
        ..client::EngineCommand::default()
    };
    BotSpec::Python {
        command,
        file: path,
    }
}

fn trout(more: &str) -> std::result::Result<BotSpec, String> {
    let (time, command) = match more.strip_prefix("time=") {
        Some(rest) => {
            let (time, command) = rest.split_once(',').unwrap_or((rest, ""));
            (seconds(time)?, command)
        }
        None => (TROUT_TIME, more),
    };
    let command = if command.is_empty() {
        None
    } else {
        Some(command.parse()?)
    };
    Ok(BotSpec::Trout(command, time))
}

fn mola(more: &str) -> std::result::Result<MolaOptions, String> {
    let mut options = MolaOptions::default();
    for field in more.split(',').filter(|field| !field.is_empty()) {
        let (key, value) = field.split_once('=').unwrap_or((field, ""));
        let number = |most| {
            let number = number(value, 1..=most);
            number.map_err(|why| format!("{key}: {why}, not {value:?}"))
        };
        match key {
            "time" => options.time = seconds(value)?,
            "threads" => options.threads = number(256)?,
            "cap" => options.cap = number(10_000_000)?,
            _ => return Err(format!("mola takes time, threads and cap, not {key:?}")),
        }
    }
    Ok(options)
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds = real(text, 0.001..=1e6).map(Duration::from_secs_f64);
    seconds.map_err(|why| format!("time: {why}, not {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_bot() {
        let folder = tempfile::tempdir().unwrap();
        let bot = folder.path().join("bot.py");
        std::fs::write(&bot, "").unwrap();
        let path = bot.display();
        for text in [
            path.to_string(),
            format!("cmd:{path}"),
            format!("trout:{path}"),
        ] {
            let spec: BotSpec = text.parse().unwrap();
            assert!(spec.files().contains(&bot), "{text}");
        }
        assert!("mola".parse::<BotSpec>().unwrap().files().is_empty());
    }

    #[test]
    fn texts() {
        let read = |text: &str| text.parse::<BotSpec>();
        assert_eq!(read("random"), Ok(BotSpec::Random));
        assert_eq!(read("trout"), Ok(BotSpec::Trout(None, TROUT_TIME)));
        let trout = read("trout:time=0.1,/usr/games/stockfish").unwrap();
        assert_eq!(trout.to_string(), "trout:stockfish");
        assert!(matches!(trout, BotSpec::Trout(Some(_), time) if time.as_millis() == 100));
        let Ok(BotSpec::Mola(options)) = read("mola:cap=50,time=3,threads=2") else {
            unreachable!()
        };
        assert_eq!((options.cap, options.threads), (50, 2));
        let python = read("my bots/first.py").unwrap();
        assert_eq!(python.to_string(), "first");
        assert!(python.is_for_one_game());
        let error = python.build(Random::new(1, 0)).err().unwrap().to_string();
        assert!(error.starts_with("my bots/first.py: "), "{error}");
        assert!(!read("cmd:python3 first.py").unwrap().is_for_one_game());
        for bad in [
            "",
            "fish",
            "random:1",
            "mola:time=-1",
            "mola:cap=0",
            "mola:threads=257",
            "mola:x=1",
            "trout:time=x",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
