//! Searches by engines, recorded in a journal, so that a stopped run can be resumed.

mod arguments;
mod journal;
mod pool;
mod result;

pub(crate) use arguments::EngineArgs;
pub(crate) use pool::Task;
pub(crate) use result::{Line, SearchResult};

use common::error::{Error, Result};
use common::signals;
use indicatif::ProgressBar;
use journal::Journal;
use pool::Pool;

/// Searches: taken from the journal as long as it has some, then done by engines.
pub(crate) struct Searches {
    pool: Pool,
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
        tasks: impl Iterator<Item = Task> + Send,
        bar: &ProgressBar,
        mut take: impl FnMut(SearchResult) + Send,
    ) -> Result {
        let mut tasks = tasks.peekable();
        while tasks.peek().is_some()
            && let Some(record) = self.journal.next()?
            && let Some(task) = tasks.next()
        {
            take(SearchResult::read(task.game.position(), &record)?);
        }
        let journal = &mut self.journal;
        // Not between searches, where the next game may never come.
        let signals = signals::watch();
        let is_done = self.pool.run(tasks, &signals, |task, result| {
            journal.add(&result.write(task.game.position())?)?;
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

    /// Adds to an error how to resume after it.
    pub(crate) fn explain(&self, error: Error) -> Error {
        let text = error.to_string();
        let how = self.journal.how_to_go_on();
        if how.is_empty() || text.ends_with(&how) {
            return error;
        }
        Error::Message(format!("{text}{how}"))
    }
}
