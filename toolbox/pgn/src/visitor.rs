//! The events of the parser.

use super::{Problem, ProblemKind, Remark};

/// A visitor's decision on how to continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Flow {
    /// All that follows.
    #[default]
    Go,
    /// Nothing of what just began: the game, its moves, the rest of the variation.
    Skip,
    /// Nothing at all: reading ends here.
    Stop,
}

/// The visitor has stopped the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

impl Flow {
    /// Turns [`Flow::Stop`] into an error, for `?` to end the reading.
    #[inline(always)]
    pub(super) fn unless_stopped(self) -> Result<Flow, Stopped> {
        match self {
            Flow::Stop => Err(Stopped),
            flow => Ok(flow),
        }
    }
}

/// Receives every token of a game, in the order of the text; nothing is checked against the rules
/// of chess. [`Replay`](super::Replay) is the visitor that does so. All offsets are in bytes
/// from the beginning of the text.
#[expect(unused_variables, reason = "names tell what is ignored by default")]
pub trait Visitor {
    /// A game begins at this offset. [`Flow::Skip`] skips all of it but the end.
    fn begin_game(&mut self, at: usize) -> Flow {
        Flow::Go
    }

    /// A tag pair that begins at this offset. The value is as written: quotes and backslashes in it
    /// are still escaped.
    fn header(&mut self, name: &[u8], value: &[u8], at: usize) {}

    /// The tags are complete; the moves begin at this offset. [`Flow::Skip`] skips the moves.
    fn end_headers(&mut self, at: usize) -> Flow {
        Flow::Go
    }

    /// A word that should be a move, check marks included, annotations not. [`Flow::Skip`] leaves
    /// the rest of the variation or, in the main line, of the game unread.
    fn san(&mut self, word: &[u8], at: usize) -> Flow {
        Flow::Go
    }

    /// A numeric annotation glyph; `!` and its like have been translated.
    fn nag(&mut self, nag: u32) {}

    /// A comment, or text that the reader passes on because it means nothing to it.
    fn remark(&mut self, remark: Remark, text: &[u8]) {}

    /// A variation begins: other moves than the last one. After [`Flow::Skip`] its text comes as
    /// [`Visitor::skipped`], and nothing else of it.
    fn begin_variation(&mut self) -> Flow {
        Flow::Go
    }

    /// The text of a variation that the visitor skipped, with its parentheses, and where it began.
    /// [`Flow::Skip`] leaves the rest of the line that it is a variation of unread, too; that comes as
    /// [`Visitor::remark`], together with this text.
    fn skipped(&mut self, text: &[u8], at: usize) -> Flow {
        Flow::Go
    }

    /// The variation ends.
    fn end_variation(&mut self) {}

    /// The game termination marker, `1-0`, `0-1`, `1/2-1/2` or `*`, at this offset.
    fn result(&mut self, result: &'static str, at: usize) {}

    /// Something is wrong with the text.
    fn problem(&mut self, problem: Problem) -> Flow {
        Flow::Go
    }

    /// The game ends before this offset.
    fn end_game(&mut self, at: usize) {}
}

/// Reports a problem to a visitor that does not concern a move.
pub(super) fn problem<V: Visitor>(
    visitor: &mut V,
    at: usize,
    kind: ProblemKind,
) -> Result<(), Stopped> {
    let problem = Problem { at, ply: 0, kind };
    visitor.problem(problem).unless_stopped().map(|_| ())
}

/// Ignores everything.
pub(super) struct Nobody;

impl Visitor for Nobody {}
