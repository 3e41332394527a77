//! The state of reading the moves of a game.

use super::game::PythonGame;
use crate::{messages, names};
use engine_core::notation::{MoveError, MoveText};
use engine_core::{AnyPosition, Move};
use pgn::{Comment, MAX_DEPTH, NodeId};

/// A position that was reached, and the one before it.
struct ReachedPosition {
    before: Option<usize>,
    position: AnyPosition,
}

/// The state of reading a game.
pub(super) struct ParseState {
    game: PythonGame,
    /// Every position of every line.
    plies: Vec<ReachedPosition>,
    /// The boards of the open lines.
    boards: Vec<usize>,
    /// The last nodes of the open lines; the two stacks can go apart.
    nodes: Vec<NodeId>,
    waiting: Vec<Comment>,
    in_variation: bool,
}

impl ParseState {
    pub(super) fn new(game: PythonGame, position: AnyPosition) -> ParseState {
        let nodes = vec![game.tree.root()];
        ParseState {
            game,
            plies: vec![ReachedPosition {
                before: None,
                position,
            }],
            boards: vec![0],
            nodes,
            waiting: Vec::new(),
            in_variation: false,
        }
    }

    fn node(&self) -> NodeId {
        self.nodes.last().copied().unwrap_or(self.game.tree.root())
    }

    fn board(&self) -> usize {
        self.boards.last().copied().unwrap_or(0)
    }

    pub(super) fn comment(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let node = self.node();
        let is_first = node == self.game.tree.root() && self.game.tree.children(node).is_empty();
        if !self.in_variation && !is_first {
            self.waiting.push(Comment::new(text));
        } else if let Some(comments) = self.game.tree.comments_mut(node) {
            comments.push(Comment::new(text));
        }
    }

    pub(super) fn nag(&mut self, digits: &str) {
        let Ok(nag) = digits.parse() else {
            let message = format!(
                "ValueError: ${digits} is more than {} and skipped",
                u32::MAX
            );
            self.game.errors.push(message);
            return;
        };
        let node = self.node();
        if let Some(nags) = self.game.tree.nags_mut(node) {
            nags.push(nag);
        }
    }

    pub(super) fn result(&mut self, result: &str) {
        let headers = &mut self.game.tree.headers;
        if headers
            .raw("Result")
            .is_none_or(|value| value.as_bytes() == b"*")
        {
            headers.set_raw(b"Result", result.as_bytes());
        }
    }

    /// Begins a variation if a move has been played; false if it is to be skipped.
    pub(super) fn begin_variation(&mut self) -> bool {
        let ply = self.plies.get(self.board());
        let Some(before) = ply.and_then(|ply| ply.before) else {
            return true;
        };
        let parent = self.game.tree.parent(self.node());
        self.nodes.push(parent.unwrap_or(self.game.tree.root()));
        // The end of a variation that is skipped takes its node away again, and no board.
        if self.boards.len() > MAX_DEPTH {
            let message = format!("ValueError: a variation more than {MAX_DEPTH} deep is skipped");
            self.game.errors.push(message);
            return false;
        }
        self.boards.push(before);
        self.in_variation = false;
        true
    }

    /// Whether no variation is open.
    pub(super) fn is_in_main_line(&self) -> bool {
        self.boards.len() == 1
    }

    /// Ends a variation that was not read: it has a node and no board.
    pub(super) fn end_skipped_variation(&mut self) {
        self.nodes.pop();
    }

    pub(super) fn end_variation(&mut self) {
        if self.boards.len() > 1 {
            self.boards.pop();
            self.nodes.pop();
        }
    }

    /// Plays a move; false if it cannot be played.
    pub(super) fn play(&mut self, text: &str) -> bool {
        let board = self.board();
        let Some(ply) = self.plies.get(board) else {
            return false;
        };
        let mut position = ply.position;
        let m = match position.parse_san(text) {
            Ok(m) => Some(m),
            Err(MoveError::Null) => None,
            Err(error) => {
                let (name, message) = (
                    names::exception(&error),
                    messages::san(text, &error, &position),
                );
                self.game.errors.push(format!("{name}: {message}"));
                return false;
            }
        };
        self.add(m, &position);
        position.play_or_pass(m);
        self.plies.push(ReachedPosition {
            before: Some(board),
            position,
        });
        if let Some(top) = self.boards.last_mut() {
            *top = self.plies.len() - 1;
        }
        true
    }

    /// The finished game, with its moves on the boards of their own lines.
    pub(super) fn finish(mut self) -> PythonGame {
        let tree = &mut self.game.tree;
        for id in tree.ids() {
            if let Some(nags) = tree.nags_mut(id) {
                nags.sort_unstable();
                nags.dedup();
            }
        }
        if self.game.is_mixed_up {
            self.game.put_right();
        }
        self.game
    }

    fn add(&mut self, m: Option<Move>, before: &AnyPosition) {
        let id = self.game.tree.add(self.node(), m);
        match self.nodes.last_mut() {
            Some(top) => *top = id,
            None => self.nodes.push(id),
        }
        self.game.is_mixed_up |= self.nodes.len() != self.boards.len();
        if let Some(comments) = self.game.tree.starting_comments_mut(id) {
            *comments = std::mem::take(&mut self.waiting);
        }
        let uci = m.map_or_else(MoveText::null_uci, |m| before.to_uci(m));
        self.game.ucis.push(uci);
        self.in_variation = true;
    }
}
