//! A game as the reader leaves it.

use super::illegal;
use engine_core::AnyPosition;
use engine_core::notation::MoveText;
use pgn::{Headers, NodeId, Tree};

/// A game with additional data that python-chess has.
#[derive(Clone, Debug)]
pub struct PythonGame {
    /// The game. Its tags are in the order of python-chess, the result is among them, and there
    /// is a start only if the tags name one.
    pub tree: Tree,
    /// The errors, each as `Class: message`.
    pub errors: Vec<String>,
    /// Why the tags name no start, if they do not.
    pub start_error: Option<String>,
    /// Whether some moves were tried on the board of another line.
    pub(super) is_mixed_up: bool,
    /// The error that looking at the moves raises, if a move has no piece.
    pub broken: Option<String>,
    /// The moves to the nodes in UCI notation, in the order in which they were read.
    pub(super) ucis: Vec<MoveText>,
    /// The positions of all nodes and the moves to them in algebraic notation, if mixed up.
    positions: Vec<AnyPosition>,
    sans: Vec<String>,
}

impl PythonGame {
    /// The move to a node in UCI notation, as it was read.
    pub fn uci(&self, id: NodeId) -> &str {
        let index = id.index().checked_sub(1);
        index
            .and_then(|index| self.ucis.get(index))
            .map_or("", |uci| uci)
    }

    /// The position after a node, where it is not that of the moves of the tree: in a game some of
    /// whose moves were tried on the board of another line and are illegal where they are.
    pub fn position(&self, id: NodeId) -> Option<&AnyPosition> {
        self.positions.get(id.index())
    }

    /// The move to a node in algebraic notation, in such a game.
    pub fn san(&self, id: NodeId) -> Option<&str> {
        let index = id.index().checked_sub(1)?;
        self.sans.get(index).map(String::as_str)
    }

    /// A game without moves, and the start that its tags name.
    pub(super) fn empty(headers: Headers, start: Result<AnyPosition, String>) -> PythonGame {
        let mut tree = Tree::empty();
        tree.headers = headers;
        tree.start = start.as_ref().ok().copied();
        PythonGame {
            tree,
            errors: Vec::new(),
            start_error: start.err(),
            is_mixed_up: false,
            broken: None,
            ucis: Vec::new(),
            positions: Vec::new(),
            sans: Vec::new(),
        }
    }

    /// Plays each move on the board that its node has in the tree, though it came from the board of
    /// another line. The first that finds no piece to move is noted.
    pub(super) fn put_right(&mut self) {
        let Some(start) = self.tree.start else { return };
        self.positions.push(start);
        for id in self.tree.ids().skip(1) {
            let parent = self.tree.parent(id).map_or(0, NodeId::index);
            let Some(&before) = self.positions.get(parent) else {
                return;
            };
            let uci = self.uci(id);
            let illegal::PlayedMove { m, san, after } = match illegal::play(&before, uci) {
                Ok(played) => played,
                Err(message) => {
                    self.broken = Some(message);
                    return;
                }
            };
            self.tree.set_move(id, m);
            self.positions.push(after);
            self.sans.push(san);
        }
    }
}
