//! Arguments of commands that search.

use super::journal::Journal;
use super::pool::EnginePool;
use super::{SearchRequest, Searches};
use arena::annotate::{DEPTHS, HASH_SIZES};
use arena::client::EngineCommand;
use common::error::Result;
use common::files::Replace;
use engine_core::Game;
use engine_core::search::Limits;
use pgn::command::input::Input;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The engine and its search limits.
#[derive(clap::Args, Debug, Clone)]
pub(crate) struct EngineArgs {
    /// Another engine instead of Mola: `COMMAND`, or fields such as `cmd=COMMAND,option.Hash=16`
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineCommand>,
    /// Depth for each position [default: 12]
    #[arg(long, value_parser = clap::value_parser!(u32).range(DEPTHS))]
    depth: Option<u32>,
    /// Nodes for each position
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Hash size of each engine in MB [default: 16; of another engine its own]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(HASH_SIZES))]
    hash: Option<u32>,
    /// Number of positions searched at the same time, each by its own engine
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// Folders of endgame tables, Syzygy or Gaviota, in the format of `SyzygyPath`
    #[arg(long, value_name = "PATH")]
    pub(crate) tables: Option<String>,
}

/// The depth without another limit.
const DEPTH: u32 = 12;
/// The hash size of Mola in MB.
const HASH: u32 = 16;

impl EngineArgs {
    /// The limits of a search, raised by `more` plies or doublings of nodes.
    fn limits(&self, more: u32) -> Limits {
        let factor = 1_u64.checked_shl(more).unwrap_or(u64::MAX);
        Limits {
            depth: self
                .depth
                .or(self.nodes.is_none().then_some(DEPTH))
                .map(|depth| depth + more),
            nodes: self.nodes.map(|nodes| nodes.saturating_mul(factor)),
            ..Limits::default()
        }
    }

    /// A search of a game's position.
    pub(crate) fn request(&self, game: Game) -> SearchRequest {
        SearchRequest {
            game,
            limits: self.limits(0),
            lines: 1,
        }
    }

    /// A search that is `more` plies deeper, for two lines.
    pub(crate) fn deeper_request(&self, game: Game, more: u32) -> SearchRequest {
        SearchRequest {
            game,
            limits: self.limits(more),
            lines: 2,
        }
    }

    /// Who searches and how long, as pages have it: `Mola 0.1.0, depth 12`.
    pub(crate) fn label_and_limits(&self) -> String {
        let own = || common::ENGINE_NAME.to_owned();
        let label = self.engine.as_ref().map_or_else(own, EngineCommand::label);
        format!("{label}, {}", self.limits_text())
    }

    fn limits_text(&self) -> String {
        let limits = self.limits(0);
        let depth = limits.depth.map(|depth| format!("depth {depth}"));
        let nodes = limits.nodes.map(|nodes| format!("{nodes} nodes"));
        let parts: Vec<_> = depth.into_iter().chain(nodes).collect();
        parts.join(", ")
    }

    /// The settings that searches depend on, for the journal.
    pub(crate) fn settings(&self) -> String {
        let hash = self.hash();
        let hash = hash.map_or_else(|| "its own".to_owned(), |hash| hash.to_string());
        let engine = &self.engine;
        let engine = engine
            .as_ref()
            .map_or_else(|| "Mola".to_owned(), ToString::to_string);
        let files = EngineCommand::hashed_files(&self.engine);
        let files: Vec<String> = files.map(|file| format!(", {file}")).collect();
        let files = files.concat();
        let tables = self.tables.as_deref().unwrap_or("none");
        let limits = self.limits_text();
        format!("engine {engine}{files}, {limits}, hash {hash}, tables {tables}")
    }

    /// The hash size to set; `None` for that of another engine, which may not have ours.
    fn hash(&self) -> Option<u32> {
        self.hash.or(self.engine.is_none().then_some(HASH))
    }

    fn command(&self) -> Result<EngineCommand> {
        Ok(match &self.engine {
            Some(command) => command.clone(),
            None => EngineCommand::own()?,
        })
    }

    /// The files of the games and those that the engine is run from.
    ///
    /// # Errors
    /// When the system cannot tell where this program is.
    pub(crate) fn inputs(&self, games: &Input) -> Result<Vec<PathBuf>> {
        let mut inputs = games.paths();
        inputs.extend(self.command()?.files());
        Ok(inputs)
    }

    /// Starts searches, or resumes those in the journal beside an output.
    ///
    /// # Errors
    /// When the journal cannot be written, or is of another run.
    pub(crate) fn searches(
        &self,
        output: Option<&Path>,
        settings: &str,
        replace: Replace,
        inputs: &[PathBuf],
    ) -> Result<Searches> {
        let journal = Journal::open(output, settings, replace, inputs)?;
        let mut command = self.command()?;
        let options = &mut command.options_if_supported;
        options.extend(
            self.hash()
                .map(|hash| ("Hash".to_owned(), hash.to_string())),
        );
        if let Some(tables) = &self.tables {
            options.push(("SyzygyPath".to_owned(), tables.clone()));
        }
        Ok(Searches {
            pool: EnginePool {
                command,
                is_own: self.engine.is_none(),
                concurrency: self.concurrency.into(),
                idle: Mutex::default(),
            },
            journal,
        })
    }
}
