//! The positions of one game.

use super::{moves, place_of};
use crate::explorer::Facts;
use crate::{NodeId, Tree};
use engine_core::AnyPosition;

/// Later moves are not looked up among the legal ones: few games meet there.
const MOST_PLACED: usize = 40;

/// The positions of a game, each once.
pub(crate) struct GameEntries {
    /// Where its text begins, and its line.
    pub(crate) offset: u64,
    pub(crate) line: u64,
    pub(crate) facts: Facts,
    pub(crate) entries: Vec<(u64, u8)>,
}

impl GameEntries {
    /// The positions of the main line and then those of the variations, of standard chess alone.
    pub(crate) fn of(tree: &Tree, offset: u64, line: u64) -> GameEntries {
        let mut entries = Vec::new();
        if let Some(start @ AnyPosition::Standard(_)) = tree.start {
            push_main_line(tree, start, &mut entries);
            push_variations(tree, start, &mut entries);
        }
        GameEntries {
            offset,
            line,
            facts: Facts::of(tree),
            entries,
        }
    }
}

fn push_main_line(tree: &Tree, mut position: AnyPosition, entries: &mut Vec<(u64, u8)>) {
    let mut line = tree.main_line(tree.root());
    for ply in 0.. {
        let next = line.next();
        let m = next.and_then(|id| tree.move_to(id));
        let place = match m {
            None => moves::NONE,
            Some(_) if ply >= MOST_PLACED => moves::UNKNOWN,
            Some(m) => place_of(&position, m),
        };
        entries.push((position.key(), place));
        match (next, m) {
            (None, _) => break,
            (_, Some(m)) => position.play(m),
            (_, None) => position.play_null(),
        }
    }
}

fn push_variations(tree: &Tree, start: AnyPosition, entries: &mut Vec<(u64, u8)>) {
    let mut stack: Vec<(NodeId, AnyPosition, bool)> = vec![(tree.root(), start, true)];
    while let Some((id, before, is_main)) = stack.pop() {
        for (index, &child) in tree.children(id).iter().enumerate() {
            let is_main = is_main && index == 0;
            let mut position = before;
            match tree.move_to(child) {
                Some(m) => position.play(m),
                None => position.play_null(),
            }
            if !is_main {
                entries.push((position.key(), moves::VARIATION));
            }
            stack.push((child, position, is_main));
        }
    }
}
