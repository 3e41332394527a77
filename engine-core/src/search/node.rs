//! The main search: one fail-soft function for all kinds of nodes.

use super::history;
use super::move_info::MoveInfo;
use super::node_state::{NodeMove, NodeState};
use super::node_type::{NodeType, NonPv, Pv};
use super::order_context::OrderContext;
use super::picker::{Picker, ScoredMove};
use super::piece_to::PieceTo;
use super::probe::TbScore;
use super::prune;
use super::rules::SearchRules;
use super::score::Score;
use super::search_position::SearchPosition;
use super::tt::TtEntry;
use super::tunables as tune;
use super::window::{Best, Window};
use super::worker::Worker;
use crate::{Move, Position, Role};
use arrayvec::ArrayVec;
use std::ops::ControlFlow;

/// The first moves searched at a node; they get a malus if a later one fails high.
type SearchedMoves = ArrayVec<MoveInfo, 32>;

/// The result of the singular search.
enum Singularity {
    /// Extend the move by so many plies.
    Extend(i32),
    /// Another move beats beta as well: cut off with this score.
    Cut(Score),
}

impl Worker {
    /// Searches a position to a depth, fail-soft.
    ///
    /// Let s* be the value of (position, depth). Returns r with s* ≤ r ≤ alpha, or r = s* between
    /// the bounds, or beta ≤ r ≤ s*. Exact only without selectivity, since pruning makes s* depend
    /// on the window. After a stop the result is meaningless.
    ///
    /// `cut_node` marks an expected cut node.
    pub(super) fn node<R: SearchRules, N: NodeType>(
        &mut self,
        state: &SearchPosition<R>,
        mut window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        let position = &state.position;

        // 1. Check extension: checks are answered before the horizon.
        let is_extended = state.in_check && depth <= 0 && self.selective && self.may_extend(ply);
        let depth = if is_extended { 1 } else { depth };

        // 2. Quiescence search at the leaves.
        if depth <= 0 {
            return self.quiesce::<R, N>(state, window, ply, true);
        }

        // 3. Limits, ends of the game, and mate distance pruning.
        if self.count_node(ply) {
            return Score::DRAW;
        }
        let excluded = self.stack[ply].excluded;
        if !N::ROOT {
            if let Some(score) = self.terminal_score(state, ply) {
                return score;
            }
            window = window.within_mates(ply, R::ROYAL);
            if window.is_empty() {
                return window.alpha;
            }
            if self.selective && excluded.is_none() && R::has_winning_move(position) {
                return Score::mate_in(ply + 1);
            }
        }
        let bounds = window;

        // 4. Static evaluation. Reverse futility does not wait for the transposition table, unless
        // tablebases know better.
        let mut node = self.node_state::<R>(state, depth, ply, cut_node);
        let in_tablebases = self.may_be_in_tablebases(position) && !N::ROOT && excluded.is_none();
        let may_prune = self.selective && !N::PV && !N::ROOT && !node.forced && excluded.is_none();
        if may_prune
            && !in_tablebases
            && R::TRUSTS_EVALUATION
            && let Some(score) = prune::reverse_futility::<R>(&node, window.beta)
        {
            return score;
        }

        // 5. Transposition table, then tablebases. The check squares are computed while the entry
        // is being loaded from memory.
        let mut context = self.order_context(ply, position);
        let entry = if excluded.is_none() {
            self.tt.probe(position.key(), ply)
        } else {
            None
        };
        if !N::PV
            && !N::ROOT
            && let Some(score) = self.tt_cutoff(position, entry.as_ref(), window, depth, ply)
        {
            return score;
        }
        let mut tb_bounds = Window::FULL;
        if in_tablebases {
            match self.tablebase_bounds(position, window, depth, ply) {
                ControlFlow::Break(score) => return score,
                ControlFlow::Continue(known) => tb_bounds = known,
            }
        }
        if N::PV {
            window.alpha = window.alpha.max(tb_bounds.alpha);
        }
        let tt_move = entry.and_then(|entry| entry.best);
        let tt_move = tt_move.map(|m| MoveInfo::new(position, m));
        self.prefetch_children::<R, N>(position, &node, tt_move, window.beta);

        // 6. to 8. Pruning of nodes far from the window.
        node.apply_entry::<N>(entry);
        if may_prune {
            if let Some(score) = self.prune_node::<R, N>(state, &node, window) {
                return tb_bounds.nearest(score);
            }
            if self.stopped {
                return Score::DRAW;
            }
        }

        // 9. Internal iterative reduction. (The TT move may be illegal, as another position may
        // have the same key.)
        node.tt_move = tt_move.filter(|info| position.is_legal(info.m));
        node.depth += self.depth_adjustment::<R, N>(position, &node);
        let depth = node.depth;

        // 10. to 16. The moves, whose order depends on what the enemy attacks.
        context.threats = position.board().attacked_by(!node.turn);
        let mut best = Best::new(tb_bounds.alpha);
        let ended = self.search_moves::<R, N>(state, &node, &context, window, excluded, &mut best);
        if let Some(score) = ended {
            return score;
        }
        best.score = tb_bounds.nearest(best.score);

        // 17. Histories, transposition table and correction history.
        if excluded.is_none() && !(N::ROOT && self.is_partial_root()) {
            let entry = TtEntry::new(best.score, bounds, best.m, depth, node.tt_pv);
            self.store(position.key(), ply, entry);
            if best.m.is_none_or(|m| !position.is_capture(m)) {
                self.update_correction(state, &node, best.score, bounds);
            }
        }
        best.score
    }

    /// Step 4: the static evaluation with correction history.
    #[inline(always)]
    fn node_state<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> NodeState {
        let forced = state.in_check || R::must_capture(&state.position);
        let static_eval = self.static_eval(state, ply);
        self.stack[ply].eval = if forced { None } else { Some(static_eval) };
        self.stack[ply + 1].killers = [None; 2];
        self.stack[ply + 2].cutoffs = 0;
        let improving = !forced
            && ply >= 2
            && self.stack[ply - 2]
                .eval
                .is_none_or(|before| static_eval > before);
        NodeState {
            turn: state.position.turn(),
            in_check: state.in_check,
            forced,
            depth,
            ply,
            cut_node,
            entry: None,
            tt_move: None,
            tt_pv: false,
            static_eval,
            eval: static_eval,
            improving,
        }
    }

    #[inline(always)]
    fn may_be_in_tablebases<R: SearchRules>(&self, position: &Position<R>) -> bool {
        let max_pieces = self.tablebases.max_pieces;
        max_pieces > 0 && position.board().occupied().count() <= max_pieces
    }

    /// Step 5: the bound of a deep enough entry, if it causes a cutoff. Not near the fifty-move
    /// draw, which the table knows nothing of.
    #[inline(always)]
    pub(super) fn tt_cutoff<R: SearchRules>(
        &self,
        position: &Position<R>,
        entry: Option<&TtEntry>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        if let Some(entry) = entry
            && self.is_deep_enough(entry, depth)
            && position.fifty_move_clock() < tune::tt_cutoff_halfmoves() as u32
            && let Some(score) = entry.cutoff(window.alpha, window.beta)
            && score.fits_fifty_moves(ply, position.fifty_move_clock())
        {
            return Some(score);
        }
        None
    }

    /// Step 5: probes the tablebases: a score that ends the node, or bounds of its score. It is
    /// also stored in the transposition table, which is cheaper to probe.
    #[cold]
    fn tablebase_bounds<R: SearchRules>(
        &mut self,
        position: &Position<R>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> ControlFlow<Score, Window> {
        let Some(answer) = self.tablebases.probe(position, depth, ply) else {
            return ControlFlow::Continue(Window::FULL);
        };
        self.tb_hits += 1;
        let (score, alpha, beta) = match answer {
            TbScore::Exact(score) => (score, score - 1, score + 1),
            TbScore::AtLeast(score) => (score, score - 1, score),
            TbScore::AtMost(score) => (score, score, score + 1),
        };
        let stored_depth = depth + tune::tablebase_depth_bonus();
        let entry = TtEntry::new(score, Window { alpha, beta }, None, stored_depth, false);
        self.store(position.key(), ply, entry);
        let mut bounds = Window::FULL;
        match answer {
            TbScore::Exact(_) => return ControlFlow::Break(score),
            TbScore::AtLeast(_) if score >= window.beta => return ControlFlow::Break(score),
            TbScore::AtMost(_) if score <= window.alpha => return ControlFlow::Break(score),
            TbScore::AtLeast(_) => bounds.alpha = score,
            TbScore::AtMost(_) => bounds.beta = score,
        }
        ControlFlow::Continue(bounds)
    }

    /// Prefetches the transposition entries of the children that are likely to be searched first.
    #[inline(always)]
    fn prefetch_children<R: SearchRules, N: NodeType>(
        &self,
        position: &Position<R>,
        node: &NodeState,
        tt_move: Option<MoveInfo>,
        beta: Score,
    ) {
        if let Some(info) = tt_move {
            self.tt.prefetch(info.key_after(position));
        }
        if !N::PV
            && prune::null_move_condition(node, beta)
            && self.stack[node.ply].null_move_allowed
        {
            self.tt.prefetch(position.likely_key_after_null());
        }
    }

    /// Steps 6 to 8: the score of a node that is pruned.
    #[inline(always)]
    fn prune_node<R: SearchRules, N: NodeType>(
        &mut self,
        state: &SearchPosition<R>,
        node: &NodeState,
        window: Window,
    ) -> Option<Score> {
        let Window { alpha, beta } = window;
        let ply = node.ply;

        // 6. Reverse futility again, now with the bounds of the transposition entry.
        if let Some(score) = prune::reverse_futility::<R>(node, beta) {
            return Some(score);
        }

        // 7. Razoring.
        if prune::is_razored(node, alpha) {
            let score = self.quiesce::<R, N>(state, Window::above(alpha), ply, true);
            if score <= alpha {
                return Some(score);
            }
        }

        // 8. Null move: if even passing keeps the score above beta, a move surely does, except in
        // zugzwang.
        if prune::null_move_condition(node, beta)
            && node.eval >= beta
            && beta > -Score::TB_BOUND
            && self.stack[ply].null_move_allowed
            && R::zugzwang_is_unlikely(&state.position)
        {
            let score = self.null_move(state, node, beta);
            if score >= beta && !self.stopped {
                // A mate against a side that passes is not proved.
                let is_unproved = score >= Score::TB_BOUND;
                return Some(if is_unproved { beta } else { score });
            }
        }
        None
    }

    /// Step 9: one ply less without a table move, as the order is poor and a shallower search finds
    /// a move for the next time (not at the root, where only some moves may be searched); one more
    /// where a capture is forced and there is only one.
    #[inline(always)]
    fn depth_adjustment<R: SearchRules, N: NodeType>(
        &self,
        position: &Position<R>,
        node: &NodeState,
    ) -> i32 {
        let is_deep = node.depth >= tune::internal_reduction_depth();
        let is_reduced = self.selective
            && is_deep
            && node.tt_move.is_none()
            && !N::ROOT
            && (N::PV || node.cut_node);
        let is_extended = !R::ROYAL
            && node.forced
            && self.selective
            && self.may_extend(node.ply)
            && position.count_legal_moves() == 1;
        i32::from(is_extended) - i32::from(is_reduced)
    }

    /// The score after a null move.
    #[inline(always)]
    fn null_move<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        node: &NodeState,
        beta: Score,
    ) -> Score {
        let ply = node.ply;
        let child = state.pass();
        self.tt.prefetch(child.position.key());
        self.stack[ply + 1].null_move_allowed = false;
        self.stack[ply + 1].double_extensions = self.stack[ply].double_extensions;
        self.evaluator.dirty(ply + 1);
        self.push_move(ply, PieceTo::NONE, [state, &child]);
        let depth = prune::null_move_depth(node, beta);
        let window = Window::above(-beta);
        let score = -self.node::<R, NonPv>(&child, window, depth, ply + 1, !node.cut_node);
        self.keys.pop();
        score
    }

    /// Steps 10 to 16: searches the moves. Returns a score only if it is not to be stored.
    #[inline(always)]
    fn search_moves<R: SearchRules, N: NodeType>(
        &mut self,
        state: &SearchPosition<R>,
        node: &NodeState,
        context: &OrderContext,
        mut window: Window,
        excluded: Option<Move>,
        best: &mut Best,
    ) -> Option<Score> {
        let position = &state.position;
        let depth = node.depth;

        // 10. The move picker.
        let mut picker = Picker::new(&self.moves);
        picker.set_tt_move(node.tt_move);
        let mut searched = SearchedMoves::default();
        let mut count = 0;
        let allows_pruning = self.selective && !N::ROOT && R::zugzwang_is_unlikely(position);
        let may_skip_quiets = allows_pruning && !node.forced && depth <= tune::futility_depth();
        let futility_value = prune::futility(node, depth);
        loop {
            // If no quiet move can reach alpha, only quiet checks are generated. Not before the first
            // move: the bound of a tablebase does not show that there is a move.
            if may_skip_quiets
                && count > 0
                && futility_value <= window.alpha
                && best.score > -Score::TB_BOUND
            {
                picker.only_checks();
                best.raise(futility_value);
            }
            let next = self.next_move::<R, N>(position, &mut picker, context, count);
            let Some(next) = next else { break };
            let info = next.info;
            if excluded == Some(info.m) {
                continue;
            }
            count += 1;
            let current = self.describe_move(position, node, context, next, count);

            // 11. Shallow pruning. SEE takes longest, while the child's entry is being loaded.
            let may_prune = allows_pruning && best.score > -Score::TB_BOUND;
            if may_prune
                && let Some(most) = prune::prune_quiet(node, &current, window.alpha, &mut picker)
            {
                best.raise(most);
                continue;
            }
            self.tt.prefetch(info.key_after(position));
            if may_prune && prune::fails_see(position, depth, &current, &picker) {
                continue;
            }

            // 12. Singular extension.
            let mut extension = 0;
            if self.selective && !N::ROOT && node.tt_move == Some(info) && excluded.is_none() {
                match self.singular::<R, N>(state, node, info, window.beta) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::Cut(score) => {
                        picker.finish(&mut self.moves);
                        return Some(score);
                    }
                }
                if self.stopped {
                    break;
                }
            }

            // 13. to 15. The move.
            let nodes_before = self.nodes;
            let score = self.search_move::<R, N>(state, node, context, &current, window, extension);
            if self.stopped {
                break;
            }
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                self.record_root_move(info.m, score, nodes, window);
            }

            // 16. The best move so far, or a cutoff.
            if best.add(info.m, score, &mut window) {
                self.stack[node.ply].cutoffs += 1;
                self.update_histories(node, &current, &searched, context, score);
                break;
            }
            // Moves beyond the capacity get no malus.
            let _ = searched.try_push(info);
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return Some(Score::DRAW);
        }
        if count == 0 {
            // Mate, stalemate, or no move but the excluded one.
            return Some(if excluded.is_some() {
                window.alpha
            } else {
                state.score_without_moves(node.ply)
            });
        }
        None
    }

    /// The next move of the node, after `count` others.
    #[inline(always)]
    fn next_move<R: SearchRules, N: NodeType>(
        &mut self,
        position: &Position<R>,
        picker: &mut Picker,
        context: &OrderContext,
        count: usize,
    ) -> Option<ScoredMove> {
        if N::ROOT {
            let m = self.root_move(count)?;
            return Some(ScoredMove::unscored(MoveInfo::new(position, m)));
        }
        picker.next(&mut self.moves, position, &self.history, context)
    }

    /// What the steps from 11 on need to know of a move.
    #[inline(always)]
    fn describe_move<R: SearchRules>(
        &self,
        position: &Position<R>,
        node: &NodeState,
        context: &OrderContext,
        next: ScoredMove,
        count: usize,
    ) -> NodeMove {
        let info = next.info;
        let MoveInfo { m, role, captured } = info;
        let is_quiet = info.is_quiet();
        let piece = PieceTo::new(node.turn, role, m.to());
        let history_score = if let Some(history_score) = next.history_score {
            history_score
        } else if is_quiet {
            self.history.quiet(node.turn, context).of(role).of(m)
        } else {
            let captured = captured.unwrap_or(Role::Pawn);
            self.history.captures(node.turn, role).of(m.to(), captured)
        };
        let gives_check = position.role_gives_check(role, m, &context.checks);
        NodeMove {
            info,
            piece,
            is_quiet,
            gives_check,
            is_urgent: gives_check || (role == Role::King && R::KING_GOAL.has(m.to())),
            history_score,
            move_count: count,
            reduction: self.reductions.get(node.depth, count),
        }
    }

    /// Step 12: whether the table move is better than all others by a margin, which are searched
    /// without it to about half the depth.
    ///
    /// See <https://www.chessprogramming.org/Singular_Extensions>.
    fn singular<R: SearchRules, N: NodeType>(
        &mut self,
        state: &SearchPosition<R>,
        node: &NodeState,
        tt_move: MoveInfo,
        beta: Score,
    ) -> Singularity {
        let (depth, ply) = (node.depth, node.ply);
        let Some(entry) = node.entry else {
            return Singularity::Extend(0);
        };
        if depth < tune::singular_depth()
            || !self.may_extend(ply)
            || i32::from(entry.depth) < depth - tune::singular_entry_depth()
            || entry.lower.0.abs() >= Score::TB_BOUND.0
        {
            return Singularity::Extend(0);
        }
        let bound = prune::singular_bound(depth, entry.lower);
        self.stack[ply].excluded = Some(tt_move.m);
        let window = Window::above(bound - 1);
        let other_depth = (depth - 1) / tune::singular_divisor();
        let others = self.node::<R, NonPv>(state, window, other_depth, ply, node.cut_node);
        self.stack[ply].excluded = None;
        if others < bound {
            let doubly = !N::PV
                && others < bound - tune::doubly_singular_margin()
                && self.stack[ply].double_extensions <= tune::doubly_singular_max();
            Singularity::Extend(if doubly { 2 } else { 1 })
        } else if bound >= beta && !self.stopped {
            // Multi-cut: several moves fail high.
            Singularity::Cut(bound)
        } else if entry.lower >= beta {
            Singularity::Extend(-tune::singular_negative())
        } else {
            Singularity::Extend(0)
        }
    }

    /// Steps 13 to 15: makes a move and searches it.
    #[inline(always)]
    fn search_move<R: SearchRules, N: NodeType>(
        &mut self,
        state: &SearchPosition<R>,
        node: &NodeState,
        context: &OrderContext,
        current: &NodeMove,
        window: Window,
        extension: i32,
    ) -> Score {
        let (ply, count) = (node.ply, current.move_count);

        // 13. Make the move.
        if N::ROOT {
            self.report_current_move(current.info.m, count);
        }
        let mut child = state.copy();
        let dirty = self.evaluator.dirty(ply + 1);
        child.advance(current.info, current.gives_check, dirty);
        self.stack[ply + 1].null_move_allowed = true;
        self.stack[ply + 1].double_extensions =
            self.stack[ply].double_extensions + i32::from(extension >= 2);
        self.push_move(ply, current.piece, [state, &child]);
        let depth = node.depth - 1 + extension;

        // 14. Late move reductions: late moves are searched less deep first, and again to the full
        // depth only if they raise alpha.
        let null = Window::above(-window.alpha - 1);
        let mut score = -Score::INFINITE;
        let mut full = !N::PV || count > 1;
        let is_late = count > 1 + usize::from(N::ROOT);
        if self.selective && node.depth >= tune::reduction_depth() && is_late && !current.is_urgent
        {
            let is_killer = context.killers.contains(&Some(current.info.m));
            let cutoffs = self.stack[ply + 1].cutoffs;
            let reduction = prune::reduction(node, current, is_killer, cutoffs);
            let reduced = (depth - reduction / 1024).clamp(1, depth.max(1));
            if reduced < depth {
                score = -self.node::<R, NonPv>(&child, null, reduced, ply + 1, true);
                full = score > window.alpha;
            }
        }
        if full && !self.stopped {
            score = -self.node::<R, NonPv>(&child, null, depth, ply + 1, !node.cut_node);
        }

        // 15. Principal variation search: the first move of a PV node, and each that raises alpha,
        // with the open window.
        if N::PV && !self.stopped && (count == 1 || score > window.alpha) {
            score = -self.node::<R, Pv>(&child, window.flipped(), depth, ply + 1, false);
        }
        self.keys.pop();
        score
    }

    /// Step 16: a bonus for the move that failed high, and a malus for those searched before it.
    fn update_histories(
        &mut self,
        node: &NodeState,
        best: &NodeMove,
        searched: &SearchedMoves,
        context: &OrderContext,
        score: Score,
    ) {
        let is_surprise = node.static_eval < score;
        let bonus = history::bonus(node.depth + i32::from(is_surprise) * tune::history_surprise());
        let NodeMove { info, piece, .. } = *best;
        let piece_of = |other: &MoveInfo| PieceTo::new(node.turn, other.role, other.m.to());
        let history = &mut self.history;
        if best.is_quiet {
            self.stack[node.ply].add_killer(info.m);
            history.update_quiet(node.turn, info.m, piece, context, bonus);
            for other in searched.iter().filter(|other| other.is_quiet()) {
                let piece = piece_of(other);
                history.update_quiet(node.turn, other.m, piece, context, -bonus);
            }
        } else if let Some(captured) = info.captured {
            history.update_capture(piece, captured, bonus);
        }
        for other in searched.iter().filter(|other| !other.is_quiet()) {
            if let Some(captured) = other.captured {
                history.update_capture(piece_of(other), captured, -bonus);
            }
        }
    }

    /// Step 17: updates correction history, if the score says something of the evaluation's error.
    fn update_correction<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        node: &NodeState,
        score: Score,
        bounds: Window,
    ) {
        let is_informative = (score < bounds.beta || score > node.static_eval)
            && (score > bounds.alpha || score < node.static_eval);
        if self.selective && !node.forced && is_informative && score.0.abs() < Score::TB_BOUND.0 {
            let error = score.0 - node.static_eval.0;
            let keys = self.correction_keys(state, node.ply);
            let correction = &mut self.history.correction;
            correction.update(node.turn, keys, node.depth, error);
        }
    }
}
