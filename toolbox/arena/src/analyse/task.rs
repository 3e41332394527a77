//! The positions to analyse.

use super::goal::{self, Goal};
use crate::position_lines::position_lines;
use crate::searchable::is_searchable;
use crate::trees::{is_pgn, trees};
use common::arguments::fen;
use common::{files, note};
use engine_core::notation::Operand;
use engine_core::{AnyPosition, CastlingMode, Game, Move, Variant};
use pgn::command::unpack;
use pgn::{LineIndex, Tree};
use std::path::Path;
use std::sync::Arc;

/// A position with what leads to it, and what it asks for.
#[derive(Clone, Debug)]
pub(super) struct AnalysisTask {
    /// What it is called: `id` of an EPD, game and ply of a PGN.
    pub(super) id: String,
    pub(super) position: AnyPosition,
    line: GamePrefix,
    pub(super) goal: Goal,
    /// Moves that are searched alone, if any.
    pub(super) moves: Vec<Move>,
    /// The move that was played here.
    pub(super) next: Option<Move>,
    /// The game of the PGN that it comes from, from 0.
    pub(super) source: Option<usize>,
}

/// The first `plies` moves of a game. All positions of the game share it: a copy for each would need too
/// much memory.
#[derive(Clone, Debug)]
struct GamePrefix {
    game: Arc<Game>,
    plies: usize,
}

impl AnalysisTask {
    pub(super) fn fen(&self) -> String {
        self.position.fen()
    }

    /// How many moves have led to the position.
    pub(super) fn plies(&self) -> usize {
        self.line.plies
    }

    /// The game as far as the position.
    pub(super) fn game(&self) -> Game {
        self.line.game.up_to(self.line.plies)
    }

    /// Reads the root moves to search (`searchmoves`).
    ///
    /// # Errors
    /// Says which is not legal here.
    pub(super) fn set_moves(&mut self, words: &[String]) -> Result<(), String> {
        let position = &self.position;
        let read = |word: &String| {
            let illegal = || format!("{}: {word} is not a legal move", self.id);
            goal::read_move(position, word.trim()).ok_or_else(illegal)
        };
        self.moves = words.iter().map(read).collect::<Result<_, _>>()?;
        Ok(())
    }
}

/// A FEN, or an EPD with its operations.
pub(super) fn from_line(
    line: &str,
    number: usize,
    variant: Variant,
    mode: CastlingMode,
) -> Result<AnalysisTask, String> {
    let (position, operations) = AnyPosition::from_epd(variant, fen(line, variant), mode)
        .map_err(|error| error.to_string())?;
    let id = match operations.get("id") {
        Some(Operand::Text(id)) => id.clone(),
        _ => number.to_string(),
    };
    Ok(AnalysisTask {
        id,
        position,
        line: GamePrefix {
            game: Arc::new(Game::new(position)),
            plies: 0,
        },
        goal: Goal::of(&position, &operations),
        moves: Vec::new(),
        next: None,
        source: None,
    })
}

/// The tasks of a file: a PGN, else lines of FEN or EPD.
pub(super) fn from_file(
    path: &Path,
    variant: Variant,
    mode: CastlingMode,
) -> Result<(Vec<AnalysisTask>, Vec<Tree>), String> {
    let file = unpack::read_input(path).map_err(|error| error.to_string())?;
    let bytes = files::without_mark(&file);
    if is_pgn(path, bytes) {
        let (tasks, games) = from_pgn(bytes);
        tell_problems(path, bytes, &games);
        return Ok((tasks, games));
    }
    let text = String::from_utf8_lossy(bytes);
    let tasks = position_lines(&text).map(|(number, line)| {
        from_line(line, number, variant, mode)
            .map_err(|why| format!("{}:{number}: {why}", files::input_name(path)))
    });
    Ok((tasks.collect::<Result<_, _>>()?, Vec::new()))
}

/// Tells what could not be read of games.
fn tell_problems(path: &Path, text: &[u8], games: &[Tree]) {
    let mut lines = LineIndex::new(text, 1);
    for (number, game) in (1..).zip(games) {
        let problems = game.problems.in_order().into_iter();
        for problem in problems.filter(|problem| !problem.kind.keeps_moves()) {
            let (name, place) = (files::input_name(path), lines.location(problem.at));
            note!("{name}:{place}: game {number}: {}", problem.kind);
        }
    }
}

/// Every position after a move of the main lines that can be searched, the first position of games
/// with a FEN, and the games. What cannot be read of a game ends it.
fn from_pgn(text: &[u8]) -> (Vec<AnalysisTask>, Vec<Tree>) {
    let games: Vec<Tree> = trees(text).collect();
    let mut tasks = Vec::new();
    for (number, tree) in games.iter().enumerate() {
        let Some(whole) = tree.to_game() else {
            continue;
        };
        let whole = Arc::new(whole);
        let before = whole.plies().map(|(position, _)| position);
        let positions = before.chain([whole.position()]);
        let skipped = usize::from(tree.headers.get("FEN").is_none());
        let searchable = |(_, position): &(usize, &AnyPosition)| is_searchable(position);
        for (plies, position) in positions.enumerate().skip(skipped).filter(searchable) {
            tasks.push(AnalysisTask {
                id: format!("game {}, ply {plies}", number + 1),
                position: *position,
                line: GamePrefix {
                    game: whole.clone(),
                    plies,
                },
                goal: Goal::default(),
                moves: Vec::new(),
                next: whole.moves().get(plies).copied().flatten(),
                source: Some(number),
            });
        }
    }
    (tasks, games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_have_the_moves_before_them() {
        let (tasks, games) = from_pgn(b"1. e4 e5 2. Nf3 *\n\n[Event \"empty\"]\n\n*\n");
        assert_eq!(games.len(), 2);
        let ids: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        assert_eq!(ids, ["game 1, ply 1", "game 1, ply 2", "game 1, ply 3"]);
        for (task, plies) in tasks.iter().zip(1..) {
            let game = task.game();
            assert_eq!(game.moves().len(), plies);
            assert_eq!(*game.position(), task.position);
            assert_eq!(task.next.is_some(), plies < 3);
        }
    }

    #[test]
    fn a_king_that_could_be_taken_makes_no_task() {
        let (tasks, _) = from_pgn(b"1. e4 e5 2. Qh5 Nc6 3. Qxf7+ -- 4. Nf3 *");
        let plies: Vec<usize> = tasks.iter().map(AnalysisTask::plies).collect();
        assert_eq!(plies, [1, 2, 3, 4, 5, 7]);
    }

    #[test]
    fn a_position_of_its_own_is_a_task() {
        let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
        for (moves, plies) in [("1. Kf2 Kf8 *", 2), ("*", 0)] {
            let (tasks, _) = from_pgn(format!("[FEN \"{fen}\"]\n\n{moves}\n").as_bytes());
            assert_eq!(tasks.len(), plies + 1);
            assert_eq!(tasks[0].id, "game 1, ply 0");
            assert_eq!(tasks[0].fen(), fen);
            assert_eq!(tasks[0].plies(), 0);
            assert_eq!(tasks[0].next.is_some(), plies > 0);
        }
    }

    #[test]
    fn a_long_game_does_not_fill_the_memory() {
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(4000);
        let (tasks, _) = from_pgn(moves.as_bytes());
        assert_eq!(tasks.len(), 16_000);
        assert_eq!(tasks[8000].game().moves().len(), 8001);
    }
}
