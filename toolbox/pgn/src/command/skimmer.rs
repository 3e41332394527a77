//! Reading tags alone.

use crate::{Flow, Headers, Visitor};

/// Collects tags and skips moves.
#[derive(Default)]
pub struct Skimmer {
    /// Where the game begins.
    pub at: usize,
    /// Its tags.
    pub headers: Headers,
    /// Where its moves begin.
    pub moves: usize,
}

impl Visitor for Skimmer {
    fn begin_game(&mut self, at: usize) -> Flow {
        self.at = at;
        self.headers = Headers::new();
        Flow::Go
    }

    fn header(&mut self, name: &[u8], value: &[u8], _at: usize) {
        self.headers.push(name, value);
    }

    fn end_headers(&mut self, at: usize) -> Flow {
        self.moves = at;
        Flow::Skip
    }
}
