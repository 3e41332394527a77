//! Mola's bots for reconnaissance chess.
//!
//! Moves come and go in UCI notation and pieces by their letters, so that boards of any library
//! for Python will do.

use crate::process::{Process, prepare};
use ::recon::bots::BotSpec;
use ::recon::{Board, GameHistory, MoveResult, Player, SenseResult, UciMove, WinReason};
use common::error::{Error, Result};
use common::random::Random;
use engine_core::{Color, Piece, Square, Variant};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

/// Registers the class.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Bot>()
}

/// A bot with a stream of random numbers. Other threads run while it thinks.
#[pyclass(module = "mola._mola.recon", frozen)]
struct Bot {
    process: Process,
    player: Mutex<Box<dyn Player>>,
}

impl Bot {
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut dyn Player) -> Result<T> + Send,
    ) -> PyResult<T> {
        self.process.check()?;
        py.detach(|| {
            let mut player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
            question(&mut **player)
        })
        .map_err(|error: Error| PyRuntimeError::new_err(error.to_string()))
    }
}

#[pymethods]
impl Bot {
    /// A bot by its name and options, such as `mola:time=1`.
    #[new]
    fn new(py: Python<'_>, spec: &str, seed: u64) -> PyResult<Bot> {
        let spec = spec.parse::<BotSpec>().map_err(refuse)?;
        prepare(py, Variant::Standard);
        let player = py.detach(|| spec.build(Random::new(seed, 0)));
        let player = player.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Bot {
            process: Process::this(),
            player: Mutex::new(player),
        })
    }

    fn game_start(&self, py: Python<'_>, white: bool, fen: &str, opponent: &str) -> PyResult<()> {
        let board = Board::from_fen(fen).map_err(refuse)?;
        let color = Color::from_white(white);
        self.ask(py, |player| player.game_start(color, &board, opponent))
    }

    fn opponent_move_result(&self, py: Python<'_>, capture: Option<usize>) -> PyResult<()> {
        let capture = capture.map(square).transpose()?;
        self.ask(py, |player| player.opponent_move_result(capture))
    }

    fn choose_sense(
        &self,
        py: Python<'_>,
        moves: Vec<String>,
        seconds_left: f64,
    ) -> PyResult<Option<usize>> {
        let moves = all(&moves)?;
        let sense = self.ask(py, |player| player.choose_sense(&moves, seconds_left))?;
        Ok(sense.map(Square::index))
    }

    fn sense_result(&self, py: Python<'_>, seen: Vec<(usize, Option<char>)>) -> PyResult<()> {
        let mut result = SenseResult::new();
        for (index, letter) in seen {
            let piece = letter.map(|letter| {
                Piece::from_letter(letter).ok_or_else(|| refuse(format!("no piece: {letter:?}")))
            });
            let seen = (square(index)?, piece.transpose()?);
            let too_many = |_| refuse("a sense result has at most nine squares");
            result.try_push(seen).map_err(too_many)?;
        }
        self.ask(py, |player| player.sense_result(&result))
    }

    fn choose_move(
        &self,
        py: Python<'_>,
        moves: Vec<String>,
        seconds_left: f64,
    ) -> PyResult<Option<String>> {
        let moves = all(&moves)?;
        let chosen = self.ask(py, |player| player.choose_move(&moves, seconds_left))?;
        Ok(chosen.map(|m| m.to_string()))
    }

    fn move_result(
        &self,
        py: Python<'_>,
        requested: Option<&str>,
        taken: Option<&str>,
        capture: Option<usize>,
    ) -> PyResult<()> {
        let result = MoveResult {
            requested: requested.map(uci).transpose()?,
            taken: taken.map(uci).transpose()?,
            capture: capture.map(square).transpose()?,
        };
        self.ask(py, |player| player.move_result(result))
    }

    /// The end of a game. Mola's bots learn nothing from its record.
    fn game_end(&self, py: Python<'_>, winner: Option<bool>, reason: Option<&str>) -> PyResult<()> {
        let winner = winner.map(Color::from_white);
        let reason = reason.and_then(WinReason::from_name);
        let history = GameHistory::default();
        self.ask(py, |player| player.game_end(winner, reason, &history))
    }
}

fn refuse(problem: impl Display) -> PyErr {
    PyValueError::new_err(problem.to_string())
}

fn square(index: usize) -> PyResult<Square> {
    Square::from_index(index).ok_or_else(|| refuse(format!("no square: {index}")))
}

fn uci(text: &str) -> PyResult<UciMove> {
    let not_a_move = |_| refuse(format!("not a move: {text:?}"));
    text.parse().map_err(not_a_move)
}

fn all(moves: &[String]) -> PyResult<Vec<UciMove>> {
    moves.iter().map(|text| uci(text)).collect()
}
