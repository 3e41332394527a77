//! Games to and from PGN.

use super::game::Note;
use super::opening::Opening;
use super::pairing::Meeting;
use super::runner::Report;
use crate::client::Score;
use common::date;
use pgn::{
    self, Builder, Comment, DeepEval, Eval, Lines, NodeId, Parser, Problem, Replay, Step, Tree,
    Writer,
};
use std::time::{Duration, SystemTime};

/// The text of a game: evaluations are White's, the time of a move is `emt`, its clock `clk`.
pub fn write(report: &Report, event: &str, time_control: &str) -> String {
    let played = &report.played;
    let ending = &played.ending;
    let mut tree = Tree::from_game(&played.game);
    let [white, black] = &report.names;
    let round = (report.pair() + 1).to_string();
    let termination = match ending.fault {
        Some((_, fault)) => fault.name(),
        None if ending.reason.starts_with("adjudication") => "adjudication",
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
    tree.result = Some(ending.result().into());
    let mut node = tree.root();
    for note in &played.notes {
        let Some(&next) = tree.children(node).first() else {
            break;
        };
        node = next;
        comment(&mut tree, node, &remark(note));
    }
    let detail = ending.detail.as_deref().map(|detail| format!(": {detail}"));
    let why = format!("{}{}", ending.reason, detail.unwrap_or_default());
    comment(&mut tree, node, &why);
    let mut text = Writer::new().write(&tree);
    text.push_str("\n\n");
    text
}

fn comment(tree: &mut Tree, node: NodeId, text: &str) {
    if let Some(comments) = tree.comments_mut(node).filter(|_| !text.is_empty()) {
        comments.push(Comment::new(text));
    }
}

/// `[%eval 0.25,12] [%clk 0:01:02] [%emt 0:00:01.5]`, as far as it is known.
fn remark(note: &Note) -> String {
    let eval = note.score.map(|score| {
        let eval = match score.white() {
            Score::Cp(cp) => Eval::Cp(cp.into()),
            Score::Mate(moves) => Eval::Mate(moves.into()),
            Score::MateGiven => Eval::Mate(0),
        };
        let depth = note.depth.map(u64::from);
        DeepEval { eval, depth }.to_string()
    });
    let time = |name, time: Option<Duration>| time.map(|time| pgn::time(name, time.as_secs_f64()));
    let parts = [eval, time("clk", note.clock), time("emt", note.elapsed)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Every game of a text with the offset where it begins.
fn games(text: &[u8]) -> impl Iterator<Item = Tree> {
    let mut parser = Parser::new(text);
    let mut builder = Builder::new();
    std::iter::from_fn(
        move || match parser.read_game(&mut Replay::new(&mut builder)) {
            Step::Game => Some(builder.take()),
            Step::End | Step::Stopped => None,
        },
    )
}

/// The main lines of all games of a book.
///
/// # Errors
/// Names the first game whose start cannot be read or that has a wrong move.
pub(super) fn openings(text: &[u8]) -> Result<Vec<Opening>, String> {
    games(text)
        .enumerate()
        .map(|(number, tree)| {
            let is_broken = |problem: &&Problem| !problem.kind.is_repaired();
            if let Some(problem) = tree.problems.iter().find(is_broken) {
                let line = Lines::new(text, 1).place(problem.at).line;
                return Err(format!(
                    "game {}, line {line}: {}",
                    number + 1,
                    problem.kind
                ));
            }
            let game = tree.to_game();
            let game = game.ok_or_else(|| format!("game {}: no start", number + 1))?;
            Ok(Opening {
                start: *game.start(),
                moves: game.moves().iter().copied().map_while(|m| m).collect(),
            })
        })
        .collect()
}

/// The games of a text as far as a tally is concerned.
pub fn meetings(text: &[u8]) -> Vec<Meeting> {
    /// Two games from one opening have at least as many moves in common, or all of its moves.
    const PLIES: usize = 4;
    let meeting = |tree: Tree| {
        let tag = |name| tree.headers.get(name).unwrap_or_default().into_owned();
        let half_points = match tag("Result").as_str() {
            "1-0" => Some(2),
            "0-1" => Some(0),
            "1/2-1/2" => Some(1),
            _ => None,
        };
        let start = tree.start.map(|start| start.fen());
        let line = tree.main_line(tree.root()).take(PLIES);
        let moves: Vec<String> = line.map(|id| format!("{:?}", tree.move_to(id))).collect();
        let has_fen = tree.headers.get("FEN").is_some();
        Meeting {
            white: tag("White"),
            black: tag("Black"),
            half_points,
            round: tag("Round"),
            opening: match start {
                Some(fen) if has_fen => fen,
                _ => moves.join(" "),
            },
        }
    };
    games(text).map(meeting).collect()
}
