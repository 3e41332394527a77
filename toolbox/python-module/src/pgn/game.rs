//! Games as the reader left them, of which Python makes nodes when it looks at them.

use crate::chess::moves::{Move, RawMove};
use pgn::{Comment, Headers, NodeId, ROSTER};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySet, PyString};
use python_chess::games::{PythonGame, tags_of};

/// A game. Its nodes have numbers, of which 0 is the root.
#[pyclass(module = "mola._mola.pgn", frozen)]
pub(super) struct Game {
    game: PythonGame,
    nodes: Vec<NodeId>,
}

/// A node's number, the move to it, its comment and the one before the move.
type Child = (usize, Move, String, String);

/// How many nodes of a line Python gets at a time.
const LINE: usize = 16;

impl Game {
    pub(super) fn new(game: PythonGame) -> Game {
        let nodes = game.tree.ids().collect();
        Game { game, nodes }
    }

    fn node(&self, index: usize) -> PyResult<NodeId> {
        let node = self.nodes.get(index).copied();
        node.ok_or_else(|| PyIndexError::new_err("no such node"))
    }

    fn move_to(&self, id: NodeId) -> PyResult<Move> {
        RawMove::from_uci(&self.game.uci(id).into()).map(Move::of)
    }
}

#[pymethods]
impl Game {
    /// The tags.
    fn tags(&self) -> Tags {
        Tags(TagSource::Read(self.game.tree.headers.clone()))
    }

    /// What was wrong: pairs of the exception's name and its message.
    fn errors(&self) -> Vec<(String, String)> {
        let pair = |error: &String| {
            let (name, message) = error.split_once(": ").unwrap_or(("ValueError", error));
            (name.to_owned(), message.to_owned())
        };
        self.game.errors.iter().map(pair).collect()
    }

    /// The variations of a node and of the next ones of its main line.
    fn line(&self, index: usize) -> PyResult<Vec<Vec<Child>>> {
        let tree = &self.game.tree;
        let child = |&id: &NodeId| {
            let comment = joined(tree.comments(id));
            let starting_comment = joined(tree.starting_comments(id));
            Ok((id.index(), self.move_to(id)?, comment, starting_comment))
        };
        let start = self.node(index)?;
        let line = std::iter::once(start).chain(tree.main_line(start));
        line.take(LINE)
            .map(|id| tree.children(id).iter().map(child).collect())
            .collect()
    }

    /// The moves of the main line behind a node.
    fn main_line(&self, index: usize) -> PyResult<Vec<Move>> {
        let line = self.game.tree.main_line(self.node(index)?);
        line.map(|id| self.move_to(id)).collect()
    }

    /// The comment before the first move.
    fn comment(&self) -> PyResult<String> {
        Ok(joined(self.game.tree.comments(self.node(0)?)))
    }

    /// The glyphs of a node.
    fn nags<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PySet>> {
        PySet::new(py, self.game.tree.nags(self.node(index)?))
    }
}

fn joined(comments: &[Comment]) -> String {
    let texts: Vec<_> = comments
        .iter()
        .map(|comment| comment.text.to_str())
        .collect();
    texts.join(" ")
}

/// The tags of a game.
#[pyclass(module = "mola._mola.pgn", frozen)]
pub(super) struct Tags(TagSource);

enum TagSource {
    /// As they were read with their game.
    Read(Headers),
    /// Lines that have not been read yet.
    Lines(String),
}

impl Tags {
    /// The tags of the lines of a game that come before the moves.
    pub(super) fn of_lines(lines: String) -> Tags {
        Tags(TagSource::Lines(lines))
    }
}

#[pymethods]
impl Tags {
    /// The seven tags that every game should have, if present, and the others.
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let (roster, others) = (PyDict::new(py), PyDict::new(py));
        let set = |name: &str, value: &str| {
            let is_known = ROSTER.iter().any(|&(known, _)| known == name);
            let tags = if is_known { &roster } else { &others };
            tags.set_item(PyString::intern(py, name), value)
        };
        match &self.0 {
            TagSource::Read(headers) => headers
                .iter()
                .try_for_each(|(name, value)| set(&name.to_str(), &value.to_str()))?,
            TagSource::Lines(lines) => {
                tags_of(lines).try_for_each(|(name, value)| set(name, value))?;
            }
        }
        Ok((roster, others))
    }
}
