//! `mola.chess.pgn`: games read from Python's text files.

mod file_lock;
mod game;
mod io_class;
mod read_ahead;
mod source;
mod text_file;
mod text_part;

use crate::text::PyText;
use game::{Game, Tags};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use python_chess::games::token::{self, Token};
use python_chess::games::{LineSource, PythonGame, Reader};
use std::io;
use text_part::ReadTask;

/// Fills the module `pgn`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Game>()?;
    module.add_class::<Tags>()?;
    module.add(
        "UnsupportedLine",
        module.py().get_type::<source::UnsupportedLine>(),
    )?;
    module.add_function(wrap_pyfunction!(read_game, module)?)?;
    module.add_function(wrap_pyfunction!(read_headers, module)?)?;
    module.add_function(wrap_pyfunction!(skip_game, module)?)?;
    module.add_function(wrap_pyfunction!(tokens, module)?)
}

/// Reads a game; `None` at the end of the file.
#[pyfunction]
fn read_game(handle: &Bound<'_, PyAny>) -> PyResult<Option<Game>> {
    Ok(source::read(handle, &WholeGame)?.map(Game::new))
}

/// Reads the tags of a game and passes over the rest of it; `None` at the end of the file.
#[pyfunction]
fn read_headers(handle: &Bound<'_, PyAny>) -> PyResult<Option<Tags>> {
    Ok(source::read(handle, &HeaderLines)?.map(Tags::of_lines))
}

/// Passes over a game; false at the end of the file.
#[pyfunction]
fn skip_game(handle: &Bound<'_, PyAny>) -> PyResult<bool> {
    source::read(handle, &Nothing)
}

/// All of a game.
struct WholeGame;

impl ReadTask for WholeGame {
    type Result = Option<PythonGame>;

    fn read<L: LineSource>(&self, reader: &mut Reader<L>) -> io::Result<Self::Result> {
        reader.read_game()
    }
}

/// The lines of a game that should be tags.
struct HeaderLines;

impl ReadTask for HeaderLines {
    type Result = Option<String>;

    fn read<L: LineSource>(&self, reader: &mut Reader<L>) -> io::Result<Self::Result> {
        reader.read_header_lines()
    }

    fn skim(&self) -> Option<fn(&str) -> Self::Result> {
        Some(|tags| Some(tags.to_owned()))
    }
}

/// Nothing of a game but whether there is one.
struct Nothing;

impl ReadTask for Nothing {
    type Result = bool;

    fn read<L: LineSource>(&self, reader: &mut Reader<L>) -> io::Result<Self::Result> {
        reader.skip_game()
    }

    fn skim(&self) -> Option<fn(&str) -> Self::Result> {
        Some(|_| true)
    }

    fn keeps_text(&self) -> bool {
        false
    }
}

/// The tokens of a line up to the first comment, as pairs of kind and text, and the number of
/// characters up to the brace of that comment, if there is one.
#[pyfunction]
fn tokens<'py>(py: Python<'py>, line: PyText<'_>) -> PyResult<(Bound<'py, PyList>, Option<usize>)> {
    let tokens = PyList::empty(py);
    let mut at = 0;
    while let Some((token, end)) = token::next(&line, at) {
        let (kind, text) = match token {
            Token::Move(text) => ("move", text),
            Token::Nag(digits) => ("nag", digits),
            Token::Suffix(marks) => ("nag", python_chess::games::nag_digits(marks)),
            Token::Open => ("open", "("),
            Token::Close => ("close", ")"),
            Token::Result(text) => ("result", text),
            Token::LineComment => break,
            Token::Comment(brace) => {
                let before = line.get(..=brace).unwrap_or_default();
                return Ok((tokens, Some(before.chars().count())));
            }
        };
        let kind = PyString::intern(py, kind);
        tokens.append(PyTuple::new(py, [kind, PyString::new(py, text)])?)?;
        at = end;
    }
    Ok((tokens, None))
}
