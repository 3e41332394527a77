//! Many positions at once, on all processors.

use crate::chess::moves::RawMove;
use crate::engine::{read_position, read_variant};
use crate::interrupt::interruptible;
use crate::process;
use engine_core::eval::evaluate;
use engine_core::search::{Limits, Root, Score, ScoreKind, SearchOptions, Searcher};
use engine_core::{AnyPosition, CastlingMode, Variant, dispatch};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyString};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Positions between two checks for Ctrl-C.
const CHUNK: usize = 4096;

/// The hash size of each searcher, in MB.
const HASH_MB: usize = 4;

/// A mate counts as this minus its number of moves, as in `Score.score(mate_score=…)`.
const MATE_SCORE: i32 = 100_000;

/// Registers the functions.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(evaluate_fens, module)?)?;
    module.add_function(wrap_pyfunction!(legal_moves, module)?)?;
    Ok(())
}

/// Centipawns of positions for the side to move, as bytes of 32-bit integers, which a caller may change: by static evaluation, or by
/// a search of this many nodes.
#[pyfunction]
#[pyo3(signature = (fens, variant, nodes))]
fn evaluate_fens<'py>(
    py: Python<'py>,
    fens: Fens,
    variant: &str,
    nodes: Option<u64>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let variant = read_variant(variant)?;
    process::prepare(py, variant);
    let threads = process::threads(py)?;
    let fens = &fens.0;
    let mut scores: Vec<u8> = Vec::with_capacity(4 * fens.len());
    let keep = |score: i32| scores.extend(score.to_ne_bytes());
    match nodes {
        None => {
            let work = |chunk: &[String]| {
                let at_a_glance =
                    |position: &AnyPosition| dispatch!(position, |position| evaluate(position));
                Ok(py.detach(|| threads.install(|| each(chunk, variant, at_a_glance))))
            };
            in_chunks(py, fens, work, keep)?;
        }
        Some(nodes) => {
            // A fault is found before searches that may take hours.
            let check = |chunk: &[String]| {
                Ok(py.detach(|| threads.install(|| each(chunk, variant, |_| ()))))
            };
            in_chunks(py, fens, check, |()| ())?;
            let work = |chunk: &[String]| {
                interruptible(py, |stop| {
                    threads.install(|| search(chunk, variant, nodes, stop))
                })
            };
            in_chunks(py, fens, work, keep)?;
        }
    }
    Ok(PyByteArray::new(py, &scores))
}

/// Legal moves of positions: their counts, as bytes of 32-bit integers, and all moves, as
/// bytes of packed moves.
#[pyfunction]
#[pyo3(signature = (fens, variant, chess960))]
fn legal_moves<'py>(
    py: Python<'py>,
    fens: Fens,
    variant: &str,
    chess960: bool,
) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
    let variant = read_variant(variant)?;
    let mode = CastlingMode::from_chess960(chess960);
    process::prepare(py, variant);
    let threads = process::threads(py)?;
    let mut counts: Vec<u8> = Vec::with_capacity(4 * fens.0.len());
    let mut moves: Vec<u8> = Vec::new();
    let work = |chunk: &[String]| {
        let lists = || each(chunk, variant, |position| moves_of(position, mode));
        Ok(py.detach(|| threads.install(lists)))
    };
    in_chunks(py, &fens.0, work, |list| {
        counts.extend((list.len() as u32).to_ne_bytes());
        moves.extend(list.into_iter().flat_map(u16::to_ne_bytes));
    })?;
    Ok((PyByteArray::new(py, &counts), PyByteArray::new(py, &moves)))
}

/// Applies a function to chunks of positions and keeps what it returns for each position. Ctrl-C
/// ends it.
fn in_chunks<T>(
    py: Python<'_>,
    fens: &[String],
    work: impl Fn(&[String]) -> PyResult<Result<Vec<T>, PositionFault>>,
    mut keep: impl FnMut(T),
) -> PyResult<()> {
    for (index, chunk) in fens.chunks(CHUNK).enumerate() {
        let values = work(chunk)?.map_err(|fault| fault.at(index * CHUNK))?;
        values.into_iter().for_each(&mut keep);
        py.check_signals()?;
    }
    Ok(())
}

/// A list of FENs; an error names the first that is no string, as one without a value in a table.
struct Fens(Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Fens {
    type Error = PyErr;

    fn extract(list: Borrowed<'_, 'py, PyAny>) -> PyResult<Fens> {
        let items = list.cast::<PyList>()?.iter().enumerate();
        let text = |(index, item): (usize, Bound<'py, PyAny>)| {
            let text = item.cast::<PyString>().map_err(|_| {
                let message = format!("fens[{index}]: expected a string, not {item:?}");
                PyTypeError::new_err(message)
            })?;
            text.extract().map_err(|error: PyErr| {
                let error = error.value(text.py());
                PyValueError::new_err(format!("fens[{index}]: {error}"))
            })
        };
        Ok(Fens(items.map(text).collect::<PyResult<_>>()?))
    }
}

/// A fault of one of the positions.
struct PositionFault {
    index: usize,
    text: String,
}

impl PositionFault {
    fn at(self, begin: usize) -> PyErr {
        PyValueError::new_err(format!("fens[{}]: {}", begin + self.index, self.text))
    }
}

fn read(fen: &str, variant: Variant, index: usize) -> Result<AnyPosition, PositionFault> {
    read_position(variant, fen, false).map_err(|text| PositionFault { index, text })
}

/// Applies a function to each position.
fn each<T: Send>(
    fens: &[String],
    variant: Variant,
    compute: impl Fn(&AnyPosition) -> T + Sync,
) -> Result<Vec<T>, PositionFault> {
    let one = |(index, fen): (usize, &String)| Ok(compute(&read(fen, variant, index)?));
    fens.par_iter().enumerate().map(one).collect()
}

/// Searches each position with a cleared searcher, so that the results do not depend on the
/// distribution among threads.
fn search(
    fens: &[String],
    variant: Variant,
    nodes: u64,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<i32>, PositionFault> {
    let one = |searcher: &mut std::io::Result<Searcher>, (index, fen): (usize, &String)| {
        if stop.load(Ordering::Relaxed) {
            // Nobody waits for the values any more.
            return Ok(0);
        }
        let position = read(fen, variant, index)?;
        let searcher = searcher.as_mut().map_err(|error| PositionFault {
            index,
            text: error.to_string(),
        })?;
        searcher.clear();
        let root = Root::from(position);
        let limits = Limits {
            nodes: Some(nodes.max(1)),
            ..Limits::default()
        };
        let (best, _) = searcher.search(root, limits, SearchOptions::default());
        Ok(match best.score.kind() {
            ScoreKind::Centipawns(cp) => cp,
            // Zero moves: the game is over, and may be won, as by stalemate in Antichess.
            ScoreKind::Mate(moves) if best.score > Score::DRAW => MATE_SCORE - moves,
            ScoreKind::Mate(moves) => -MATE_SCORE - moves,
        })
    };
    let new = || {
        let mut searcher = Searcher::new(HASH_MB)?;
        searcher.stop_by(Arc::clone(stop));
        Ok(searcher)
    };
    fens.par_iter().enumerate().map_init(new, one).collect()
}

/// The legal moves of a position, packed. Castling that only Chess960 has is always written as there:
/// the king's move could be another one.
fn moves_of(position: &AnyPosition, mode: CastlingMode) -> Vec<u16> {
    dispatch!(position, |position| {
        let mode = match position.mode() {
            CastlingMode::Chess960 => CastlingMode::Chess960,
            CastlingMode::Standard => mode,
        };
        let moves = position.legal_moves();
        let packed = |&m: &engine_core::Move| RawMove::of(m, mode).packed();
        moves.iter().map(packed).collect()
    })
}
