//! Streams cut into what one thread works on at a time.

use super::input::{Compat, Stream};
use crate::compat::{self, CompatGame};
use crate::{Block, Blocks};
use common::error::{Error, Result};
use std::io::{BufReader, Read};
use std::sync::Arc;

/// Some games of one stream.
pub(super) struct Unit {
    pub(super) name: Arc<str>,
    pub(super) content: Content,
}

pub(super) enum Content {
    Block(Block),
    /// One game as another program reads it, and its offset.
    Compat(u64, Box<CompatGame>),
}

type Text = Box<dyn Read + Send>;

enum Source {
    Blocks(Blocks<Text>),
    Compat(Box<compat::Reader<BufReader<Text>>>),
}

/// The units of all streams in their order.
pub(super) struct Units {
    streams: std::vec::IntoIter<Stream>,
    compat: Option<Compat>,
    current: Option<(Arc<str>, Source)>,
}

impl Units {
    pub(super) fn new(streams: Vec<Stream>, compat: Option<Compat>) -> Units {
        Units {
            streams: streams.into_iter(),
            compat,
            current: None,
        }
    }

    /// Takes back a unit that is done with, for its memory.
    pub(super) fn recycle(&mut self, unit: Unit) {
        if let (Some((_, Source::Blocks(blocks))), Content::Block(block)) =
            (&mut self.current, unit.content)
        {
            blocks.recycle(block);
        }
    }

    fn open(&self, text: Text) -> Source {
        match self.compat {
            Some(Compat::PythonChess) => {
                Source::Compat(Box::new(compat::Reader::new(BufReader::new(text))))
            }
            None => Source::Blocks(Blocks::new(text)),
        }
    }
}

impl Source {
    fn next(&mut self) -> Option<std::io::Result<Content>> {
        match self {
            Source::Blocks(blocks) => Some(blocks.next()?.map(Content::Block)),
            Source::Compat(reader) => {
                let offset = reader.offset();
                let game = reader.read_game().transpose()?;
                Some(game.map(|game| Content::Compat(offset, Box::new(game))))
            }
        }
    }
}

impl Iterator for Units {
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
            let Stream { name, text } = self.streams.next()?;
            self.current = Some((name, self.open(text)));
        }
    }
}
