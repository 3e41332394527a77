//! The positions of one game.

use super::{move_code, moves};
use crate::explorer::GameSummary;
use crate::position_key::position_key;
use crate::{Flow, GameVisitor, Headers, Problem, Problems};
use engine_core::{AnyPosition, Move};

/// Moves after this ply are stored as [`moves::UNKNOWN`], which saves finding them among the legal
/// ones: few games share these positions.
pub(super) const MAX_CODED: usize = 40;

/// A position by its key, and the move that was played there.
type PlayedEntry = (u64, u8);

/// The positions of a game: those of the main line and then those of the
/// variations.
pub(crate) struct GameEntries {
    /// Where its text begins, and its line.
    pub(crate) offset: u64,
    pub(crate) line: u64,
    pub(crate) summary: GameSummary,
    pub(crate) entries: Vec<PlayedEntry>,
}

/// Collects the positions of games while they are read.
#[derive(Default)]
pub(crate) struct EntryReader {
    /// Where the text of the game begins.
    pub(crate) begin: usize,
    pub(crate) problems: Problems,
    headers: Headers,
    result: Option<String>,
    /// Whether its start is known.
    is_indexed: bool,
    main_line: Vec<PlayedEntry>,
    variations: Vec<PlayedEntry>,
    /// The last position of the main line.
    last: u64,
    /// How many variations are open.
    depth: usize,
}

impl EntryReader {
    /// The game that was read last, with its place in the collection.
    pub(crate) fn take(&mut self, offset: u64, line: u64) -> GameEntries {
        let mut entries = Vec::new();
        if self.is_indexed {
            entries.reserve_exact(self.main_line.len() + 1 + self.variations.len());
            entries.append(&mut self.main_line);
            entries.push((self.last, moves::NONE));
            entries.append(&mut self.variations);
        }
        let marker = self.result.take();
        GameEntries {
            offset,
            line,
            summary: GameSummary::new(&self.headers, marker.as_deref()),
            entries,
        }
    }
}

impl GameVisitor for EntryReader {
    fn begin_game(&mut self, at: usize) -> Flow {
        self.begin = at;
        self.headers.clear();
        self.result = None;
        self.is_indexed = false;
        self.main_line.clear();
        self.variations.clear();
        self.depth = 0;
        Flow::Go
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        if GameSummary::reads(name) {
            self.headers.push(name, value);
        }
    }

    fn start(&mut self, start: Option<&AnyPosition>, _at: usize) -> Flow {
        self.is_indexed = start.is_some();
        self.last = start.map_or(0, position_key);
        Flow::Go
    }

    #[inline]
    fn play(&mut self, before: &AnyPosition, m: Option<Move>, after: &AnyPosition) {
        if !self.is_indexed {
            return;
        }
        if self.depth > 0 {
            return self
                .variations
                .push((position_key(after), moves::VARIATION));
        }
        let code = match m {
            None => moves::NONE,
            Some(_) if self.main_line.len() >= MAX_CODED => moves::UNKNOWN,
            Some(m) => move_code(before, m),
        };
        self.main_line.push((self.last, code));
        self.last = position_key(after);
    }

    fn begin_variation(&mut self) -> Flow {
        self.depth += 1;
        Flow::Go
    }

    fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn result(&mut self, result: &str) {
        self.result = Some(result.to_owned());
    }

    fn problem(&mut self, problem: Problem) -> Flow {
        self.problems.add(problem);
        Flow::Go
    }
}
