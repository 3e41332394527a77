//! `mola pgn convert`: games in other formats.

mod csv;
mod format;
mod json;
mod lines;
mod ply;
mod positions;
mod repair;
#[cfg(feature = "columns")]
mod tables;
mod trim;

use super::input::Input;
use super::output::OutputArgs;
use super::pipeline::GameRecord;
use crate::{Dialect, MoveNotation, Writer};
use common::error::{Error, Result};
use engine_core::notation::Language;
use format::ConvertFormat;
use std::io::Write;

/// Write games in another format.
#[derive(clap::Args, Debug)]
#[command(after_help = help())]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// The format
    #[arg(long, value_enum, default_value_t = ConvertFormat::Pgn, visible_alias = "format")]
    to: ConvertFormat,
    #[command(flatten)]
    target: OutputArgs,
    #[command(flatten)]
    layout: PgnArgs,
    /// Repair what can be repaired with certainty: the result of a game that ends on the board (but
    /// `*` in both places stays, as in studies), a result that only the tag or only the movetext
    /// has, and a missing tag `SetUp`
    #[arg(long)]
    fix: bool,
    /// Omit this many plies at the beginning; the game starts from the position after them
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    skip_plies: usize,
    /// Truncate games after this many plies
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Add the position after every move of the main line as a comment
    #[arg(long, value_enum, value_name = "FORM")]
    positions: Option<positions::Form>,
    #[cfg(feature = "columns")]
    #[command(flatten)]
    tables: tables::Options,
}

const FORMATS: &str = "Formats:
  pgn      clean PGN: standard SAN, lines of moves of fewer than 80 columns; comments are not wrapped
  article  a JSON array: {annotations: {tag: value}, game: {moves: [[1, \"d4\", \"d5\"], ...], outcome}}
  json     a JSON array of games: offset, file, headers, start_fen, variant, result, comment, moves
           (number, color, san, uci, nags, comment, eval, mate, depth, clock, time), and the movetext
  jsonl    the same, one game per line
  csv      a line for each game, after a header line
  plies    a CSV line for each move: game, ply, number, color, san, uci, fen (after the move),
           eval, mate, clock, comment
  epd      a line for each position in which a move was played, with it (sm) and the game (id)
  uci      a line for each game: position startpos moves e2e4 ...; empty if its start is unknown
";

const EXAMPLES: &str = "
Examples:
  mola pgn convert games.pgn --fix --no-variations -o clean.pgn
  mola pgn convert games.pgn --moves uci --columns 0 --no-headers
  mola pgn convert games.pgn --plies 20 --positions fen
";

fn help() -> String {
    #[cfg(feature = "columns")]
    let (formats, examples) = (tables::FORMATS, tables::EXAMPLES);
    #[cfg(not(feature = "columns"))]
    let (formats, examples) = ("", "");
    format!("{FORMATS}{formats}{EXAMPLES}{examples}")
}

/// Lines of PGN are shorter than this, as the standard asks.
const COLUMNS: usize = 80;

/// Format of the PGN.
#[derive(clap::Args, Debug)]
struct PgnArgs {
    /// Wrap lines of PGN before this column; 0 for all moves on one line
    #[arg(long, default_value_t = COLUMNS, value_name = "N")]
    columns: usize,
    /// Write PGN with the piece letters of this language: en, de, fr, es, ru, …, or figurine
    #[arg(
        long,
        value_name = "LANG",
        default_value = "en",
        hide_default_value = true
    )]
    to_lang: Language,
    /// Move notation in PGN; only san is standard
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "NOTATION",
        conflicts_with = "to_lang"
    )]
    moves: MoveNotation,
    /// Write no tags
    #[arg(long)]
    no_headers: bool,
    /// Write no comments or annotation glyphs but those of --positions
    #[arg(long)]
    no_comments: bool,
    /// Write no variations
    #[arg(long)]
    no_variations: bool,
}

impl PgnArgs {
    fn columns(&self) -> Option<usize> {
        (self.columns > 0).then_some(self.columns)
    }

    fn writer(&self, has_comments: bool) -> Writer {
        let mut writer = Writer::new()
            .columns(self.columns())
            .language(self.to_lang)
            .notation(self.moves);
        if self.no_headers {
            writer = writer.without_headers();
        }
        if !has_comments {
            writer = writer.without_comments();
        }
        if self.no_variations {
            writer = writer.without_variations();
        }
        writer
    }

    /// The part of the layout that a [`Dialect`] can follow.
    fn for_dialect(&self, has_comments: bool) -> crate::PgnLayout {
        crate::PgnLayout {
            columns: self.columns(),
            headers: !self.no_headers,
            comments: has_comments,
            variations: !self.no_variations,
        }
    }
}

impl Args {
    /// Refuses options that would have no effect on the format.
    fn check(&self) -> Result {
        let layout = &self.layout;
        let has_layout = layout.columns != COLUMNS
            || layout.to_lang != Language::ENGLISH
            || layout.moves != MoveNotation::default()
            || layout.no_headers
            || layout.no_comments
            || layout.no_variations;
        if has_layout && self.to != ConvertFormat::Pgn {
            return Err(Error::Usage(
                "--columns, --to-lang, --moves, --no-headers, --no-comments and --no-variations \
                 need --to pgn"
                    .into(),
            ));
        }
        #[cfg(feature = "columns")]
        self.tables.check(self.to)?;
        #[cfg(feature = "columns")]
        if self.to.is_table() && self.changes_games() {
            return Err(Error::Usage(
                "tables hold games as they are: --fix, --plies, --skip-plies and --positions go \
                 with the formats of text, whose games can then become a table"
                    .into(),
            ));
        }
        Ok(())
    }

    #[cfg(feature = "columns")]
    fn changes_games(&self) -> bool {
        self.fix || self.skip_plies > 0 || self.plies.is_some() || self.positions.is_some()
    }
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    args.check()?;
    let format = args.to;
    let layout = &args.layout;
    let changes_moves =
        layout.moves != MoveNotation::default() || layout.to_lang != Language::ENGLISH;
    if dialect.is_some() && (args.fix || changes_moves) {
        return Err(Error::Usage(
            "--fix, --moves and --to-lang cannot be used with --compat".into(),
        ));
    }
    #[cfg(feature = "columns")]
    if format.is_table() {
        if dialect.is_some() {
            return Err(Error::Usage("tables have only one mode".into()));
        }
        return args.tables.run(format, &args.input, &args.target);
    }
    let map = |mut record: GameRecord<'_>| converted(args, dialect, &mut record);
    let mut out = args.target.open(&args.input)?;
    let (begin, between, end): (&[u8], &[u8], &[u8]) = match format {
        ConvertFormat::Article | ConvertFormat::Json => (b"[", b",\n", b"]\n"),
        ConvertFormat::Csv => (csv::GAME_COLUMNS.as_bytes(), b"", b""),
        ConvertFormat::Plies => (csv::PLY_COLUMNS.as_bytes(), b"", b""),
        _ => (b"", b"", b""),
    };
    out.write_all(begin)?;
    let mut number = 0_u64;
    args.input.each_game(dialect, map, |text| {
        if number > 0 {
            out.write_all(between)?;
        }
        number += 1;
        // The number of a game is known only here.
        if matches!(format, ConvertFormat::Csv | ConvertFormat::Plies) {
            for line in csv::records(&text) {
                write!(out, "{number},")?;
                out.write_all(line)?;
            }
        } else {
            out.write_all(&text)?;
        }
        if format == ConvertFormat::Jsonl {
            out.write_all(b"\n")?;
        }
        Ok(true)
    })?;
    out.write_all(end)?;
    out.finish()
}

/// The game in the format, after the changes that the options ask for.
fn converted(args: &Args, dialect: Option<&dyn Dialect>, record: &mut GameRecord<'_>) -> Vec<u8> {
    if args.fix {
        repair::repair(record.tree);
    }
    if args.skip_plies > 0 || args.plies.is_some() {
        *record.tree = trim::trim(record.tree, args.skip_plies, args.plies);
    }
    if let Some(form) = args.positions {
        if args.layout.no_comments {
            positions::remove_annotations(record.tree);
        }
        positions::add(record.tree, form);
    }
    match args.to {
        ConvertFormat::Pgn => pgn(args, dialect, record),
        ConvertFormat::Article => json::article(record.tree).into_bytes(),
        ConvertFormat::Json | ConvertFormat::Jsonl => json::game(record).into_bytes(),
        ConvertFormat::Csv => csv::game(record),
        ConvertFormat::Plies => csv::plies(record),
        ConvertFormat::Epd => lines::epd(record.tree).into_bytes(),
        ConvertFormat::Uci => lines::uci(record.tree).into_bytes(),
        // [`tables::Options::run`] has written these.
        #[cfg(feature = "columns")]
        ConvertFormat::Parquet | ConvertFormat::Arrow => Vec::new(),
    }
}

fn pgn(args: &Args, dialect: Option<&dyn Dialect>, record: &GameRecord<'_>) -> Vec<u8> {
    // Where positions are asked for, they are the only comments that are left.
    let has_comments = !args.layout.no_comments || args.positions.is_some();
    if let Some(dialect) = dialect {
        let layout = args.layout.for_dialect(has_comments);
        return (dialect.write(record.tree, layout) + "\n\n").into_bytes();
    }
    let mut writer = args.layout.writer(has_comments);
    record.tree.visit(&mut writer);
    writer.take()
}
