//! A game as JSON with everything that is known of it: what `parse` writes. The keys are those of
//! a corpus made with python-chess.

use super::{PythonGame, export};
use engine_core::{AnyPosition, Color};
use pgn::{Comment, DeepEval, Eval, Headers, NodeId, PgnLayout, Text, Tree};
use serde_json::{Map, Value};

/// Deeper trees are not written as nested JSON: few readers could take them.
const MAX_DEPTH: usize = 490;

/// A game with the reader's messages.
pub(super) struct ParsedGame<'a> {
    pub(super) tree: &'a Tree,
    pub(super) errors: Vec<String>,
    /// Why there is no start position, if there is none.
    pub(super) start_error: Option<String>,
    /// Why the moves cannot be shown, if they cannot.
    pub(super) broken: Option<String>,
    /// The game as python-chess has it, whose moves may be illegal.
    pub(super) compat: Option<&'a PythonGame>,
}

impl ParsedGame<'_> {
    /// The JSON object.
    pub(super) fn json(&self) -> Value {
        let tree = self.tree;
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| map.insert(key.into(), value);
        put("headers", pairs(&tree.headers));
        put("errors", self.errors.clone().into());
        let positions = self.positions();
        let ucis: Vec<String> = tree.ids().map(|id| self.uci_of(id, &positions)).collect();
        let line = tree.main_line(tree.root());
        let line: Vec<_> = line.map(|id| at(&ucis, id).unwrap_or_default()).collect();
        put("mainline_uci", line.into());
        if let Some(error) = &self.start_error {
            put("board_error", error.clone().into());
            put("tree_error", format!("ValueError: {error}").into());
            for (key, value) in self.remarks(tree.root(), None) {
                put(key, value);
            }
            return Value::Object(map);
        }
        if let Some(start) = &tree.start {
            put("start_fen", fen(start).into());
            put("variant", start.variant().uci().into());
            let mode = start.mode();
            put(
                "chess960",
                (mode == engine_core::CastlingMode::Chess960).into(),
            );
        }
        if let Some(end) = at(&positions, tree.end(tree.root())) {
            put("end_fen", fen(&end).into());
        }
        for (key, value) in self.remarks(tree.root(), tree.start.as_ref()) {
            put(key, value);
        }
        if let Some(message) = &self.broken {
            put("tree_error", message.clone().into());
        } else if depth(tree) > MAX_DEPTH {
            put(
                "tree_error",
                "RecursionError: maximum recursion depth exceeded".into(),
            );
        } else {
            put("tree", self.nested(&positions, &ucis));
            let all = PgnLayout {
                columns: None,
                ..PgnLayout::default()
            };
            put("export", export(tree, all).into());
            let least = PgnLayout {
                headers: false,
                comments: false,
                variations: false,
                ..all
            };
            put("export_min", export(tree, least).into());
        }
        Value::Object(map)
    }

    /// The positions of all nodes, by their indices, as far as they can be played.
    fn positions(&self) -> Vec<AnyPosition> {
        let Some(start) = self.tree.start else {
            return Vec::new();
        };
        let mut positions = vec![start];
        for id in self.tree.ids().skip(1) {
            let parent = self.tree.parent(id).unwrap_or(self.tree.root());
            let Some(mut position) = at(&positions, parent) else {
                break;
            };
            match self.compat.and_then(|game| game.position(id)) {
                Some(told) => position = *told,
                None => position.play_or_pass(self.tree.move_to(id)),
            }
            positions.push(position);
        }
        positions
    }

    fn uci_of(&self, id: NodeId, positions: &[AnyPosition]) -> String {
        let told = self.compat.map(|game| game.uci(id).to_owned());
        told.unwrap_or_else(|| {
            let before = self
                .tree
                .parent(id)
                .and_then(|parent| at(positions, parent));
            match (self.tree.move_to(id), before) {
                (Some(m), Some(before)) => before.to_uci(m).to_string(),
                _ => "0000".into(),
            }
        })
    }

    /// The moves, each with those that follow it. Nodes come after their parents, so that those
    /// that follow are always done first.
    fn nested(&self, positions: &[AnyPosition], ucis: &[String]) -> Value {
        let mut children: Vec<Vec<Value>> = vec![Vec::new(); positions.len()];
        let ids: Vec<_> = self.tree.ids().skip(1).collect();
        for id in ids.into_iter().rev() {
            let Some(parent) = self.tree.parent(id) else {
                continue;
            };
            let mut node = Map::new();
            let told = self.compat.and_then(|game| game.san(id));
            let san = match (self.tree.move_to(id), at(positions, parent)) {
                _ if told.is_some() => told.unwrap_or_default().to_owned(),
                (Some(m), Some(before)) => before.to_san(m).to_string(),
                _ => "--".into(),
            };
            node.insert("san".into(), san.into());
            node.insert("uci".into(), at(ucis, id).unwrap_or_default().into());
            let nags = self.tree.nags(id);
            if !nags.is_empty() {
                node.insert("nags".into(), nags.to_vec().into());
            }
            let before = texts(self.tree.starting_comments(id));
            if !before.is_empty() {
                node.insert("starting_comment".into(), before.into());
            }
            for (key, value) in self.remarks(id, at(positions, id).as_ref()) {
                node.insert(key.into(), value);
            }
            let mut next = std::mem::take(children.get_mut(id.index()).unwrap_or(&mut Vec::new()));
            if !next.is_empty() {
                next.reverse();
                node.insert("next".into(), next.into());
            }
            if let Some(siblings) = children.get_mut(parent.index()) {
                siblings.push(Value::Object(node));
            }
        }
        let mut first = children.into_iter().next().unwrap_or_default();
        first.reverse();
        first.into()
    }

    /// The comments of a node and what is in them.
    fn remarks(&self, id: NodeId, position: Option<&AnyPosition>) -> Vec<(&'static str, Value)> {
        let comments = texts(self.tree.comments(id));
        if comments.is_empty() {
            return Vec::new();
        }
        let mut found = vec![("comment", comments.into())];
        if let Some(DeepEval { eval, depth }) = self.tree.eval(id) {
            let turn = position.map(AnyPosition::turn);
            found.push(("eval_white", eval_text(eval, turn).into()));
            found.push(("eval_depth", depth.into()));
        }
        if let Some(seconds) = self.tree.clock(id) {
            found.push(("clk", seconds.into()));
        }
        if let Some(seconds) = self.tree.move_time(id) {
            found.push(("emt", seconds.into()));
        }
        let arrows = self.tree.arrows(id);
        if !arrows.is_empty() {
            let arrows: Vec<_> = arrows.iter().map(ToString::to_string).collect();
            found.push(("arrows", arrows.into()));
        }
        found
    }
}

fn at<T: Clone>(list: &[T], id: NodeId) -> Option<T> {
    list.get(id.index()).cloned()
}

fn fen(position: &AnyPosition) -> String {
    position.fen()
}

/// `+20`, `-5`, `#+3`, `#-0`.
fn eval_text(eval: Eval, turn: Option<Color>) -> String {
    match eval {
        Eval::Cp(cp @ 1..) => format!("+{cp}"),
        Eval::Cp(cp) => cp.to_string(),
        // The side to move is the one that is mated.
        Eval::Mate(0) if turn == Some(Color::Black) => "#+0".into(),
        Eval::Mate(moves @ 1..) => format!("#+{moves}"),
        Eval::Mate(moves) => format!("#-{}", moves.unsigned_abs()),
    }
}

fn texts(comments: &[Comment]) -> Vec<String> {
    comments
        .iter()
        .map(|comment| comment.text.to_string())
        .collect()
}

/// The tags as pairs, with values as they are written.
pub(super) fn pairs(headers: &Headers) -> Value {
    let pair =
        |(name, value): (&Text, &Text)| Value::from(vec![name.to_string(), value.to_string()]);
    headers.iter().map(pair).collect::<Vec<_>>().into()
}

/// How many moves the longest line has.
fn depth(tree: &Tree) -> usize {
    let mut depths: Vec<usize> = Vec::new();
    for id in tree.ids() {
        let parent = tree.parent(id).and_then(|parent| at(&depths, parent));
        depths.push(parent.map_or(0, |depth| depth + 1));
    }
    depths.into_iter().max().unwrap_or(0)
}
