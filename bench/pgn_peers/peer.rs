//! pgn-reader, with shakmaty for the rules.

use crate::Counts;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position};
use std::ops::ControlFlow;

#[derive(Default)]
struct Counter {
    games: u64,
    moves: u64,
    skips_moves: bool,
    tags: usize,
}

impl Visitor for Counter {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        self.games += 1;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.tags += name.len() + value.as_bytes().len();
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        if self.skips_moves {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn san(&mut self, (): &mut (), _san: SanPlus) -> ControlFlow<()> {
        self.moves += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

#[derive(Default)]
struct Validator {
    games: u64,
    moves: u64,
}

impl Visitor for Validator {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        self.games += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(m) => {
                position.play_unchecked(m);
                self.moves += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end_game(&mut self, _: Chess) {}
}

fn read<V: Visitor<Output = ()>>(text: &[u8], visitor: &mut V) {
    let mut reader = Reader::new(text);
    while reader
        .read_game(visitor)
        .expect("memory can be read")
        .is_some()
    {}
}

pub(crate) fn tokens(text: &[u8]) -> Counts {
    let mut counter = Counter::default();
    read(text, &mut counter);
    (counter.games, counter.moves)
}

pub(crate) fn headers(text: &[u8]) -> Counts {
    let mut counter = Counter {
        skips_moves: true,
        ..Counter::default()
    };
    read(text, &mut counter);
    (counter.games, counter.tags as u64)
}

/// Plays all moves from the usual start position: it does not read the tag `FEN`, so that games
/// with one end at the first move that is not legal there.
pub(crate) fn validate(text: &[u8]) -> Counts {
    let mut validator = Validator::default();
    read(text, &mut validator);
    (validator.games, validator.moves)
}
