//! The search that runs, and what of its events the front ends are told.

use crate::strength::Chooser;
use engine_core::AnyPosition;
use engine_core::search::{BestMove, Event, Info};
use std::time::Duration;

/// The search number of every move from the book; real searches count from 1.
pub(super) const BOOK: u64 = 0;

/// Whether a move is from the book, and its score thus says nothing.
pub(crate) fn is_from_book(best: &BestMove) -> bool {
    best.search == BOOK
}

/// A search whose best move has not been handled yet.
pub(super) struct Running {
    search: u64,
    root: AnyPosition,
    pub(super) is_pondering: bool,
    pub(super) chooser: Option<Chooser>,
    nodes: u64,
    /// The nodes on the opponent's time.
    pub(super) pondered: u64,
    /// The increment of our clock, if time is counted in nodes.
    pub(super) node_increment: Option<Duration>,
    /// The depth limit.
    pub(super) depth: Option<u32>,
    /// The last line reported for each number of `multipv`.
    reported: Vec<Info>,
}

impl Running {
    /// A search of this number from this position, at full strength and without limits.
    pub(super) fn new(search: u64, root: AnyPosition) -> Running {
        Running {
            search,
            root,
            is_pondering: false,
            chooser: None,
            nodes: 0,
            pondered: 0,
            node_increment: None,
            depth: None,
            reported: Vec::new(),
        }
    }

    /// What is to be told after an event of the search, and whether the search is over.
    pub(super) fn handle(&mut self, event: Event) -> (Vec<Event>, bool) {
        let mut events = match &mut self.chooser {
            Some(chooser) => chooser.handle(event),
            None => vec![event],
        };
        let mut is_over = false;
        events.retain_mut(|event| match event {
            Event::Info(info) => {
                self.nodes = info.nodes;
                self.is_news(info)
            }
            Event::BestMove(best) if best.search == self.search => {
                drop_last_reply(&self.root, best);
                is_over = true;
                true
            }
            _ => true,
        });
        (events, is_over)
    }

    /// The nodes on our own time.
    pub(super) fn own_nodes(&self) -> u64 {
        self.nodes.saturating_sub(self.pondered)
    }

    /// The increment of our clock, if time is counted in nodes and our clock runs.
    pub(super) fn own_increment(&self) -> Option<Duration> {
        self.node_increment.filter(|_| !self.is_pondering)
    }

    /// Whether a line differs from the last one reported for its `multipv`, which it replaces. A search
    /// reports its best lines once more when it ends, and clients that count the lines of a depth
    /// would count those twice.
    fn is_news(&mut self, info: &Info) -> bool {
        let number = info.multipv.saturating_sub(1);
        let is_news = self.reported.get(number).is_none_or(|last| {
            let is_asked = self.depth == Some(info.depth);
            (last.depth, last.seldepth, last.score, last.bound)
                != (info.depth, info.seldepth, info.score, info.bound)
                || last.pv != info.pv
                || (last.nodes != info.nodes && !is_asked)
        });
        match self.reported.get_mut(number) {
            Some(last) => last.clone_from(info),
            None => self.reported.push(info.clone()),
        }
        is_news
    }
}

/// Removes an expected reply that ends the game: there is nothing to ponder on.
fn drop_last_reply(root: &AnyPosition, end: &mut BestMove) {
    let (Some(best), Some(reply)) = (end.best, end.ponder) else {
        return;
    };
    let is_over = root.after(best).after(reply).outcome().is_some();
    end.ponder = end.ponder.filter(|_| !is_over);
}
