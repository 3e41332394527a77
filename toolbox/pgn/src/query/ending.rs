//! Tests of how a game ends on the board, and of features that it has anywhere.

use super::game::QueriedGame;
use crate::Tree;
use engine_core::{AnyPosition, Move, MoveKind, Role};
use std::collections::HashMap;

/// How a game ends on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoardEnding {
    Checkmate,
    Stalemate,
    Insufficient,
    Repetition,
    Fifty,
}

/// A feature of a game, anywhere in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Feature {
    Promotion,
    Underpromotion,
    Repetition,
    Fifty,
    Setup,
    Comments,
    Glyphs,
    Variations,
    Problems,
    /// A tag with this name.
    Tag(String),
}

/// How often a position must occur for a draw by repetition.
const THREEFOLD: u32 = 3;
/// The plies without capture or pawn move for a draw by the fifty-move rule.
const FIFTY_MOVE_PLIES: u32 = 100;

impl BoardEnding {
    pub(super) const NAMES: &'static str =
        "checkmate, stalemate, insufficient, repetition or fifty";

    pub(super) fn of(name: &str) -> Option<BoardEnding> {
        Some(match name {
            "checkmate" => BoardEnding::Checkmate,
            "stalemate" => BoardEnding::Stalemate,
            "insufficient" => BoardEnding::Insufficient,
            "repetition" => BoardEnding::Repetition,
            "fifty" => BoardEnding::Fifty,
            _ => return None,
        })
    }

    pub(super) fn find(self, game: &QueriedGame<'_>) -> Option<usize> {
        let positions = &game.line().positions;
        let last = positions.last()?;
        let ends = match self {
            BoardEnding::Checkmate => last.is_checkmate(),
            BoardEnding::Stalemate => last.is_stalemate(),
            BoardEnding::Insufficient => last.is_insufficient_material(),
            BoardEnding::Repetition => {
                let repeated = positions.iter().filter(|earlier| earlier.repeats(last));
                repeated.count() >= THREEFOLD as usize
            }
            BoardEnding::Fifty => last.halfmoves() >= FIFTY_MOVE_PLIES,
        };
        ends.then_some(positions.len() - 1)
    }
}

impl Feature {
    pub(super) const NAMES: &'static str = "promotion, underpromotion, repetition, fifty, setup, \
        comments, glyphs, variations, problems or the name of a tag";

    pub(super) fn of(name: &str) -> Option<Feature> {
        Some(match name {
            "promotion" => Feature::Promotion,
            "underpromotion" => Feature::Underpromotion,
            "repetition" => Feature::Repetition,
            "fifty" => Feature::Fifty,
            "setup" => Feature::Setup,
            "comments" => Feature::Comments,
            "glyphs" => Feature::Glyphs,
            "variations" => Feature::Variations,
            "problems" => Feature::Problems,
            tag if tag.starts_with(|c: char| c.is_ascii_uppercase()) => {
                Feature::Tag(tag.to_owned())
            }
            _ => return None,
        })
    }

    pub(super) fn find(&self, game: &QueriedGame<'_>) -> Option<usize> {
        let tree = game.tree;
        let at_start = |holds: bool| holds.then_some(0);
        match self {
            Feature::Promotion => first_move(game, |role| role != Role::Pawn),
            Feature::Underpromotion => first_move(game, |role| role != Role::Queen),
            Feature::Repetition => first_repetition(&game.line().positions),
            Feature::Fifty => {
                let mut positions = game.line().positions.iter();
                positions.position(|position| position.halfmoves() >= FIFTY_MOVE_PLIES)
            }
            Feature::Setup => at_start(tree.headers.get("FEN").is_some()),
            Feature::Comments => at_start(has(tree, |id| {
                !tree.comments(id).is_empty() || !tree.starting_comments(id).is_empty()
            })),
            Feature::Glyphs => at_start(has(tree, |id| !tree.nags(id).is_empty())),
            Feature::Variations => at_start(has(tree, |id| tree.children(id).len() > 1)),
            Feature::Problems => at_start(tree.problems.lost() > 0),
            Feature::Tag(name) => at_start(tree.headers.get(name).is_some()),
        }
    }
}

fn has(tree: &Tree, holds: impl Fn(crate::NodeId) -> bool) -> bool {
    tree.ids().any(holds)
}

/// The first promotion to such a role.
fn first_move(game: &QueriedGame<'_>, is_wanted: impl Fn(Role) -> bool) -> Option<usize> {
    let promotes = |m: &Option<Move>| match m.map(Move::kind) {
        Some(MoveKind::Promotion(role)) => is_wanted(role),
        _ => false,
    };
    Some(game.line().moves.iter().position(promotes)? + 1)
}

/// The ply at which some position has come for the third time.
fn first_repetition(positions: &[AnyPosition]) -> Option<usize> {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    positions.iter().position(|position| {
        let count = counts.entry(position.repetition_key()).or_default();
        *count += 1;
        *count >= THREEFOLD
    })
}
