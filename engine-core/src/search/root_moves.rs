//! The moves of the root and the lines that are told of them.

use super::event::{Bound, Event, Info};
use super::node::Pv;
use super::score::{MAX_PLY, Score};
use super::worker::{State, Window, Worker};
use crate::rules::Rules;
use crate::{Move, Position};
use std::time::Duration;

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// The last score that raised alpha.
    pub(super) score: Score,
    /// Nodes spent on it.
    pub(super) nodes: u64,
    /// The line that starts with it.
    pub(super) pv: Vec<Move>,
    /// The depth of its score, and the deepest ply of that search.
    pub(super) depth: u32,
    pub(super) seldepth: usize,
    /// What tables tell of it: lines of a higher rank come first.
    pub(super) rank: i32,
    /// Its score by tables.
    pub(super) table_score: Option<Score>,
}

impl RootMove {
    /// The score for the user: that of tables unless a mate was found.
    pub(super) fn reported_score(&self) -> Score {
        let found = if self.depth == 0 {
            Score::DRAW
        } else {
            self.score
        };
        match self.table_score {
            Some(score) if found.0.abs() <= Score::MATE_BOUND.0 => score,
            _ => found,
        }
    }

    /// Whether the score is exact: a mate whose line is not known to its end counts as a bound.
    fn bound(&self) -> Bound {
        let score = self.reported_score();
        match score.plies_to_mate() {
            Some(plies) if self.pv.len() < plies => {
                if score.0 > 0 {
                    Bound::Lower
                } else {
                    Bound::Upper
                }
            }
            _ => Bound::Exact,
        }
    }

    /// What is told of the move at the end of a search that was stopped in mid-iteration: what the
    /// last iteration found of it, unless it has become the best since.
    fn restore_completed(&mut self, last: Option<&RootMove>) {
        match last {
            Some(last) if last.m == self.m => {
                let nodes = self.nodes;
                *self = RootMove {
                    nodes,
                    ..last.clone()
                };
            }
            None if self.bound() != Bound::Exact => self.depth = 0,
            _ => {}
        }
    }
}

/// From here on the root move being searched is told.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// Plies of a mating line that are searched again when the table has lost them.
const MAX_MISSING: usize = 8;

/// A score of the root as the side to move sees it after some plies.
fn seen_from(ply: usize, score: Score) -> Score {
    if ply.is_multiple_of(2) { score } else { -score }
}

impl Worker {
    /// The root move to search after `count` others.
    #[inline]
    pub(super) fn root_move(&self, count: usize) -> Option<Move> {
        let root = self.root_moves.get(self.pv_index + count)?;
        // A line has moves of one rank only.
        (root.rank == self.root_moves[self.pv_index].rank).then_some(root.m)
    }

    /// Whether the root search leaves out moves, so that its result is not the position's.
    pub(super) fn is_partial_root(&self) -> bool {
        self.restricted || self.pv_index > 0
    }

    /// Notes what a root move cost and, if it raised alpha, makes it the best. A root that fails
    /// low keeps its best move.
    pub(super) fn record_root_move(&mut self, m: Move, score: Score, nodes: u64, raised: bool) {
        let (depth, seldepth) = (self.depth, self.seldepth);
        let Some(at) = self.root_moves.iter().position(|root| root.m == m) else {
            return;
        };
        let root = &mut self.root_moves[at];
        root.nodes += nodes;
        if raised {
            root.score = score;
            root.depth = depth;
            root.seldepth = seldepth;
            root.pv.truncate(1);
            self.root_moves[self.pv_index..=at].rotate_right(1);
        }
    }

    /// Follows the table's best moves from the end of a line, up to a repetition.
    pub(super) fn extend_from_table<R: Rules>(&self, root: &Position<R>, line: &mut Vec<Move>) {
        let mut position = *root;
        let mut seen = self.keys.clone();
        seen.push(position.key());
        for &m in line.iter() {
            position.play(m);
            if seen.contains(&position.key()) {
                return;
            }
            seen.push(position.key());
        }
        while line.len() < (self.depth as usize + 8).min(MAX_PLY) && position.halfmoves() < 100 {
            let entry = self.tt.probe(position.key(), line.len());
            let Some(m) = entry
                .and_then(|entry| entry.best)
                .filter(|&m| position.is_legal(m))
            else {
                break;
            };
            position.play(m);
            if seen.contains(&position.key()) {
                break;
            }
            seen.push(position.key());
            line.push(m);
        }
    }

    /// A line that mates is told to its end: what the table of positions has lost comes from
    /// endgame tables, or is searched again.
    pub(super) fn complete_mate<R: Rules>(
        &mut self,
        state: &State<R>,
        line: &mut Vec<Move>,
        score: Score,
    ) {
        let Some(plies) = score.plies_to_mate() else {
            return;
        };
        line.truncate(plies);
        while line.len() < plies {
            let ply = line.len();
            let mut end = *state;
            let before = self.keys.len();
            for &m in line.iter() {
                self.keys.push(end.position.key());
                end = end.play(m);
            }
            // A mate that comes too late for the fifty-move rule, or after a repetition, is none.
            let is_over = self.is_draw(&end.position, end.in_check, ply);
            let mut next = if is_over {
                None
            } else {
                self.mating_move(&end.position, ply, score)
            };
            // Of a long mate too much may be lost to find it again in no time.
            if next.is_none() && !is_over && plies - ply <= MAX_MISSING {
                let depth = (plies - ply) as i32 + 1;
                self.node::<R, Pv>(&end, Window::FULL, depth, ply, false);
                let entry = self.tt.probe(end.position.key(), ply);
                next = entry
                    .and_then(|entry| entry.best)
                    .filter(|&m| !self.stopped && end.position.is_legal(m));
            }
            self.keys.truncate(before);
            match next {
                Some(m) => line.push(m),
                None => break,
            }
        }
    }

    /// The move by which endgame tables keep to a mate of this score of the root.
    fn mating_move<R: Rules>(
        &self,
        position: &Position<R>,
        ply: usize,
        score: Score,
    ) -> Option<Move> {
        position.legal_moves().into_iter().find(|&m| {
            let mut child = *position;
            child.play(m);
            self.tablebases.mate(&child, ply + 1) == Some(seen_from(ply + 1, score))
        })
    }

    /// Tells which root move is searched, once in an iteration, when a person may wonder.
    pub(super) fn report_current_move(&mut self, m: Move, count: usize) {
        let number = self.pv_index + count;
        let place = (self.depth, self.pv_index, number);
        let is_due = place > self.reported_move
            && self.is_main()
            && self.shared.has_listener()
            && self.shared.since_start() >= CURRENT_MOVE_AFTER;
        if is_due {
            self.reported_move = place;
            let depth = self.depth;
            self.shared.send(Event::CurrentMove { depth, m, number });
        }
    }

    /// The last words on the lines of a search.
    pub(super) fn finish_lines<R: Rules>(
        &mut self,
        state: &State<R>,
        completed: &[RootMove],
        lines: usize,
    ) {
        for line in 0..lines {
            if self.stopped {
                self.root_moves[line].restore_completed(completed.get(line));
            }
            if self.root_moves[line].pv.len() == 1 {
                let mut pv = std::mem::take(&mut self.root_moves[line].pv);
                self.extend_from_table(&state.position, &mut pv);
                self.root_moves[line].pv = pv;
            }
        }
    }

    pub(super) fn report_line(&self, line: usize) {
        if self.shared.has_listener() {
            self.shared.send(Event::Info(self.line(line)));
        }
    }

    /// What is told of a line.
    pub(super) fn line(&self, line: usize) -> Info {
        let root = &self.root_moves[line];
        Info {
            depth: root.depth.max(1),
            seldepth: root.seldepth.max(1) as u32,
            multipv: line + 1,
            score: root.reported_score(),
            bound: root.bound(),
            nodes: self.shared.nodes(),
            time: self.shared.since_start(),
            hashfull: self.tt.hashfull(),
            tbhits: self.shared.tb_hits(),
            pv: root.pv.clone(),
            convergence: self.convergence,
        }
    }
}
