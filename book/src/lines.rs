//! The lines of a book: what one side plays by it from a start position, against everything.

use crate::read::{Book, BookMove};
use engine_core::{Color, Move, Position, Rules};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A move of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineMove {
    /// The move.
    pub m: Move,
    /// The share of its weight among the book's moves, in percent; `None` for the opponent's moves.
    pub percent: Option<u32>,
}

/// A line: book moves of one side and any moves of the other, until the book has no more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookLine {
    /// The moves from the start position.
    pub moves: Vec<LineMove>,
    /// The number, from 1, of the earlier line that has the last position of this one: what follows,
    /// if anything, is there.
    pub joins: Option<usize>,
    /// Whether the last position has occurred in this line before.
    pub repeats: bool,
}

/// Lines longer than this are cut: no opening is, but a hostile file may be.
const MAX_STEPS: usize = 512;

/// Walks through all lines of a side from a start position, by its rules, and passes each to
/// `report`, which ends the walk by returning false. Returns the keys of the positions on them where
/// the book has a move of positive weight for the side.
pub fn lines<R: Rules>(
    book: &Book,
    start: &Position<R>,
    side: Color,
    report: impl FnMut(&BookLine) -> bool,
) -> Vec<u64> {
    let mut walk = Walk {
        book,
        side,
        report,
        steps: Vec::new(),
        path: Vec::new(),
        seen: HashMap::new(),
        ours: Vec::new(),
        reported: 0,
        stopped: false,
    };
    walk.arrive(start);
    walk.ours
}

struct Walk<'a, F> {
    book: &'a Book,
    side: Color,
    report: F,
    steps: Vec<LineMove>,
    /// The keys of the positions before those moves.
    path: Vec<u64>,
    /// Positions by their keys, with the number of the line on which they first occurred.
    seen: HashMap<u64, usize>,
    /// Those among them where the book has a move of positive weight for the side.
    ours: Vec<u64>,
    /// The number of lines reported so far.
    reported: usize,
    stopped: bool,
}

impl<F: FnMut(&BookLine) -> bool> Walk<'_, F> {
    /// Continues from a position, unless it has occurred in this line; or refers to the line that
    /// already did.
    fn arrive<R: Rules>(&mut self, position: &Position<R>) {
        if self.path.contains(&position.key()) {
            return self.end(None, true);
        }
        match self.seen.entry(position.key()) {
            Entry::Occupied(first) => {
                let line = *first.get();
                self.end(Some(line), false);
            }
            Entry::Vacant(place) => {
                place.insert(self.reported + 1);
                if position.turn() == self.side {
                    self.book_moves(position);
                } else {
                    self.opponent_moves(position);
                }
            }
        }
    }

    /// The side is to move: all moves of the book.
    fn book_moves<R: Rules>(&mut self, position: &Position<R>) {
        let moves: Vec<BookMove> = self.book.find_all(position).collect();
        let weight = |found: &BookMove| u64::from(found.entry.weight);
        let total: u64 = moves.iter().map(weight).sum();
        if total > 0 {
            self.ours.push(position.polyglot_key());
        }
        for found in &moves {
            let percent = (weight(found) * 100 + total / 2) / total.max(1);
            self.step(position, found.m, Some(percent as u32));
        }
    }

    /// The opponent is to move: all moves that the book can answer.
    fn opponent_moves<R: Rules>(&mut self, position: &Position<R>) {
        let mut goes_on = false;
        for &m in &*position.legal_moves() {
            if self.steps.len() < MAX_STEPS && self.book.find(&position.after(m)).is_some() {
                goes_on = true;
                self.step(position, m, None);
            }
        }
        if !goes_on && !self.steps.is_empty() {
            self.end(None, false);
        }
    }

    fn step<R: Rules>(&mut self, position: &Position<R>, m: Move, percent: Option<u32>) {
        if self.stopped {
            return;
        }
        self.steps.push(LineMove { m, percent });
        self.path.push(position.key());
        self.arrive(&position.after(m));
        self.path.pop();
        self.steps.pop();
    }

    fn end(&mut self, joins: Option<usize>, repeats: bool) {
        self.reported += 1;
        let line = BookLine {
            moves: self.steps.clone(),
            joins,
            repeats,
        };
        self.stopped = !(self.report)(&line);
    }
}
