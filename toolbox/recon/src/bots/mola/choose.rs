//! Which move is best on many boards at once.

use super::beliefs::Beliefs;
use super::evaluate::{BoardSearcher, KingOutcome, LOSS, outcome};
use super::packed::Packed;
use crate::board::Board;
use crate::moves::UciMove;
use common::error::Result;
use common::threads;
use engine_core::{Bitboard, Role};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// The number of boards on which the outcome of each move is counted: how often it captures the king,
/// and how often it exposes its own.
const OUTCOME_BOARDS: usize = 2048;
/// The weight of a board on which the king is attacked, where that of others is 1.
const THREAT: f64 = 5.0;
/// The share of boards on which a move may expose the king; if every move does so more often, only
/// the moves that do so least are considered.
const RISK: f64 = 0.05;
/// The effort for the first search, of all moves.
const SCREENING: Effort = Effort {
    nodes: 60,
    boards: 48,
};
/// The effort for the second search, of the best moves.
const FINAL: Effort = Effort {
    nodes: 1500,
    boards: 24,
};
/// The number of moves in the second search.
const FINALISTS: usize = 6;
/// The share of the time for the first search of all moves.
const SCREENING_SHARE: f64 = 0.4;

/// The least work for a choice, done however long it takes, unless time is short ([`Budget`]).
#[derive(Clone, Copy)]
struct Effort {
    /// The nodes of the search of a move on a board.
    nodes: u64,
    /// The least number of boards.
    boards: usize,
}

/// How long a choice may take.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    pub(super) deadline: Instant,
    /// Whether little time is left, so that even the least work must be cut short.
    pub(super) is_short: bool,
}

impl Budget {
    fn effort(&self, effort: Effort) -> Effort {
        let boards = if self.is_short { 1 } else { effort.boards };
        Effort { boards, ..effort }
    }
}

/// Chooses moves by searches on many boards.
pub(super) struct Chooser {
    searchers: Vec<BoardSearcher>,
}

/// A move with its values.
struct ScoredMove {
    request: Option<UciMove>,
    /// The shares of boards where it captures the king, and where it exposes its own.
    won: f64,
    exposed: f64,
    /// The values on other boards by their numbers, if known.
    values: Vec<Option<f64>>,
    /// Their mean.
    open: f64,
}

impl ScoredMove {
    /// The mean value over all boards, where capturing the king counts 1 and exposing it -[`LOSS`].
    fn value(&self) -> f64 {
        self.won - LOSS * self.exposed + (1.0 - self.won - self.exposed) * self.open
    }

    /// Logs why it is chosen.
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
    /// With this many threads.
    pub(super) fn new(threads: usize) -> Result<Chooser> {
        let searchers = (0..threads.max(1)).map(|_| BoardSearcher::new());
        Ok(Chooser {
            searchers: searchers.collect::<Result<_>>()?,
        })
    }

    /// Clears the tables of the searches, for another game.
    pub(super) fn clear(&mut self) {
        for searcher in &mut self.searchers {
            searcher.clear();
        }
    }

    /// The best of the moves.
    pub(super) fn choose(
        &mut self,
        beliefs: &mut Beliefs,
        moves: &[UciMove],
        budget: Budget,
    ) -> Option<UciMove> {
        let sample = beliefs.sample(OUTCOME_BOARDS, THREAT, 0.0);
        let boards: Vec<Board> = sample.into_iter().map(|(_, board)| board).collect();
        let mut scored = count_outcomes(moves, &boards);
        let start = Instant::now();
        let time = budget.deadline.saturating_duration_since(start);
        let screening_end = start + time.mul_f64(SCREENING_SHARE);
        self.evaluate(
            &mut scored,
            &boards,
            budget.effort(SCREENING),
            screening_end,
        );
        scored.truncate(FINALISTS);
        let effort = budget.effort(FINAL);
        self.evaluate(&mut scored, &boards, effort, budget.deadline);
        if let Some(best) = scored.first() {
            best.log(boards.len());
        }
        scored.first().and_then(|scored| scored.request)
    }

    /// Fills in the values of open boards and puts the best move first.
    fn evaluate(
        &mut self,
        scored: &mut [ScoredMove],
        boards: &[Board],
        effort: Effort,
        deadline: Instant,
    ) {
        let requests: Vec<_> = scored.iter().map(|scored| scored.request).collect();
        let rows = self.values(&requests, boards, effort, deadline);
        for (place, scored_move) in scored.iter_mut().enumerate() {
            scored_move.values.resize(boards.len(), None);
            for (number, row) in &rows {
                if let (Some(known), Some(&value)) =
                    (scored_move.values.get_mut(*number), row.get(place))
                {
                    *known = value;
                }
            }
            let values: Vec<f64> = scored_move.values.iter().copied().flatten().collect();
            scored_move.open = values.iter().sum::<f64>() / values.len().max(1) as f64;
        }
        scored.sort_by(|a, b| b.value().total_cmp(&a.value()));
    }

    /// The values of requests on as many boards as there is time for, with the numbers of these;
    /// none where a king is captured or can be.
    fn values(
        &mut self,
        requests: &[Option<UciMove>],
        boards: &[Board],
        effort: Effort,
        deadline: Instant,
    ) -> Vec<(usize, Vec<Option<f64>>)> {
        let next = AtomicUsize::new(0);
        let mut rows = vec![Vec::new(); self.searchers.len()];
        let searchers = self.searchers.iter_mut().zip(&mut rows);
        threads::for_each(searchers, |(searcher, rows)| {
            loop {
                let number = next.fetch_add(1, Relaxed);
                let Some(board) = boards.get(number) else {
                    return;
                };
                if number >= effort.boards && Instant::now() >= deadline {
                    return;
                }
                rows.push((number, searcher.row(board, requests, effort.nodes)));
            }
        });
        rows.into_iter().flatten().collect()
    }
}

impl BoardSearcher {
    /// The values of requests on a board. Requests that lead to the same board are searched once.
    fn row(&mut self, board: &Board, requests: &[Option<UciMove>], nodes: u64) -> Vec<Option<f64>> {
        let mut known = HashMap::new();
        let mut value = |&request: &Option<UciMove>| match outcome(board, request) {
            (after, KingOutcome::Open) => {
                let known = known.entry(Packed::new(&after));
                Some(*known.or_insert_with(|| self.value(&after, nodes)))
            }
            _ => None,
        };
        requests.iter().map(&mut value).collect()
    }
}

/// How often each move captures the king or exposes its own, without the moves that expose it more
/// often than [`RISK`] allows.
fn count_outcomes(moves: &[UciMove], boards: &[Board]) -> Vec<ScoredMove> {
    let Some(any) = boards.first() else {
        return Vec::new();
    };
    let share = |count: usize| count as f64 / boards.len() as f64;
    let score = |request| {
        let outcomes: Vec<KingOutcome> = boards
            .iter()
            .map(|board| outcome(board, request).1)
            .collect();
        let count = |outcome| outcomes.iter().filter(|&&found| found == outcome).count();
        ScoredMove {
            request,
            won: share(count(KingOutcome::Won)),
            exposed: share(count(KingOutcome::Exposed)),
            values: Vec::new(),
            open: 0.0,
        }
    };
    let mut scored: Vec<ScoredMove> = candidates(moves, any).into_iter().map(score).collect();
    let least = scored
        .iter()
        .map(|scored| scored.exposed)
        .fold(1.0, f64::min);
    scored.retain(|scored| scored.exposed <= least.max(RISK));
    scored
}
