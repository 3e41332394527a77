//! A game as an animation.

use crate::actions::window;
use crate::command::history_queries::{name, result, start};
use crate::command::moments::{Moment, TurnAction, moments};
use crate::history::GameHistory;
use crate::outcome::MoveResult;
use diagram::{Animation, AnimationStep, Diagram, Theme};
use engine_core::notation::move_number;
use engine_core::{Board as Pieces, Color, Role, Square};

/// The whole game: pieces move, and a frame is around what is sensed.
pub(super) fn animate(history: &GameHistory, bottom: Color, theme: &Theme, pace: f64) -> Animation {
    let mut pieces = *start(history).pieces();
    let names = Color::ALL.map(|color| name(history, color));
    let diagram = Diagram {
        orientation: bottom,
        theme: theme.clone(),
        caption: Some(names.join(" – ")),
        ..Diagram::new(&pieces)
    };
    let mut steps = Vec::new();
    for moment in moments(history) {
        let number = move_number(moment.turn.number as u32 + 1, moment.turn.color);
        let (text, mut step) = picture(&moment, &pieces);
        step.caption = format!("{number} {text}");
        pieces = moment.pieces;
        steps.push(step);
    }
    steps.push(AnimationStep {
        caption: result(history),
        ..AnimationStep::still(pieces)
    });
    Animation {
        diagram,
        steps,
        pace,
    }
}

/// What is to be said, and seen.
fn picture(moment: &Moment, before: &Pieces) -> (String, AnimationStep) {
    let mut step = AnimationStep::still(moment.pieces);
    let text = match moment.action {
        TurnAction::Sense(None) => "sense nowhere".to_owned(),
        TurnAction::Sense(Some(center)) => {
            // The first square of a window is its upper left one, the last its lower right one.
            step.frame = window(center)
                .next()
                .zip(window(center).last())
                .map(<[_; 2]>::from);
            format!("sense {center}")
        }
        TurnAction::Move(result) => {
            let shown = result.taken.or(result.requested);
            step.highlight = shown.map(|m| (m.from, m.to));
            if let Some(taken) = result.taken {
                step.moved.push((taken.from, taken.to));
                step.moved
                    .extend(castling_rook(before, &moment.pieces, taken.from, taken.to));
            }
            describe(result)
        }
    };
    (text, step)
}

/// The way of the rook when the king goes two squares.
fn castling_rook(
    before: &Pieces,
    after: &Pieces,
    from: Square,
    to: Square,
) -> Option<(Square, Square)> {
    let king = before
        .piece_at(from)
        .filter(|piece| piece.role == Role::King)?;
    let rooks = |pieces: &Pieces| pieces.pieces(king.color, Role::Rook);
    let is_castling = from.file().index().abs_diff(to.file().index()) == 2;
    let left = (rooks(before) - rooks(after)).first()?;
    let reached = (rooks(after) - rooks(before)).first()?;
    is_castling.then_some((left, reached))
}

/// A move in few letters.
fn describe(result: MoveResult) -> String {
    let text = match (result.requested, result.taken) {
        (None, _) => "pass".to_owned(),
        (Some(asked), None) => format!("{asked} fails"),
        (Some(asked), Some(taken)) if asked.to != taken.to => format!("{asked} → {taken}"),
        (_, Some(taken)) => taken.to_string(),
    };
    match result.capture {
        Some(square) => format!("{text} ×{square}"),
        None => text,
    }
}
