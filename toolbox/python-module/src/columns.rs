//! `mola.read_pgn`: the games of a file as columns.

use crate::chess::moves::RawMove;
use crate::interrupt::abandonable;
use crate::process::prepare;
use engine_core::{AnyPosition, Color, Move, Variant};
use pgn::command::unpack::unpacked;
use pgn::{
    Block, Blocks, DeepEval, Eval, Flow, GameVisitor, Parsed, Parser, Problem, Remark, Replay,
    Visitor, decode, eval_in, time_in,
};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Fills the module `columns`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("NO_EVAL", NO_EVAL)?;
    module.add("MATE", MATE)?;
    module.add_function(wrap_pyfunction!(read_pgn, module)?)
}

/// A move without an evaluation.
const NO_EVAL: i32 = i32::MIN;

/// A mate in zero moves in centipawns; each move takes off one.
const MATE: i32 = 100_000;
/// The largest evaluation in centipawns: what is nearer to [`MATE`] is a mate.
const MAX_CENTIPAWNS: i64 = 99_000;

/// Texts one after the other, some of which are missing.
#[derive(Default)]
struct Texts {
    data: Vec<u8>,
    ends: Vec<u64>,
    is_there: Vec<u8>,
}

impl Texts {
    /// Adds missing texts up to a number.
    fn pad(&mut self, rows: usize) {
        self.ends.resize(rows, self.data.len() as u64);
        self.is_there.resize(rows, 0);
    }

    /// Sets the text of a row, which is the last or the one after it.
    fn set(&mut self, row: usize, text: &str) {
        if self.ends.len() > row {
            // The last of two tags with the same name counts.
            let start = row.checked_sub(1).and_then(|before| self.ends.get(before));
            self.data.truncate(start.map_or(0, |&start| start as usize));
            self.ends.truncate(row);
            self.is_there.truncate(row);
        }
        self.pad(row);
        self.data.extend_from_slice(text.as_bytes());
        self.ends.push(self.data.len() as u64);
        self.is_there.push(1);
    }
}

/// Columns of tags may have this many cells, and another for each byte of text. Games have some tags in
/// common; a file with other tags in every game would take memory with the square of its length.
const MAX_CELLS: usize = 1 << 24;

/// The columns so far.
#[derive(Default)]
struct Columns {
    /// Where the block begins in the file, and where it ends.
    block: u64,
    block_end: u64,
    /// The cells in the columns of tags.
    cells: usize,
    offsets: Vec<u64>,
    tags: Vec<(Vec<u8>, Texts)>,
    /// The tag that most likely comes next.
    next_tag: usize,
    /// Where the moves of each game end.
    ends: Vec<u64>,
    problems: Vec<u32>,
    moves: Vec<u16>,
    evals: Vec<i32>,
    clocks: Vec<f32>,
    has_moves: bool,
    has_annotations: bool,
    /// Who has made the last move.
    mover: Option<Color>,
}

impl Columns {
    fn begin(&mut self, at: usize) {
        self.offsets.push(self.block + at as u64);
        self.next_tag = 0;
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        let Some(row) = self.offsets.len().checked_sub(1) else {
            return;
        };
        let is_it = |(known, _): &(Vec<u8>, Texts)| known == name;
        let mut at = self.next_tag;
        if !self.tags.get(at).is_some_and(is_it) {
            at = self.tags.iter().position(is_it).unwrap_or_else(|| {
                self.tags.push((name.to_vec(), Texts::default()));
                self.tags.len() - 1
            });
        }
        self.next_tag = at + 1;
        if let Some((_, texts)) = self.tags.get_mut(at) {
            self.cells += (row + 1).saturating_sub(texts.ends.len());
            if self.cells <= most_cells(self.block_end) {
                texts.set(row, &decode(value));
            }
        }
    }

    fn end(&mut self) {
        self.ends.push(self.moves.len() as u64);
    }
}

/// The most cells for this many bytes of text.
fn most_cells(bytes: u64) -> usize {
    MAX_CELLS.saturating_add(usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Takes the tags and skips the moves.
impl Visitor for Columns {
    fn begin_game(&mut self, at: usize) -> Flow {
        self.begin(at);
        Flow::Go
    }

    fn header(&mut self, name: &[u8], value: &[u8], _at: usize) {
        self.tag(name, value);
    }

    fn end_headers(&mut self, _at: usize) -> Flow {
        Flow::Skip
    }

    fn end_game(&mut self, _at: usize) {
        self.end();
    }
}

/// Takes the main line, too.
impl GameVisitor for Columns {
    fn begin_game(&mut self, at: usize) -> Flow {
        self.begin(at);
        self.problems.push(0);
        Flow::Go
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        self.tag(name, value);
    }

    fn play(&mut self, before: &AnyPosition, m: Option<Move>, _after: &AnyPosition) {
        let raw = m.map_or(RawMove::NULL, |m| RawMove::of(m, before.mode()));
        self.moves.push(raw.packed());
        self.mover = Some(before.turn());
        if self.has_annotations {
            self.evals.push(NO_EVAL);
            self.clocks.push(f32::NAN);
        }
    }

    fn remark(&mut self, remark: Remark, text: &[u8]) {
        let is_comment = matches!(remark, Remark::Comment | Remark::Line);
        let has_move = self.ends.last().copied().unwrap_or(0) < self.moves.len() as u64;
        let is_wanted = self.has_annotations && is_comment && has_move;
        if !is_wanted || memchr::memmem::find(text, b"[%").is_none() {
            return;
        }
        let text = decode(text);
        // Of several comments on a move the first with a value counts, as in python-chess.
        let last = self.evals.last_mut().filter(|last| **last == NO_EVAL);
        if let (Some(DeepEval { eval, .. }), Some(last)) = (eval_in(&text), last) {
            let limit = i64::from(MATE);
            let number = match eval {
                Eval::Cp(cp) => cp.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
                // The mate is on the board.
                Eval::Mate(0) if self.mover == Some(Color::White) => limit,
                Eval::Mate(moves @ 1..) => limit.saturating_sub(moves).max(0),
                Eval::Mate(moves) => (-limit).saturating_sub(moves).min(0),
            };
            *last = number as i32;
        }
        let last = self.clocks.last_mut().filter(|last| last.is_nan());
        if let (Some(seconds), Some(last)) = (time_in(&text, "clk"), last) {
            *last = seconds as f32;
        }
    }

    fn begin_variation(&mut self) -> Flow {
        Flow::Skip
    }

    fn problem(&mut self, _problem: Problem) -> Flow {
        if let Some(count) = self.problems.last_mut() {
            *count += 1;
        }
        Flow::Go
    }

    fn end_game(&mut self, _at: usize) {
        self.end();
    }
}

fn read_block(columns: &mut Columns, block: &Block) {
    columns.block = block.offset;
    columns.block_end = block.offset + block.text.len() as u64;
    let mut parser = Parser::new(&block.text);
    if columns.has_moves {
        while parser.read_game(&mut Replay::new(columns)) == Parsed::Game {}
    } else {
        while parser.read_game(columns) == Parsed::Game {}
    }
}

/// Reads a file, which may be packed. Numbers are in the order of bytes of the machine.
#[pyfunction]
fn read_pgn(
    py: Python<'_>,
    path: PathBuf,
    moves: bool,
    annotations: bool,
) -> PyResult<Bound<'_, PyDict>> {
    let columns = Columns {
        has_moves: moves,
        has_annotations: moves && annotations,
        ..Columns::default()
    };
    prepare(py, Variant::Standard);
    // A pipe may be silent for ever, even when it is opened.
    let columns = abandonable(py, move |stop| read(&path, columns, stop))?;
    finish(py, columns)
}

/// Adds the games of a file, until told to stop.
fn read(path: &Path, mut columns: Columns, stop: &AtomicBool) -> PyResult<Columns> {
    let named = |error: io::Error| named_error(path, &error);
    let text = File::open(path).and_then(|file| unpacked(Box::new(file)));
    let mut blocks = Blocks::new(text.map_err(named)?);
    while !stop.load(Ordering::Relaxed)
        && let Some(block) = blocks.next().transpose().map_err(named)?
    {
        read_block(&mut columns, &block);
        blocks.recycle(block);
        let (names, games) = (columns.tags.len(), columns.offsets.len());
        let cells = columns.cells.max(names.saturating_mul(games));
        if cells > most_cells(columns.block_end) {
            let message =
                format!("{names} different tags in {games} games are too many for columns");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(columns)
}

/// The exception of an error of a file, with the attributes of that of `open`.
fn named_error(path: &Path, error: &io::Error) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or(&text).to_owned();
            PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}

fn finish(py: Python<'_>, mut columns: Columns) -> PyResult<Bound<'_, PyDict>> {
    let rows = columns.offsets.len();
    let tags = PyDict::new(py);
    for (name, texts) in &mut columns.tags {
        texts.pad(rows);
        let ends = bytes(py, &texts.ends, u64::to_ne_bytes)?;
        let column = (
            PyBytes::new(py, &texts.data),
            ends,
            PyByteArray::new(py, &texts.is_there),
        );
        tags.set_item(&*decode(name), column)?;
    }
    let found = PyDict::new(py);
    found.set_item("tags", tags)?;
    found.set_item("offset", bytes(py, &columns.offsets, u64::to_ne_bytes)?)?;
    if columns.has_moves {
        found.set_item("ends", bytes(py, &columns.ends, u64::to_ne_bytes)?)?;
        found.set_item("problems", bytes(py, &columns.problems, u32::to_ne_bytes)?)?;
        found.set_item("moves", bytes(py, &columns.moves, u16::to_ne_bytes)?)?;
    }
    if columns.has_annotations {
        found.set_item("evals", bytes(py, &columns.evals, i32::to_ne_bytes)?)?;
        found.set_item("clocks", bytes(py, &columns.clocks, f32::to_ne_bytes)?)?;
    }
    Ok(found)
}

/// Numbers as the bytes that they are in memory, which a caller may change.
fn bytes<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    numbers: &[T],
    to_bytes: impl Fn(T) -> [u8; N],
) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, numbers.len() * N, |all| {
        for (place, &number) in all.chunks_exact_mut(N).zip(numbers) {
            place.copy_from_slice(&to_bytes(number));
        }
        Ok(())
    })
}
