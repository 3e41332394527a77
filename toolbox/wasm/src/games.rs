//! Games as text, read and written.

use crate::position::{Line, Move, named, parse_move};
use engine_core::{AnyPosition, CastlingMode, Game, Outcome};
use pgn::{Builder, Comment, Headers, Parsed, Parser, Replay, Tree, Writer};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Games as PGN.
#[derive(Deserialize)]
pub(crate) struct Text {
    text: String,
}

/// A game that was read.
#[derive(Serialize)]
pub(crate) struct ParsedGame {
    tags: Headers,
    /// Where it starts, unless its tags name no position.
    start: Option<String>,
    variant: Option<&'static str>,
    chess960: bool,
    result: String,
    /// The start, then each move after the one before it.
    nodes: Vec<Node>,
    problems: Vec<Problem>,
}

/// A node of a game: its start, or a move.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    san: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    uci: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u32>,
    /// Before the move.
    #[serde(rename = "startingComment", skip_serializing_if = "String::is_empty")]
    starting_comment: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
}

/// A fault of a text, and its offset in bytes.
#[derive(Serialize)]
struct Problem {
    at: usize,
    message: String,
}

impl Text {
    /// The games.
    pub(crate) fn games(&self) -> Vec<ParsedGame> {
        let mut builder = Builder::new();
        let mut parser = Parser::new(self.text.as_bytes());
        let mut games = Vec::new();
        while let Parsed::Game = parser.read_game(&mut Replay::new(&mut builder)) {
            games.push(ParsedGame::of(&builder.take()));
        }
        games
    }
}

impl ParsedGame {
    fn of(tree: &Tree) -> ParsedGame {
        ParsedGame {
            tags: tree.headers.clone(),
            start: tree.start.as_ref().map(AnyPosition::fen),
            variant: tree.start.map(|start| start.variant().uci()),
            chess960: tree
                .start
                .is_some_and(|start| start.mode() == CastlingMode::Chess960),
            result: tree.known_result().to_owned(),
            nodes: nodes(tree),
            problems: tree.problems.iter().map(problem).collect(),
        }
    }
}

fn problem(problem: &pgn::Problem) -> Problem {
    Problem {
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
            let m = tree.move_to(id);
            Move { san, uci, .. } = named(position, m);
            position.play_or_pass(m);
        }
        positions.push(after);
        nodes.push(Node {
            parent: parent.map(pgn::NodeId::index),
            san,
            uci,
            nags: tree.nags(id).to_vec(),
            starting_comment: tree.starting_comment_text(id),
            comment: tree.comment_text(id),
        });
    }
    nodes
}

/// A comment, unless there is no text.
fn comment(text: &str) -> Option<Comment> {
    (!text.is_empty()).then(|| Comment::new(text))
}

/// A game to be written.
#[derive(Deserialize)]
pub(crate) struct PgnGame {
    #[serde(flatten)]
    line: Line,
    /// The FEN of the start, under the name that a game that was read has for it.
    start: Option<String>,
    /// The nodes of the game, in place of moves, as they were read: each after its parent.
    #[serde(default)]
    nodes: Vec<Node>,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    result: Option<String>,
}

/// The tags that say where a game starts.
const START: [&str; 3] = ["FEN", "SetUp", "Variant"];

impl PgnGame {
    /// The game as PGN. What the tags say of its start does not count: it is that of the moves.
    ///
    /// # Errors
    /// When a move is illegal, the start or the result is invalid or the start unknown, a node comes before
    /// its parent, or a tag has a name that no reader would find.
    pub(crate) fn pgn(mut self) -> Result<String, String> {
        match self.start.take() {
            Some(fen) => self.line.start_from(fen)?,
            None => self.check_start()?,
        }
        let mut game = self.line.game()?;
        let mut tree = Tree::from_game(&game);
        if !self.nodes.is_empty() {
            if !game.moves().is_empty() {
                return Err("moves or nodes, not both".to_owned());
            }
            self.add_nodes(&mut tree)?;
            game = tree.to_game().unwrap_or(game);
        }
        let result = self.result_of(&game)?;
        tree.headers = self.headers(&tree.headers)?;
        tree.headers.set("Result", result);
        tree.result = Some(result.into());
        Ok(Writer::new().write(&tree))
    }

    /// Checks that nodes without a start do not come from one that could not be read: they would be written
    /// as those of another game.
    ///
    /// # Errors
    /// Names the tag that tells of a start.
    fn check_start(&self) -> Result<(), String> {
        if self.nodes.is_empty() || self.line.names_start() {
            return Ok(());
        }
        let is_told = |tag: &&str| match *tag {
            "Variant" => !self.line.names_variant() && self.tags.contains_key("Variant"),
            tag => self.tags.contains_key(tag),
        };
        match ["FEN", "Variant"].iter().find(|tag| is_told(tag)) {
            Some(tag) => Err(format!(
                "the start of the game is unknown: give start, or leave out the tag {tag}"
            )),
            None => Ok(()),
        }
    }

    /// Adds the nodes to a game without moves.
    ///
    /// # Errors
    /// When a node has no parent before it, or no legal move.
    fn add_nodes(&self, tree: &mut Tree) -> Result<(), String> {
        let mut added = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let bad = |reason: String| format!("node {at}: {reason}");
            let (id, position) = match node.parent {
                None if at == 0 => (tree.root(), tree.start),
                parent => {
                    let before = parent.and_then(|parent| added.get(parent).copied());
                    let Some((parent, Some(mut position))) = before else {
                        return Err(bad("its parent is not before it".to_owned()));
                    };
                    let text = [&node.uci, &node.san]
                        .into_iter()
                        .find(|text| !text.is_empty());
                    let text = text.ok_or_else(|| bad("no move: uci or san".to_owned()))?;
                    let m = parse_move(&position, text)
                        .map_err(|error| bad(format!("{text}: {error}")))?;
                    position.play_or_pass(m);
                    (tree.add(parent, m), Some(position))
                }
            };
            if let Some(nags) = tree.nags_mut(id) {
                nags.extend(&node.nags);
            }
            if let Some(comments) = tree.starting_comments_mut(id) {
                comments.extend(comment(&node.starting_comment));
            }
            if let Some(comments) = tree.comments_mut(id) {
                comments.extend(comment(&node.comment));
            }
            added.push((id, position));
        }
        Ok(())
    }

    /// The result that is given, else the one that the moves lead to, else that of the tag.
    fn result_of(&self, game: &Game) -> Result<&str, String> {
        let result = self.result.as_deref();
        let ended = || game.outcome(false).map(Outcome::result);
        let tag = || self.tags.get("Result").map(String::as_str);
        match result.or_else(ended).or_else(tag).unwrap_or("*") {
            known @ ("1-0" | "0-1" | "1/2-1/2" | "*") => Ok(known),
            other => Err(format!("{other:?} is no result: 1-0, 0-1, 1/2-1/2 or *")),
        }
    }

    /// The tags in the order of the standard: those that every game has, then all others by name.
    fn headers(&self, start: &Headers) -> Result<Headers, String> {
        let bad = self.tags.keys().find(|name| !pgn::is_tag_name(name));
        if let Some(name) = bad {
            return Err(format!(
                "{name:?} is no name of a tag: letters, digits and _+#=:-"
            ));
        }
        let mut names: Vec<&str> = self.tags.keys().map(String::as_str).chain(START).collect();
        names.sort_unstable();
        names.dedup();
        let mut headers = Headers::roster();
        for name in names {
            let value = if START.contains(&name) {
                start.get(name)
            } else {
                self.tags.get(name).map(Cow::from)
            };
            if let Some(value) = value {
                headers.set(name, &value);
            }
        }
        Ok(headers)
    }
}
