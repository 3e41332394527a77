//! Games as tables with typed columns, which other programs read many times as fast as text.

use super::format::ConvertFormat;
use crate::columns::{
    Encoder, FileFormat, GAME, GameReader, GameRows, GameSource, Key, Partitions, PlyRows, Rows,
    failed, partition_of,
};
use crate::command::input::Input;
use crate::command::output;
use crate::command::pipeline::Reports;
use crate::{Block, Parsed, Parser, Replay};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Int64Array, RecordBatch};
use common::count::count;
use common::error::{Error, Result};
use common::note;
use engine_core::notation::Language;
use std::io::{IsTerminal, stdout};
use std::sync::Arc;

/// The contents of the tables.
#[derive(clap::Args, Debug)]
pub(super) struct Options {
    /// The table to write, for parquet and arrow
    #[arg(long, value_enum, default_value_t = TableKind::Games)]
    table: TableKind,
    /// Partition the table into folders by these columns of games, as Hive does: year=2024/eco=B90;
    /// the output is then a folder
    #[arg(long, value_enum, value_name = "COLUMN,...", value_delimiter = ',')]
    by: Vec<Key>,
    /// Add the column fen to the table of plies
    #[arg(long)]
    fen: bool,
}

impl Options {
    /// Refuses options that would have no effect on the format.
    pub(super) fn check(&self, format: ConvertFormat) -> Result {
        let is_table = format.is_table();
        let problem =
            if !is_table && (self.table != TableKind::Games || self.fen || !self.by.is_empty()) {
                "--table, --by and --fen need --to parquet or --to arrow"
            } else if is_table && self.fen && self.table != TableKind::Plies {
                "--fen needs --table plies"
            } else {
                return Ok(());
            };
        Err(Error::Usage(problem.into()))
    }

    /// Writes the tables of the games.
    ///
    /// # Errors
    /// When a file cannot be read or written, or no output is named that can take a table.
    pub(super) fn run(
        &self,
        format: ConvertFormat,
        input: &Input,
        output: &output::OutputArgs,
    ) -> Result {
        let read = |block: &Block, reports: &mut Reports<'_>| match self.table {
            TableKind::Games => read(block, reports, input.lang, &self.by, GameRows::new()),
            TableKind::Plies => {
                let rows = PlyRows::new(self.fen);
                read(block, reports, input.lang, &self.by, rows)
            }
        };
        let mut target = self.open(format, input, output)?;
        let mut games = 0;
        let tally = input.each_block(read, |part| {
            let part = part?;
            let rows = numbered(&part.rows, games).map_err(failed)?;
            games += part.games;
            match &mut target {
                TableTarget::File(encoder) => encoder.write(rows)?,
                TableTarget::Folders(partitions) => partitions.add(rows, part.folders)?,
            }
            Ok(true)
        })?;
        match target {
            TableTarget::File(encoder) => encoder.finish()?.finish()?,
            TableTarget::Folders(partitions) => {
                let files = partitions.finish()?;
                if !input.quiet {
                    let (games, files) = (count(tally.games, "game"), count(files, "file"));
                    note!("{games} in {files}");
                }
            }
        }
        Ok(())
    }

    fn open(
        &self,
        format: ConvertFormat,
        input: &Input,
        output: &output::OutputArgs,
    ) -> Result<TableTarget> {
        let path = output.path();
        let format = match (format, path) {
            (ConvertFormat::Parquet, _) => FileFormat::Parquet,
            (_, None) => FileFormat::ArrowStream,
            _ => FileFormat::Arrow,
        };
        let missing = |what: &str| Err(Error::Usage(format!("--output must name {what}")));
        if self.by.is_empty() {
            if path.is_none() && stdout().is_terminal() {
                return missing("a file: a table cannot be written to a terminal");
            }
            let none = match self.table {
                TableKind::Games => GameRows::new().take(),
                TableKind::Plies => PlyRows::new(self.fen).take(),
            };
            let schema = none.map_err(failed)?.schema();
            let sink = output.open(input)?;
            let encoder = Encoder::new(format, &schema, sink, input.threads.into())?;
            return Ok(TableTarget::File(Box::new(encoder)));
        }
        let Some(folder) = path else {
            return missing("the folder for --by");
        };
        let name = match self.table {
            TableKind::Games => "games",
            TableKind::Plies => "plies",
        };
        let partitions = Partitions::create(folder, name, format, &input.paths())?;
        Ok(TableTarget::Folders(Box::new(partitions)))
    }
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum TableKind {
    Games,
    Plies,
}

/// The formats, for the help of the command.
pub(super) const FORMATS: &str = "  \
  parquet  an Apache Parquet table for DuckDB, Polars, Spark, pandas: a row for each
           game (tags, date, ratings, opening by the moves, number of plies, key of the last
           position, movetext) or, with --table plies, for each move of the main lines (key of the
           position before it, SAN, UCI, evaluation, clock, NAGs, comment)
  arrow    the same in Arrow format: a file for -o FILE, else a stream
";

pub(super) const EXAMPLES: &str = "  \
  mola pgn convert games.pgn.zst --to parquet --threads 2 -o games.parquet
  mola pgn convert games.pgn --to parquet --table plies --by year,eco -o plies
";

/// The rows of a block.
struct BlockRows {
    rows: RecordBatch,
    /// How many games there are, and how many rows belong to each folder, in their order.
    games: i64,
    folders: Vec<(String, usize)>,
}

/// Where rows go.
enum TableTarget {
    File(Box<Encoder<common::files::Sink>>),
    Folders(Box<Partitions>),
}

/// The rows of the games of a block, without the columns by which they are kept apart: the names
/// of the folders have those.
fn read<R: Rows>(
    block: &Block,
    reports: &mut Reports<'_>,
    language: Language,
    by: &[Key],
    rows: R,
) -> Result<BlockRows> {
    let mut reader = GameReader::new(rows);
    let mut parser = Parser::new(&block.text);
    let mut replay = Replay::new(&mut reader).in_language(language);
    let (mut games, mut folders) = (0, Vec::new());
    while parser.read_game(&mut replay) == Parsed::Game {
        let GameReader { game, rows } = replay.visitor();
        let line = reports.line(game.span.start);
        let source = GameSource {
            file: reports.name(),
            offset: block.offset + game.span.start as u64,
            line,
            number: games,
            movetext: block
                .text
                .get(game.moves_at..game.span.end)
                .unwrap_or_default(),
        };
        let added = rows.end(game, &source).map_err(failed)?;
        if !by.is_empty() && added > 0 {
            folders.push((partition_of(game, by), added));
        }
        reports.game(&std::mem::take(&mut game.problems));
        games += 1;
    }
    let mut rows = reader.rows.take().map_err(failed)?;
    for key in by {
        if let Ok(column) = rows.schema().index_of(&key.column()) {
            rows.remove_column(column);
        }
    }
    Ok(BlockRows {
        rows,
        games,
        folders,
    })
}

/// Numbers the games of the rows, after this many earlier games.
fn numbered(
    rows: &RecordBatch,
    before: i64,
) -> std::result::Result<RecordBatch, arrow_schema::ArrowError> {
    let column = rows.schema().index_of(GAME)?;
    let games = rows.column(column).as_primitive::<Int64Type>();
    let numbers: Int64Array = games.unary(|number| before + 1 + number);
    let mut columns = rows.columns().to_vec();
    if let Some(games) = columns.get_mut(column) {
        *games = Arc::new(numbers);
    }
    RecordBatch::try_new(rows.schema(), columns)
}
