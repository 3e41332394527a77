//! Searches by engines, recorded in a journal, so that a stopped run can be resumed.

mod arguments;
mod journal;
mod pool;
mod result;

pub(crate) use arguments::EngineArgs;
pub(crate) use pool::SearchRequest;
pub(crate) use result::{PvLine, SearchResult};

use common::error::{Error, Result};
use common::signals;
use indicatif::ProgressBar;
use journal::Journal;
use pool::EnginePool;

/// Searches: taken from the journal as long as it has some, then done by engines.
pub(crate) struct Searches {
    pool: EnginePool,
    journal: Journal,
}

impl Searches {
    /// Searches the positions, and passes on the results in order.
    ///
    /// # Errors
    /// When an engine fails, when the journal is of other games or cannot be written, and on a
    /// signal.
    pub(crate) fn run(
        &mut self,
        requests: impl Iterator<Item = SearchRequest> + Send,
        bar: &ProgressBar,
        mut take: impl FnMut(SearchResult) + Send,
    ) -> Result {
        let mut requests = requests.peekable();
        while let Some(request) = requests.peek()
            && let Some(record) = self.journal.next()?
        {
            match SearchResult::read(request.game.position(), &record) {
                Ok(result) => take(result),
                Err(why) => {
                    self.journal.give_up_rest(&why)?;
                    break;
                }
            }
            requests.next();
        }
        let journal = &mut self.journal;
        // Not between searches, where the next game may never come.
        let signals = signals::watch();
        let is_done = self.pool.run(requests, &signals, |request, result| {
            journal.add(&result.write(request.game.position())?)?;
            take(result);
            bar.tick();
            Ok(())
        })?;
        if is_done {
            return Ok(());
        }
        let how = self.journal.how_to_go_on();
        Err(Error::Interrupted(format!("interrupted{how}")))
    }

    /// Removes the journal, as all searches are done.
    pub(crate) fn finish(self) {
        self.journal.discard();
    }

    /// Adds to an error how to resume after it, if there is anything to resume.
    pub(crate) fn explain(&self, error: Error) -> Error {
        if !matches!(error, Error::Interrupted(_)) && self.journal.is_empty() {
            return error;
        }
        let text = error.to_string();
        let how = self.journal.how_to_go_on();
        if how.is_empty() || text.ends_with(&how) {
            return error;
        }
        Error::Message(format!("{text}{how}"))
    }
}
