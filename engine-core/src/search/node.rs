//! The main search: one fail-soft function for all kinds of nodes.

use super::history::PieceTo;
use super::picker::Picker;
use super::score::{MAX_PLY, Score};
use super::tt::Entry;
use super::worker::{State, Window, Worker};
use super::{prune, see};
use crate::rules::Rules;
use crate::{Move, MoveKind, Role};

/// What kind of node is searched, known at compile time.
pub(super) trait Node {
    /// On the principal variation: searched with care and in full.
    const PV: bool;
    /// The root, which has its own list of moves.
    const ROOT: bool;
}

/// The root under an open window.
pub(super) struct Root;
/// The root under a null window, as MTD(f) probes it.
pub(super) struct RootProbe;
/// A node of the principal variation.
pub(super) struct Pv;
/// Any other node; its window is always null.
pub(super) struct Zero;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl Node for RootProbe {
    const PV: bool = false;
    const ROOT: bool = true;
}
impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl Node for Zero {
    const PV: bool = false;
    const ROOT: bool = false;
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
    pub(super) fn node<R: Rules, N: Node>(
        &mut self,
        state: &State<R>,
        window: Window,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        let Window {
            mut alpha,
            mut beta,
        } = window;
        let position = &state.position;
        let in_check = position.in_check();

        // 1. Check extension: a check is answered before the horizon.
        if in_check && self.selective && ply < 2 * self.depth as usize {
            depth += 1;
        }

        // 2. Leaves are settled by captures.
        if depth <= 0 {
            return self.quiesce::<R, N>(state, window, ply);
        }

        // 3. Limits, draws, and mates that cannot be better than one already found.
        if self.count_node(ply) {
            return Score::DRAW;
        }
        if !N::ROOT {
            if self.is_draw(position, in_check, ply) {
                return Score::DRAW;
            }
            if ply >= MAX_PLY - 1 {
                return state.value();
            }
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let old_alpha = alpha;
        let excluded = self.frames[ply].excluded;

        // 4. Transposition table.
        let entry = if excluded.is_none() {
            self.table.get(position.key(), ply)
        } else {
            None
        };
        if let Some(entry) = entry
            && !N::PV
            && !N::ROOT
            && self.is_deep_enough(&entry, depth)
            && position.halfmoves() < 90
        {
            if entry.lower >= beta {
                return entry.lower;
            }
            if entry.upper <= alpha {
                return entry.upper;
            }
        }
        let table_move = entry
            .and_then(|entry| entry.best)
            .filter(|&m| position.is_legal(m));
        let pv_before = N::PV || entry.is_some_and(|entry| entry.pv);

        // 5. Static evaluation, corrected by experience and by the table.
        let turn = position.turn();
        let raw = state.value();
        let corrected = if self.selective {
            raw + self.history.correction(turn, &state.eval)
        } else {
            raw
        };
        let estimate = match entry {
            Some(entry) if entry.lower > corrected && entry.lower < Score::TABLE_BOUND => {
                entry.lower
            }
            Some(entry) if entry.upper < corrected && entry.upper > -Score::TABLE_BOUND => {
                entry.upper
            }
            _ => corrected,
        };
        self.frames[ply].eval = if in_check { None } else { Some(corrected) };
        self.frames[ply + 1].killers = [None; 2];
        let improving = !in_check
            && ply >= 2
            && self.frames[ply - 2]
                .eval
                .is_none_or(|before| corrected > before);

        if self.selective && !N::PV && !N::ROOT && !in_check && excluded.is_none() {
            // 6. Reverse futility: so far above beta that the opponent will not catch up.
            if depth <= 8
                && estimate - prune::reverse_futility(depth, improving) >= beta
                && estimate < Score::TABLE_BOUND
                && beta > -Score::TABLE_BOUND
            {
                return Score(i32::midpoint(estimate.0, beta.0));
            }

            // 7. Razoring: so far below alpha that only captures can help.
            if depth <= 3 && estimate + prune::razor(depth) <= alpha {
                let score = self.quiesce::<R, N>(state, Window::above(alpha), ply);
                if score <= alpha {
                    return score;
                }
            }

            // 8. Null move: if even passing keeps the position above beta, a move surely does.
            // In zugzwang that is wrong, so not with pawns alone.
            if depth >= 3
                && estimate >= beta
                && corrected + 20 * depth >= beta + 120
                && beta > -Score::TABLE_BOUND
                && self.frames[ply].may_pass
                && R::may_pass(position)
            {
                let reduced = depth - prune::null_move(depth, estimate.0 - beta.0);
                let score = self.null_move(state, beta, reduced, ply, cut);
                if self.stopped {
                    return Score::DRAW;
                }
                if score >= beta {
                    // A mate found while the opponent sleeps is no proof.
                    return if score >= Score::TABLE_BOUND {
                        beta
                    } else {
                        score
                    };
                }
            }
        }

        // 9. Internal iterative reduction: without a table move the order is poor, and a shallower
        // search finds one for the next time.
        if self.selective && depth >= 4 && table_move.is_none() && (N::PV || cut) {
            depth -= 1;
        }

        // 10. The moves, best first.
        let context = self.context(ply);
        let mut picker = Picker::new(&self.moves, table_move);
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut tried_quiet = Tried::default();
        let mut tried_noisy = Tried::default();
        loop {
            let next = if N::ROOT {
                self.root_move(count)
            } else {
                picker.next(&mut self.moves, position, &self.history, &context)
            };
            let Some(m) = next else { break };
            if excluded == Some(m) {
                continue;
            }
            count += 1;
            let captured = position.captured(m);
            let is_quiet = captured.is_none() && m.promoted().is_none();
            let role = moved_role(position, m);
            let piece = PieceTo::new(turn, role, m.to());
            let merit = match captured {
                None if is_quiet => self.history.quiet(turn, m, piece, &context.before),
                captured => self.history.capture(piece, captured.unwrap_or(Role::Pawn)),
            };
            let mut reduction = self.reductions.get(depth, count as i32);

            // 11. Shallow pruning: late, quiet or losing moves near the leaves.
            if self.selective && !N::ROOT && best > -Score::TABLE_BOUND && R::may_pass(position) {
                let lmr_depth = (depth - reduction / 1024).max(0);
                let gives_check = is_quiet && position.gives_check(m);
                if is_quiet {
                    if count as i32 > prune::late_moves(depth, improving) {
                        picker.skip_quiets();
                    }
                    if !in_check
                        && !gives_check
                        && lmr_depth <= 8
                        && corrected + prune::futility(lmr_depth) <= alpha
                    {
                        continue;
                    }
                    if !gives_check && lmr_depth <= 5 && merit < prune::history(depth) {
                        continue;
                    }
                    if !gives_check
                        && lmr_depth <= 8
                        && !see::at_least(position, m, prune::see_quiet(lmr_depth))
                    {
                        continue;
                    }
                } else if depth <= 8
                    && picker.is_bad_noisy()
                    && !see::at_least(position, m, prune::see_noisy(depth))
                {
                    continue;
                }
            }

            // 12. Singular extension: a table move that alone holds the score is searched deeper.
            let mut extension = 0;
            if self.selective
                && !N::ROOT
                && depth >= 7
                && table_move == Some(m)
                && excluded.is_none()
                && ply < 2 * self.depth as usize
                && let Some(entry) = entry
                && i32::from(entry.depth) >= depth - 3
                && entry.lower.0.abs() < Score::TABLE_BOUND.0
            {
                let bound = entry.lower - prune::singular_margin(depth);
                self.frames[ply].excluded = Some(m);
                let others = self.node::<R, Zero>(
                    state,
                    Window::above(bound - 1),
                    (depth - 1) / 2,
                    ply,
                    cut,
                );
                self.frames[ply].excluded = None;
                if self.stopped {
                    break;
                }
                if others < bound {
                    extension = 1;
                    if !N::PV && others < bound - 18 && self.frames[ply].double_extensions <= 6 {
                        extension = 2;
                    }
                } else if bound >= beta {
                    // Two moves beat beta: the node is cut without searching either to the end.
                    picker.finish(&mut self.moves);
                    return bound;
                } else if entry.lower >= beta {
                    extension = -1;
                }
            }

            // 13. Make the move.
            let nodes_before = self.nodes;
            let child = state.play(m);
            self.table.prefetch(child.position.key());
            self.frames[ply].played = Some(piece);
            self.frames[ply + 1].may_pass = true;
            self.frames[ply + 1].double_extensions =
                self.frames[ply].double_extensions + i32::from(extension >= 2);
            self.keys.push(position.key());
            let new_depth = depth - 1 + extension;

            // 14. Late move reductions: what comes late in the order is searched less deep first,
            // and again in full only if it surprises.
            let mut score = -Score::INFINITE;
            let mut full = !N::PV || count > 1;
            if self.selective && depth >= 2 && count > 1 + usize::from(N::ROOT) {
                if is_quiet {
                    reduction -= merit / 10;
                    reduction += i32::from(cut) * 1536;
                    reduction += i32::from(!improving) * 512;
                    if context.killers.contains(&Some(m)) {
                        reduction -= 1024;
                    }
                } else {
                    reduction -= 1024 + merit / 12;
                    reduction += i32::from(cut) * 512;
                }
                reduction -= i32::from(pv_before) * 1024;
                reduction -= i32::from(child.position.in_check()) * 1024;
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
                if reduced < new_depth {
                    score = -self.node::<R, Zero>(
                        &child,
                        Window::above(-alpha - 1),
                        reduced,
                        ply + 1,
                        true,
                    );
                    full = score > alpha;
                }
            }
            if full && !self.stopped {
                score = -self.node::<R, Zero>(
                    &child,
                    Window::above(-alpha - 1),
                    new_depth,
                    ply + 1,
                    !cut,
                );
            }

            // 15. The first move of a PV node, and each that beats alpha, in the open window.
            if N::PV && !self.stopped && (count == 1 || score > alpha) {
                score = -self.node::<R, Pv>(
                    &child,
                    Window {
                        alpha: -beta,
                        beta: -alpha,
                    },
                    new_depth,
                    ply + 1,
                    false,
                );
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
                        let bonus = prune::history_bonus(depth);
                        if is_quiet {
                            self.frames[ply].remember_killer(m);
                            self.history
                                .update_quiet(turn, m, piece, &context.before, bonus);
                            for (m, piece, _) in tried_quiet.iter() {
                                self.history
                                    .update_quiet(turn, m, piece, &context.before, -bonus);
                            }
                        } else if let Some(captured) = captured {
                            self.history.update_capture(piece, captured, bonus);
                        }
                        for (_, piece, captured) in tried_noisy.iter() {
                            self.history.update_capture(piece, captured, -bonus);
                        }
                        break;
                    }
                }
            }
            if is_quiet {
                tried_quiet.push((m, piece, Role::Pawn));
            } else if let Some(captured) = captured {
                tried_noisy.push((m, piece, captured));
            }
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return Score::DRAW;
        }

        // 17. Mate, stalemate, or nothing but the excluded move.
        if count == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            };
        }

        // 18. Remember.
        if excluded.is_none() && !(N::ROOT && self.is_partial_root()) {
            let (lower, upper) = if best >= beta {
                (best, Score::INFINITE)
            } else if best > old_alpha {
                (best, best)
            } else {
                (-Score::INFINITE, best)
            };
            let entry = Entry {
                best: best_move,
                lower,
                upper,
                depth: depth.clamp(0, 255) as u8,
                pv: pv_before,
            };
            self.table.put(position.key(), ply, entry);
            let is_quiet = best_move.is_none_or(|m| !position.is_capture(m));
            let tells = (best < beta || best > corrected) && (best > old_alpha || best < corrected);
            if self.selective
                && !in_check
                && is_quiet
                && tells
                && best.0.abs() < Score::TABLE_BOUND.0
            {
                self.history
                    .update_correction(turn, &state.eval, depth, best.0 - raw.0);
            }
        }
        best
    }

    /// The value of passing, searched to a depth.
    fn null_move<R: Rules>(
        &mut self,
        state: &State<R>,
        beta: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        let mut child = *state;
        child.position.play_null();
        self.table.prefetch(child.position.key());
        self.frames[ply].played = None;
        self.frames[ply + 1].may_pass = false;
        self.frames[ply + 1].double_extensions = self.frames[ply].double_extensions;
        self.keys.push(state.position.key());
        let score = -self.node::<R, Zero>(&child, Window::above(-beta), depth, ply + 1, !cut);
        self.keys.pop();
        score
    }

    /// Settles a position by captures, promotions and answers to check, fail-soft, under the same
    /// contract as `node`. Its table entries have depth 0.
    pub(super) fn quiesce<R: Rules, N: Node>(
        &mut self,
        state: &State<R>,
        window: Window,
        ply: usize,
    ) -> Score {
        let Window { mut alpha, beta } = window;
        let position = &state.position;
        if self.count_node(ply) {
            return Score::DRAW;
        }
        let in_check = position.in_check();
        if self.is_draw(position, in_check, ply) {
            return Score::DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return state.value();
        }
        let entry = self.table.get(position.key(), ply);
        if let Some(entry) = entry
            && !N::PV
            && self.is_deep_enough(&entry, 0)
        {
            if entry.lower >= beta {
                return entry.lower;
            }
            if entry.upper <= alpha {
                return entry.upper;
            }
        }

        // Whoever is not in check may stop capturing.
        let old_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut stand_pat = -Score::INFINITE;
        if !in_check {
            stand_pat = state.value();
            if self.selective {
                stand_pat = stand_pat + self.history.correction(position.turn(), &state.eval);
                if let Some(entry) = entry {
                    if entry.lower > stand_pat && entry.lower < Score::TABLE_BOUND {
                        stand_pat = entry.lower;
                    } else if entry.upper < stand_pat && entry.upper > -Score::TABLE_BOUND {
                        stand_pat = entry.upper;
                    }
                }
            }
            best = stand_pat;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }

        let table_move = entry.and_then(|entry| entry.best).filter(|&m| {
            (in_check || position.is_capture(m) || m.promoted().is_some()) && position.is_legal(m)
        });
        let context = self.context(ply);
        let mut picker = if in_check {
            Picker::new(&self.moves, table_move)
        } else {
            Picker::noisy(&self.moves, table_move, 0)
        };
        let mut best_move = None;
        let mut count = 0;
        while let Some(m) = picker.next(&mut self.moves, position, &self.history, &context) {
            count += 1;
            if self.selective && best > -Score::TABLE_BOUND {
                // Losing captures and underpromotions settle nothing.
                if picker.is_bad_noisy() {
                    break;
                }
                if in_check {
                    // One quiet answer to a check that holds is enough.
                    picker.skip_quiets();
                } else if m.promoted().is_none() {
                    // Delta pruning: even winning the piece for nothing does not reach alpha.
                    let gain = position.captured(m).map_or(0, see::value);
                    let hope = stand_pat + gain + 180;
                    if hope <= alpha {
                        best = best.max(hope);
                        continue;
                    }
                }
            }
            let child = state.play(m);
            self.table.prefetch(child.position.key());
            let piece = PieceTo::new(position.turn(), moved_role(position, m), m.to());
            self.frames[ply].played = Some(piece);
            self.keys.push(position.key());
            let score = -self.quiesce::<R, N>(
                &child,
                Window {
                    alpha: -beta,
                    beta: -alpha,
                },
                ply + 1,
            );
            self.keys.pop();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.moves);
        if self.stopped {
            return Score::DRAW;
        }
        if count == 0 && in_check {
            return Score::mated_in(ply);
        }
        let (lower, upper) = if best >= beta {
            (best, Score::INFINITE)
        } else if best > old_alpha {
            (best, best)
        } else {
            (-Score::INFINITE, best)
        };
        let pv = N::PV || entry.is_some_and(|entry| entry.pv);
        self.table.put(
            position.key(),
            ply,
            Entry {
                best: best_move,
                lower,
                upper,
                depth: 0,
                pv,
            },
        );
        best
    }
}

/// The role that moves, or is dropped.
#[inline(always)]
fn moved_role<R: Rules>(position: &crate::Position<R>, m: Move) -> Role {
    match m.kind() {
        MoveKind::Drop(role) => role,
        _ => position.board().role_on(m.from()),
    }
}

/// The first moves tried at a node, which are blamed if a later one cuts off.
#[derive(Default)]
struct Tried {
    moves: [Option<(Move, PieceTo, Role)>; 32],
    count: usize,
}

impl Tried {
    #[inline(always)]
    fn push(&mut self, tried: (Move, PieceTo, Role)) {
        if let Some(slot) = self.moves.get_mut(self.count) {
            *slot = Some(tried);
            self.count += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = (Move, PieceTo, Role)> + '_ {
        self.moves.iter().take(self.count).flatten().copied()
    }
}
