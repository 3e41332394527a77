//! Evaluating a query for a game.

use super::expression::{Expression, Positions, Reach};
use crate::{NodeId, Tree};
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
            play(&mut position, m);
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
pub(super) struct Game<'a> {
    pub(super) tree: &'a Tree,
    in_variations: bool,
    line: OnceCell<MainLine>,
}

impl Game<'_> {
    /// The main line, played when it is first needed.
    pub(super) fn line(&self) -> &MainLine {
        self.line.get_or_init(|| MainLine::of(self.tree))
    }
}

/// The ply at which a game has fulfilled an expression.
pub(super) fn find(expression: &Expression, tree: &Tree, in_variations: bool) -> Option<usize> {
    let game = Game {
        tree,
        in_variations,
        line: OnceCell::new(),
    };
    expression.find(&game)
}

impl Expression {
    fn find(&self, game: &Game<'_>) -> Option<usize> {
        let at_start = |holds: bool| holds.then_some(0);
        match self {
            Expression::Any(any) => any.iter().find_map(|one| one.find(game)),
            Expression::All(all) => all
                .iter()
                .try_fold(0, |ply, one| one.find(game).map(|found| found.max(ply))),
            Expression::Not(not) => at_start(not.find(game).is_none()),
            Expression::Tag(test) => at_start(test.holds(game)),
            Expression::Ends(ending) => ending.find(game),
            Expression::Has(feature) => feature.find(game),
            Expression::Line(sequence) => sequence.find_at_start(game.line()),
            Expression::Played(sequence) => sequence.find_anywhere(game.line()),
            Expression::Reaches(reach) => reach.find(game),
        }
    }
}

impl Reach {
    fn find(&self, game: &Game<'_>) -> Option<usize> {
        if game.in_variations {
            return self.find_in_tree(game.tree);
        }
        let mut lasted = 0;
        let positions = &game.line().positions;
        let first = positions.first().map_or(0, |start| self.first_ply(start));
        for (ply, position) in positions.iter().enumerate() {
            lasted = self.lasted(lasted, first + ply, position);
            if lasted >= self.lasting {
                return Some(ply);
            }
        }
        None
    }

    /// The ply of the first position of a game: by moves, that of its move number.
    fn first_ply(&self, start: &AnyPosition) -> usize {
        if !self.by_moves {
            return 0;
        }
        let moves = (start.fullmoves() as usize).saturating_sub(1);
        2 * moves + usize::from(!start.turn().is_white())
    }

    /// In how many positions in a row, up to this one, the test has held; `before` is that number
    /// at the position before.
    fn lasted(&self, before: usize, ply: usize, position: &AnyPosition) -> usize {
        if self.plies.contains(&ply) && self.test.holds(position) {
            before + 1
        } else {
            0
        }
    }

    fn find_in_tree(&self, tree: &Tree) -> Option<usize> {
        let start = tree.start?;
        let first = self.first_ply(&start);
        let lasted = self.lasted(0, first, &start);
        if lasted >= self.lasting {
            return Some(0);
        }
        let mut stack: Vec<(NodeId, AnyPosition, usize, usize)> =
            vec![(tree.root(), start, 0, lasted)];
        while let Some((id, before, ply, lasted)) = stack.pop() {
            for &child in tree.children(id).iter().rev() {
                let mut position = before;
                play(&mut position, tree.move_to(child));
                let lasted = self.lasted(lasted, first + ply + 1, &position);
                if lasted >= self.lasting {
                    return Some(ply + 1);
                }
                stack.push((child, position, ply + 1, lasted));
            }
        }
        None
    }
}

impl Positions {
    fn holds(&self, position: &AnyPosition) -> bool {
        match self {
            Positions::Any(any) => any.iter().any(|one| one.holds(position)),
            Positions::All(all) => all.iter().all(|one| one.holds(position)),
            Positions::Not(not) => !not.holds(position),
            Positions::Test(test) => test.holds(position),
        }
    }
}

fn play(position: &mut AnyPosition, m: Option<Move>) {
    match m {
        Some(m) => position.play(m),
        None => position.play_null(),
    }
}
