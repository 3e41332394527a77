//! Streams cut into what one thread works on at a time.

use super::input::Streams;
use crate::{Block, Blocks, Dialect, ForeignGame, ForeignGames};
use common::error::{Error, Result};
use std::io::Read;
use std::sync::Arc;

/// Some games of one stream.
pub(super) struct Unit {
    pub(super) name: Arc<str>,
    pub(super) content: Content,
}

pub(super) enum Content {
    Block(Block),
    /// One game as another program reads it.
    Foreign(Box<ForeignGame>),
}

type ByteStream = Box<dyn Read + Send>;

enum UnitSource {
    Blocks(Blocks<ByteStream>),
    Foreign(ForeignGames),
}

/// The units of all streams in their order.
pub(super) struct Units<'d> {
    streams: Streams,
    dialect: Option<&'d dyn Dialect>,
    current: Option<(Arc<str>, UnitSource)>,
}

impl<'d> Units<'d> {
    pub(super) fn new(streams: Streams, dialect: Option<&'d dyn Dialect>) -> Units<'d> {
        Units {
            streams,
            dialect,
            current: None,
        }
    }

    /// Takes back a unit that is done with, for its memory.
    pub(super) fn recycle(&mut self, unit: Unit) {
        if let (Some((_, UnitSource::Blocks(blocks))), Content::Block(block)) =
            (&mut self.current, unit.content)
        {
            blocks.recycle(block);
        }
    }

    fn open(&self, text: ByteStream, offset: u64, line: u64) -> UnitSource {
        match self.dialect {
            Some(dialect) => UnitSource::Foreign(dialect.read(text)),
            None => UnitSource::Blocks(Blocks::new(text).beginning_at(offset, line)),
        }
    }
}

impl UnitSource {
    fn next(&mut self) -> Option<std::io::Result<Content>> {
        match self {
            UnitSource::Blocks(blocks) => Some(blocks.next()?.map(Content::Block)),
            UnitSource::Foreign(games) => {
                Some(games.next()?.map(|game| Content::Foreign(Box::new(game))))
            }
        }
    }
}

impl Iterator for Units<'_> {
    type Item = Result<Unit>;

    fn next(&mut self) -> Option<Result<Unit>> {
        loop {
            if let Some((name, source)) = &mut self.current
                && let Some(content) = source.next()
            {
                let unit = |content| Unit {
                    name: Arc::clone(name),
                    content,
                };
                let failed = |error| Error::Message(format!("{name}: {error}"));
                return Some(content.map(unit).map_err(failed));
            }
            let stream = match self.streams.next()? {
                Ok(stream) => stream,
                Err(error) => return Some(Err(error)),
            };
            let source = self.open(stream.text, stream.offset, stream.line);
            self.current = Some((stream.name, source));
        }
    }
}
