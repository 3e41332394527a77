//! What is to be analysed.

use super::goal::{self, Goal};
use crate::trees::{is_pgn, trees};
use common::arguments::fen;
use common::files::named;
use engine_core::notation::Operand;
use engine_core::{AnyPosition, CastlingMode, Game, Move, Variant};
use pgn::Tree;
use std::path::Path;

/// A position with what leads to it, and what it asks for.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// What it is called: `id` of an EPD, game and ply of a PGN.
    pub(super) id: String,
    pub(super) game: Game,
    pub(super) goal: Goal,
    /// Moves that are searched alone, if any.
    pub(super) moves: Vec<Move>,
    /// The move that was played here.
    pub(super) next: Option<Move>,
    /// The game of the PGN that it comes from, from 0.
    pub(super) source: Option<usize>,
}

impl Task {
    pub(super) fn fen(&self) -> String {
        self.game.position().fen()
    }

    /// Reads the moves that are to be searched alone.
    ///
    /// # Errors
    /// Says which is not legal here.
    pub(super) fn set_moves(&mut self, words: &[String]) -> Result<(), String> {
        let position = self.game.position();
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
) -> Result<Task, String> {
    let (position, operations) = AnyPosition::from_epd(variant, fen(line, variant), mode)
        .map_err(|error| error.to_string())?;
    let id = match operations.get("id") {
        Some(Operand::Text(id)) => id.clone(),
        _ => number.to_string(),
    };
    Ok(Task {
        id,
        game: Game::new(position),
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
) -> Result<(Vec<Task>, Vec<Tree>), String> {
    let bytes = std::fs::read(path).map_err(|error| named(path, &error).to_string())?;
    if is_pgn(path, &bytes) {
        return Ok(from_pgn(&bytes));
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(str::trim).enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let tasks = lines.map(|(index, line)| {
        let number = index + 1;
        from_line(line, number, variant, mode)
            .map_err(|why| format!("{}:{number}: {why}", path.display()))
    });
    Ok((tasks.collect::<Result<_, _>>()?, Vec::new()))
}

/// Every position after a move of the main lines, and the games. What cannot be read of a game
/// ends it.
fn from_pgn(text: &[u8]) -> (Vec<Task>, Vec<Tree>) {
    let games: Vec<Tree> = trees(text).collect();
    let mut tasks = Vec::new();
    for (number, tree) in games.iter().enumerate() {
        let Some(whole) = tree.to_game() else {
            continue;
        };
        let mut game = Game::new(*whole.start());
        for (ply, m) in whole.moves().iter().enumerate() {
            match m {
                Some(m) => game.play(*m),
                None => game.play_null(),
            }
            tasks.push(Task {
                id: format!("game {}, ply {}", number + 1, ply + 1),
                game: game.clone(),
                goal: Goal::default(),
                moves: Vec::new(),
                next: whole.moves().get(ply + 1).copied().flatten(),
                source: Some(number),
            });
        }
    }
    (tasks, games)
}
