//! What is to be analysed.

use super::goal::Goal;
use engine_core::notation::Operand;
use engine_core::{AnyPosition, CastlingMode, Game, Variant};
use pgn::{Builder, Parser, Replay, Step, Tree};
use std::path::Path;

/// A position with what leads to it, and what it asks for.
#[derive(Clone, Debug)]
pub(super) struct Task {
    /// What it is called: `id` of an EPD, game and ply of a PGN.
    pub(super) id: String,
    pub(super) game: Game,
    pub(super) goal: Goal,
    /// The game of the PGN that it comes from, from 0.
    pub(super) source: Option<usize>,
}

impl Task {
    pub(super) fn fen(&self) -> String {
        self.game.position().fen()
    }
}

/// A FEN, or an EPD with its operations.
pub(super) fn from_line(
    line: &str,
    number: usize,
    variant: Variant,
    mode: CastlingMode,
) -> Result<Task, String> {
    let (position, operations) =
        AnyPosition::from_epd(variant, line, mode).map_err(|error| error.to_string())?;
    let id = match operations.get("id") {
        Some(Operand::Text(id)) => id.clone(),
        _ => number.to_string(),
    };
    Ok(Task {
        id,
        game: Game::new(position),
        goal: Goal::of(&position, &operations),
        source: None,
    })
}

/// The tasks of a file: a PGN by its name, else lines of FEN or EPD.
pub(super) fn from_file(
    path: &Path,
    variant: Variant,
    mode: CastlingMode,
) -> Result<(Vec<Task>, Vec<Tree>), String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"))
    {
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
    let mut parser = Parser::new(text);
    let mut builder = Builder::new();
    let mut tasks = Vec::new();
    let mut games: Vec<Tree> = Vec::new();
    while let Step::Game = parser.read_game(&mut Replay::new(&mut builder)) {
        let tree = builder.take();
        if let Some(whole) = tree.to_game() {
            let mut game = Game::new(*whole.start());
            for (ply, m) in whole.moves().iter().enumerate() {
                match m {
                    Some(m) => game.play(*m),
                    None => game.play_null(),
                }
                tasks.push(Task {
                    id: format!("game {}, ply {}", games.len() + 1, ply + 1),
                    game: game.clone(),
                    goal: Goal::default(),
                    source: Some(games.len()),
                });
            }
        }
        games.push(tree);
    }
    (tasks, games)
}
