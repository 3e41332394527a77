//! One thread of the search: its state and its iterations.

use super::event::{BestMove, Convergence, Info};
use super::history::{History, PieceTo};
use super::limits::{Limits, SearchOptions};
use super::move_info::MoveInfo;
use super::picker::{Context, MoveStack};
use super::pool::{Job, Shared};
use super::probe::Tablebases;
use super::prune::Reductions;
use super::root_moves::RootMove;
use super::score::{MAX_PLY, Score, ScoreKind};
use super::time::TimeManager;
use super::tt::{Entry, Table};
use crate::eval::Accumulator;
use crate::rules::Rules;
use crate::{AnyPosition, Color, Move, Position};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A position with its evaluation.
#[derive(Clone, Copy)]
pub(super) struct State<R: Rules> {
    pub(super) position: Position<R>,
    pub(super) eval: Accumulator<R>,
    /// Whether the side to move is in check.
    pub(super) in_check: bool,
}

impl<R: Rules> State<R> {
    pub(super) fn new(position: Position<R>) -> State<R> {
        State {
            eval: Accumulator::of(&position),
            in_check: position.in_check(),
            position,
        }
    }

    /// The state after a legal move.
    pub(super) fn play(&self, m: Move) -> State<R> {
        let checks = self.position.check_squares();
        let gives_check = self.position.gives_check(m, &checks);
        let mut child = self.copy();
        child.advance(MoveInfo::new(&self.position, m), gives_check);
        child
    }

    /// A copy, to be advanced by a move. (Both in one function would copy what it returns again.)
    #[inline(always)]
    pub(super) fn copy(&self) -> State<R> {
        // Two values are copied with a few vector moves; as one they would call memcpy.
        State {
            position: self.position,
            eval: self.eval,
            in_check: self.in_check,
        }
    }

    /// Plays a legal move of which it is known whether it gives check.
    // Out of line, since the code of a search hardly has room in the processor's cache.
    #[inline(never)]
    pub(super) fn advance(&mut self, known: MoveInfo, gives_check: bool) {
        let MoveInfo { m, role, captured } = known;
        let (position, eval) = (&mut self.position, &mut self.eval);
        position.play_known(position.turn(), m, role, captured, eval);
        eval.refresh_if_needed(position.board());
        self.in_check = gives_check;
        debug_assert_eq!(self.position.in_check(), gives_check);
    }

    /// The state after passing, which nobody in check may do.
    #[inline(always)]
    pub(super) fn pass(&self) -> State<R> {
        let mut child = *self;
        child.position.play_null();
        child
    }

    /// The static evaluation for the side to move.
    #[inline(always)]
    pub(super) fn value(&self) -> Score {
        Score(self.eval.value(&self.position).clamp(-MAX_EVAL, MAX_EVAL))
    }
}

/// No evaluation looks like a mate or a tablebase win.
const MAX_EVAL: i32 = Score::TABLE_BOUND.0 - 1000;

/// Corrected evaluations are multiples of so many centipawns, a power of two.
const STEP: i32 = 4;

/// The open interval of scores that matter to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window = Window {
        alpha: Score(-Score::INFINITE.0),
        beta: Score::INFINITE,
    };

    /// The null window that asks whether the score is above this.
    #[inline(always)]
    pub(super) fn above(alpha: Score) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// Within the range of scores.
    pub(super) fn clamped(self) -> Window {
        Window {
            alpha: self.alpha.max(-Score::INFINITE),
            beta: self.beta.min(Score::INFINITE),
        }
    }
}

/// What a node leaves for those below and beside it.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The corrected evaluation; none in check.
    pub(super) eval: Option<Score>,
    /// The move being searched; none for a null move.
    pub(super) played: PieceTo,
    pub(super) killers: [Option<Move>; 2],
    /// The move whose singularity is tested.
    pub(super) excluded: Option<Move>,
    /// Whether passing is allowed: not twice in a row.
    pub(super) null_move_allowed: bool,
    pub(super) double_extensions: i32,
}

impl Frame {
    pub(super) fn add_killer(&mut self, m: Move) {
        if self.killers[0] != Some(m) {
            self.killers = [Some(m), self.killers[0]];
        }
    }
}

/// One thread of the search.
#[expect(
    clippy::struct_excessive_bools,
    reason = "flags of different lives, not a state"
)]
pub(super) struct Worker {
    index: usize,
    pub(super) shared: Arc<Shared>,
    pub(super) tt: Arc<Table>,
    limits: Limits,
    options: SearchOptions,
    time: TimeManager,
    pondering: bool,

    pub(super) history: History,
    pub(super) reductions: Reductions,
    pub(super) moves: MoveStack,
    pub(super) frames: Vec<Frame>,
    /// Keys of the positions before the current one, for repetitions.
    pub(super) keys: Vec<u64>,
    pub(super) root_moves: Vec<RootMove>,
    /// Root moves before this one belong to better lines.
    pub(super) pv_index: usize,
    /// Whether some legal root moves are left out by the user.
    pub(super) restricted: bool,

    pub(super) selective: bool,
    pub(super) stopped: bool,
    pub(super) nodes: u64,
    /// Endgame tables, and how many positions were found in them.
    pub(super) tablebases: Tablebases,
    pub(super) tb_hits: u64,
    pub(super) convergence: Convergence,
    next_check: u64,
    next_growth: u64,
    /// The depth of the iteration.
    pub(super) depth: u32,
    pub(super) seldepth: usize,
    /// The iteration, line and number of the root move that was told last.
    pub(super) reported_move: (u32, usize, usize),
}

/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 512;
/// Nodes of the main thread between two looks at how full the table is.
const GROWTH_INTERVAL: u64 = 4096;

impl Worker {
    pub(super) fn new(index: usize, shared: Arc<Shared>) -> Worker {
        let limits = Limits::default();
        let options = SearchOptions::default();
        Worker {
            index,
            tt: Arc::clone(&shared.no_table),
            shared,
            time: TimeManager::new(&limits, &options, Color::White),
            limits,
            options,
            pondering: false,
            history: History::new(),
            reductions: Reductions::new(),
            moves: MoveStack::default(),
            frames: vec![Frame::default(); MAX_PLY + 8],
            keys: Vec::with_capacity(1024),
            root_moves: Vec::new(),
            pv_index: 0,
            restricted: false,
            selective: true,
            stopped: false,
            nodes: 0,
            tablebases: Tablebases::default(),
            tb_hits: 0,
            convergence: Convergence::default(),
            next_check: 0,
            next_growth: 0,
            depth: 0,
            seldepth: 0,
            reported_move: (0, 0, 0),
        }
    }

    /// Forgets what earlier searches taught.
    pub(super) fn clear(&mut self) {
        self.history.clear();
    }

    /// Lets the table go, so that a new size does not need room beside the old one.
    pub(super) fn release_table(&mut self) {
        self.tt = Arc::clone(&self.shared.no_table);
    }

    pub(super) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Prepares for a search from this position.
    pub(super) fn prepare<R: Rules>(&mut self, job: &Job, position: &Position<R>) {
        self.tt = Arc::clone(&job.table);
        self.limits = job.limits.clone();
        self.options = job.options.clone();
        self.time = TimeManager::new(&job.limits, &job.options, position.turn());
        self.time.restart(job.start, 0);
        self.pondering = job.limits.ponder;
        self.keys.clear();
        self.keys.extend_from_slice(&job.root.history);
        self.frames.fill(Frame::default());
        self.moves.clear();
        // Short mates are found soonest, and in the fewest moves, by looking at everything.
        self.selective = job.options.selective && job.limits.mate.is_none_or(|moves| moves > 4);
        self.stopped = false;
        self.nodes = 0;
        self.tb_hits = 0;
        self.convergence = Convergence::default();
        self.next_check = 0;
        self.next_growth = 0;
        self.depth = 0;
        self.seldepth = 0;
        self.reported_move = (0, 0, 0);
        self.pv_index = 0;
        let legal = position.legal_moves();
        let wanted = &self.limits.search_moves;
        self.root_moves = legal
            .into_iter()
            .filter(|m| wanted.is_empty() || wanted.contains(m))
            .map(|m| RootMove {
                m,
                score: -Score::INFINITE,
                nodes: 0,
                pv: vec![m],
                depth: 0,
                seldepth: 0,
                rank: 0,
                table_score: None,
            })
            .collect();
        self.restricted = self.root_moves.len() < legal.len();
        self.tablebases = Tablebases::new(job.probe.as_ref(), &job.options, R::VARIANT);
        if self.tablebases.max_pieces >= position.board().occupied().count() {
            self.rank_by_tables(&job.root.position);
        }
    }

    /// Orders the root's moves as tables rank them, where they know all of them.
    fn rank_by_tables(&mut self, root: &AnyPosition) {
        let Some(ranking) = self.tablebases.rank(root) else {
            return;
        };
        self.tb_hits += ranking.moves.len() as u64;
        for root in &mut self.root_moves {
            if let Some(ranked) = ranking.moves.iter().find(|ranked| ranked.m == root.m) {
                root.rank = ranked.rank;
                root.table_score = Some(ranked.score);
            }
        }
        self.root_moves
            .sort_by_key(|root| std::cmp::Reverse(root.rank));
        // What a search of the best rank alone finds is not the position's value.
        self.restricted |= self
            .root_moves
            .windows(2)
            .any(|pair| pair[0].rank != pair[1].rank);
        if ranking.leads_to_end {
            self.tablebases.disable();
        }
    }

    /// Searches until a limit is reached or a stop is asked for, and gives what was found.
    pub(super) fn search<R: Rules>(&mut self, job: &Job, position: &Position<R>) -> SearchResult {
        self.prepare(job, position);
        let state = State::new(*position);
        if self.root_moves.is_empty() {
            return SearchResult {
                best: None,
                ponder: None,
                score: no_move(position, position.in_check(), 0),
                depth: 0,
                line: None,
            };
        }
        self.iterative_deepening(&state);
        let best = &self.root_moves[0];
        let score = if best.depth == 0 {
            state.value()
        } else {
            best.score
        };
        SearchResult {
            best: Some(best.m),
            ponder: best.pv.get(1).copied(),
            score: best.table_score.map_or(score, |_| best.reported_score()),
            depth: best.depth,
            line: self.shared.has_listener().then(|| self.line(0)),
        }
    }

    fn iterative_deepening<R: Rules>(&mut self, state: &State<R>) {
        let deepest = self
            .limits
            .depth
            .unwrap_or(u32::MAX)
            .clamp(1, MAX_PLY as u32 - 10);
        let lines = self.options.multi_pv.clamp(1, self.root_moves.len());
        let mut guess = state.value();
        let mut stability = 0;
        let mut last_best = None;
        let mut completed = Vec::new();
        for depth in 1..=deepest {
            // Threads other than the main one skip some depths, so that they do not all do the
            // same (Lazy SMP).
            if !self.is_main()
                && depth > 3
                && (depth as usize + self.index).is_multiple_of(3)
                && depth < deepest
            {
                continue;
            }
            self.depth = depth;
            for line in 0..lines {
                self.pv_index = line;
                self.seldepth = 0;
                self.convergence.probes = 0;
                let start = if line == 0 {
                    guess
                } else {
                    self.root_moves[line].score
                };
                let start = if depth == 1 || start <= -Score::INFINITE {
                    state.value()
                } else {
                    start
                };
                let score = self.search_root(self.options.driver, state, start, depth as i32);
                let Some(score) = score else { break };
                let best = &mut self.root_moves[line];
                best.score = score;
                best.depth = depth;
                let (mut pv, told) = (vec![best.m], best.reported_score());
                // What leads to a mate that only endgame tables know, no search has found.
                if told == score || told.0.abs() <= Score::MATE_BOUND.0 {
                    self.extend_from_table(&state.position, &mut pv);
                }
                self.complete_mate(state, &mut pv, told);
                let best = &mut self.root_moves[line];
                best.seldepth = self.seldepth;
                best.pv = pv;
            }
            self.pv_index = 0;
            if self.stopped {
                break;
            }
            self.root_moves[..lines].sort_by_key(|line| std::cmp::Reverse((line.rank, line.score)));
            completed.clear();
            completed.extend_from_slice(&self.root_moves[..lines]);
            let best = &completed[0];
            if self.is_main() {
                self.flush_nodes();
                for line in 0..lines {
                    self.report_line(line);
                }
            }
            if !self.is_main() {
                guess = best.score;
                continue;
            }
            if self.mate_is_proved(best.score) || self.has_spent_soft_nodes() {
                break;
            }
            stability = if last_best == Some(best.m) {
                stability + 1
            } else {
                0
            };
            last_best = Some(best.m);
            let fall = f64::from((guess.0 - best.score.0).clamp(0, 60)) / 100.0;
            let effort = best.nodes as f64 / self.nodes.max(1) as f64;
            let urgency = (1.55 - effort).max(0.5)
                * (1.25 - 0.05 * f64::from(stability.min(8)))
                * (1.0 + fall);
            guess = best.score;
            let forced = self.root_move(1).is_none() && self.time.has_clock();
            let is_certain = |plies| depth as usize > 2 * plies;
            let resolved =
                self.time.has_clock() && best.score.plies_to_mate().is_some_and(is_certain);
            if !self.is_pondering()
                && (forced || resolved || self.time.is_enough(urgency, self.nodes))
            {
                break;
            }
        }
        // The last word before the best move: also says what a stopped iteration improved.
        self.finish_lines(state, &completed, lines);
        self.flush_nodes();
        if self.is_main() {
            for line in 0..lines {
                self.report_line(line);
            }
        }
    }

    fn has_spent_soft_nodes(&self) -> bool {
        let limit = self.limits.soft_nodes;
        limit.is_some_and(|limit| self.shared.nodes() >= limit)
    }

    /// Whether the mate that was asked for is found.
    fn mate_is_proved(&self, score: Score) -> bool {
        match (self.limits.mate, score.kind()) {
            (Some(moves), ScoreKind::Mate(found)) => found.unsigned_abs() <= moves,
            _ => false,
        }
    }

    /// Between probes of MTD(f) is a good place to stop: nothing is lost.
    pub(super) fn should_stop_between_probes(&mut self) -> bool {
        self.next_check = self.nodes;
        self.check_limits();
        self.stopped
    }

    /// The static evaluation corrected by experience, in steps: a search corrects it all the time,
    /// and MTD(f) should not meet bounds that contradict each other by nothing but that.
    #[inline(always)]
    pub(super) fn corrected<R: Rules>(&self, state: &State<R>, value: Score) -> Score {
        if !self.selective {
            return value;
        }
        let corrected = value + self.history.correction(state.position.turn(), &state.eval);
        Score((corrected.0 + STEP / 2) & !(STEP - 1))
    }

    /// What the picker's order depends on at this ply.
    #[inline(always)]
    pub(super) fn context<R: Rules>(&self, ply: usize, position: &Position<R>) -> Context {
        let played = |back: usize| {
            ply.checked_sub(back)
                .map_or(PieceTo::NONE, |ply| self.frames[ply].played)
        };
        Context {
            killers: self.frames[ply].killers,
            before: [played(1), played(2)],
            checks: position.check_squares(),
        }
    }

    /// Whether what the table knows serves at this depth. With selectivity off only the same
    /// depth does, so that scores are a function of position and depth alone.
    #[inline(always)]
    pub(super) fn is_deep_enough(&self, entry: &Entry, depth: i32) -> bool {
        if self.selective {
            i32::from(entry.depth) >= depth
        } else {
            i32::from(entry.depth) == depth
        }
    }

    /// Stores an entry in the transposition table.
    #[inline(always)]
    pub(super) fn store(&mut self, key: u64, ply: usize, entry: Entry) {
        let contradicts = self.tt.store(key, ply, entry);
        self.convergence.stores += 1;
        self.convergence.contradictions += u64::from(contradicts);
    }

    /// Counts a node and tells whether to stop.
    #[inline(always)]
    pub(super) fn count_node(&mut self, ply: usize) -> bool {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self) {
        self.flush_nodes();
        self.next_check = self.nodes + CHECK_INTERVAL;
        if self.is_main() && self.nodes >= self.next_growth {
            self.next_growth = self.nodes + GROWTH_INTERVAL;
            self.tt.grow_if_full();
        }
        if self.shared.stop.load(Relaxed) {
            self.stopped = true;
            return;
        }
        if let Some(limit) = self.limits.nodes {
            let total = self.shared.nodes();
            if total >= limit {
                self.stopped = true;
            }
            self.next_check = self
                .next_check
                .min(self.nodes + limit.saturating_sub(total));
        }
        // The first iteration finds a move worth playing, unless it takes unreasonably long.
        let has_move = self.depth > 1 || self.nodes > 10_000;
        if self.is_main() && !self.is_pondering() && has_move && self.time.is_over(self.nodes) {
            self.stopped = true;
        }
        if self.stopped {
            self.shared.stop.store(true, Relaxed);
        }
    }

    fn is_pondering(&mut self) -> bool {
        if self.pondering
            && let Some(hit) = self.shared.ponder_hit()
        {
            self.pondering = false;
            self.time.restart(hit, self.nodes);
        }
        self.pondering
    }

    fn flush_nodes(&mut self) {
        self.shared.set_nodes(self.index, self.nodes);
        self.shared.set_tb_hits(self.index, self.tb_hits);
    }

    /// Draws by the fifty-move rule, repetition or lack of material. One repetition counts inside
    /// the tree, as what was best once is best again; two when it goes back before the root.
    #[inline(always)]
    pub(super) fn is_draw<R: Rules>(
        &self,
        position: &Position<R>,
        in_check: bool,
        ply: usize,
    ) -> bool {
        let halfmoves = position.repeatable_plies();
        (halfmoves >= 4 && self.is_draw_after(position, in_check, ply, halfmoves))
            || (position.board().occupied().count() <= 4
                && R::has_insufficient_material(position, Color::White)
                && R::has_insufficient_material(position, Color::Black))
    }

    /// The same by what was played before.
    fn is_draw_after<R: Rules>(
        &self,
        position: &Position<R>,
        in_check: bool,
        ply: usize,
        halfmoves: usize,
    ) -> bool {
        if R::FIFTY_MOVES && halfmoves >= 100 && (!in_check || position.has_legal_move()) {
            return true;
        }
        let key = position.key();
        let mut before_root = false;
        // The last key is one ply back; the first that can be equal is four back.
        let known = self.keys.len();
        for back in (4..=halfmoves.min(known)).step_by(2) {
            if self.keys[known - back] == key {
                if back <= ply || before_root {
                    return true;
                }
                before_root = true;
            }
        }
        false
    }
}

/// The score of a position whose side to move has no move.
#[cold]
pub(super) fn no_move<R: Rules>(position: &Position<R>, in_check: bool, ply: usize) -> Score {
    match R::variant_end(position).map(|end| end.winner) {
        Some(Some(winner)) if winner == position.turn() => -Score::mated_in(ply),
        Some(Some(_)) => Score::mated_in(ply),
        None if in_check => Score::mated_in(ply),
        _ => Score::DRAW,
    }
}

/// What one thread found.
#[derive(Clone, Debug)]
pub(super) struct SearchResult {
    pub(super) best: Option<Move>,
    pub(super) ponder: Option<Move>,
    pub(super) score: Score,
    pub(super) depth: u32,
    /// What is told of its line, where there is one.
    pub(super) line: Option<Info>,
}

impl SearchResult {
    pub(super) fn into_best_move(self, search: u64) -> BestMove {
        BestMove {
            search,
            best: self.best,
            ponder: self.ponder,
            score: self.score,
        }
    }
}
