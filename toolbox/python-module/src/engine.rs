//! The searcher in the process of Python.

use crate::process::{Process, prepare};
use crossbeam_channel::{Receiver, Select};
use engine_core::notation::MoveError;
use engine_core::search::{self, Clock, Event, Limits, Score, ScoreKind, wdl};
use engine_core::{AnyPosition, ByColor, CastlingMode, Game, Move, Setup, Variant, dispatch};
use mola::embed;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::mem;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// The time between two checks for Ctrl-C during a wait.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Registers the classes.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Search>()?;
    module.add_class::<Searcher>()?;
    Ok(())
}

/// A search, and its end, which all threads that wait for it are told.
#[pyclass(module = "mola._mola.engine", frozen)]
struct Search {
    number: u64,
    end: OnceLock<PyBestMove>,
}

/// The best move, and the answer that is expected.
type PyBestMove = (Option<String>, Option<String>);

/// An engine with options, which searches one position at a time.
#[pyclass(module = "mola._mola.engine", frozen)]
struct Searcher {
    process: Process,
    inner: Mutex<Inner>,
}

struct Inner {
    engine: embed::Engine,
    /// The number of the search: a wait for an earlier one ends without a move.
    search: u64,
    root: AnyPosition,
    /// Events of the search that have not been fetched yet.
    pending: Vec<Event>,
}

/// An event for Python: a line of analysis, or the end.
#[derive(IntoPyObject)]
enum EngineEvent {
    Line(PyInfo),
    End(PyBestMove),
}

/// Depth, selective depth, number of the line; `cp`, `mate` or `given`, and how many; bound; permille of
/// wins, draws and losses, if they are shown; nodes, seconds, nodes a second, permille of the table, hits
/// of tablebases; the moves.
type PyInfo = (
    u32,
    u32,
    usize,
    (&'static str, i32),
    i8,
    Option<[u32; 3]>,
    (u64, f64, u64, u32, u64),
    Vec<String>,
);

#[pymethods]
impl Searcher {
    #[new]
    fn new() -> Searcher {
        Searcher {
            process: Process::this(),
            inner: Mutex::new(Inner {
                engine: embed::Engine::default(),
                search: 0,
                root: AnyPosition::start(Variant::default()),
                pending: Vec::new(),
            }),
        }
    }

    /// The lines that declare the options in UCI.
    #[staticmethod]
    fn options() -> Vec<String> {
        embed::Engine::options().collect()
    }

    /// Sets an option, and gives what is to be said about it.
    fn set_option(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<Vec<String>> {
        py.detach(|| {
            let set = self.lock()?.engine.set_option(name, value);
            set.map_err(PyValueError::new_err)
        })
    }

    /// Forgets what was learned.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            let mut inner = self.lock()?;
            inner.end();
            inner.engine.new_game();
            Ok(())
        })
    }

    /// Begins to search a position, given by its variant, FEN and moves, to play or to analyse it with
    /// this many lines; gives the search and what is to be said about it.
    #[pyo3(signature = (variant, fen, chess960, moves, limits, lines, analyses))]
    #[expect(
        clippy::too_many_arguments,
        reason = "a call of Python, once for a search"
    )]
    fn go(
        &self,
        py: Python<'_>,
        variant: &str,
        fen: &str,
        chess960: bool,
        moves: Vec<String>,
        limits: LimitsArgument,
        lines: u64,
        analyses: bool,
    ) -> PyResult<(Search, Vec<String>)> {
        let variant = read_variant(variant)?;
        prepare(py, variant);
        py.detach(|| {
            let game = read_game(variant, fen, chess960, &moves).map_err(PyValueError::new_err)?;
            let limits = limits.limits(game.position())?;
            let mut inner = self.lock()?;
            inner.end();
            let engine = &mut inner.engine;
            for (name, value) in [
                ("MultiPV", lines.to_string()),
                ("UCI_AnalyseMode", analyses.to_string()),
            ] {
                engine
                    .set_option(name, &value)
                    .map_err(PyValueError::new_err)?;
            }
            inner.root = *game.position();
            inner.search += 1;
            let messages = inner.engine.go(game, limits);
            let search = Search {
                number: inner.search,
                end: OnceLock::new(),
            };
            Ok((search, messages))
        })
    }

    /// Waits for the next event of a search, whose end comes again and again.
    fn next(&self, py: Python<'_>, search: &Search) -> PyResult<EngineEvent> {
        loop {
            let waiting = py.detach(|| -> PyResult<_> {
                let mut inner = self.lock()?;
                let event = inner.next(search);
                Ok(event.ok_or_else(|| inner.engine.wakeups()))
            });
            match waiting? {
                Ok(event) => return Ok(event),
                Err(wakeups) => py.detach(|| wait(&wakeups)),
            }
            if let Err(interrupt) = py.check_signals() {
                self.stop(py, search)?;
                return Err(interrupt);
            }
        }
    }

    /// Whether [`Searcher::next`] would have to wait.
    fn would_block(&self, py: Python<'_>, search: &Search) -> PyResult<bool> {
        py.detach(|| {
            let mut inner = self.lock()?;
            let events = inner.engine.poll();
            inner.pending.extend(events);
            let is_silent = inner.pending.is_empty() && inner.engine.is_searching();
            Ok(inner.search == search.number && is_silent)
        })
    }

    /// Ends a search: what it has to tell still comes, its best move last.
    fn stop(&self, py: Python<'_>, search: &Search) -> PyResult<()> {
        py.detach(|| {
            let mut inner = self.lock()?;
            if inner.search == search.number {
                let events = inner.engine.stop();
                inner.pending.extend(events);
            }
            Ok(())
        })
    }
}

impl Searcher {
    fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        self.process.check()?;
        Ok(self.inner.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        if self.process != Process::this() {
            // It would wait for threads that a fork has left behind.
            let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
            mem::forget(mem::take(&mut inner.engine));
        }
    }
}

impl Inner {
    /// Ends the search, and all waits for it.
    fn end(&mut self) {
        self.engine.stop();
        self.pending.clear();
        self.search += 1;
    }

    /// The next event of a search; none as long as it is silent. It ends without a move if another one
    /// has taken its place.
    fn next(&mut self, search: &Search) -> Option<EngineEvent> {
        if search.end.get().is_none() && self.search == search.number {
            if self.pending.is_empty() {
                self.pending.extend(self.engine.poll());
            }
            while !self.pending.is_empty() {
                let event = self.pending.remove(0);
                match for_python(&self.root, event, self.engine.shows_wdl()) {
                    Some(EngineEvent::End(end)) => {
                        search.end.get_or_init(|| end);
                    }
                    Some(line) => return Some(line),
                    None => {}
                }
            }
            if self.engine.is_searching() {
                return None;
            }
        }
        let end = search.end.get_or_init(PyBestMove::default);
        Some(EngineEvent::End(end.clone()))
    }
}

fn wait(wakeups: &Receiver<Event>) {
    let mut select = Select::new();
    select.recv(wakeups);
    // Either is a reason to look.
    let _ = select.ready_timeout(SIGNAL_INTERVAL);
}

/// Limits of a search, as Python has them: seconds, and moves in UCI.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct LimitsArgument {
    time: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    mate: Option<u32>,
    white_clock: Option<f64>,
    black_clock: Option<f64>,
    white_inc: Option<f64>,
    black_inc: Option<f64>,
    remaining_moves: Option<u32>,
    root_moves: Vec<String>,
    infinite: bool,
}

impl LimitsArgument {
    fn limits(&self, root: &AnyPosition) -> PyResult<Limits> {
        let read = |text: &String| -> Result<Move, MoveError> { root.parse_uci(text) };
        let moves: Result<Vec<Move>, MoveError> = self.root_moves.iter().map(read).collect();
        let invalid = |error: MoveError| PyValueError::new_err(format!("root_moves: {error}"));
        Ok(Limits {
            clocks: ByColor([
                clock(self.white_clock, self.white_inc),
                clock(self.black_clock, self.black_inc),
            ]),
            moves_to_go: self.remaining_moves.filter(|&moves| moves > 0),
            move_time: self.time.map(duration),
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            search_moves: moves.map_err(invalid)?,
            infinite: self.infinite,
            ..Limits::default()
        })
    }
}

fn clock(remaining: Option<f64>, increment: Option<f64>) -> Option<Clock> {
    remaining.map(|remaining| Clock {
        remaining: duration(remaining),
        increment: duration(increment.unwrap_or(0.0)),
    })
}

/// A time in seconds; zero if the number is not a valid time.
fn duration(seconds: f64) -> Duration {
    const MAX_SECONDS: f64 = 1e9;
    Duration::try_from_secs_f64(seconds.clamp(0.0, MAX_SECONDS)).unwrap_or_default()
}

/// The game that led to a position.
fn read_game(
    variant: Variant,
    fen: &str,
    chess960: bool,
    moves: &[String],
) -> Result<Game, String> {
    let mut game = Game::new(read_position(variant, fen, chess960)?);
    for text in moves {
        if text == "0000" && !game.position().in_check() {
            game.play_null();
        } else {
            game.push_uci(text)
                .map_err(|error| format!("{text}: {error}"))?;
        }
    }
    Ok(game)
}

/// The variant of a name.
pub(crate) fn read_variant(name: &str) -> PyResult<Variant> {
    name.parse()
        .map_err(|error| PyValueError::new_err(format!("{error}")))
}

/// The position of a FEN.
pub(crate) fn read_position(
    variant: Variant,
    fen: &str,
    chess960: bool,
) -> Result<AnyPosition, String> {
    let setup = Setup::from_variant_fen(variant, fen).map_err(|error| error.to_string())?;
    let mode = if chess960 {
        CastlingMode::Chess960
    } else {
        setup.castling_mode()
    };
    AnyPosition::from_setup(variant, &setup, mode).map_err(|error| error.to_string())
}

fn for_python(root: &AnyPosition, event: Event, shows_wdl: bool) -> Option<EngineEvent> {
    match event {
        Event::CurrentMove { .. } => None,
        Event::BestMove(best) => {
            let moves: Vec<Move> = best.best.into_iter().chain(best.ponder).collect();
            let mut texts = line(root, &moves).into_iter();
            Some(EngineEvent::End((texts.next(), texts.next())))
        }
        Event::Info(info) => {
            let score = match info.score.kind() {
                // A game that is already won, as by stalemate in Antichess.
                ScoreKind::Mate(0) if info.score > Score::DRAW => ("given", 0),
                ScoreKind::Mate(moves) => ("mate", moves),
                ScoreKind::Centipawns(cp) => ("cp", cp),
            };
            let bound = match info.bound {
                search::Bound::Exact => 0,
                search::Bound::Lower => 1,
                search::Bound::Upper => -1,
            };
            let seconds = info.time.as_secs_f64();
            let work = (info.nodes, seconds, info.nps(), info.hashfull, info.tbhits);
            let moves = line(root, &info.pv);
            Some(EngineEvent::Line((
                info.depth,
                info.seldepth,
                info.multipv,
                score,
                bound,
                shows_wdl.then(|| wdl::of(&info, root)),
                work,
                moves,
            )))
        }
    }
}

/// Moves from a position on, in UCI.
fn line(root: &AnyPosition, moves: &[Move]) -> Vec<String> {
    dispatch!(root, |root| {
        let mut position = *root;
        let mut texts = Vec::with_capacity(moves.len());
        for &m in moves {
            texts.push(position.to_uci(m).to_string());
            position.play(m);
        }
        texts
    })
}
