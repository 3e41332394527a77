//! The table of plies: the main lines, move by move.

use super::GAME;
use super::game::{GameInfo, GameSource, Rows};
use crate::annotation::Commands;
use crate::{Eval, decode};
use arrow_array::builder::{
    Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::ArrowError;
use engine_core::notation::MoveText;
use engine_core::{AnyPosition, Move};
use std::sync::Arc;

/// A row for each ply.
pub(crate) struct PlyRows {
    game: Int64Builder,
    ply: Int32Builder,
    number: Int32Builder,
    color: StringBuilder,
    key: Int64Builder,
    /// Only on request.
    fen: Option<StringBuilder>,
    san: StringBuilder,
    uci: StringBuilder,
    centipawns: Int32Builder,
    mate: Int32Builder,
    depth: Int32Builder,
    clock: Float64Builder,
    move_time: Float64Builder,
    nags: ListBuilder<Int32Builder>,
    comment: StringBuilder,
    /// The plies of this game so far, and the comments on the last one.
    plies: i32,
    comments: String,
}

impl PlyRows {
    /// With the column `fen` if it is wanted.
    pub(crate) fn new(has_fen: bool) -> PlyRows {
        PlyRows {
            game: Int64Builder::new(),
            ply: Int32Builder::new(),
            number: Int32Builder::new(),
            color: StringBuilder::new(),
            key: Int64Builder::new(),
            fen: has_fen.then(StringBuilder::new),
            san: StringBuilder::new(),
            uci: StringBuilder::new(),
            centipawns: Int32Builder::new(),
            mate: Int32Builder::new(),
            depth: Int32Builder::new(),
            clock: Float64Builder::new(),
            move_time: Float64Builder::new(),
            nags: ListBuilder::new(Int32Builder::new()),
            comment: StringBuilder::new(),
            plies: 0,
            comments: String::new(),
        }
    }

    /// Writes the comments and glyphs of the last ply, which are complete when the next one comes.
    fn close_ply(&mut self) {
        if self.plies > 0 {
            if self.comments.is_empty() {
                self.push_silence();
            } else {
                self.push_comments();
            }
            self.nags.append(true);
        }
        self.comments.clear();
    }

    fn push_silence(&mut self) {
        self.centipawns.append_null();
        self.mate.append_null();
        self.depth.append_null();
        self.clock.append_null();
        self.move_time.append_null();
        self.comment.append_null();
    }

    fn push_comments(&mut self) {
        let commands = Commands::of(&self.comments);
        let eval = commands.eval;
        let (centipawns, mate) = match eval.map(|eval| eval.eval) {
            Some(Eval::Cp(cp)) => (Some(cp), None),
            Some(Eval::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        let small = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        self.centipawns.append_option(centipawns.map(small));
        self.mate.append_option(mate.map(small));
        let depth = eval.and_then(|eval| eval.depth);
        let depth = depth.and_then(|depth| i32::try_from(depth).ok());
        self.depth.append_option(depth);
        self.clock.append_option(commands.clock);
        self.move_time.append_option(commands.move_time);
        let rest = commands.rest.trim();
        self.comment
            .append_option((!rest.is_empty()).then_some(rest));
    }
}

impl Rows for PlyRows {
    fn play(&mut self, before: &AnyPosition, m: Option<Move>) {
        self.close_ply();
        self.plies += 1;
        self.ply.append_value(self.plies);
        let number = i32::try_from(before.fullmoves());
        self.number.append_value(number.unwrap_or(i32::MAX));
        let is_white = before.turn().is_white();
        self.color
            .append_value(if is_white { "white" } else { "black" });
        self.key.append_value(before.polyglot_key().cast_signed());
        if let Some(fen) = &mut self.fen {
            fen.append_value(before.fen());
        }
        let (san, uci) = match m {
            Some(m) => (before.to_san(m), before.to_uci(m)),
            None => (MoveText::null(), MoveText::null_uci()),
        };
        self.san.append_value(&*san);
        self.uci.append_value(&*uci);
    }

    fn nag(&mut self, nag: u32) {
        if self.plies > 0
            && let Ok(nag) = i32::try_from(nag)
        {
            self.nags.values().append_value(nag);
        }
    }

    fn comment(&mut self, text: &[u8]) {
        if !self.comments.is_empty() {
            self.comments.push(' ');
        }
        self.comments.push_str(&decode(text));
    }

    fn end(&mut self, _game: &GameInfo, source: &GameSource<'_>) -> Result<usize, ArrowError> {
        self.close_ply();
        let plies = std::mem::take(&mut self.plies) as usize;
        self.game.append_value_n(source.number, plies);
        Ok(plies)
    }

    fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<(&str, ArrayRef, bool)> = vec![
            (GAME, Arc::new(self.game.finish()), false),
            ("ply", Arc::new(self.ply.finish()), false),
            ("number", Arc::new(self.number.finish()), false),
            ("color", Arc::new(self.color.finish()), false),
            ("key", Arc::new(self.key.finish()), false),
        ];
        if let Some(fen) = &mut self.fen {
            columns.push(("fen", Arc::new(fen.finish()), false));
        }
        columns.extend([
            ("san", Arc::new(self.san.finish()) as ArrayRef, false),
            ("uci", Arc::new(self.uci.finish()), false),
            ("centipawns", Arc::new(self.centipawns.finish()), true),
            ("mate", Arc::new(self.mate.finish()), true),
            ("depth", Arc::new(self.depth.finish()), true),
            ("clock", Arc::new(self.clock.finish()), true),
            ("move_time", Arc::new(self.move_time.finish()), true),
            ("nags", Arc::new(self.nags.finish()), false),
            ("comment", Arc::new(self.comment.finish()), true),
        ]);
        RecordBatch::try_from_iter_with_nullable(columns)
    }
}
