//! Quiescence: captures, promotions and answers to check until the position is quiet.

use super::history::PieceTo;
use super::kind::Node;
use super::move_info::MoveInfo;
use super::picker::Picker;
use super::rules::{QuietChecks, SearchRules};
use super::score::{MAX_PLY, Score};
use super::see;
use super::state::State;
use super::tt::Entry;
use super::tunables as tune;
use super::window::Window;
use super::worker::Worker;

use crate::{Bitboard, Position, Rank, Role};

/// Which captures could lift a position above alpha.
struct DeltaTargets {
    /// Where such captures and promotions end.
    targets: Bitboard,
    /// What the others could reach at most, if there are any.
    most: Score,
}

impl DeltaTargets {
    /// Any capture.
    const ALL: DeltaTargets = DeltaTargets {
        targets: Bitboard::FULL,
        most: Score(-Score::INFINITE.0),
    };

    #[inline(always)]
    fn of<R: SearchRules>(position: &Position<R>, stand_pat: Score, alpha: Score) -> DeltaTargets {
        let reach = |role| stand_pat + see::value(role) + tune::delta_margin();
        if reach(Role::Pawn) > alpha {
            return DeltaTargets::ALL;
        }
        let (board, turn) = (position.board(), position.turn());
        let mut delta = DeltaTargets {
            targets: Bitboard::EMPTY,
            most: reach(Role::Pawn),
        };
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let victims = board.pieces(!turn, role);
            if reach(role) > alpha {
                delta.targets |= victims;
            } else if victims.any() {
                delta.most = reach(role);
            }
        }
        let seventh = turn.relative_rank(Rank::Seventh).bitboard();
        if (board.pieces(turn, Role::Pawn) & seventh).any() {
            delta.targets |= Bitboard::BACKRANKS;
        }
        delta
    }
}

impl Worker {
    /// Settles a position by captures, promotions and answers to check, fail-soft, under the same
    /// contract as `node`. The first ply looks at quiet checks too, as the rules say. It alone uses
    /// the table, with entries of depth 0: further down a search costs less than asking memory,
    /// where the evaluation is trusted.
    #[expect(clippy::too_many_lines, reason = "steps of one recursion")]
    pub(super) fn quiesce<R: SearchRules, N: Node>(
        &mut self,
        state: &State<R>,
        window: Window,
        ply: usize,
        first: bool,
    ) -> Score {
        let Window { mut alpha, beta } = window;
        let position = &state.position;
        if self.count_node(ply) {
            return Score::DRAW;
        }
        let in_check = state.in_check;
        if R::is_variant_end(position) {
            return state.score_without_moves(ply);
        }
        if self.is_draw(position, in_check, ply) {
            return Score::DRAW;
        }
        if ply >= MAX_PLY - 1 {
            return state.value();
        }
        if self.selective && R::has_winning_move(position) {
            return Score::mate_in(ply + 1);
        }

        // Whoever is neither in check nor bound to capture may stop capturing. The table would
        // seldom say otherwise, and is not waited for.
        let forced = in_check || R::must_capture(position);
        let mut stand_pat = -Score::INFINITE;
        if !forced {
            stand_pat = self.corrected(state, state.value());
            if stand_pat >= beta && R::TRUSTS_EVALUATION {
                return stand_pat;
            }
        }

        let delta = if R::TRUSTS_EVALUATION && self.selective && !forced {
            DeltaTargets::of(position, stand_pat, alpha)
        } else {
            DeltaTargets::ALL
        };
        if delta.targets.is_empty() && !first {
            return stand_pat.max(delta.most);
        }

        // Moves are made while memory answers.
        let context = self.order_context(ply, position);
        let mut picker = if forced {
            Picker::new(&self.moves)
        } else if R::QUIET_CHECKS != QuietChecks::None && first && self.selective {
            Picker::with_checks(&self.moves)
        } else {
            Picker::noisy(&self.moves)
        };
        picker.generate_noisy(&mut self.moves, position, &self.history, delta.targets);
        let uses_table = first || !R::TRUSTS_EVALUATION;
        let entry = if uses_table {
            self.tt.probe(position.key(), ply)
        } else {
            None
        };
        if let Some(entry) = entry
            && !N::PV
            && self.is_deep_enough(&entry, 0)
            && let Some(score) = entry.cutoff(alpha, beta)
        {
            picker.finish(&mut self.moves);
            return score;
        }
        if !forced {
            if self.selective {
                stand_pat = entry.map_or(stand_pat, |entry| entry.refine(stand_pat));
            }
            if stand_pat >= beta {
                picker.finish(&mut self.moves);
                return stand_pat;
            }
        }
        let mut best = stand_pat.max(delta.most);
        let old_alpha = alpha;
        alpha = alpha.max(stand_pat);
        let tt_move = entry.and_then(|entry| entry.best);
        let tt_move = tt_move.map(|m| MoveInfo::new(position, m));
        picker.set_tt_move(
            tt_move.filter(|info| (forced || !info.is_quiet()) && position.is_legal(info.m)),
        );
        let mut best_move = None;
        let mut count = 0;
        while let Some(pick) = picker.next(&mut self.moves, position, &self.history, &context) {
            let info = pick.info;
            if !R::TRUSTS_EVALUATION {
                self.tt.prefetch(info.key_after(position));
            }
            let m = info.m;
            count += 1;
            if self.selective && R::ROYAL && best > -Score::TABLE_BOUND {
                // Losing captures and underpromotions settle nothing.
                if picker.is_bad_noisy() {
                    break;
                }
                if in_check {
                    // One quiet answer to a check that holds is enough.
                    picker.skip_quiets();
                } else if info.is_quiet() {
                    // A check that loses the piece is seldom the point.
                    if R::QUIET_CHECKS == QuietChecks::Safe && !see::at_least(position, info, 0) {
                        continue;
                    }
                } else if m.promoted().is_none() {
                    // Delta pruning: even winning the piece for nothing does not reach alpha.
                    let gain = see::gain(position, info);
                    let hope = stand_pat + gain + tune::delta_margin();
                    if hope <= alpha {
                        best = best.max(hope);
                        continue;
                    }
                }
            }
            let gives_check = position.role_gives_check(info.role, m, &context.checks);
            let mut child = state.copy();
            child.advance(info, gives_check);
            self.frames[ply].played = PieceTo::new(position.turn(), info.role, m.to());
            self.keys.push(position.key());
            let window = Window { alpha, beta }.flipped();
            let score = -self.quiesce::<R, N>(&child, window, ply + 1, false);
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
        if count == 0 && forced {
            return state.score_without_moves(ply);
        }
        if uses_table {
            let pv = N::PV || entry.is_some_and(|entry| entry.pv);
            let bounds = Window {
                alpha: old_alpha,
                beta,
            };
            let entry = Entry::new(best, bounds, best_move, 0, pv);
            self.store(position.key(), ply, entry);
        }
        best
    }
}
