//! `mola.chess.pgn`: games read from Python's text files.

#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method is not general enough for a reader of any lifetime"
)]

mod game;
mod source;
mod text_file;

use game::{Game, Tags};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use python_chess::games::token::{self, Token};

/// Fills the module `pgn`.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Game>()?;
    module.add_class::<Tags>()?;
    module.add_function(wrap_pyfunction!(read_game, module)?)?;
    module.add_function(wrap_pyfunction!(read_headers, module)?)?;
    module.add_function(wrap_pyfunction!(skip_game, module)?)?;
    module.add_function(wrap_pyfunction!(tokens, module)?)
}

/// Reads a game; `None` at the end of the file.
#[pyfunction]
fn read_game(handle: &Bound<'_, PyAny>) -> PyResult<Option<Game>> {
    let game = source::read(handle, |reader| reader.read_game())?;
    Ok(game.map(Game::new))
}

/// Reads the tags of a game and passes over the rest of it; `None` at the end of the file.
#[pyfunction]
fn read_headers(handle: &Bound<'_, PyAny>) -> PyResult<Option<Tags>> {
    let lines = source::read(handle, |reader| reader.read_header_lines())?;
    Ok(lines.map(Tags::of_lines))
}

/// Passes over a game; false at the end of the file.
#[pyfunction]
fn skip_game(handle: &Bound<'_, PyAny>) -> PyResult<bool> {
    source::read(handle, |reader| reader.skip_game())
}

/// The tokens of a line up to the first comment, as pairs of kind and text, and the text behind
/// the brace of that comment, if there is one.
#[pyfunction]
fn tokens<'py>(
    py: Python<'py>,
    line: &Bound<'py, PyString>,
) -> PyResult<(Bound<'py, PyList>, Option<Bound<'py, PyString>>)> {
    let line = line.to_string_lossy();
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
                let rest = line.get(brace + 1..).unwrap_or_default();
                return Ok((tokens, Some(PyString::new(py, rest))));
            }
        };
        let kind = PyString::intern(py, kind);
        tokens.append(PyTuple::new(py, [kind, PyString::new(py, text)])?)?;
        at = end;
    }
    Ok((tokens, None))
}
