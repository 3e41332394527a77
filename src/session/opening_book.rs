//! The opening book that the engine plays from.

use crate::options::{OptionId, Options};
use book::{Book, BookMove};
use common::error_text::of_system;
use common::random::{self, Random};
use engine_core::search::Limits;
use engine_core::{AnyPosition, Game, IS_PAGE, Move};

/// Reads a book.
///
/// # Errors
/// Names the file and says why it is no book.
pub(crate) fn read(name: &str) -> Result<Book, String> {
    match Book::open(name) {
        Ok(book) if !book.is_empty() && book.is_plausible() => Ok(book),
        Ok(_) => Err(format!("{name}: not a Polyglot book, or a damaged one")),
        Err(error) => Err(format!("{name}: {}", of_system(&error))),
    }
}

/// The book, once there is one.
pub(crate) struct OpeningBook {
    book: Option<Book>,
    random: Random,
}

impl Default for OpeningBook {
    fn default() -> OpeningBook {
        OpeningBook {
            book: None,
            random: Random::new(random::seed(), 0),
        }
    }
}

impl OpeningBook {
    /// Opens a book; an empty name closes the last one.
    ///
    /// # Errors
    /// Says why the book cannot be used; the last one stays.
    pub(crate) fn open(&mut self, name: &str) -> Result<(), String> {
        if name.is_empty() {
            self.book = None;
            return Ok(());
        }
        if IS_PAGE {
            return Err("in a browser page, books cannot be read from files".to_owned());
        }
        let book = read(name).map_err(|error| format!("cannot open book {error}"))?;
        self.book = Some(book);
        Ok(())
    }

    /// The moves of a position with their weights, in the order of the book; `None` without a book.
    pub(crate) fn moves(&self, position: &AnyPosition) -> Option<Vec<(Move, u16)>> {
        // The module of a page has no book, nor code for it.
        let book = self.book.as_ref().filter(|_| !IS_PAGE)?;
        let found = book.find_all(position);
        Some(found.map(|found| (found.m, found.entry.weight)).collect())
    }

    /// The move to play instead of a search, and the reply to expect.
    pub(crate) fn choose(
        &mut self,
        options: &Options,
        game: &Game,
        limits: &Limits,
    ) -> Option<(Move, Option<Move>)> {
        let book = self.book.as_ref().filter(|_| !IS_PAGE)?;
        // Analysis never plays from the book.
        let asked = options.flag(OptionId::OwnBook)
            && !options.flag(OptionId::AnalyseMode)
            && !limits.infinite
            && !limits.ponder
            && limits.mate.is_none();
        let random = self.random.draw();
        let best = options.text(OptionId::BookChoice) == "Best";
        let position = game.position();
        if !asked || u64::from(position.fullmoves()) > options.number(OptionId::BookDepth) {
            return None;
        }
        let only = &limits.search_moves;
        let allowed = book.find_all(position);
        let allowed = allowed.filter(|found| only.is_empty() || only.contains(&found.m));
        let BookMove { m, .. } = if best {
            BookMove::heaviest(allowed)
        } else {
            BookMove::weighted(allowed, random)
        }?;
        let reply = book.find(&position.after(m));
        Some((m, reply.map(|reply| reply.m)))
    }
}
