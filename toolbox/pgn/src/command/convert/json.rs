//! Games as JSON. Tags are in the order of the game.

use super::ply::{MainLineMove, color, main_line};
use crate::command::pipeline::GameRecord;
use crate::{Eval, Headers, Tree, Writer};
use engine_core::{AnyPosition, Color};
use serde::Serialize;

fn to_json(value: &impl Serialize) -> String {
    // Strings and numbers can always be written.
    serde_json::to_string(value).unwrap_or_default()
}

/// A game as its tags and rows of a move number with the moves of both sides.
#[derive(Serialize)]
struct Article<'a> {
    annotations: &'a Headers,
    game: ArticleGame<'a>,
}

#[derive(Serialize)]
struct ArticleGame<'a> {
    moves: Vec<Turn<'a>>,
    outcome: &'static str,
}

/// A number and the moves of both sides; White's is missing where Black begins, Black's where the
/// game ends.
type Turn<'a> = (u32, Option<&'a str>, Option<&'a str>);

/// Tags, move pairs and outcome.
pub(super) fn article(tree: &Tree) -> String {
    let plies = main_line(tree);
    let mut moves: Vec<Turn<'_>> = Vec::new();
    for ply in &plies {
        let san = Some(ply.san.as_str());
        match (ply.color, moves.last_mut()) {
            (Color::Black, Some((.., black @ None))) => *black = san,
            (Color::Black, _) => moves.push((ply.number, None, san)),
            (Color::White, _) => moves.push((ply.number, san, None)),
        }
    }
    to_json(&Article {
        annotations: &tree.headers,
        game: ArticleGame {
            moves,
            outcome: tree.known_result(),
        },
    })
}

/// Everything about a game that tables can hold.
#[derive(Serialize)]
struct JsonGame<'a> {
    offset: u64,
    file: &'a str,
    headers: &'a Headers,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'static str>,
    result: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    moves: Vec<NextMove<'a>>,
    movetext: String,
}

#[derive(Serialize)]
struct NextMove<'a> {
    number: u32,
    color: &'static str,
    san: String,
    uci: String,
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    nags: &'a [u32],
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<f64>,
}

impl<'a> NextMove<'a> {
    fn new(tree: &'a Tree, ply: MainLineMove) -> NextMove<'a> {
        let found = tree.eval(ply.id);
        let (eval, mate) = match found.map(|found| found.eval) {
            Some(Eval::Cp(cp)) => (Some(cp as f64 / 100.0), None),
            Some(Eval::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        NextMove {
            number: ply.number,
            color: color(ply.color),
            san: ply.san,
            uci: ply.uci,
            nags: tree.nags(ply.id),
            comment: tree.comment_text(ply.id),
            eval,
            mate,
            depth: found.and_then(|found| found.depth),
            clock: tree.clock(ply.id),
            time: tree.move_time(ply.id),
        }
    }
}

/// A game with its moves.
pub(super) fn game(record: &GameRecord<'_>) -> String {
    let tree = &*record.tree;
    let plies = main_line(tree).into_iter();
    to_json(&JsonGame {
        offset: record.offset,
        file: record.name,
        headers: &tree.headers,
        start_fen: tree.start.as_ref().map(AnyPosition::fen),
        variant: tree.start.as_ref().map(|start| start.variant().uci()),
        result: tree.known_result(),
        comment: tree.comment_text(tree.root()),
        moves: plies.map(|ply| NextMove::new(tree, ply)).collect(),
        movetext: Writer::moves_only().write(tree),
    })
}
