//! A game as boards for the terminal.

use crate::actions::window;
use crate::command::history_queries::{name, result, start};
use crate::command::moments::{TurnAction, moments};
use crate::history::GameHistory;
use crate::outcome::MoveResult;
use crate::screen::{BoardSigns, Screen};
use engine_core::{Bitboard, Color};

/// What is seen at a moment of the game.
pub(super) struct ReplayStep {
    pub(super) caption: String,
    pub(super) screen: Screen,
}

/// The start, then each sense and each move, and the end.
pub(super) fn steps(history: &GameHistory, bottom: Color, signs: BoardSigns) -> Vec<ReplayStep> {
    let names = Color::ALL.map(|color| name(history, color));
    let mut last = Screen::new(*start(history).pieces(), bottom, signs);
    let mut steps = vec![ReplayStep {
        caption: names.join(" against "),
        screen: last,
    }];
    for moment in moments(history) {
        let who = format!("{} {}", moment.turn.number + 1, moment.turn.color.name());
        let mut screen = Screen::new(moment.pieces, bottom, signs);
        last = screen;
        let what = match moment.action {
            TurnAction::Sense(square) => {
                screen.sensed = square.into_iter().flat_map(window).collect();
                let place = square.map_or("nowhere".to_owned(), |square| square.to_string());
                format!("senses {place}")
            }
            TurnAction::Move(result) => {
                screen.marked = marks(result);
                describe(result)
            }
        };
        steps.push(ReplayStep {
            caption: format!("{who} {what}"),
            screen,
        });
    }
    steps.push(ReplayStep {
        caption: result(history),
        screen: last,
    });
    steps
}

/// The squares of a move and its capture.
fn marks(result: MoveResult) -> Bitboard {
    let shown = result.taken.or(result.requested);
    let squares = shown.into_iter().flat_map(|m| [m.from, m.to]);
    squares.chain(result.capture).collect()
}

/// What was asked for, and what came of it.
fn describe(result: MoveResult) -> String {
    let text = match (result.requested, result.taken) {
        (None, _) => return "passes".to_owned(),
        (Some(m), None) => return format!("asks for {m}, which is not possible"),
        (Some(asked), Some(taken)) if asked.to != taken.to => {
            format!("asks for {asked}, which becomes {taken}")
        }
        (_, Some(taken)) => format!("plays {taken}"),
    };
    match result.capture {
        Some(square) => format!("{text} and captures on {square}"),
        None => text,
    }
}
