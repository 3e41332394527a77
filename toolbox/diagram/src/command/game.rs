//! A game of a PGN file as an animation.

use super::arguments::Args;
use crate::{Animation, Diagram, Evaluation};
use common::error::Result;
use common::{files, note};
use engine_core::{ByColor, Color};
use pgn::command::unpack;
use pgn::{DeepEval, Eval, LineIndex, NodeId, Tree, read_tree};
use std::path::Path;

/// The animation of the first game of a file; `-` is standard input.
pub(super) fn animate(args: &Args, path: &Path) -> Result<Animation> {
    let name = files::input_name(path);
    let bytes = unpack::read_input(path)?;
    let (tree, _) = read_tree(&bytes).ok_or_else(|| format!("{name}: no game found"))?;
    let mut lines = LineIndex::new(&bytes, 1);
    for problem in tree.problems.in_order() {
        let place = lines.location(problem.at);
        note!("{name}:{place}: {}", problem.kind);
    }
    let game = tree.to_game();
    let game = game.ok_or_else(|| format!("{name}: the game's start position is invalid"))?;
    let diagram = Diagram::new(game.start().board());
    let mut diagram = args.look(diagram);
    args.set_colors(&mut diagram)?;
    if diagram.caption.is_none() {
        let tag = |tag| {
            tree.headers
                .get(tag)
                .filter(|name| !name.is_empty() && name != "?")
        };
        diagram.caption = match (tag("White"), tag("Black")) {
            (Some(white), Some(black)) => Some(format!("{white} \u{2013} {black}")),
            _ => None,
        };
    }
    let mut animation = Animation::of_game(diagram, *game.start(), game.moves(), args.pace);
    if args.no_check {
        animation.diagram.check = None;
        for step in &mut animation.steps {
            step.check = None;
        }
    }
    add_comments(&tree, &mut animation);
    Ok(animation)
}

/// Adds the evaluations and clocks from comments.
fn add_comments(tree: &Tree, animation: &mut Animation) {
    let root = tree.root();
    let line: Vec<NodeId> = tree.main_line(root).collect();
    if animation.diagram.evaluation.is_none() && line.iter().any(|&id| tree.eval(id).is_some()) {
        let first = tree.eval(root);
        animation.diagram.evaluation = Some(first.map_or(Evaluation::Pawns(0.0), evaluation));
        for (&id, step) in line.iter().zip(&mut animation.steps) {
            step.evaluation = tree.eval(id).map(evaluation);
        }
    }
    if line.iter().any(|&id| tree.clock(id).is_some()) {
        let mut clocks = ByColor::<String>::default();
        let mut turn = tree
            .position(root)
            .map_or(Color::White, |position| position.turn());
        animation.diagram.clocks = Some(clocks.clone());
        for (&id, step) in line.iter().zip(&mut animation.steps) {
            if let Some(seconds) = tree.clock(id) {
                clocks[turn] = clock(seconds);
            }
            step.clocks = Some(clocks.clone());
            turn = !turn;
        }
    }
}

fn evaluation(found: DeepEval) -> Evaluation {
    match found.eval {
        Eval::Cp(cp) => Evaluation::Pawns(cp as f64 / 100.0),
        Eval::Mate(moves) => {
            let bound = i64::from(i32::MAX);
            Evaluation::Mate(moves.clamp(-bound, bound) as i32)
        }
    }
}

/// `1:02:03`, or `2:03` below an hour.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        1..100 => format!("{hours}:{minutes:02}:{seconds:02}"),
        // Of games by correspondence.
        _ => format!("{} d {}:{minutes:02}", (hours / 24).min(999), hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_of_any_length() {
        for (seconds, text) in [
            (59.9, "0:59"),
            (3600.0, "1:00:00"),
            (359_999.0, "99:59:59"),
            (1_209_598.0, "13 d 23:59"),
            (1e300, "999 d 7:00"),
        ] {
            assert_eq!(clock(seconds), text, "{seconds}");
        }
    }
}
