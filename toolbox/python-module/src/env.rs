//! Games for reinforcement learning in the process of Python: all of a step in a few buffers.

use crate::process::Process;
use ::env::{ACTIONS, Batch, Config, Env, EnvError, Form, ansi, start_from_fen, svg};
use engine_core::notation::EnPassant;
use engine_core::{Color, Role};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyByteArray;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// The most games: observations of more would need too much memory.
const MAX_GAMES: usize = 4096;

/// Registers the class.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("ACTIONS", ACTIONS)?;
    module.add_class::<Games>()?;
    Ok(())
}

/// A number of games that are stepped together.
#[pyclass(module = "mola._mola.env", frozen)]
struct Games {
    process: Process,
    batch: Mutex<Batch>,
    count: usize,
    form: Form,
}

/// The result of a step, game after game: observations and masks of the players to act; the
/// players, both rewards, terminations and truncations, a byte each.
type Shown<'py> = (
    Bound<'py, PyByteArray>,
    Bound<'py, PyByteArray>,
    Bound<'py, PyByteArray>,
);

#[pymethods]
impl Games {
    #[new]
    #[pyo3(signature = (games, frames, fen, max_plies))]
    fn new(games: usize, frames: u8, fen: Option<&str>, max_plies: Option<u32>) -> PyResult<Games> {
        if !(1..=MAX_GAMES).contains(&games) {
            return Err(PyValueError::new_err(format!(
                "1 to {MAX_GAMES} games expected"
            )));
        }
        let form = match frames {
            8 => Form::Stacked,
            1 => Form::Single,
            _ => return Err(PyValueError::new_err("frames: 8 or 1 expected")),
        };
        if max_plies == Some(0) {
            return Err(PyValueError::new_err("max_plies: at least 1 expected"));
        }
        let start = fen.map(start_from_fen).transpose().map_err(refuse)?;
        let config = Config {
            form,
            start,
            max_plies,
        };
        Ok(Games {
            process: Process::this(),
            batch: Mutex::new(Batch::new(&config, games)),
            count: games,
            form,
        })
    }

    /// Starts all games, from these positions if there are any: one for all, or one for each.
    fn reset<'py>(&self, py: Python<'py>, fens: Vec<String>) -> PyResult<Shown<'py>> {
        let starts: Result<Vec<_>, EnvError> = fens.iter().map(|fen| start_from_fen(fen)).collect();
        let starts = starts.map_err(refuse)?;
        let mut batch = self.lock(py)?;
        match starts.as_slice() {
            [] => batch.reset(),
            &[start] => batch
                .reset_to(&vec![Some(start); self.count])
                .map_err(refuse)?,
            starts => {
                let starts: Vec<_> = starts.iter().copied().map(Some).collect();
                batch.reset_to(&starts).map_err(refuse)?;
            }
        }
        self.show(py, &batch)
    }

    /// Plays an action in each game. One that is over starts again instead.
    fn step<'py>(&self, py: Python<'py>, actions: Vec<u16>) -> PyResult<Shown<'py>> {
        let mut guard = self.lock(py)?;
        let batch = &mut *guard;
        py.detach(|| batch.step(&actions)).map_err(refuse)?;
        self.show(py, batch)
    }

    /// What one player sees in each game, whether or not it is to act.
    fn observe<'py>(&self, py: Python<'py>, player: u8) -> PyResult<Bound<'py, PyByteArray>> {
        let color = match player {
            0 => Color::White,
            1 => Color::Black,
            _ => return Err(PyValueError::new_err("player: 0 or 1 expected")),
        };
        let batch = self.lock(py)?;
        self.observations(py, &batch, Some(color))
    }

    /// A picture of a game: `ansi` or `svg`.
    fn render(&self, py: Python<'_>, game: usize, mode: &str) -> PyResult<String> {
        let draw = match mode {
            "ansi" => ansi,
            "svg" => svg,
            _ => {
                let message = format!("{mode} is not one of ansi and svg");
                return Err(PyValueError::new_err(message));
            }
        };
        self.look(py, game, |env| draw(env.position().board()))
    }

    /// The position of a game.
    fn fen(&self, py: Python<'_>, game: usize) -> PyResult<String> {
        self.look(py, game, |env| env.position().fen(EnPassant::Legal))
    }

    /// The move that an action is in a game, if it is legal.
    fn r#move(&self, py: Python<'_>, action: usize, game: usize) -> PyResult<Option<String>> {
        self.look(py, game, |env| {
            let legal = env.legal().iter().find(|(number, _)| *number == action);
            legal.map(|(_, m)| env.position().to_uci(*m).to_string())
        })
    }

    /// The pieces of a game from a8 to h1: 0 for none, 1 to 6 for White's from pawn to king, 7 to
    /// 12 for Black's.
    fn pieces(&self, py: Python<'_>, game: usize) -> PyResult<Vec<u8>> {
        self.look(py, game, |env| {
            let mut pieces = vec![0; 64];
            for (square, piece) in env.position().board().iter() {
                let row = 7 - square.rank().index();
                if let Some(place) = pieces.get_mut(8 * row + square.file().index()) {
                    *place = number(piece.role) + if piece.color.is_white() { 0 } else { 6 };
                }
            }
            pieces
        })
    }
}

impl Games {
    /// The games, once no other thread steps them; others may run until then. Fails if a fork has
    /// come in the middle of a step, which does not end in the new process.
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Batch>> {
        if matches!(self.batch.try_lock(), Err(TryLockError::WouldBlock)) {
            self.process.check()?;
        }
        let batch = self.batch.lock_py_attached(py);
        Ok(batch.unwrap_or_else(PoisonError::into_inner))
    }

    fn look<T>(&self, py: Python<'_>, game: usize, look: impl FnOnce(&Env) -> T) -> PyResult<T> {
        let batch = self.lock(py)?;
        let env = batch.envs().get(game);
        env.map(look)
            .ok_or_else(|| PyIndexError::new_err("no such game"))
    }

    fn show<'py>(&self, py: Python<'py>, batch: &Batch) -> PyResult<Shown<'py>> {
        let masks = PyByteArray::new_with(py, self.count * ACTIONS, |out| {
            py.detach(|| batch.masks(out)).map_err(refuse)
        })?;
        let flags: Vec<u8> = batch.envs().iter().flat_map(flags).collect();
        let flags = PyByteArray::new(py, &flags);
        Ok((self.observations(py, batch, None)?, masks, flags))
    }

    fn observations<'py>(
        &self,
        py: Python<'py>,
        batch: &Batch,
        player: Option<Color>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        PyByteArray::new_with(py, self.count * self.form.bytes(), |out| {
            py.detach(|| batch.observe(player, out)).map_err(refuse)
        })
    }
}

/// The player to act, the rewards of both as signed bytes, whether it is terminated or truncated.
fn flags(env: &Env) -> [u8; 5] {
    let [white, black] = env.rewards();
    [
        u8::from(!env.player().is_white()),
        white.cast_unsigned(),
        black.cast_unsigned(),
        env.is_terminated().into(),
        env.is_truncated().into(),
    ]
}

fn number(role: Role) -> u8 {
    role as u8 + 1
}

fn refuse(error: EnvError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
