//! Games as JSON.

use crate::command::headers::object;
use crate::command::pipeline::{EN_PASSANT, Record};
use crate::{Eval, Text, Tree, Writer};
use engine_core::{Color, dispatch};
use serde_json::{Map, Value};

/// The moves of the main line with number and side: SAN and UCI.
pub(super) struct Ply {
    pub(super) id: crate::NodeId,
    pub(super) color: Color,
    pub(super) number: u32,
    pub(super) san: String,
    pub(super) uci: String,
    pub(super) after: engine_core::AnyPosition,
    pub(super) before: engine_core::AnyPosition,
}

/// The main line, played.
pub(super) fn main_line(tree: &Tree) -> Vec<Ply> {
    let Some(mut position) = tree.start else {
        return Vec::new();
    };
    let mut plies = Vec::new();
    for id in tree.main_line(tree.root()) {
        let before = position;
        let (color, number) = (position.turn(), position.fullmoves());
        let (san, uci) = if let Some(m) = tree.move_to(id) {
            let (san, uci) = (position.to_san(m), position.to_uci(m));
            position.play(m);
            (san.to_string(), uci.to_string())
        } else {
            position.play_null();
            ("--".to_owned(), "0000".to_owned())
        };
        plies.push(Ply {
            id,
            color,
            number,
            san,
            uci,
            after: position,
            before,
        });
    }
    plies
}

/// The result after the moves, or that of the tag.
pub(in crate::command) fn result(tree: &Tree) -> String {
    let tag = || tree.headers.get("Result").map(std::borrow::Cow::into_owned);
    let result = tree.result.as_ref().map(Text::to_string);
    result.or_else(tag).unwrap_or("*".into())
}

/// Tags, move pairs and outcome. A game that Black begins has null for White's first move.
pub(super) fn article(tree: &Tree) -> String {
    let mut moves: Vec<Vec<Value>> = Vec::new();
    for ply in main_line(tree) {
        match (ply.color, moves.last_mut()) {
            (Color::Black, Some(turn)) if turn.len() == 2 => turn.push(ply.san.into()),
            (Color::Black, _) => moves.push(vec![ply.number.into(), Value::Null, ply.san.into()]),
            (Color::White, _) => moves.push(vec![ply.number.into(), ply.san.into()]),
        }
    }
    for turn in &mut moves {
        turn.resize(3, Value::Null);
    }
    let mut game = Map::new();
    game.insert("moves".into(), moves.into());
    game.insert("outcome".into(), result(tree).into());
    let mut entry = Map::new();
    entry.insert("annotations".into(), object(&tree.headers));
    entry.insert("game".into(), Value::Object(game));
    Value::Object(entry).to_string()
}

/// Everything about a game that tables can hold.
pub(super) fn game(record: &Record<'_>) -> String {
    let tree = &*record.tree;
    let mut map = Map::new();
    map.insert("offset".into(), record.offset.into());
    map.insert("file".into(), record.name.into());
    map.insert("headers".into(), object(&tree.headers));
    if let Some(start) = &tree.start {
        let fen = dispatch!(start, |position| position.fen(EN_PASSANT));
        map.insert("start_fen".into(), fen.into());
        map.insert("variant".into(), start.variant().uci().into());
    }
    map.insert("result".into(), result(tree).into());
    let comment = tree.comment_text(tree.root());
    if !comment.is_empty() {
        map.insert("comment".into(), comment.into());
    }
    let plies = main_line(tree);
    let moves: Vec<_> = plies.iter().map(|ply| ply_json(tree, ply)).collect();
    map.insert("moves".into(), moves.into());
    map.insert("movetext".into(), Writer::moves_only().write(tree).into());
    Value::Object(map).to_string()
}

fn ply_json(tree: &Tree, ply: &Ply) -> Value {
    let mut map = Map::new();
    map.insert("number".into(), ply.number.into());
    map.insert("color".into(), color(ply.color).into());
    map.insert("san".into(), ply.san.clone().into());
    map.insert("uci".into(), ply.uci.clone().into());
    let nags = tree.nags(ply.id);
    if !nags.is_empty() {
        map.insert("nags".into(), nags.to_vec().into());
    }
    let comment = tree.comment_text(ply.id);
    if !comment.is_empty() {
        map.insert("comment".into(), comment.into());
    }
    if let Some(found) = tree.eval(ply.id) {
        match found.eval {
            Eval::Cp(cp) => map.insert("eval".into(), (cp as f64 / 100.0).into()),
            Eval::Mate(moves) => map.insert("mate".into(), moves.into()),
        };
        if let Some(depth) = found.depth {
            map.insert("depth".into(), depth.into());
        }
    }
    if let Some(seconds) = tree.clock(ply.id) {
        map.insert("clock".into(), seconds.into());
    }
    if let Some(seconds) = tree.move_time(ply.id) {
        map.insert("time".into(), seconds.into());
    }
    Value::Object(map)
}

pub(super) fn color(color: Color) -> &'static str {
    if color.is_white() { "white" } else { "black" }
}
