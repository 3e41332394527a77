//! Games while they are read for a table.

use super::tags::Tags;
use crate::date::PartialDate;
use crate::result::result_of_game;
use crate::{Flow, GameVisitor, Opening, Problem, Problems, Remark};
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use engine_core::{AnyPosition, Move};
use std::ops::Range;

/// A table that is filled while games are played.
pub(crate) trait Rows {
    /// A move of the main line, or `None` for the null move.
    fn play(&mut self, _before: &AnyPosition, _m: Option<Move>) {}

    /// A numeric annotation glyph of the main line.
    fn nag(&mut self, _nag: u32) {}

    /// A comment on the main line.
    fn comment(&mut self, _text: &[u8]) {}

    /// Ends the game; returns how many rows it has.
    fn end(&mut self, game: &GameInfo, source: &GameSource<'_>) -> Result<usize, ArrowError>;

    /// Takes all rows since the last call.
    fn take(&mut self) -> Result<RecordBatch, ArrowError>;
}

/// Where a game comes from.
pub(crate) struct GameSource<'a> {
    /// The name of its stream.
    pub(crate) file: &'a str,
    /// Where it begins, in bytes and in lines.
    pub(crate) offset: u64,
    pub(crate) line: u64,
    /// Its number in the block, from 0.
    pub(crate) number: i64,
    /// The text of its moves.
    pub(crate) movetext: &'a [u8],
}

/// Tags, places in the text, opening and result of a game.
#[derive(Default)]
pub(crate) struct GameInfo {
    pub(crate) tags: Tags,
    /// Where its text is, and where its moves begin.
    pub(crate) span: Range<usize>,
    pub(crate) moves_at: usize,
    pub(crate) plies: i32,
    /// The last one that has a name.
    pub(crate) opening: Option<Opening>,
    /// The Zobrist key of the last position, if there is any.
    pub(crate) last_key: Option<u64>,
    /// How many variations are open: only their problems count.
    depth: usize,
    /// The termination marker.
    result: Option<String>,
    pub(crate) problems: Problems,
}

impl GameInfo {
    pub(crate) fn date(&self) -> Option<PartialDate> {
        self.tags.get("Date")?.parse().ok()
    }

    /// The result of the game.
    pub(crate) fn result(&self) -> Option<&'static str> {
        result_of_game(self.tags.get("Result").as_deref(), self.result.as_deref())
    }
}

/// Plays games and passes their main lines on to a table.
pub(crate) struct GameReader<R> {
    pub(crate) game: GameInfo,
    pub(crate) rows: R,
}

impl<R: Rows> GameReader<R> {
    pub(crate) fn new(rows: R) -> GameReader<R> {
        GameReader {
            game: GameInfo::default(),
            rows,
        }
    }
}

impl<R: Rows> GameVisitor for GameReader<R> {
    fn begin_game(&mut self, at: usize) -> Flow {
        let mut tags = std::mem::take(&mut self.game.tags);
        tags.clear();
        self.game = GameInfo {
            tags,
            span: at..at,
            moves_at: at,
            // Problems before the game are reported with it.
            problems: std::mem::take(&mut self.game.problems),
            ..GameInfo::default()
        };
        Flow::Go
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        self.game.tags.push(name, value);
    }

    fn start(&mut self, start: Option<&AnyPosition>, at: usize) -> Flow {
        self.game.moves_at = at;
        self.game.opening = start.and_then(Opening::of);
        self.game.last_key = start.map(AnyPosition::polyglot_key);
        Flow::Go
    }

    fn play(&mut self, before: &AnyPosition, m: Option<Move>, after: &AnyPosition) {
        if self.game.depth > 0 {
            return;
        }
        self.rows.play(before, m);
        self.game.plies += 1;
        self.game.last_key = Some(after.polyglot_key());
        self.game.opening = Opening::of(after).or(self.game.opening);
    }

    fn nag(&mut self, nag: u32) {
        if self.game.depth == 0 {
            self.rows.nag(nag);
        }
    }

    fn remark(&mut self, remark: Remark, text: &[u8]) {
        if self.game.depth == 0 && matches!(remark, Remark::Comment | Remark::Line) {
            self.rows.comment(text);
        }
    }

    fn begin_variation(&mut self) -> Flow {
        self.game.depth += 1;
        Flow::Go
    }

    fn end_variation(&mut self) {
        self.game.depth = self.game.depth.saturating_sub(1);
    }

    fn result(&mut self, result: &str) {
        self.game.result = Some(result.to_owned());
    }

    fn problem(&mut self, problem: Problem) -> Flow {
        self.game.problems.add(problem);
        Flow::Go
    }

    fn end_game(&mut self, at: usize) {
        self.game.span.end = at;
    }
}
