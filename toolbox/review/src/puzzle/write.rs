//! Puzzles as files.

use super::Puzzle;
use super::opening_tags::opening_tags;
use crate::page::{DATA, TRAINER, json};
use crate::report::Choice;
use common::error::{Error, Result};
use common::files::{Replace, Sink};
use pgn::Tree;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The format of puzzles.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// CSV with lichess's columns
    Csv,
    /// PGN, one game per puzzle
    Pgn,
    /// A page for solving them
    Html,
}

impl Format {
    /// The format of files with this ending.
    pub(crate) fn of_extension(extension: &str) -> Option<Format> {
        match extension.to_ascii_lowercase().as_str() {
            "csv" => Some(Format::Csv),
            "pgn" => Some(Format::Pgn),
            "html" | "htm" => Some(Format::Html),
            _ => None,
        }
    }
}

/// The columns of <https://database.lichess.org/#puzzles>.
const COLUMNS: [&str; 10] = [
    "PuzzleId",
    "FEN",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Popularity",
    "NbPlays",
    "Themes",
    "GameUrl",
    "OpeningTags",
];
/// The rating deviation of an unrated puzzle (Glicko 2).
const DEVIATION: &str = "350";

/// Writes puzzles one after the other.
pub(crate) struct Writer {
    format: Format,
    sink: Sink,
    count: u64,
}

impl Writer {
    /// Begins a file.
    ///
    /// # Errors
    /// As [`Sink::open`].
    pub(crate) fn open(
        format: Format,
        path: Option<&Path>,
        replace: Replace,
        inputs: &[PathBuf],
    ) -> Result<Writer> {
        let mut sink = Sink::open(path, replace, inputs)?;
        match format {
            Format::Csv => sink.write_all(&csv_line(COLUMNS)?)?,
            Format::Pgn => {}
            Format::Html => {
                TRAINER.begin("Puzzles", &mut sink)?;
                let [begin, _] = DATA;
                write!(sink, "{begin}[")?;
            }
        }
        Ok(Writer {
            format,
            sink,
            count: 0,
        })
    }

    /// Writes a puzzle.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn add(&mut self, puzzle: &Puzzle) -> Result {
        let text = match self.format {
            Format::Csv => csv(puzzle)?,
            Format::Pgn => pgn(puzzle),
            Format::Html => {
                let separator = if self.count > 0 { ",\n" } else { "" };
                format!("{separator}{}", json(&Shown::of(puzzle))?).into_bytes()
            }
        };
        self.count += 1;
        Ok(self.sink.write_all(&text)?)
    }

    /// Writes the end.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn finish(mut self) -> Result {
        if self.format == Format::Html {
            let [_, end] = DATA;
            write!(self.sink, "]{end}")?;
            TRAINER.end(&mut self.sink)?;
        }
        self.sink.finish()
    }
}

fn csv_line<'a>(fields: impl IntoIterator<Item = &'a str>) -> Result<Vec<u8>> {
    let failed = |error: csv::Error| Error::Message(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).map_err(failed)?;
    writer
        .into_inner()
        .map_err(|error| Error::Message(error.to_string()))
}

fn csv(puzzle: &Puzzle) -> Result<Vec<u8>> {
    let rating = puzzle.rating.to_string();
    let (id, fen, moves) = (puzzle.id(), puzzle.fen(), puzzle.uci().join(" "));
    let (themes, url) = (puzzle.themes.join(" "), puzzle.url());
    let first_move = puzzle.game.position().fullmoves();
    let opening = opening_tags(puzzle.source.opening, first_move);
    csv_line([
        &*id, &fen, &moves, &rating, DEVIATION, "0", "0", &themes, &url, &opening,
    ])
}

fn pgn(puzzle: &Puzzle) -> Vec<u8> {
    let mut tree = Tree::new(*puzzle.game.position());
    tree.headers
        .set("Event", &format!("Puzzle {}", puzzle.id()));
    let url = puzzle.url();
    tree.headers
        .set("Site", if url.is_empty() { "?" } else { &url });
    tree.headers.set("Date", "????.??.??");
    tree.headers.set("Round", "?");
    tree.headers.set("White", &puzzle.source.white);
    tree.headers.set("Black", &puzzle.source.black);
    tree.headers.set("Result", "*");
    tree.headers.set("Themes", &puzzle.themes.join(" "));
    tree.headers.set("Rating", &puzzle.rating.to_string());
    tree.headers.put_roster_first();
    let root = tree.root();
    tree.add_line(root, puzzle.moves.iter().copied().map(Some));
    let mut writer = pgn::Writer::new();
    tree.visit(&mut writer);
    writer.take()
}

/// A puzzle as its page shows it.
#[derive(Serialize)]
struct Shown {
    id: String,
    rating: u32,
    themes: Vec<&'static str>,
    white: String,
    black: String,
    url: String,
    /// The positions before the first move and after each.
    fens: Vec<String>,
    uci: Vec<String>,
    san: Vec<String>,
    /// The legal moves before each move of the solver.
    choices: Vec<Vec<Choice>>,
}

impl Shown {
    fn of(puzzle: &Puzzle) -> Shown {
        let mut position = *puzzle.game.position();
        let (mut fens, mut san, mut choices) = (vec![position.fen()], Vec::new(), Vec::new());
        for (ply, &m) in puzzle.moves.iter().enumerate() {
            if ply % 2 == 1 {
                choices.push(Choice::all(&position));
            }
            san.push(position.to_san(m).to_string());
            position.play(m);
            fens.push(position.fen());
        }
        Shown {
            id: puzzle.id(),
            rating: puzzle.rating,
            themes: puzzle.themes.clone(),
            white: puzzle.source.white.clone(),
            black: puzzle.source.black.clone(),
            url: puzzle.url(),
            fens,
            uci: puzzle.uci(),
            san,
            choices,
        }
    }
}
