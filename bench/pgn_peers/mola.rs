//! Mola's reader on text in memory; its peer, too, is handed the text and not a file.

use crate::Counts;
use engine_core::{AnyPosition, Move};
use pgn::{Flow, GameVisitor, Parsed, Parser, Replay, Visitor};

#[derive(Default)]
struct Counter {
    games: u64,
    moves: u64,
    skips_moves: bool,
    tags: usize,
}

impl Visitor for Counter {
    fn begin_game(&mut self, _at: usize) -> Flow {
        self.games += 1;
        Flow::Go
    }

    fn header(&mut self, name: &[u8], value: &[u8], _at: usize) {
        self.tags += name.len() + value.len();
    }

    fn end_headers(&mut self, _at: usize) -> Flow {
        if self.skips_moves {
            Flow::Skip
        } else {
            Flow::Go
        }
    }

    fn san(&mut self, _word: &[u8], _at: usize) -> Flow {
        self.moves += 1;
        Flow::Go
    }
}

impl GameVisitor for Counter {
    fn begin_game(&mut self, _at: usize) -> Flow {
        self.games += 1;
        Flow::Go
    }

    fn play(&mut self, _before: &AnyPosition, _m: Option<Move>, _after: &AnyPosition) {
        self.moves += 1;
    }
}

fn read<V: Visitor>(text: &[u8], visitor: &mut V) {
    let mut parser = Parser::new(text);
    while parser.read_game(visitor) == Parsed::Game {}
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

pub(crate) fn validate(text: &[u8]) -> Counts {
    let mut counter = Counter::default();
    read(text, &mut Replay::new(&mut counter));
    (counter.games, counter.moves)
}
