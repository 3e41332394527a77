//! The game on the table as PGN, with evaluations and clocks.

use super::clock::Clocks;
use engine_core::pgn::{DeepEval, Eval, ProblemKind, Text, Tree, Writer, read_tree};
use engine_core::search::{Score, ScoreKind};
use engine_core::{Color, Game, dispatch};
use jiff::Zoned;
use std::time::Duration;

/// What is known of a move beside the move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Note {
    /// The engine's score for the side that moved.
    pub(super) score: Option<Score>,
    /// What that side's clock showed.
    pub(super) clock: Option<Duration>,
}

/// What a file says about a game.
pub(super) struct Headers {
    pub(super) white: String,
    pub(super) black: String,
    pub(super) result: &'static str,
    /// How it ended, in the words of the PGN standard.
    pub(super) termination: &'static str,
    pub(super) time_control: String,
}

/// The game with its notes, one for each move.
pub(super) fn write(game: &Game, notes: &[Note], headers: &Headers) -> String {
    let mut tree = Tree::from_game(game);
    for (name, value) in [
        ("Event", "Terminal game"),
        ("Site", "?"),
        ("Date", &Zoned::now().strftime("%Y.%m.%d").to_string()),
        ("Round", "-"),
        ("White", &headers.white),
        ("Black", &headers.black),
        ("Result", headers.result),
        ("TimeControl", &headers.time_control),
        ("Termination", headers.termination),
    ] {
        tree.headers.set(name, value);
    }
    tree.headers.put_roster_first();
    tree.result = Some(Text::from(headers.result));
    let line: Vec<_> = tree.main_line(tree.root()).collect();
    for ((id, note), (before, _)) in line.into_iter().zip(notes).zip(game.plies()) {
        let turn = dispatch!(before, |position| position.turn());
        tree.set_eval(id, note.score.map(|score| evaluation(score, turn)));
        tree.set_clock(id, note.clock.map(|left| left.as_secs() as f64));
    }
    Writer::new().write(&tree)
}

/// A score of a side as White sees it.
fn evaluation(score: Score, side: Color) -> DeepEval {
    let white = if side.is_white() { score } else { -score };
    let eval = match white.kind() {
        ScoreKind::Centipawns(cp) => Eval::Cp(i64::from(cp)),
        ScoreKind::Mate(moves) => Eval::Mate(i64::from(moves)),
    };
    DeepEval { eval, depth: None }
}

/// The main line of the first game of a text.
///
/// # Errors
/// Says what cannot be read.
pub(super) fn read(text: &[u8]) -> Result<Game, String> {
    let Some((tree, _)) = read_tree(text) else {
        return Err("there is no game".to_owned());
    };
    // Later variations may be faulty as they like.
    let lost =
        |kind: &ProblemKind| matches!(kind, ProblemKind::BadMove(..) | ProblemKind::BadStart(_));
    match tree.problems.iter().find(|problem| lost(&problem.kind)) {
        Some(problem) => Err(problem.kind.to_string()),
        None => tree
            .to_game()
            .ok_or_else(|| "the start of the game is unknown".to_owned()),
    }
}

/// The clock of a time control, as the header has it.
pub(super) fn time_control(clocks: Option<&Clocks>) -> String {
    clocks.map_or_else(|| "-".into(), |clocks| clocks.control.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_wrote() {
        let text =
            b"[Event \"x\"]\n\n1.e4 {king's (pawn)} e5 2. Nf3 (2. f4 exf4 (2... d5)) Nc6 $1 \
                    ; to the end of the line\n3. Bb5!? a6 1/2-1/2\n\n[Event \"next\"]\n\n1. d4 *\n";
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
            score: Some(Score(34)),
            clock: Some(Duration::from_secs(3661)),
        }];
        let written = write(&game, &notes, &headers);
        assert!(written.contains("[%eval 0.34] [%clk 1:01:01]"), "{written}");
        assert!(
            written.trim_end().ends_with("3. Bb5 a6 1/2-1/2"),
            "{written}"
        );
        assert_eq!(read(written.as_bytes()).unwrap().moves(), game.moves());
        let castling = read(b"1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 0-1").unwrap();
        assert_eq!(castling.moves().len(), 8);
        assert!(read(b"1. e5 *").is_err());
    }
}
