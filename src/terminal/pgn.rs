//! Games as PGN: writing them, and reading the main line of one game of a file.

use super::clock;
use arena::annotate::own_eval;
use common::date;
use engine_core::search::Score;
use engine_core::{AnyPosition, Color, Game, Variant};
use pgn::{self, Comment, DeepEval, Eval, LineIndex, Opening, Problem, Tree, Writer};
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

/// The game with its notes, one for each move; `show` turns the names of openings.
pub(super) fn write(
    game: &Game,
    notes: &[Note],
    headers: &Headers,
    tags: &[(String, String)],
    show: impl Fn(&str) -> String,
) -> String {
    let mut tree = Tree::from_game(game);
    let start = std::mem::take(&mut tree.headers);
    let mut tag = |name: &str, value: &str| tree.headers.set(name, value);
    tag("Event", "Terminal game");
    tag("Site", "?");
    tag("Date", &date::of(SystemTime::now()));
    tag("Round", "-");
    tag("White", &headers.white);
    tag("Black", &headers.black);
    tag("Result", headers.result);
    tag("TimeControl", &headers.time_control);
    for (name, value) in tags {
        tag(name, value);
    }
    for (name, value) in start.iter() {
        tag(&name.to_str(), &value.to_str());
    }
    tag("Termination", headers.termination);
    for (name, value) in Opening::of_game(game).into_iter().flat_map(Opening::tags) {
        tag(name, &show(value));
    }
    let moves: Vec<_> = tree.main_line(tree.root()).collect();
    for (id, note) in moves.into_iter().zip(notes) {
        if let (Some(text), Some(comments)) = (comment(*note), tree.comments_mut(id)) {
            comments.push(Comment::new(&text));
        }
    }
    Writer::new().write(&tree) + "\n"
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

/// A game of a file, and its tags.
pub(super) struct Loaded {
    pub(super) game: Game,
    /// One for each move.
    pub(super) notes: Vec<Note>,
    /// Event, site, date, round and players.
    pub(super) tags: Vec<(String, String)>,
    /// The number of games in the file.
    count: usize,
}

/// The tags that are kept.
const KEPT: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// Games are counted up to this number.
const MAX_COUNTED: usize = 1000;

impl Loaded {
    /// `Game 2 of 5: White - Black`.
    pub(super) fn describe(&self, number: usize) -> String {
        let tag = |name| {
            let tag = self.tags.iter().find(|(tag, _)| tag == name);
            tag.map_or("?", |(_, value)| value.as_str())
        };
        let of = match self.count {
            1 => String::new(),
            MAX_COUNTED.. => format!("Game {number} of {MAX_COUNTED} or more: "),
            count => format!("Game {number} of {count}: "),
        };
        format!("{of}{} - {}", tag("White"), tag("Black"))
    }
}

/// Reads a game of a file, counted from 1: the moves with their evaluations and
/// clocks, without other comments and variations.
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
    let tags = KEPT.iter().filter_map(|&name| {
        let value = tree.headers.get(name)?;
        Some((name.to_owned(), value.into_owned()))
    });
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
        tags: tags.collect(),
        count,
        notes: notes.take(game.moves().len()).collect(),
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
        let written = write(&game, &notes, &headers, &[], str::to_owned);
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
