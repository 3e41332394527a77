//! Quiescence search: captures, promotions and check evasions until the position is quiet.

use super::move_info::MoveInfo;
use super::node_type::NodeType;
use super::order_context::OrderContext;
use super::picker::Picker;
use super::piece_to::PieceTo;
use super::rules::SearchRules;
use super::score::Score;
use super::search_position::SearchPosition;
use super::see;
use super::tt::TtEntry;
use super::tunables as tune;
use super::window::{Best, Window};
use super::worker::Worker;
use crate::{Bitboard, Position, Rank, Role};

/// Delta pruning: the captures that could raise alpha.
///
/// See <https://www.chessprogramming.org/Delta_Pruning>.
struct DeltaTargets {
    /// The target squares of such captures and promotions.
    targets: Bitboard,
    /// What the other captures could reach at most.
    most: Score,
}

impl DeltaTargets {
    /// Any capture.
    const ALL: DeltaTargets = DeltaTargets {
        targets: Bitboard::FULL,
        most: Score(-Score::INFINITE.0),
    };

    #[inline(always)]
    fn new<R: SearchRules>(
        position: &Position<R>,
        stand_pat: Score,
        alpha: Score,
        may_prune: bool,
    ) -> DeltaTargets {
        let reach = |role| stand_pat + see::value(role) + tune::delta_margin();
        if !may_prune || reach(Role::Pawn) > alpha {
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

/// The most nodes of one quiescence search. Only artificial positions come near: with dozens of
/// queens that attack each other, captures have no end in practice.
const MAX_NODES: u64 = 20_000;

/// Whether quiescence searches a move.
enum QuiescenceChoice {
    Search,
    Skip,
    /// Neither this move nor any that follows.
    Stop,
}

/// What a quiescence node knows before it searches its moves.
struct QuiesceState {
    /// In check or bound to capture: all moves are searched, and there is no stand pat.
    forced: bool,
    stand_pat: Score,
}

impl Worker {
    /// Searches captures, promotions and check evasions, fail-soft, under the same contract as
    /// `node`. Only the first ply searches quiet checks, as the variant asks, and uses the
    /// transposition table, with entries of depth 0: further down a search costs less than a
    /// cache miss, if the evaluation is trusted.
    pub(super) fn quiesce<R: SearchRules, N: NodeType>(
        &mut self,
        state: &SearchPosition<R>,
        mut window: Window,
        ply: usize,
        first: bool,
    ) -> Score {
        let position = &state.position;

        // 1. Limits and ends of the game.
        if self.count_node(ply) {
            return Score::DRAW;
        }
        if let Some(score) = self.terminal_score(state, ply) {
            return score;
        }
        if first {
            self.quiescence_end = self.nodes + MAX_NODES;
        }
        if self.nodes > self.quiescence_end {
            return self.evaluate(state, ply);
        }
        if self.selective && R::has_winning_move(position) {
            return Score::mate_in(ply + 1);
        }

        // 2. Stand pat, before the transposition table is probed: its bounds would seldom change
        // the result.
        let forced = state.in_check || R::must_capture(position);
        let mut stand_pat = -Score::INFINITE;
        if !forced {
            stand_pat = self.static_eval(state, ply);
            if stand_pat >= window.beta && R::TRUSTS_EVALUATION {
                return stand_pat;
            }
        }

        // 3. Delta pruning.
        let may_prune = R::TRUSTS_EVALUATION && self.selective && !forced;
        let delta = DeltaTargets::new(position, stand_pat, window.alpha, may_prune);
        if delta.targets.is_empty() && !first {
            return stand_pat.max(delta.most);
        }

        // 4. Transposition table. Moves are generated while its memory is loaded.
        let context = self.order_context(ply, position);
        let mut picker = if forced {
            Picker::new(&self.moves)
        } else if R::QUIET_CHECKS && first && self.selective {
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
        if !N::PV
            && let Some(score) = self.tt_cutoff(position, entry.as_ref(), window, 0, ply)
        {
            picker.finish(&mut self.moves);
            return score;
        }
        if !forced {
            if self.selective {
                stand_pat = entry.map_or(stand_pat, |entry| entry.refine(stand_pat));
            }
            if stand_pat >= window.beta {
                picker.finish(&mut self.moves);
                return stand_pat;
            }
        }

        // 5. The moves.
        let bounds = window;
        window.alpha = window.alpha.max(stand_pat);
        let tt_move = entry.and_then(|entry| entry.best);
        let tt_move = tt_move.map(|m| MoveInfo::new(position, m));
        let is_searched = |info: &MoveInfo| forced || !info.is_quiet();
        picker.set_tt_move(tt_move.filter(|info| is_searched(info) && position.is_legal(info.m)));
        let best = Best::new(stand_pat.max(delta.most));
        let quiet = QuiesceState { forced, stand_pat };
        let best = self.quiesce_moves::<R, N>(state, &quiet, picker, &context, window, best, ply);
        if self.stopped {
            return Score::DRAW;
        }
        let Some(best) = best else {
            return state.score_without_moves(ply);
        };

        // 6. Transposition table.
        if uses_table {
            let pv = N::PV || entry.is_some_and(|entry| entry.pv);
            let entry = TtEntry::new(best.score, bounds, best.m, 0, pv);
            self.store(position.key(), ply, entry);
        }
        best.score
    }

    /// Step 5: searches the moves; none if the side to move is forced and has no move.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "a part of one function")]
    fn quiesce_moves<R: SearchRules, N: NodeType>(
        &mut self,
        state: &SearchPosition<R>,
        quiet: &QuiesceState,
        mut picker: Picker,
        context: &OrderContext,
        mut window: Window,
        mut best: Best,
        ply: usize,
    ) -> Option<Best> {
        let position = &state.position;
        let mut count = 0;
        while let Some(next) = picker.next(&mut self.moves, position, &self.history, context) {
            let info = next.info;
            if !R::TRUSTS_EVALUATION {
                self.tt.prefetch(info.key_after(position));
            }
            count += 1;
            if self.selective && R::ROYAL && best.score > -Score::TB_BOUND {
                match choose(state, quiet, info, window.alpha, &mut picker, &mut best) {
                    QuiescenceChoice::Search => {}
                    QuiescenceChoice::Skip => continue,
                    QuiescenceChoice::Stop => break,
                }
            }
            let piece = PieceTo::new(position.turn(), info.role, info.m.to());
            let gives_check = position.role_gives_check(info.role, info.m, &context.checks);
            let mut child = state.copy();
            child.advance(info, gives_check, self.evaluator.dirty(ply + 1));
            self.push_move(ply, piece, [state, &child]);
            let score = -self.quiesce::<R, N>(&child, window.flipped(), ply + 1, false);
            self.keys.pop();
            if self.stopped || best.add(info.m, score, &mut window) {
                break;
            }
        }
        picker.finish(&mut self.moves);
        (count > 0 || !quiet.forced).then_some(best)
    }
}

/// Whether a move can matter, given that another has avoided mate.
#[inline(always)]
fn choose<R: SearchRules>(
    state: &SearchPosition<R>,
    quiet: &QuiesceState,
    info: MoveInfo,
    alpha: Score,
    picker: &mut Picker,
    best: &mut Best,
) -> QuiescenceChoice {
    let position = &state.position;
    // Captures that lose material and underpromotions end no quiescence search.
    if picker.is_bad_noisy() {
        return QuiescenceChoice::Stop;
    }
    if state.in_check {
        // One quiet evasion that holds is enough.
        picker.skip_quiets();
    } else if info.is_quiet() {
        // A check that loses the piece is seldom good.
        if !R::COUNTS_CHECKS && !see::at_least(position, info, 0) {
            return QuiescenceChoice::Skip;
        }
    } else if info.m.promoted().is_none() {
        // Delta pruning: winning the piece for nothing would not raise alpha.
        let futility_value = quiet.stand_pat + see::gain(position, info) + tune::delta_margin();
        if futility_value <= alpha && !R::may_end_game(position, info) {
            best.raise(futility_value);
            return QuiescenceChoice::Skip;
        }
    }
    QuiescenceChoice::Search
}
