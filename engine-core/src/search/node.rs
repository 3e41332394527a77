//! The main search: one fail-soft function for all kinds of nodes.

use super::history::PieceTo;
use super::kind::{Node, Pv, Zero};
use super::move_info::MoveInfo;
use super::picker::{Context, Picker, ScoredMove};
use super::probe::TableScore;
use super::rules::SearchRules;
use super::score::{MAX_PLY, Score};
use super::state::State;
use super::tt::Entry;
use super::window::Window;
use super::worker::Worker;
use super::{prune, see, tunables as tune};
use crate::{Color, Move, Position, Role};
use arrayvec::ArrayVec;

/// What a node knows before it looks at its moves.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
struct NodeState {
    turn: Color,
    in_check: bool,
    /// In check, or bound to capture: the static evaluation says little.
    forced: bool,
    depth: i32,
    ply: usize,
    /// A null-window node that is expected to fail high.
    cut: bool,
    /// The table's entry, and in the end its move, if that is legal.
    entry: Option<Entry>,
    tt_move: Option<MoveInfo>,
    /// Whether a principal variation goes or went through this node.
    pv: bool,
    /// The static evaluation as it is, and corrected by experience.
    raw: Score,
    corrected: Score,
    /// The corrected evaluation, or the table's bound where that is better informed.
    estimate: Score,
    /// Whether the side to move stands better than two plies ago.
    improving: bool,
}

/// A move about to be searched.
#[derive(Clone, Copy)]
struct NodeMove {
    info: MoveInfo,
    piece: PieceTo,
    /// Neither a capture nor a promotion.
    is_quiet: bool,
    gives_check: bool,
    /// Whether it gives check or brings the king where it wants to go.
    is_urgent: bool,
    /// What history says of it.
    history_score: i32,
    /// Its place in the order, from 1.
    count: usize,
    /// The late move reduction for its place, in 1024ths of a ply.
    reduction: i32,
}

impl NodeMove {
    /// The depth that the reduction for its place leaves.
    #[inline(always)]
    fn reduced(&self, depth: i32) -> i32 {
        (depth - self.reduction / 1024).max(0)
    }
}

/// What the test for singularity says.
enum Singularity {
    /// Search the move so many plies deeper.
    Extend(i32),
    /// Another move beats beta as well: cut with this score.
    Cut(Score),
}

impl NodeState {
    /// Adds what the table knows.
    #[inline(always)]
    fn apply_entry<N: Node>(&mut self, entry: Option<Entry>) {
        self.pv = N::PV;
        if let Some(entry) = entry {
            self.entry = Some(entry);
            self.pv |= entry.pv;
            self.estimate = entry.refine(self.corrected);
        }
    }

    /// Whether the position stands so well that passing may keep it above beta.
    #[inline(always)]
    fn null_move_condition(&self, beta: Score) -> bool {
        self.depth >= tune::null_move_depth()
            && self.corrected + tune::null_move_eval_factor() * self.depth
                >= beta + tune::null_move_eval_base()
    }

    /// A score so far above beta that the opponent will not catch up.
    #[inline(always)]
    fn reverse_futility<R: SearchRules>(&self, beta: Score) -> Option<Score> {
        let margin = prune::reverse_futility(self.depth, self.improving);
        let is_above = self.depth <= R::reverse_futility_depth()
            && self.estimate - margin >= beta
            && self.estimate < Score::TABLE_BOUND
            && beta > -Score::TABLE_BOUND;
        is_above.then(|| Score(i32::midpoint(self.estimate.0, beta.0)))
    }
}

impl Worker {
    /// Searches a position to a depth, fail-soft.
    ///
    /// Let s* be the value of (position, depth). Returns r with s* ≤ r ≤ alpha, or r = s* between
    /// the bounds, or beta ≤ r ≤ s*. Pruning makes s* a matter of taste, so the contract is exact
    /// only with selectivity off. After a stop the result means nothing.
    ///
    /// `cut` says that a null-window node is expected to fail high.
    #[expect(clippy::too_many_lines, reason = "numbered steps of one recursion")]
    pub(super) fn node<R: SearchRules, N: Node>(
        &mut self,
        state: &State<R>,
        window: Window,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        let Window {
            mut alpha,
            mut beta,
        } = window;
        let position = &state.position;
        let in_check = state.in_check;

        // 1. Check extension: a check is answered before the horizon. Everywhere it would let a
        // queen's endless checks explode.
        let extend = in_check && depth <= 0 && self.selective && self.may_extend(ply);
        let depth = if extend { 1 } else { depth };

        // 2. Leaves are settled by captures.
        if depth <= 0 {
            return self.quiesce::<R, N>(state, window, ply, true);
        }

        // 3. Limits, draws, and mates that cannot be better than one already found.
        if self.count_node(ply) {
            return Score::DRAW;
        }
        if !N::ROOT {
            if R::is_variant_end(position) {
                return state.score_without_moves(ply);
            }
            if self.is_draw(position, in_check, ply) {
                return Score::DRAW;
            }
            if ply >= MAX_PLY - 1 {
                return state.value();
            }
            alpha = alpha.max(Score::mated_in(ply));
            // Without royal kings a side can have won before it moves.
            beta = beta.min(Score::mate_in(ply + usize::from(R::ROYAL)));
            if alpha >= beta {
                return alpha;
            }
            if self.selective
                && self.frames[ply].excluded.is_none()
                && R::has_winning_move(position)
            {
                return Score::mate_in(ply + 1);
            }
        }
        let old_alpha = alpha;
        let forced = in_check || R::must_capture(position);

        // 4. Static evaluation. Far above beta the opponent will not catch up, whatever the
        // transposition table says, so its answer is not waited for. Endgame tables know better.
        let excluded = self.frames[ply].excluded;
        let max_pieces = self.tablebases.max_pieces;
        let in_tables = max_pieces > 0
            && position.board().occupied().count() <= max_pieces
            && !N::ROOT
            && excluded.is_none();
        let mut node = self.evaluate::<R>(state, depth, ply, cut, forced);
        let may_cut = self.selective && !N::PV && !N::ROOT && !forced && excluded.is_none();
        if may_cut
            && !in_tables
            && R::TRUSTS_EVALUATION
            && let Some(score) = node.reverse_futility::<R>(beta)
        {
            return score;
        }

        // 5. Transposition table. What gives check is found while memory answers.
        let context = self.order_context(ply, position);
        let entry = if excluded.is_none() {
            self.tt.probe(position.key(), ply)
        } else {
            None
        };
        if let Some(entry) = entry
            && !N::PV
            && !N::ROOT
            && self.is_deep_enough(&entry, depth)
            && position.halfmoves() < tune::tt_cutoff_halfmoves() as u32
            && let Some(score) = entry.cutoff(alpha, beta)
            && score.fits_fifty_moves(ply, position.halfmoves())
        {
            return score;
        }

        // Endgame tables: exact, or a bound that may settle the window.
        let (mut floor, mut ceiling) = (-Score::INFINITE, Score::INFINITE);
        if in_tables {
            match self.probe_tablebases(position, depth, ply) {
                Some(TableScore::Exact(score)) => return score,
                Some(TableScore::AtLeast(score)) if score >= beta => return score,
                Some(TableScore::AtMost(score)) if score <= alpha => return score,
                Some(TableScore::AtLeast(score)) if N::PV => {
                    floor = score;
                    alpha = alpha.max(score);
                }
                Some(TableScore::AtMost(score)) if N::PV => ceiling = score,
                _ => {}
            }
        }

        // Memory answers slowly: ask now for what is likely to be searched first.
        let tt_move = entry.and_then(|entry| entry.best);
        let tt_move = tt_move.map(|m| MoveInfo::new(position, m));
        if let Some(info) = tt_move {
            self.tt.prefetch(info.key_after(position));
        }
        if !N::PV && node.null_move_condition(beta) && self.frames[ply].null_move_allowed {
            self.tt.prefetch(position.likely_key_after_null());
        }

        // 6. to 8. A position far from the window is not worth its moves.
        node.apply_entry::<N>(entry);
        if may_cut {
            if let Some(score) = self.prune_node::<R, N>(state, &node, alpha, beta) {
                return score;
            }
            if self.stopped {
                return Score::DRAW;
            }
        }

        // Another position may have had the same key.
        node.tt_move = tt_move.filter(|info| position.is_legal(info.m));

        // 9. Internal iterative reduction: without a table move the order is poor, and a shallower
        // search finds one for the next time.
        let is_deep = depth >= tune::internal_reduction_depth();
        if self.selective && is_deep && node.tt_move.is_none() && (N::PV || cut) {
            node.depth -= 1;
        }
        // A forced capture is no choice: look one ply further.
        if !R::ROYAL
            && forced
            && self.selective
            && self.may_extend(ply)
            && position.count_legal_moves() == 1
        {
            node.depth += 1;
        }
        let depth = node.depth;

        // 10. The moves, best first.
        let mut picker = Picker::new(&self.moves);
        picker.set_tt_move(node.tt_move);
        let mut searched = SearchedMoves::default();
        let mut best = floor;
        let mut best_move = None;
        let mut count = 0;
        let prunable = !N::ROOT
            && !forced
            && depth <= tune::futility_depth()
            && R::zugzwang_is_unlikely(position);
        loop {
            // Where no quiet move can reach alpha, only checks are made at all.
            let most = node.corrected + prune::futility(depth);
            if self.selective && most <= alpha && prunable && best > -Score::TABLE_BOUND {
                picker.only_checks();
                best = best.max(most);
            }
            let next = if N::ROOT {
                self.root_move(count)
                    .map(|m| ScoredMove::unscored(MoveInfo::new(position, m)))
            } else {
                picker.next(&mut self.moves, position, &self.history, &context)
            };
            let Some(pick) = next else { break };
            let info = pick.info;
            let m = info.m;
            if excluded == Some(m) {
                continue;
            }
            count += 1;
            let current = self.describe_move(position, &node, &context, pick, count);

            // 11. Shallow pruning: late, quiet or losing moves near the leaves.
            let may_prune = self.selective
                && !N::ROOT
                && best > -Score::TABLE_BOUND
                && R::zugzwang_is_unlikely(position);
            if may_prune && let Some(most) = prune_quiet(&node, &current, alpha, &mut picker) {
                best = best.max(most);
                continue;
            }

            // Memory answers slowly: ask for what the child will want.
            self.tt.prefetch(info.key_after(position));

            if may_prune && fails_see(position, depth, &current, &picker) {
                continue;
            }

            // 12. Singular extension: a table move that alone holds the score is searched deeper.
            let mut extension = 0;
            if self.selective && !N::ROOT && node.tt_move == Some(info) && excluded.is_none() {
                match self.singular::<R, N>(state, &node, m, beta) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::Cut(score) => {
                        picker.finish(&mut self.moves);
                        return score;
                    }
                }
                if self.stopped {
                    break;
                }
            }

            // 13. Make the move.
            if N::ROOT {
                self.report_current_move(m, count);
            }
            let nodes_before = self.nodes;
            let mut child = state.copy();
            child.advance(info, current.gives_check);
            self.frames[ply].played = current.piece;
            self.frames[ply + 1].null_move_allowed = true;
            self.frames[ply + 1].double_extensions =
                self.frames[ply].double_extensions + i32::from(extension >= 2);
            self.keys.push(position.key());
            let new_depth = depth - 1 + extension;

            // 14. Late move reductions: what comes late in the order is searched less deep first,
            // and again in full only if it surprises.
            let null = Window::above(-alpha - 1);
            let mut score = -Score::INFINITE;
            let mut full = !N::PV || count > 1;
            let is_late = count > 1 + usize::from(N::ROOT);
            if self.selective && depth >= tune::reduction_depth() && is_late && !current.is_urgent {
                let reduction = reduction(&node, &current, context.killers.contains(&Some(m)));
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
                if reduced < new_depth {
                    score = -self.node::<R, Zero>(&child, null, reduced, ply + 1, true);
                    full = score > alpha;
                }
            }
            if full && !self.stopped {
                score = -self.node::<R, Zero>(&child, null, new_depth, ply + 1, !cut);
            }

            // 15. The first move of a PV node, and each that beats alpha, in the open window.
            if N::PV && !self.stopped && (count == 1 || score > alpha) {
                let open = Window { alpha, beta }.flipped();
                score = -self.node::<R, Pv>(&child, open, new_depth, ply + 1, false);
            }
            self.keys.pop();
            if self.stopped {
                break;
            }
            if N::ROOT {
                self.record_root_move(m, score, self.nodes - nodes_before, score > alpha);
            }

            // 16. Is it the best so far, or too good for the opponent to allow?
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    alpha = score;
                    if score >= beta {
                        self.update_histories(&node, &current, &searched, &context);
                        break;
                    }
                }
            }
            // Those for which there is no room go free.
            let _ = searched.try_push(info);
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return Score::DRAW;
        }

        // 17. Mate, stalemate, or nothing but the excluded move.
        if count == 0 {
            return if excluded.is_some() {
                alpha
            } else {
                state.score_without_moves(ply)
            };
        }

        if N::PV {
            best = best.min(ceiling);
        }

        // 18. Remember.
        if excluded.is_none() && !(N::ROOT && self.is_partial_root()) {
            let bounds = Window {
                alpha: old_alpha,
                beta,
            };
            self.store(
                position.key(),
                ply,
                Entry::new(best, bounds, best_move, depth, node.pv),
            );
            let is_quiet = best_move.is_none_or(|m| !position.is_capture(m));
            if is_quiet {
                self.update_correction(state, &node, best, bounds);
            }
        }
        best
    }

    /// What endgame tables say of a position. The transposition table keeps it, as it is cheaper.
    #[cold]
    fn probe_tablebases<R: SearchRules>(
        &mut self,
        position: &Position<R>,
        depth: i32,
        ply: usize,
    ) -> Option<TableScore> {
        let answer = self.tablebases.probe(position, depth, ply)?;
        self.tb_hits += 1;
        let (score, alpha, beta) = match answer {
            TableScore::Exact(score) => (score, score - 1, score + 1),
            TableScore::AtLeast(score) => (score, score - 1, score),
            TableScore::AtMost(score) => (score, score, score + 1),
        };
        let entry = Entry::new(
            score,
            Window { alpha, beta },
            None,
            depth + tune::tablebase_depth_bonus(),
            false,
        );
        self.store(position.key(), ply, entry);
        Some(answer)
    }

    /// Step 4: the static evaluation, corrected by experience.
    #[inline(always)]
    fn evaluate<R: SearchRules>(
        &mut self,
        state: &State<R>,
        depth: i32,
        ply: usize,
        cut: bool,
        forced: bool,
    ) -> NodeState {
        let turn = state.position.turn();
        let raw = state.value();
        let corrected = self.corrected(state, raw);
        self.frames[ply].eval = if forced { None } else { Some(corrected) };
        self.frames[ply + 1].killers = [None; 2];
        let improving = !forced
            && ply >= 2
            && self.frames[ply - 2]
                .eval
                .is_none_or(|before| corrected > before);
        NodeState {
            turn,
            in_check: state.in_check,
            forced,
            depth,
            ply,
            cut,
            entry: None,
            tt_move: None,
            pv: false,
            raw,
            corrected,
            estimate: corrected,
            improving,
        }
    }

    /// Steps 6 to 8: a score that the position's moves need not confirm.
    fn prune_node<R: SearchRules, N: Node>(
        &mut self,
        state: &State<R>,
        node: &NodeState,
        alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let &NodeState {
            depth,
            estimate,
            ply,
            ..
        } = node;

        // 6. Reverse futility again, where the table knows more than the evaluation.
        if let Some(score) = node.reverse_futility::<R>(beta) {
            return Some(score);
        }

        // 7. Razoring: so far below alpha that only captures can help.
        if depth <= tune::razor_depth() && estimate + prune::razor(depth) <= alpha {
            let score = self.quiesce::<R, N>(state, Window::above(alpha), ply, true);
            if score <= alpha {
                return Some(score);
            }
        }

        // 8. Null move: if even passing keeps the position above beta, a move surely does. In
        // zugzwang that is wrong, so not with pawns alone.
        if node.null_move_condition(beta)
            && estimate >= beta
            && beta > -Score::TABLE_BOUND
            && self.frames[ply].null_move_allowed
            && R::zugzwang_is_unlikely(&state.position)
        {
            let reduced = depth - prune::null_move(depth, estimate.0 - beta.0);
            let score = self.null_move(state, beta, reduced, ply, node.cut);
            if score >= beta && !self.stopped {
                // A mate found while the opponent sleeps is no proof.
                return Some(if score >= Score::TABLE_BOUND {
                    beta
                } else {
                    score
                });
            }
        }
        None
    }

    /// The value of passing, searched to a depth.
    fn null_move<R: SearchRules>(
        &mut self,
        state: &State<R>,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        let child = state.pass();
        self.tt.prefetch(child.position.key());
        self.frames[ply].played = PieceTo::NONE;
        self.frames[ply + 1].null_move_allowed = false;
        self.frames[ply + 1].double_extensions = self.frames[ply].double_extensions;
        self.keys.push(state.position.key());
        let score = -self.node::<R, Zero>(&child, Window::above(-beta), depth, ply + 1, !cut);
        self.keys.pop();
        score
    }

    /// What the steps from 11 on want to know of a move.
    #[inline(always)]
    fn describe_move<R: SearchRules>(
        &self,
        position: &Position<R>,
        node: &NodeState,
        context: &Context,
        pick: ScoredMove,
        count: usize,
    ) -> NodeMove {
        let info = pick.info;
        let MoveInfo { m, role, captured } = info;
        let is_quiet = info.is_quiet();
        let piece = PieceTo::new(node.turn, role, m.to());
        let history_score = if let Some(history_score) = pick.history_score {
            history_score
        } else if is_quiet {
            self.history.quiet(node.turn, context.before).of(role).of(m)
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
            count,
            reduction: self.reductions.get(node.depth, count),
        }
    }

    /// Step 12: whether the table's move is better than all others by a margin. They are searched
    /// at half the depth without it.
    fn singular<R: SearchRules, N: Node>(
        &mut self,
        state: &State<R>,
        node: &NodeState,
        m: Move,
        beta: Score,
    ) -> Singularity {
        let &NodeState {
            depth, ply, cut, ..
        } = node;
        let Some(entry) = node.entry else {
            return Singularity::Extend(0);
        };
        if depth < tune::singular_depth()
            || !self.may_extend(ply)
            || i32::from(entry.depth) < depth - tune::singular_entry_depth()
            || entry.lower.0.abs() >= Score::TABLE_BOUND.0
        {
            return Singularity::Extend(0);
        }
        let bound = entry.lower - prune::singular_margin(depth);
        self.frames[ply].excluded = Some(m);
        let window = Window::above(bound - 1);
        let others = self.node::<R, Zero>(
            state,
            window,
            (depth - 1) / tune::singular_divisor(),
            ply,
            cut,
        );
        self.frames[ply].excluded = None;
        if others < bound {
            let doubly = !N::PV
                && others < bound - prune::doubly_singular()
                && self.frames[ply].double_extensions <= tune::doubly_singular_max();
            Singularity::Extend(if doubly { 2 } else { 1 })
        } else if bound >= beta && !self.stopped {
            // Two moves beat beta: the node is cut without searching either to the end.
            Singularity::Cut(bound)
        } else if entry.lower >= beta {
            Singularity::Extend(-1)
        } else {
            Singularity::Extend(0)
        }
    }

    /// Step 16: the move that cut off comes earlier next time, those searched before it later.
    fn update_histories(
        &mut self,
        node: &NodeState,
        best: &NodeMove,
        searched: &SearchedMoves,
        context: &Context,
    ) {
        let bonus = prune::history_bonus(node.depth);
        let NodeMove { info, piece, .. } = *best;
        let m = info.m;
        let piece_of = |other: &MoveInfo| PieceTo::new(node.turn, other.role, other.m.to());
        if best.is_quiet {
            self.frames[node.ply].add_killer(m);
            self.history
                .update_quiet(node.turn, m, piece, context.before, bonus);
            for other in searched.iter().filter(|other| other.is_quiet()) {
                self.history.update_quiet(
                    node.turn,
                    other.m,
                    piece_of(other),
                    context.before,
                    -bonus,
                );
            }
        } else if let Some(captured) = info.captured {
            self.history.update_capture(piece, captured, bonus);
        }
        for other in searched.iter().filter(|other| !other.is_quiet()) {
            if let Some(captured) = other.captured {
                self.history
                    .update_capture(piece_of(other), captured, -bonus);
            }
        }
    }

    /// Step 18: what the evaluation was wrong by, where the score tells.
    fn update_correction<R: SearchRules>(
        &mut self,
        state: &State<R>,
        node: &NodeState,
        score: Score,
        bounds: Window,
    ) {
        let tells = (score < bounds.beta || score > node.corrected)
            && (score > bounds.alpha || score < node.corrected);
        if self.selective && !node.forced && tells && score.0.abs() < Score::TABLE_BOUND.0 {
            let error = score.0 - node.raw.0;
            self.history
                .update_correction(node.turn, &state.eval, node.depth, error);
        }
    }
}

/// Step 11: if a quiet move is not worth a search so near the leaves, what it could reach at most,
/// as far as that is known.
#[inline(always)]
fn prune_quiet(
    node: &NodeState,
    current: &NodeMove,
    alpha: Score,
    picker: &mut Picker,
) -> Option<Score> {
    if !current.is_quiet {
        return None;
    }
    let depth = node.depth;
    if current.count as i32 > prune::late_moves(depth, node.improving) {
        picker.skip_quiets();
    }
    // A check may be the point of a sacrifice.
    if current.is_urgent {
        return None;
    }
    let reduced = current.reduced(depth);
    let most = node.corrected + prune::futility(reduced);
    if !node.in_check && reduced <= tune::futility_depth() && most <= alpha {
        return Some(most);
    }
    let hopeless =
        reduced <= tune::history_pruning_depth() && current.history_score < prune::history(depth);
    hopeless.then_some(-Score::INFINITE)
}

/// Step 11: whether a move loses too much for its depth. That takes longer to find out.
#[inline(always)]
fn fails_see<R: SearchRules>(
    position: &Position<R>,
    depth: i32,
    current: &NodeMove,
    picker: &Picker,
) -> bool {
    let (is_tested, least) = if current.is_quiet {
        let reduced = current.reduced(depth);
        let is_tested = !current.is_urgent && reduced <= tune::see_quiet_depth();
        (is_tested, prune::see_quiet(reduced))
    } else {
        let is_tested = depth <= tune::see_noisy_depth() && picker.is_bad_noisy();
        (is_tested, prune::see_noisy(depth))
    };
    is_tested && !see::at_least(position, current.info, least)
}

/// Step 14: how much less deep a late move is searched, in 1024ths of a ply.
#[inline(always)]
fn reduction(node: &NodeState, current: &NodeMove, is_killer: bool) -> i32 {
    let mut reduction = current.reduction;
    if current.is_quiet {
        reduction -= current.history_score / tune::reduction_history_divisor();
        reduction += i32::from(node.cut) * tune::reduction_cut_node();
        reduction += i32::from(!node.improving) * tune::reduction_not_improving();
        reduction -= i32::from(is_killer) * tune::reduction_killer();
    } else {
        reduction -= tune::reduction_noisy();
        reduction -= current.history_score / tune::reduction_noisy_history_divisor();
        reduction += i32::from(node.cut) * tune::reduction_noisy_cut_node();
    }
    reduction - i32::from(node.pv) * tune::reduction_pv()
}

/// The first moves searched at a node, which are blamed if a later one cuts off.
type SearchedMoves = ArrayVec<MoveInfo, 32>;
