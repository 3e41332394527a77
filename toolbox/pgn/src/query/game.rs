//! A game as the tests of a query see it.

use crate::Tree;
use engine_core::{AnyPosition, Move};
use std::cell::OnceCell;

/// The main line of a game, played.
pub(super) struct MainLine {
    /// The start, and the position after each move.
    pub(super) positions: Vec<AnyPosition>,
    /// `None` is a null move.
    pub(super) moves: Vec<Option<Move>>,
}

impl MainLine {
    fn of(tree: &Tree) -> MainLine {
        let mut line = MainLine {
            positions: Vec::new(),
            moves: Vec::new(),
        };
        let Some(mut position) = tree.start else {
            return line;
        };
        line.positions.push(position);
        for id in tree.main_line(tree.root()) {
            let m = tree.move_to(id);
            position.play_or_pass(m);
            line.positions.push(position);
            line.moves.push(m);
        }
        line
    }

    /// Every move with the position before it.
    pub(super) fn plies(&self) -> impl Iterator<Item = (&AnyPosition, Option<Move>)> {
        self.positions.iter().zip(self.moves.iter().copied())
    }
}

/// A game during the evaluation of a query.
pub(super) struct QueriedGame<'a> {
    pub(super) tree: &'a Tree,
    pub(super) in_variations: bool,
    line: OnceCell<MainLine>,
}

impl<'a> QueriedGame<'a> {
    pub(super) fn new(tree: &'a Tree, in_variations: bool) -> QueriedGame<'a> {
        QueriedGame {
            tree,
            in_variations,
            line: OnceCell::new(),
        }
    }

    /// The main line, played when it is first needed.
    pub(super) fn line(&self) -> &MainLine {
        self.line.get_or_init(|| MainLine::of(self.tree))
    }
}
