//! Games as PGN: writing them, and reading the main line of one game of a file.

use super::clock;
use arena::annotate::own_eval;
use common::count::count;
use common::date;
use engine_core::search::Score;
use engine_core::{AnyPosition, Color, Game, Move, Variant};
use pgn::{
    self, Comment, DeepEval, Eval, LineIndex, NodeId, Opening, Problem, Remark, Tree, Writer,
};
use std::time::{Duration, SystemTime};

/// What is known of a move beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Note {
    pub(super) eval: Option<DeepEval>,
    /// The time left on the clock of the side that moved.
    pub(super) clock: Option<Duration>,
    /// Whether the other engine offers a draw with it.
    pub(super) offers_draw: bool,
}

/// The engine's score for a side as an evaluation, which is from White's point of view.
pub(super) fn eval(score: Score, side: Color) -> DeepEval {
    let eval = own_eval(if side.is_white() { score } else { -score });
    DeepEval { eval, depth: None }
}

/// Whether a side is better by an evaluation.
pub(super) fn favours(eval: DeepEval, side: Color) -> bool {
    let (Eval::Cp(white) | Eval::Mate(white)) = eval.eval;
    if side.is_white() {
        white > 0
    } else {
        white < 0
    }
}

/// The tags of a game.
pub(super) struct Headers {
    pub(super) white: String,
    pub(super) black: String,
    pub(super) result: &'static str,
    /// The tag `Termination`, in the PGN standard's words.
    pub(super) termination: &'static str,
    pub(super) time_control: String,
}

/// The tags of the end of a game, of its moves so far or of what follows from its result: they are
/// not true of a game that goes on.
const OF_THE_END: [&str; 6] = [
    "PlyCount",
    "EndDate",
    "EndTime",
    "CurrentPosition",
    "WhiteRatingDiff",
    "BlackRatingDiff",
];

/// The tags of an opening.
const OF_THE_OPENING: [&str; 4] = ["ECO", "Opening", "Variation", "SubVariation"];

/// The game with its notes, one for each move; `show` turns the names of openings. A game of a file
/// keeps what the file has of it and is still true: `source`.
pub(super) fn write(
    game: &Game,
    notes: &[Note],
    headers: &Headers,
    source: Option<&Tree>,
    show: impl Fn(&str) -> String,
) -> String {
    let mut tree = source.map_or_else(|| Tree::from_game(game), |source| follow(source, game));
    set_tags(&mut tree.headers, headers);
    let opening = Opening::of_game(game);
    let known = source.and_then(Tree::to_game);
    if known.is_none_or(|known| Opening::of_game(&known) != opening) {
        for name in OF_THE_OPENING {
            tree.headers.remove(name);
        }
        for (name, value) in opening.into_iter().flat_map(Opening::tags) {
            tree.headers.set(name, &show(value));
        }
    }
    let first_new = source.map_or(0, |source| source.ids().count());
    let moves: Vec<_> = tree.main_line(tree.root()).collect();
    for (id, note) in moves.into_iter().zip(notes) {
        if id.index() >= first_new
            && let Some(text) = comment(*note)
        {
            tree.add_comment(id, &text);
        }
    }
    Writer::new().write(&tree) + "\n"
}

/// A game of a file as it is there.
pub(super) fn write_unchanged(source: &Tree) -> String {
    Writer::new().write(source) + "\n"
}

/// A game of a file with the moves of this one as its main line. Moves of the file in whose place
/// others were made become a variation; moves that were only taken back are left out, and so is
/// what the file has after the last move: PGN writes no variations after the end of a line.
fn follow(source: &Tree, game: &Game) -> Tree {
    let mut tree = source.clone();
    let mut at = tree.root();
    for &m in game.moves() {
        at = child(&tree, at, m).unwrap_or_else(|| tree.add(at, m));
        tree.promote_to_main(at);
        // In the main line it would end the game for other programs.
        if let Some(comments) = tree.comments_mut(at) {
            comments.retain(|comment| !is_result(comment));
        }
    }
    while let Some(&id) = tree.children(at).last() {
        tree.remove(id);
    }
    // That of the tag counts.
    tree.result = None;
    tree
}

/// The node of a move after another node, if the tree has it.
fn child(tree: &Tree, at: NodeId, m: Option<Move>) -> Option<NodeId> {
    let mut children = tree.children(at).iter().copied();
    children.find(|&id| tree.move_to(id) == m)
}

/// Whether a comment is the result with which a file ends a variation.
fn is_result(comment: &Comment) -> bool {
    let words = ["1-0", "0-1", "1/2-1/2", "1/2", "*"];
    comment.remark == Remark::Raw && words.contains(&comment.text.to_str().trim())
}

/// Sets the tags of a game that was played here, from its beginning or from a position of a game of
/// a file.
fn set_tags(tags: &mut pgn::Headers, headers: &Headers) {
    for (name, value) in [
        ("Event", "Terminal game"),
        ("Site", "?"),
        ("Date", date::of(SystemTime::now()).as_str()),
        ("Round", "-"),
        ("White", &headers.white),
        ("Black", &headers.black),
    ] {
        if tags.raw(name).is_none() {
            tags.set(name, value);
        }
    }
    for name in OF_THE_END {
        tags.remove(name);
    }
    tags.set("Result", headers.result);
    tags.set("TimeControl", &headers.time_control);
    tags.set("Termination", headers.termination);
    tags.put_roster_first();
}

/// What a game of a file has and this one, which was made of it, has not.
pub(super) fn left_out(source: &Tree, game: &Game, headers: &Headers) -> Vec<String> {
    let mut parts = Vec::new();
    let result = source.known_result();
    if !["*", headers.result].contains(&result) {
        parts.push(format!("the result {result}"));
    }
    let nodes = path(source, game);
    let has_result = |id: &NodeId| source.comments(*id).iter().any(is_result);
    if nodes.iter().any(has_result) {
        parts.push("the result of a variation".to_owned());
    }
    if nodes.len() == game.moves().len() {
        let end = nodes.last().copied().unwrap_or(source.root());
        parts.extend(moves_left_out(source, end));
    }
    let time_control = source.headers.get("TimeControl");
    let is_other = time_control.is_some_and(|value| value != headers.time_control);
    let is_there = |name: &&str| source.headers.raw(name).is_some();
    let tags = OF_THE_END.into_iter().filter(is_there);
    let tags: Vec<&str> = is_other
        .then_some("TimeControl")
        .into_iter()
        .chain(tags)
        .collect();
    match tags.as_slice() {
        [] => {}
        [tag] => parts.push(format!("the tag {tag}")),
        tags => parts.push(format!("the tags {}", tags.join(", "))),
    }
    parts
}

/// The nodes of a game of a file through which this game goes.
fn path(source: &Tree, game: &Game) -> Vec<NodeId> {
    let moves = game.moves().iter();
    let nodes = moves.scan(source.root(), |at, &m| {
        *at = child(source, *at, m)?;
        Some(*at)
    });
    nodes.collect()
}

/// The moves that a game of a file has after a node.
fn moves_left_out(source: &Tree, end: NodeId) -> Vec<String> {
    let mut parts = Vec::new();
    let is_main = source.end(end) == source.end(source.root());
    let last = is_main.then(|| source.main_line(end).count());
    let last = last.unwrap_or_default();
    match last {
        0 => {}
        1 => parts.push("the last ply".to_owned()),
        last => parts.push(format!("the last {last} plies")),
    }
    let others = plies_after(source, end) - last;
    if others > 0 {
        parts.push(format!("{} of variations", count(others, "ply")));
    }
    parts
}

/// The number of moves after a node, in all variations.
fn plies_after(tree: &Tree, from: NodeId) -> usize {
    let mut plies = 0;
    let mut left = tree.children(from).to_vec();
    while let Some(id) = left.pop() {
        plies += 1;
        left.extend(tree.children(id));
    }
    plies
}

/// `[%eval 0.34] [%clk 0:04:58]`.
fn comment(note: Note) -> Option<String> {
    let eval = note.eval.map(|eval| eval.to_string());
    let clock = note
        .clock
        .map(|left| pgn::time("clk", left.as_secs() as f64));
    let parts: Vec<String> = eval.into_iter().chain(clock).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// A game of a file.
pub(super) struct Loaded {
    pub(super) game: Game,
    /// One for each move.
    pub(super) notes: Vec<Note>,
    /// All that the file has of the game.
    pub(super) source: Tree,
    /// The number of games in the file.
    count: usize,
}

/// Games are counted up to this number.
const MAX_COUNTED: usize = 1000;

impl Loaded {
    /// `Game 2 of 5: White - Black`.
    pub(super) fn describe(&self, number: usize) -> String {
        let tag = |name| self.source.headers.get(name).unwrap_or("?".into());
        let of = match self.count {
            1 => String::new(),
            count @ MAX_COUNTED.. => format!("Game {number} of {count} or more: "),
            count => format!("Game {number} of {count}: "),
        };
        format!("{of}{} - {}", tag("White"), tag("Black"))
    }
}

/// Reads a game of a file, counted from 1.
pub(super) fn read(bytes: &[u8], number: usize) -> Result<Loaded, String> {
    if number == 0 {
        return Err("games are counted from 1".to_owned());
    }
    let mut found = None;
    let (mut at, mut count) = (0, 0);
    while count < MAX_COUNTED.max(number) {
        let Some((tree, end)) = bytes.get(at..).and_then(pgn::read_tree) else {
            break;
        };
        count += 1;
        if count == number {
            found = Some((tree, at));
        }
        at += end.max(1);
    }
    let Some((tree, begin)) = found else {
        return Err(match count {
            0 => "no game found".to_owned(),
            1 => "the file has only one game".to_owned(),
            _ => format!("the file has only {count} games"),
        });
    };
    let is_lost = |problem: &&Problem| !problem.kind.keeps_moves();
    if let Some(problem) = tree.problems.iter().find(is_lost) {
        let place = LineIndex::new(bytes, 1).location(begin + problem.at);
        return Err(format!("line {}: {}", place.line, problem.kind));
    }
    let game = tree
        .to_game()
        .unwrap_or_else(|| Game::new(AnyPosition::start(Variant::Standard)));
    let notes = tree.main_line(tree.root()).map(|id| Note {
        eval: tree.eval(id),
        clock: tree
            .clock(id)
            .and_then(|left| Duration::try_from_secs_f64(left).ok()),
        offers_draw: false,
    });
    Ok(Loaded {
        count,
        notes: notes.take(game.moves().len()).collect(),
        source: tree,
        game,
    })
}

/// The tag `TimeControl`.
pub(super) fn time_control(clocks: Option<&clock::Clocks>) -> String {
    clocks.map_or_else(|| "-".into(), |clocks| clocks.control.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_wrote() {
        let text = "[Event \"x\"]\n\n1.e4 {king's (pawn)} e5 2. Nf3 (2. f4 exf4 (2... d5)) Nc6 $1 \
                    ; to the end of the line\n3. Bb5!? a6 1/2-1/2\n\n[Event \"next\"]\n\n1. d4 *\n";
        let read = |text: &str| read(text.as_bytes(), 1).map(|loaded| loaded.game);
        let game = read(text).unwrap();
        assert_eq!(game.moves().len(), 6);
        let headers = Headers {
            white: "A \"quoted\" name".into(),
            black: "B".into(),
            result: "1/2-1/2",
            termination: "normal",
            time_control: "-".into(),
        };
        let notes = [Note {
            eval: Some(eval(Score(-34), Color::Black)),
            clock: Some(Duration::from_secs(3661)),
            offers_draw: false,
        }];
        let written = write(&game, &notes, &headers, None, str::to_owned);
        assert!(written.contains("1. e4 {[%eval 0.34] [%clk 1:01:01]} 1... e5 2. Nf3"));
        assert!(written.ends_with("3. Bb5 a6 1/2-1/2\n"));
        let loaded = super::read(written.as_bytes(), 1).unwrap();
        assert_eq!(loaded.game.moves(), game.moves());
        let expected = [&notes[..], &[Note::default(); 5]].concat();
        assert_eq!(loaded.notes, expected);
        let castling = read("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 0-1").unwrap();
        assert_eq!(castling.moves().len(), 8);
        assert!(read("1. e5 *").is_err());
        assert!(read("").is_err());
        let second = super::read(text.as_bytes(), 2).unwrap();
        assert_eq!(second.describe(2), "Game 2 of 2: ? - ?");
        assert_eq!(second.game.moves().len(), 1);
        assert!(super::read(text.as_bytes(), 3).is_err());
        let none = super::read(text.as_bytes(), 0).map(|loaded| loaded.count);
        assert_eq!(none, Err("games are counted from 1".to_owned()));
    }

    #[test]
    fn an_evaluation_favours_one_side() {
        let lead = eval(Score(20), Color::Black);
        assert!(favours(lead, Color::Black) && !favours(lead, Color::White));
        let mate = eval(Score::mated_in(2), Color::Black);
        assert!(favours(mate, Color::White) && !favours(mate, Color::Black));
        let level = eval(Score::DRAW, Color::White);
        assert!(Color::ALL.into_iter().all(|side| !favours(level, side)));
    }
}
