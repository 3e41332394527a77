//! What one thread of the search owns, and its counters and limits.

use super::clock::Instant;
use super::correction::CorrectionKeys;
use super::event::Convergence;
use super::history::History;
use super::job::{Job, Poll};
use super::limits::{Driver, Limits, SearchOptions};
use super::move_info::MoveInfo;
use super::order_context::OrderContext;
use super::picker::MoveStack;
use super::piece_to::PieceTo;
use super::probe::Tablebases;
use super::prune::Reductions;
use super::root_moves::{self, RootMove};
use super::rules::SearchRules;
use super::score::{MAX_PLY, Score};
use super::search_position::SearchPosition;
use super::shared::Shared;
use super::time::TimeManager;
use super::tt::{TranspositionTable, TtEntry};
use super::tunables as tune;
use super::window::Window;
use crate::eval::{Evaluator, Tracker, Weights};
use crate::{AnyPosition, Bitboard, Color, Move, Position, Variant};
use std::sync::Arc;

/// What a node leaves for its children and siblings (the "search stack").
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// The static evaluation with correction history; none in check.
    pub(super) eval: Option<Score>,
    /// The move being searched; none for a null move.
    pub(super) played: PieceTo,
    pub(super) killers: [Option<Move>; 2],
    /// The move excluded by a singular search.
    pub(super) excluded: Option<Move>,
    /// Whether a null move is allowed: not twice in a row.
    pub(super) null_move_allowed: bool,
    /// Double extensions on the path to this node.
    pub(super) double_extensions: i32,
    /// How many nodes at this ply have failed high below the present node two plies before (Stockfish's cutoffCnt).
    pub(super) cutoffs: i32,
}

impl StackEntry {
    pub(super) fn add_killer(&mut self, m: Move) {
        if self.killers[0] != Some(m) {
            self.killers = [Some(m), self.killers[0]];
        }
    }
}

/// Evaluations stay below tablebase wins and mates.
const MAX_EVAL: i32 = Score::TB_BOUND.0 - 1000;

/// The pieces of the start position.
const MAX_PIECES: i32 = 32;

/// A search for a mate in at most this many moves is not selective: short mates are found sooner,
/// and the shortest first, by looking at everything.
const FULL_WIDTH_MATE: u32 = 4;

/// One thread of the search.
pub(super) struct Worker {
    index: usize,
    pub(super) shared: Arc<Shared>,
    pub(super) tt: Arc<TranspositionTable>,
    pub(super) limits: Limits,
    pub(super) options: SearchOptions,
    pub(super) time: TimeManager,

    pub(super) evaluator: Evaluator,
    pub(super) history: History,
    pub(super) reductions: Reductions,
    /// The moves of all nodes on the current path.
    pub(super) moves: MoveStack,
    /// One for each ply of the current path.
    pub(super) stack: Vec<StackEntry>,
    /// Keys of the positions before the current one, for repetitions.
    pub(super) keys: Vec<u64>,
    pub(super) root_moves: Vec<RootMove>,
    /// The line of `MultiPV` being searched: root moves before this one belong to better lines.
    pub(super) pv_index: usize,
    /// Whether some legal root moves are not searched.
    pub(super) restricted: bool,

    pub(super) driver: Driver,
    pub(super) selective: bool,
    pub(super) stopped: bool,
    pub(super) nodes: u64,
    pub(super) tablebases: Tablebases,
    pub(super) tb_hits: u64,
    pub(super) convergence: Convergence,
    poll: Option<Poll>,
    /// The node counts at which limits and the fill of the table are checked next.
    next_check: u64,
    next_growth: u64,
    /// The node count at which the quiescence search gives up.
    pub(super) quiescence_end: u64,
    /// How far the last iteration's score was from its guess.
    pub(super) score_change: i32,
    /// The depth of the iteration.
    pub(super) depth: u32,
    pub(super) seldepth: usize,
    /// The iteration, line and number of the root move reported last.
    pub(super) reported_move: (u32, usize, usize),
}

/// Depth 1 is stopped only after this many nodes, some hundred times what it usually takes.
const FIRST_ITERATION_NODES: u64 = 10_000;
/// Nodes between two checks of the limits.
const CHECK_INTERVAL: u64 = 512;
/// Nodes of all threads between two checks of the table's fill.
const GROWTH_INTERVAL: u64 = 4096;

impl Worker {
    pub(super) fn new(index: usize, shared: Arc<Shared>) -> Worker {
        let limits = Limits::default();
        let options = SearchOptions::default();
        Worker {
            index,
            tt: Arc::clone(&shared.no_table),
            shared,
            time: TimeManager::new(&limits, &options, Color::White, Instant::now()),
            limits,
            options,
            evaluator: Evaluator::new(
                Arc::clone(Weights::built_in(Variant::Standard)),
                MAX_PLY + 8,
            ),
            history: History::new(),
            reductions: Reductions::new(),
            moves: MoveStack::default(),
            stack: vec![StackEntry::default(); MAX_PLY + 8],
            keys: Vec::with_capacity(1024),
            root_moves: Vec::new(),
            pv_index: 0,
            restricted: false,
            driver: Driver::Pvs,
            selective: true,
            stopped: false,
            nodes: 0,
            tablebases: Tablebases::default(),
            tb_hits: 0,
            convergence: Convergence::default(),
            poll: None,
            next_check: 0,
            next_growth: 0,
            quiescence_end: 0,
            score_change: 0,
            depth: 0,
            seldepth: 0,
            reported_move: (0, 0, 0),
        }
    }

    /// Clears the histories.
    pub(super) fn clear(&mut self) {
        self.history.clear();
    }

    /// Releases the table, so that its memory can be freed before a new one is allocated.
    pub(super) fn release_table(&mut self) {
        self.tt = Arc::clone(&self.shared.no_table);
    }

    pub(super) fn index(&self) -> usize {
        self.index
    }

    pub(super) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Whether Lazy SMP leaves this depth to other threads, so that not all search the same.
    pub(super) fn skips_depth(&self, depth: i32) -> bool {
        !self.is_main()
            && depth > tune::smp_full_depth()
            && (depth as usize + self.index).is_multiple_of(tune::smp_skip_cycle() as usize)
    }

    /// Prepares for a search from this position.
    pub(super) fn prepare<R: SearchRules>(&mut self, job: &Job, position: &Position<R>) {
        self.tt = Arc::clone(&job.table);
        self.limits = job.limits.clone();
        self.options = job.options.clone();
        // The poll is called in the owner's thread alone, where worker 0 then runs.
        self.poll = job.poll.clone().filter(|_| self.is_main());
        self.time = TimeManager::new(&job.limits, &job.options, position.turn(), job.start);
        self.keys.clear();
        self.keys.extend_from_slice(&job.root.history);
        self.stack.fill(StackEntry::default());
        self.moves.clear();
        let wants_short_mate = job
            .limits
            .mate
            .is_some_and(|moves| moves <= FULL_WIDTH_MATE);
        self.selective = job.options.selective && !wants_short_mate;
        self.driver = if wants_short_mate {
            // The score is known, and null windows prove it with fewer nodes.
            Driver::Mtdf
        } else {
            job.options.driver.unwrap_or(R::DRIVER)
        };
        self.stopped = false;
        self.nodes = 0;
        self.tb_hits = 0;
        self.score_change = 0;
        self.convergence = Convergence::default();
        self.next_check = 0;
        self.next_growth = 0;
        self.depth = 0;
        self.seldepth = 0;
        self.reported_move = (0, 0, 0);
        self.tablebases = Tablebases::new(job.probe.as_ref(), &job.options, R::VARIANT);
        let weights = Weights::or_built_in(job.options.weights.as_ref(), R::VARIANT);
        self.evaluator.set_weights(weights);
        self.evaluator.enter(0, &Tracker::of(position));
        self.pv_index = 0;
        self.root_moves = root_moves::list(position, &job.limits.search_moves);
        self.restricted = self.root_moves.len() < position.legal_moves().len();
        if self.tablebases.max_pieces >= position.board().occupied().count() {
            self.rank_root_moves(&job.root.position, position);
        }
    }

    /// Sorts the root moves by their tablebase rank, if tablebases have the position.
    fn rank_root_moves<R: SearchRules>(&mut self, root: &AnyPosition, position: &Position<R>) {
        let Some(mut ranking) = self.tablebases.rank(root) else {
            return;
        };
        root_moves::rank_repetitions(position, &self.keys, &mut ranking);
        self.tb_hits += ranking.moves.len() as u64;
        // Only moves of the best rank are searched: their score is not that of the position.
        self.restricted |= root_moves::sort_by_rank(&mut self.root_moves, &ranking);
        if ranking.leads_to_end {
            self.tablebases.disable();
        }
    }

    /// The root move to search after `count` others.
    #[inline]
    pub(super) fn root_move(&self, count: usize) -> Option<Move> {
        let root = self.root_moves.get(self.pv_index + count)?;
        // Only moves of the same rank compete for a line.
        (root.rank == self.root_moves[self.pv_index].rank).then_some(root.m)
    }

    /// Whether the root search leaves out moves, so that its score is not that of the position.
    pub(super) fn is_partial_root(&self) -> bool {
        self.restricted || self.pv_index > 0
    }

    /// Adds the nodes of a root move and, if it raised alpha, makes it the best. A root that fails
    /// low keeps its best move.
    pub(super) fn record_root_move(&mut self, m: Move, score: Score, nodes: u64, window: Window) {
        let (depth, seldepth) = (self.depth, self.seldepth);
        let Some(at) = self.root_moves.iter().position(|root| root.m == m) else {
            return;
        };
        let root = &mut self.root_moves[at];
        root.nodes += nodes;
        if score > window.alpha {
            root.score = score;
            root.failed_high = score >= window.beta;
            root.failed_low = false;
            root.depth = depth;
            root.seldepth = seldepth;
            root.pv.truncate(1);
            self.root_moves[self.pv_index..=at].rotate_right(1);
        }
    }

    /// The static evaluation of the position at a ply for the side to move.
    #[inline(always)]
    pub(super) fn evaluate<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        ply: usize,
    ) -> Score {
        let value = self.evaluator.value(ply, &state.position, &state.eval);
        Score(value.clamp(-MAX_EVAL, MAX_EVAL))
    }

    /// The static evaluation, scaled by material, with correction history, adjusted in
    /// endings and rounded to a grain: small changes of the correction during a search would make
    /// the bounds of MTD(f) contradict each other.
    #[inline(always)]
    pub(super) fn static_eval<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        ply: usize,
    ) -> Score {
        let value = self.evaluate(state, ply);
        if !self.selective {
            return value;
        }
        // With fewer pieces, the same lead wins less often.
        let pieces = state.position.board().occupied().count() as i32;
        let missing = (MAX_PIECES - pieces).max(0);
        let kept = 100 * MAX_PIECES - R::material_scaling() * missing;
        let scaled = Score(value.0 * kept / (100 * MAX_PIECES));
        let keys = self.correction_keys(state, ply);
        let correction = self.history.correction.get(state.position.turn(), keys);
        let corrected = R::adjust_ending(&state.position, scaled + correction);
        let grain = 1 << tune::correction_grain_bits();
        Score((corrected.0 + grain / 2) & !(grain - 1))
    }

    /// The keys of correction history for the position at a ply.
    #[inline(always)]
    pub(super) fn correction_keys<R: SearchRules>(
        &self,
        state: &SearchPosition<R>,
        ply: usize,
    ) -> CorrectionKeys {
        CorrectionKeys::new(&state.eval, [1, 2].map(|back| self.played(ply, back)))
    }

    /// Records a move from a ply on the path; the caller pops its key after the search.
    #[inline(always)]
    pub(super) fn push_move<R: SearchRules>(
        &mut self,
        ply: usize,
        piece: PieceTo,
        [parent, child]: [&SearchPosition<R>; 2],
    ) {
        self.stack[ply].played = piece;
        self.keys.push(parent.position.repetition_key());
        self.evaluator.enter(ply + 1, &child.eval);
    }

    /// Makes a move of a line at a ply, so that the search can go on after it.
    pub(super) fn play_line<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        m: Move,
        ply: usize,
    ) -> SearchPosition<R> {
        let position = &state.position;
        let info = MoveInfo::new(position, m);
        let gives_check = position.gives_check(m, &position.check_squares());
        let mut child = state.copy();
        child.advance(info, gives_check, self.evaluator.dirty(ply + 1));
        let entry = &mut self.stack[ply + 1];
        entry.null_move_allowed = true;
        entry.double_extensions = 0;
        let piece = PieceTo::new(position.turn(), info.role, m.to());
        self.push_move(ply, piece, [state, &child]);
        child
    }

    /// The move that was played so many plies before a ply, if the search played it.
    #[inline(always)]
    pub(super) fn played(&self, ply: usize, back: usize) -> PieceTo {
        ply.checked_sub(back)
            .map_or(PieceTo::NONE, |ply| self.stack[ply].played)
    }

    /// What the move order at this ply depends on.
    #[inline(always)]
    pub(super) fn order_context<R: SearchRules>(
        &self,
        ply: usize,
        position: &Position<R>,
    ) -> OrderContext {
        OrderContext {
            killers: self.stack[ply].killers,
            before: [
                self.played(ply, 1),
                self.played(ply, 2),
                self.played(ply, 4),
            ],
            threats: Bitboard::EMPTY,
            checks: position.check_squares(),
        }
    }

    /// Whether an entry is deep enough for a cutoff. Without selectivity it must have the same
    /// depth, so that scores are a function of position and depth alone.
    #[inline(always)]
    pub(super) fn is_deep_enough(&self, entry: &TtEntry, depth: i32) -> bool {
        if self.selective {
            i32::from(entry.depth) >= depth
        } else {
            i32::from(entry.depth) == depth
        }
    }

    /// Stores an entry in the transposition table.
    #[inline(always)]
    pub(super) fn store(&mut self, key: u64, ply: usize, entry: TtEntry) {
        let contradicts = self.tt.store(key, ply, entry);
        self.convergence.stores += 1;
        self.convergence.contradictions += u64::from(contradicts);
    }

    /// Whether a node at this ply may be extended: without a limit a queen's endless checks would
    /// make the tree explode.
    #[inline(always)]
    pub(super) fn may_extend(&self, ply: usize) -> bool {
        ply < tune::extension_limit() as usize * self.depth as usize
    }

    /// Counts a node and returns whether to stop.
    #[inline(always)]
    pub(super) fn count_node(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.stopped
    }

    /// Checks the limits now, and returns whether to stop.
    #[cold]
    pub(super) fn check_limits(&mut self) -> bool {
        self.publish_counts();
        self.next_check = self.nodes + CHECK_INTERVAL;
        if let Some(poll) = &self.poll {
            poll();
        }
        if self.is_main() && self.shared.nodes() >= self.next_growth {
            self.next_growth = self.shared.nodes() + GROWTH_INTERVAL;
            self.tt.grow_if_full();
        }
        // Depth 1 is always finished, so that a move found by search answers even a stop that comes
        // at once, unless it takes unreasonably long.
        let may_stop = self.depth > 1 || self.nodes > FIRST_ITERATION_NODES || !self.is_main();
        if self.shared.must_stop() && may_stop {
            self.stopped = true;
            return true;
        }
        if let Some(limit) = self.limits.nodes {
            let total = self.shared.nodes();
            // Nor do other threads that have spent all nodes keep this one from finishing it.
            if total >= limit && (may_stop || self.nodes >= limit) {
                self.stopped = true;
            }
            self.next_check = self
                .next_check
                .min(self.nodes + limit.saturating_sub(total));
        }
        if self.is_main()
            && !self.is_pondering()
            && may_stop
            && self.time.is_over(self.shared.nodes())
        {
            self.stopped = true;
        }
        if self.stopped {
            self.shared.end();
        }
        self.stopped
    }

    /// Whether this is a search on the opponent's time; if not any more, the clock starts.
    pub(super) fn is_pondering(&mut self) -> bool {
        if self.time.is_pondering()
            && let Some(hit) = self.shared.ponder_hit()
        {
            self.time.ponder_hit(&hit, self.shared.nodes());
        }
        self.time.is_pondering()
    }

    /// Makes the counts of this thread visible to the others.
    pub(super) fn publish_counts(&self) {
        self.shared.set_counts(self.index, self.nodes, self.tb_hits);
    }
}
