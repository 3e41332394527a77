//! Games to and from PGN.

use super::ending::{
    ADJUDICATION, AGREEMENT, CLAIM, EngineFault, GameEnding, RESIGNATION, UNKNOWN,
};
use super::game::by_rules;
use super::move_data::MoveData;
use super::pair_tally::GameResult;
use super::runner::MatchGame;
use crate::trees::trees;
use common::date;
use engine_core::Color;
use pgn::{self, Comment, DeepEval, NodeId, Tree, Writer};
use std::time::{Duration, SystemTime};

/// The text of a game: evaluations are White's, the time of a move is `emt`, its clock `clk`.
pub fn write(game: &MatchGame, event: &str, time_control: &str) -> String {
    let played = &game.played;
    let ending = &played.ending;
    let mut tree = Tree::from_game(&played.game);
    let [white, black] = &game.names;
    let round = (game.scheduled.round + 1).to_string();
    let termination = match ending.fault {
        Some((_, fault)) => fault.termination(),
        None if ending.reason.starts_with(ADJUDICATION) => ADJUDICATION,
        None => "normal",
    };
    let plies = played.game.moves().len().to_string();
    let start = std::mem::take(&mut tree.headers);
    for (name, value) in [
        ("Event", event),
        ("Site", "?"),
        ("Date", &date::of(SystemTime::now())),
        ("Round", &round),
        ("White", white),
        ("Black", black),
        ("Result", ending.result()),
        ("TimeControl", time_control),
        ("PlyCount", &plies),
        ("Termination", termination),
    ] {
        tree.headers.set(name, value);
    }
    for (name, value) in start.iter() {
        tree.headers.push(name.as_bytes(), value.as_bytes());
    }
    for (color, name) in BAD_LINES {
        let times = played.bad_lines.iter().filter(|line| line.0 == color);
        let times = times.count();
        if times > 0 {
            tree.headers.set(name, &times.to_string());
        }
    }
    tree.result = Some(ending.result().into());
    let mut node = tree.root();
    for data in &played.moves {
        let Some(&next) = tree.children(node).first() else {
            break;
        };
        node = next;
        comment(&mut tree, node, &remark(data));
    }
    let detail = ending.detail.as_deref().map(|detail| format!(": {detail}"));
    let why = format!("{}{}", ending.reason, detail.unwrap_or_default());
    comment(&mut tree, node, &why);
    let mut text = Writer::new().write(&tree);
    text.push_str("\n\n");
    text
}

/// The tags for wrong principal variations, which PGN has no name for.
const BAD_LINES: [(Color, &str); 2] = [
    (Color::White, "WhiteBadLines"),
    (Color::Black, "BlackBadLines"),
];

/// How many wrong principal variations each side of a game had that [`write()`] has written.
pub fn bad_lines(tree: &Tree) -> [(Color, u64); 2] {
    BAD_LINES.map(|(color, name)| {
        let times = tree.headers.get(name);
        let times = times.and_then(|times| times.parse().ok());
        (color, times.unwrap_or(0))
    })
}

fn comment(tree: &mut Tree, node: NodeId, text: &str) {
    if let Some(comments) = tree.comments_mut(node).filter(|_| !text.is_empty()) {
        comments.push(Comment::new(text));
    }
}

/// `[%eval 0.25,12] [%clk 0:01:02] [%emt 0:00:01.5]`, if known.
fn remark(data: &MoveData) -> String {
    let eval = data.score.map(|score| {
        let eval = score.white().into();
        let depth = data.depth.map(u64::from);
        DeepEval { eval, depth }.to_string()
    });
    let time = |name, time: Option<Duration>| time.map(|time| pgn::time(name, time.as_secs_f64()));
    let parts = [eval, time("clk", data.clock), time("emt", data.elapsed)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// How a game of a PGN ended; `None` if it has no result. [`write()`] says it in the last comment; of the
/// games of other programs, the last position or the tag `Termination` may tell it.
pub fn ending(tree: &Tree) -> Option<GameEnding> {
    let winner = match tree.known_result() {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        "1/2-1/2" => None,
        _ => return None,
    };
    let by_rules = || {
        let ending = by_rules(&tree.to_game()?)?;
        (ending.winner == winner).then_some(ending)
    };
    let ending = commented_ending(tree, winner).or_else(by_rules);
    Some(ending.unwrap_or_else(|| tagged_ending(tree, winner)))
}

/// The ending that [`write()`] has written in the last comment; the rules tell all others.
fn commented_ending(tree: &Tree, winner: Option<Color>) -> Option<GameEnding> {
    let last = tree.main_line(tree.root()).last().unwrap_or(tree.root());
    let why = tree.comments(last).last()?.text.to_string();
    let (reason, detail) = match why.split_once(": ") {
        Some((reason, detail)) => (reason, Some(detail.to_owned())),
        None => (why.as_str(), None),
    };
    let fault = EngineFault::ALL
        .into_iter()
        .find(|fault| fault.name() == reason);
    match (fault, winner) {
        (Some(fault), Some(winner)) => Some(GameEnding::fault(!winner, fault, detail)),
        _ if reason == ADJUDICATION || [RESIGNATION, AGREEMENT, CLAIM].contains(&why.as_str()) => {
            Some(GameEnding::new(winner, why))
        }
        _ => None,
    }
}

/// The ending as far as the tag `Termination` tells it.
fn tagged_ending(tree: &Tree, winner: Option<Color>) -> GameEnding {
    let tag = tree.headers.get("Termination").unwrap_or_default();
    match (EngineFault::of_termination(&tag), winner) {
        (Some(fault), Some(winner)) => GameEnding::fault(!winner, fault, None),
        _ if tag.eq_ignore_ascii_case(ADJUDICATION) => GameEnding::new(winner, ADJUDICATION),
        _ => GameEnding::new(winner, UNKNOWN),
    }
}

/// The results of the games of a text, for a tally.
pub fn results(text: &[u8]) -> Vec<GameResult> {
    /// Two games from one opening have at least as many moves in common, or all of its moves.
    const PLIES: usize = 4;
    let result = |tree: Tree| {
        let tag = |name| tree.headers.get(name).unwrap_or_default().into_owned();
        let start = tree.start.map(|start| start.fen());
        let line = tree.main_line(tree.root()).take(PLIES);
        let moves: Vec<String> = line.map(|id| format!("{:?}", tree.move_to(id))).collect();
        let has_start = tree.headers.get("FEN").is_some();
        GameResult {
            white: tag("White"),
            black: tag("Black"),
            ending: ending(&tree),
            bad_lines: bad_lines(&tree),
            round: tag("Round"),
            opening: match start {
                Some(fen) if has_start => fen,
                _ => moves.join(" "),
            },
            has_start,
        }
    };
    trees(text).map(result).collect()
}
