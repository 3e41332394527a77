//! Games as text, read and written.

use crate::position::{Line, legal_fen};
use pgn::{Builder, Headers, Parser, Replay, Step, Tree, Writer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Games as PGN.
#[derive(Deserialize)]
pub(crate) struct Text {
    text: String,
}

/// A game that was read.
#[derive(Serialize)]
pub(crate) struct Read {
    tags: Headers,
    /// Where it starts, unless its tags name no position.
    start: Option<String>,
    variant: Option<&'static str>,
    result: String,
    /// The start, then each move after the one before it.
    nodes: Vec<Node>,
    problems: Vec<Flaw>,
}

/// A node of a game: its start, or a move.
#[derive(Serialize)]
struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    san: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    uci: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
}

/// A fault of a text, and its offset in bytes.
#[derive(Serialize)]
struct Flaw {
    at: usize,
    message: String,
}

impl Text {
    /// The games.
    pub(crate) fn games(&self) -> Vec<Read> {
        let mut builder = Builder::new();
        let mut parser = Parser::new(self.text.as_bytes());
        let mut games = Vec::new();
        while let Step::Game = parser.read_game(&mut Replay::new(&mut builder)) {
            games.push(Read::of(&builder.take()));
        }
        games
    }
}

impl Read {
    fn of(tree: &Tree) -> Read {
        Read {
            tags: tree.headers.clone(),
            start: tree.start.as_ref().map(legal_fen),
            variant: tree.start.map(|start| start.variant().uci()),
            result: tree.known_result(),
            nodes: nodes(tree),
            problems: tree.problems.iter().map(flaw).collect(),
        }
    }
}

fn flaw(problem: &pgn::Problem) -> Flaw {
    Flaw {
        at: problem.at,
        message: problem.kind.to_string(),
    }
}

/// All nodes of a game, each after its parent.
fn nodes(tree: &Tree) -> Vec<Node> {
    let mut positions = Vec::new();
    let mut nodes = Vec::new();
    for id in tree.ids() {
        let parent = tree.parent(id);
        let before = parent.map(|parent| positions.get(parent.index()).copied().flatten());
        let (mut san, mut uci) = (String::new(), String::new());
        let mut after = before.unwrap_or(tree.start);
        if let (Some(_), Some(position)) = (before, &mut after) {
            if let Some(m) = tree.move_to(id) {
                (san, uci) = (
                    position.to_san(m).to_string(),
                    position.to_uci(m).to_string(),
                );
                position.play(m);
            } else {
                (san, uci) = ("--".to_owned(), "0000".to_owned());
                position.play_null();
            }
        }
        positions.push(after);
        nodes.push(Node {
            parent: parent.map(pgn::NodeId::index),
            san,
            uci,
            nags: tree.nags(id).to_vec(),
            comment: tree.comment_text(id),
        });
    }
    nodes
}

/// A game to be written.
#[derive(Deserialize)]
pub(crate) struct PgnGame {
    #[serde(flatten)]
    line: Line,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    result: Option<String>,
}

impl PgnGame {
    /// The game as PGN.
    ///
    /// # Errors
    /// When a move is illegal, or the start is invalid.
    pub(crate) fn pgn(&self) -> Result<String, String> {
        let game = self.line.game()?;
        let mut tree = Tree::from_game(&game);
        let ended = || {
            game.outcome(false)
                .map(|outcome| outcome.result().to_owned())
        };
        let result = self.result.clone().or_else(ended);
        let result = result.unwrap_or_else(|| "*".to_owned());
        for (name, value) in &self.tags {
            tree.headers.set(name, value);
        }
        tree.headers.set("Result", &result);
        tree.result = Some(result.as_str().into());
        Ok(Writer::new().write(&tree))
    }
}
