//! `mola recon replay`: a game step by step.

use crate::error::Result;
use crate::input::read_line;
use crate::recon::screen::Screen;
use crate::recon::{Board, GameHistory, Turn, WinReason};
use engine_core::{Bitboard, Color};
use std::io::{IsTerminal, Write, stdin, stdout};
use std::path::PathBuf;

/// Show a game step by step: each sense and each move on the true board
///
/// On a terminal Enter goes on, `b` back, `first`, `last` or a number there, `q` ends; elsewhere all
/// steps are printed.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  mola recon match mola attacker --histories games && mola recon replay games/0001-mola-attacker.json")]
pub struct Args {
    /// The history of the game
    history: PathBuf,
    /// The side at the bottom: white or black
    #[arg(long, default_value = "white", value_parser = super::playback::side)]
    bottom: Color,
}

/// What is seen at a moment of the game.
struct Step {
    caption: String,
    screen: Screen,
}

/// Runs the subcommand.
///
/// # Errors
/// When the file is no history.
pub fn run(args: &Args) -> Result {
    let history = super::playback::read(&args.history)?;
    let steps = steps(&history, args.bottom)?;
    if !(stdin().is_terminal() && stdout().is_terminal()) {
        for step in &steps {
            write!(stdout(), "{}\n{}\n", step.caption, step.screen.draw())?;
        }
        return Ok(());
    }
    let mut at = 0;
    let last = steps.len().saturating_sub(1);
    loop {
        if let Some(step) = steps.get(at) {
            write!(stdout(), "\n{}\n{}", step.caption, step.screen.draw())?;
        }
        write!(stdout(), "{at} of {last}> ")?;
        stdout().flush()?;
        let Some(line) = read_line(&mut stdin().lock())? else {
            return Ok(());
        };
        at = match line.text.trim() {
            "" | "n" | "next" => at + 1,
            "b" | "back" => at.saturating_sub(1),
            "first" => 0,
            "last" => last,
            "q" | "quit" => return Ok(()),
            text => text.parse().unwrap_or(at),
        }
        .min(last);
    }
}

/// The start, then each sense and each move, and the end.
fn steps(history: &GameHistory, bottom: Color) -> Result<Vec<Step>> {
    let names = Color::ALL.map(|color| history.name(color).unwrap_or(color.name()));
    let start = history
        .first_turn()
        .map(|turn| board(history, turn))
        .transpose()?
        .flatten();
    let mut pieces = *start.unwrap_or_else(Board::start).pieces();
    let mut steps = vec![Step {
        caption: names.join(" against "),
        screen: Screen::new(pieces, bottom),
    }];
    for turn in history.turns() {
        let who = format!("{} {}", turn.number + 1, turn.color.name());
        if let Some(before) = board(history, turn)? {
            pieces = *before.pieces();
        }
        if let Some(square) = history.sense(turn) {
            let mut screen = Screen::new(pieces, bottom);
            let result = history.sense_result(turn).into_iter().flatten();
            screen.sensed = result.map(|&(square, _)| square).collect();
            let place = square.map_or("nowhere".to_owned(), |square| square.to_string());
            let caption = format!("{who} senses {place}");
            steps.push(Step { caption, screen });
        }
        if history.has_move(turn) {
            let after = history
                .truth_board_after_move(turn)
                .map_err(|error| error.to_string())?;
            if let Some(after) = after {
                pieces = *after.pieces();
            }
            let mut screen = Screen::new(pieces, bottom);
            screen.marked = marks(history, turn);
            let caption = format!("{who} {}", describe(history, turn));
            steps.push(Step { caption, screen });
        }
    }
    let winner = history.winner().map_or("nobody", |color| {
        names.get(color.index()).copied().unwrap_or("")
    });
    let reason = history.win_reason().map_or("unfinished", WinReason::name);
    steps.push(Step {
        caption: format!("{winner} has won: {reason}"),
        screen: Screen::new(pieces, bottom),
    });
    Ok(steps)
}

fn board(history: &GameHistory, turn: Turn) -> Result<Option<Board>> {
    Ok(history
        .truth_board_before_move(turn)
        .map_err(|error| error.to_string())?)
}

/// The squares of a move and its capture.
fn marks(history: &GameHistory, turn: Turn) -> Bitboard {
    let taken = history.taken_move(turn).or(history.requested_move(turn));
    let squares = taken.into_iter().flat_map(|m| [m.from, m.to]);
    squares.chain(history.capture_square(turn)).collect()
}

/// What was asked for, and what came of it.
fn describe(history: &GameHistory, turn: Turn) -> String {
    let text = match (history.requested_move(turn), history.taken_move(turn)) {
        (None, _) => return "passes".to_owned(),
        (Some(m), None) => return format!("asks for {m}, which is not possible"),
        (Some(asked), Some(taken)) if (asked.from, asked.to) != (taken.from, taken.to) => {
            format!("asks for {asked}, which becomes {taken}")
        }
        (_, Some(taken)) => format!("plays {taken}"),
    };
    match history.capture_square(turn) {
        Some(square) => format!("{text} and captures on {square}"),
        None => text,
    }
}
