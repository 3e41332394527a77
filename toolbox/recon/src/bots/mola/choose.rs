//! Which move is best on many boards at once.

use super::beliefs::Beliefs;
use super::judge::{Fate, Judge, LOSS, outcome};
use super::packed::Packed;
use crate::{Board, UciMove};
use common::error::Result;
use engine_core::{Bitboard, Role};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

/// On so many boards it is counted what each move does to the kings.
const CENSUS: usize = 2048;
/// For how many others a board counts on which the king is attacked.
const THREAT: f64 = 5.0;
/// The share of boards on which the king may be left to be captured, where that can be helped.
const RISK: f64 = 0.05;
/// How moves are judged, at first.
const GLANCE: Effort = Effort {
    nodes: 60,
    boards: 48,
};
/// How the moves are judged that seem best then.
const LOOK: Effort = Effort {
    nodes: 1500,
    boards: 24,
};
/// How many of these there are.
const FINALISTS: usize = 6;
/// The share of the time that goes into first opinions.
const GLANCE_SHARE: f64 = 0.4;

/// Work that is done however long it takes, on a machine that has no time for us.
#[derive(Clone, Copy)]
struct Effort {
    /// Nodes for a move on a board.
    nodes: u64,
    /// The least number of boards.
    boards: usize,
}

/// How long a choice may take.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    pub(super) deadline: Instant,
    /// Whether the clock runs out, so that being late is worse than being wrong.
    pub(super) is_short: bool,
}

impl Budget {
    fn effort(&self, effort: Effort) -> Effort {
        let boards = if self.is_short { 1 } else { effort.boards };
        Effort { boards, ..effort }
    }
}

/// Values of moves on boards.
pub(super) struct Chooser {
    judges: Vec<Judge>,
}

/// What is known of a move.
struct Prospect {
    request: Option<UciMove>,
    /// Shares of boards where it captures the king, and where it leaves its own to be captured.
    won: f64,
    exposed: f64,
    /// The values on other boards by their numbers, as far as they are known.
    values: Vec<Option<f64>>,
    /// Their mean.
    open: f64,
}

impl Prospect {
    fn value(&self) -> f64 {
        self.won - LOSS * self.exposed + (1.0 - self.won - self.exposed) * self.open
    }

    /// Tells why it is chosen.
    fn log(&self, boards: usize) {
        log::debug!(
            "asks for {} of value {:.3}: wins on {:.3} of {boards} boards, loses on {:.3}",
            self.request
                .map_or("nothing".to_owned(), |request| request.to_string()),
            self.value(),
            self.won,
            self.exposed,
        );
    }
}

/// The moves to think about: no promotion but to a queen, and passing.
pub(super) fn candidates(moves: &[UciMove], board: &Board) -> Vec<Option<UciMove>> {
    let pawns = board.pieces().pieces(board.turn(), Role::Pawn);
    let is_wanted = |m: &&UciMove| {
        let promotes = pawns.has(m.from) && Bitboard::BACKRANKS.has(m.to);
        !promotes || m.promotion == Some(Role::Queen)
    };
    moves
        .iter()
        .filter(is_wanted)
        .copied()
        .map(Some)
        .chain([None])
        .collect()
}

impl Chooser {
    /// Thinks in so many threads.
    pub(super) fn new(threads: usize) -> Result<Chooser> {
        let judges = (0..threads.max(1)).map(|_| Judge::new());
        Ok(Chooser {
            judges: judges.collect::<Result<_>>()?,
        })
    }

    /// The next game has nothing to do with the last.
    pub(super) fn clear(&mut self) {
        for judge in &mut self.judges {
            judge.clear();
        }
    }

    /// The best of the moves.
    pub(super) fn choose(
        &mut self,
        beliefs: &mut Beliefs,
        moves: &[UciMove],
        budget: Budget,
    ) -> Option<UciMove> {
        let sample = beliefs.sample(CENSUS, THREAT, 0.0);
        let boards: Vec<Board> = sample.into_iter().map(|(_, board)| board).collect();
        let mut prospects = census(moves, &boards);
        let start = Instant::now();
        let time = budget.deadline.saturating_duration_since(start);
        let glance = start + time.mul_f64(GLANCE_SHARE);
        self.judge(&mut prospects, &boards, budget.effort(GLANCE), glance);
        prospects.truncate(FINALISTS);
        let look = budget.effort(LOOK);
        self.judge(&mut prospects, &boards, look, budget.deadline);
        if let Some(best) = prospects.first() {
            best.log(boards.len());
        }
        prospects.first().and_then(|prospect| prospect.request)
    }

    /// Fills in the values of open boards and puts the best move first.
    fn judge(
        &mut self,
        prospects: &mut [Prospect],
        boards: &[Board],
        effort: Effort,
        deadline: Instant,
    ) {
        let requests: Vec<_> = prospects.iter().map(|prospect| prospect.request).collect();
        let rows = self.values(&requests, boards, effort, deadline);
        for (place, prospect) in prospects.iter_mut().enumerate() {
            prospect.values.resize(boards.len(), None);
            for (number, row) in &rows {
                if let (Some(known), Some(&value)) =
                    (prospect.values.get_mut(*number), row.get(place))
                {
                    *known = value;
                }
            }
            let values: Vec<f64> = prospect.values.iter().copied().flatten().collect();
            prospect.open = values.iter().sum::<f64>() / values.len().max(1) as f64;
        }
        prospects.sort_by(|a, b| b.value().total_cmp(&a.value()));
    }

    /// The values of requests on as many boards as there is time for, with the numbers of these; none
    /// where a king is captured or can be.
    fn values(
        &mut self,
        requests: &[Option<UciMove>],
        boards: &[Board],
        effort: Effort,
        deadline: Instant,
    ) -> Vec<(usize, Vec<Option<f64>>)> {
        let next = AtomicUsize::new(0);
        let work = |judge: &mut Judge| {
            let mut rows = Vec::new();
            loop {
                let number = next.fetch_add(1, Relaxed);
                let Some(board) = boards.get(number) else {
                    return rows;
                };
                if number >= effort.boards && Instant::now() >= deadline {
                    return rows;
                }
                rows.push((number, judge.row(board, requests, effort.nodes)));
            }
        };
        match self.judges.as_mut_slice() {
            [judge] => work(judge),
            judges => thread::scope(|scope| {
                let threads = judges.iter_mut().map(|judge| scope.spawn(|| work(judge)));
                let threads: Vec<_> = threads.collect();
                threads
                    .into_iter()
                    .flat_map(|thread| thread.join().unwrap_or_default())
                    .collect()
            }),
        }
    }
}

impl Judge {
    /// The values of requests on a board. Many of them come to the same.
    fn row(&mut self, board: &Board, requests: &[Option<UciMove>], nodes: u64) -> Vec<Option<f64>> {
        let mut known = HashMap::new();
        let mut value = |&request: &Option<UciMove>| match outcome(board, request) {
            (after, Fate::Open) => {
                let known = known.entry(Packed::new(&after));
                Some(*known.or_insert_with(|| self.value(&after, nodes)))
            }
            _ => None,
        };
        requests.iter().map(&mut value).collect()
    }
}

/// What the moves do to the kings, without those that expose the own one needlessly.
fn census(moves: &[UciMove], boards: &[Board]) -> Vec<Prospect> {
    let Some(any) = boards.first() else {
        return Vec::new();
    };
    let share = |count: usize| count as f64 / boards.len() as f64;
    let prospect = |request| {
        let fates: Vec<Fate> = boards
            .iter()
            .map(|board| outcome(board, request).1)
            .collect();
        let count = |fate| fates.iter().filter(|&&found| found == fate).count();
        Prospect {
            request,
            won: share(count(Fate::Won)),
            exposed: share(count(Fate::Exposed)),
            values: Vec::new(),
            open: 0.0,
        }
    };
    let mut prospects: Vec<Prospect> = candidates(moves, any).into_iter().map(prospect).collect();
    let least = prospects
        .iter()
        .map(|prospect| prospect.exposed)
        .fold(1.0, f64::min);
    prospects.retain(|prospect| prospect.exposed <= least.max(RISK));
    prospects
}
