//! Finding puzzles in a game.

use super::solution::solve;
use super::{Puzzle, Source, themes};
use crate::accuracy::{Mark, win_percent_of};
use crate::report::{MainLinePosition, Reviewer};
use common::error::Result;
use engine_core::Variant;
use pgn::{Opening, Tree};

/// Expected points, in percent, from which on a position is won.
const WON: f64 = 70.0;

/// The puzzles of a game.
///
/// # Errors
/// When an engine fails or a signal comes.
pub(crate) fn find(reviewer: &mut Reviewer, tree: &Tree, deeper: u32) -> Result<Vec<Puzzle>> {
    let Some(whole) = tree.to_game() else {
        return Ok(Vec::new());
    };
    if whole.start().variant() != Variant::Standard {
        return Ok(Vec::new());
    }
    let study = reviewer.study(tree, &whole)?;
    let source = source(tree);
    let mut puzzles = Vec::new();
    for (ply, place) in study.positions.iter().enumerate().skip(1) {
        let Some(mistake) = place.played.filter(|_| is_promising(place)) else {
            continue;
        };
        let Some(solution) = solve(reviewer, whole.up_to(ply), deeper)? else {
            continue;
        };
        let mut moves = vec![mistake];
        moves.extend(&solution.moves);
        puzzles.push(Puzzle {
            game: whole.up_to(ply - 1),
            themes: themes::of(&place.position, mistake, &solution),
            rating: solution.rating(),
            moves,
            source: source.clone(),
        });
    }
    Ok(puzzles)
}

/// Whether the move before was a mistake, and the side to move has won by it.
fn is_promising(place: &MainLinePosition) -> bool {
    let is_mistake = matches!(place.mark, Some(Mark::Mistake | Mark::Blunder));
    let turn = place.position.turn();
    is_mistake
        && place.is_searchable
        && place
            .eval
            .is_some_and(|eval| win_percent_of(turn, eval) >= WON)
}

fn source(tree: &Tree) -> Source {
    let tag = |name| tree.headers.get(name).map(std::borrow::Cow::into_owned);
    let mut links = ["Link", "Site"].into_iter().filter_map(tag);
    Source {
        white: tag("White").unwrap_or_default(),
        black: tag("Black").unwrap_or_default(),
        url: links.find(|url| url.starts_with("https://") || url.starts_with("http://")),
        opening: Opening::of_tree(tree),
    }
}
