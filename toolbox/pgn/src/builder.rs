//! Games as trees.

use super::movetext::Unclosed;
use super::{
    Comment, Flow, GameVisitor, NodeId, Parsed, Parser, Problem, Problems, Remark, Replay, Tree,
};
use engine_core::{AnyPosition, Move};

/// Makes a [`Tree`] of each game that it visits.
#[derive(Debug)]
pub struct Builder {
    tree: Tree,
    /// The last node of each line that is open, the main line first.
    line: Vec<NodeId>,
    /// Comments that wait for the first move of a variation.
    waiting: Vec<Comment>,
    /// Whether the line has a move, which then owns the comments that follow.
    has_move: bool,
    /// Whether the game is at its end.
    is_done: bool,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    /// A builder with an empty game.
    pub fn new() -> Builder {
        Builder {
            tree: Tree::empty(),
            line: Vec::new(),
            waiting: Vec::new(),
            has_move: false,
            is_done: false,
        }
    }

    /// The game that was visited last, which leaves the builder with an empty one.
    pub fn take(&mut self) -> Tree {
        self.is_done = false;
        std::mem::replace(&mut self.tree, Tree::empty())
    }

    fn top(&self) -> NodeId {
        self.line.last().copied().unwrap_or(self.tree.root())
    }
}

/// The first game of a text and the offset where it ends, if there is a game.
pub fn read_tree(text: &[u8]) -> Option<(Tree, usize)> {
    let mut builder = Builder::new();
    let mut parser = Parser::new(text);
    match parser.read_game(&mut Replay::new(&mut builder)) {
        Parsed::Game => Some((builder.take(), parser.at())),
        Parsed::End | Parsed::Stopped => None,
    }
}

impl GameVisitor for Builder {
    fn begin_game(&mut self, at: usize) -> Flow {
        // What was wrong before the game is kept with it.
        let problems = if std::mem::take(&mut self.is_done) {
            Problems::default()
        } else {
            std::mem::take(&mut self.tree.problems)
        };
        self.tree = Tree::empty();
        self.tree.problems = problems;
        self.tree.span.start = at;
        self.line = vec![self.tree.root()];
        self.waiting.clear();
        self.has_move = true;
        Flow::Go
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        self.tree.headers.push(name, value);
    }

    fn start(&mut self, start: Option<&AnyPosition>, _at: usize) -> Flow {
        self.tree.start = start.copied();
        Flow::Go
    }

    fn play(&mut self, _before: &AnyPosition, m: Option<Move>, _after: &AnyPosition) {
        let id = self.tree.add(self.top(), m);
        if let Some(top) = self.line.last_mut() {
            *top = id;
        }
        if let Some(before) = self.tree.starting_comments_mut(id) {
            *before = std::mem::take(&mut self.waiting);
        }
        self.has_move = true;
    }

    fn nag(&mut self, nag: u32) {
        let top = self.top();
        // Before the first move of a line it is kept unchanged.
        if !self.has_move || top == self.tree.root() {
            return self.remark(Remark::Raw, format!("${nag}").as_bytes());
        }
        if let Some(nags) = self.tree.nags_mut(top) {
            nags.push(nag);
        }
    }

    fn remark(&mut self, remark: Remark, text: &[u8]) {
        let comment = Comment {
            remark,
            text: text.into(),
        };
        let top = self.top();
        if !self.has_move {
            self.waiting.push(comment);
        } else if let Some(comments) = self.tree.comments_mut(top) {
            comments.push(comment);
        }
    }

    fn begin_variation(&mut self) -> Flow {
        let parent = self.tree.parent(self.top());
        self.line.push(parent.unwrap_or(self.tree.root()));
        self.has_move = false;
        Flow::Go
    }

    fn end_variation(&mut self) {
        self.line.pop();
        self.has_move = true;
        // A variation without a move.
        let mut waiting = std::mem::take(&mut self.waiting);
        if waiting.iter().any(|comment| comment.remark == Remark::Raw) {
            waiting = vec![in_parentheses(&waiting)];
        }
        let top = self.top();
        if let Some(comments) = self.tree.comments_mut(top) {
            comments.extend(waiting);
        }
    }

    fn result(&mut self, result: &str) {
        self.tree.result = Some(result.into());
    }

    fn problem(&mut self, problem: Problem) -> Flow {
        if std::mem::take(&mut self.is_done) {
            self.tree = Tree::empty();
        }
        let is_in_variation = self.line.len() > 1;
        self.tree.is_whole &= is_in_variation || !problem.kind.costs_moves();
        self.tree.problems.add(problem);
        Flow::Go
    }

    fn end_game(&mut self, at: usize) {
        self.tree.span.end = at;
        self.is_done = true;
    }
}

/// A variation of which nothing could be read, as it would be written.
fn in_parentheses(comments: &[Comment]) -> Comment {
    let mut words = Vec::new();
    for comment in comments {
        let text = comment.text.as_bytes();
        words.push(match comment.remark {
            Remark::Raw => [text, &Unclosed::in_text(text).closing()].concat(),
            Remark::Comment => [b"{", text, b"}"].concat(),
            Remark::Line => [b";", text, b"\n"].concat(),
            Remark::Escape => [b"\n", text, b"\n"].concat(),
        });
    }
    Comment {
        remark: Remark::Raw,
        text: [b"(", words.join(&b' ').as_slice(), b")"]
            .concat()
            .as_slice()
            .into(),
    }
}
