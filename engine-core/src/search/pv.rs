//! Principal variations: completed from the transposition table and, if they mate, by search.

use super::node_type::Pv;
use super::root_moves::{self, RootMove};
use super::rules::SearchRules;
use super::score::{MAX_PLY, Score};
use super::search_position::SearchPosition;
use super::window::Window;
use super::worker::Worker;
use crate::{Move, Position};

/// At most this many plies of a mating line are searched again if the table has lost them.
const MAX_MISSING: usize = 8;

/// A score of the root from the view of the side to move after some plies.
fn seen_from(ply: usize, score: Score) -> Score {
    if ply.is_multiple_of(2) { score } else { -score }
}

/// Whether the game has ended in a position, so many plies from the root, with another result than the
/// score of the root says.
fn contradicts<R: SearchRules>(position: &Position<R>, ply: usize, score: Score) -> bool {
    let winner = match position.outcome() {
        Some(end) => end.winner,
        None if position.fifty_move_clock() >= 100 => None,
        None => return false,
    };
    match winner {
        None => score != Score::DRAW,
        Some(winner) if winner == position.turn() => seen_from(ply, score) < Score::TB_BOUND,
        Some(_) => seen_from(ply, score) > -Score::TB_BOUND,
    }
}

/// Whether a line leads to a position in which a side has won.
fn ends_game<R: SearchRules>(root: &Position<R>, line: &[Move]) -> bool {
    let mut position = *root;
    for &m in line {
        position.play(m);
    }
    position.outcome().is_some_and(|end| end.winner.is_some())
}

/// The last move of a line that mates with this root score: one that wins at once. The search may
/// know of it by the rules of the variant alone, and then no table has it.
fn last_move<R: SearchRules>(
    position: &Position<R>,
    score: Score,
    ply: usize,
    plies: usize,
) -> Option<Move> {
    let turn = position.turn();
    if ply + 1 != plies || seen_from(ply, score) < Score::DRAW {
        return None;
    }
    position.legal_moves().into_iter().find(|&m| {
        let end = position.after(m).outcome();
        end.is_some_and(|end| end.winner == Some(turn))
    })
}

impl Worker {
    /// Sets the result of a line that the root search has completed, with its principal variation.
    pub(super) fn complete_line<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        line: usize,
        score: Score,
    ) {
        let depth = self.depth;
        let root = &mut self.root_moves[line];
        root.score = score;
        root.failed_high = false;
        root.failed_low = false;
        root.depth = depth;
        let (mut pv, reported) = (vec![root.m], root.reported_score());
        // No search has found the line of a mate that only tablebases know.
        if reported == score || reported.0.abs() <= Score::MATE_BOUND.0 {
            self.extend_from_table(&state.position, &mut pv, reported);
        }
        self.complete_mate(state, &mut pv, reported);
        let root = &mut self.root_moves[line];
        root.seldepth = self.seldepth;
        root.pv = pv;
    }

    /// Completes all lines at the end of a search: an iteration that was stopped has completed `done` of
    /// them.
    pub(super) fn finish_lines<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        completed: &[RootMove],
        done: usize,
        lines: usize,
    ) {
        if done < lines {
            root_moves::restore_completed(&mut self.root_moves, completed, done);
            root_moves::sort_by_reported_score(&mut self.root_moves[..lines]);
        }
        for line in 0..lines {
            let root = &mut self.root_moves[line];
            if root.pv.len() == 1 {
                let (mut pv, reported) = (std::mem::take(&mut root.pv), root.reported_score());
                self.extend_from_table(&state.position, &mut pv, reported);
                self.root_moves[line].pv = pv;
            }
        }
    }

    /// Extends a line by the best moves of the transposition table, up to a repetition or to an end of
    /// the game that contradicts the score: the table has moves of other searches, too.
    pub(super) fn extend_from_table<R: SearchRules>(
        &self,
        root: &Position<R>,
        line: &mut Vec<Move>,
        score: Score,
    ) {
        let mut position = *root;
        let mut seen = self.keys.clone();
        seen.push(position.repetition_key());
        for &m in line.iter() {
            position.play(m);
            if seen.contains(&position.key()) {
                return;
            }
            seen.push(position.repetition_key());
        }
        let longest = (self.depth as usize + 8).min(MAX_PLY);
        while line.len() < longest && position.fifty_move_clock() < 100 {
            let entry = self.tt.probe(position.key(), line.len());
            let Some(m) = entry
                .and_then(|entry| entry.best)
                .filter(|&m| position.is_legal(m))
            else {
                break;
            };
            position.play(m);
            if seen.contains(&position.key()) || contradicts(&position, line.len() + 1, score) {
                break;
            }
            seen.push(position.repetition_key());
            line.push(m);
        }
    }

    /// Completes a line that mates: moves that the transposition table has lost come from
    /// tablebases or are searched again.
    fn complete_mate<R: SearchRules>(
        &mut self,
        state: &SearchPosition<R>,
        line: &mut Vec<Move>,
        score: Score,
    ) {
        let Some(plies) = score.plies_to_mate() else {
            return;
        };
        line.truncate(plies);
        self.keep_to_mate(&state.position, line, score);
        while line.len() < plies {
            let ply = line.len();
            let mut end = *state;
            let before = self.keys.len();
            for (ply, &m) in line.iter().enumerate() {
                end = self.play_line(&end, m, ply);
            }
            // The fifty-move rule or a repetition may come before the mate.
            let is_over = self.is_draw(&end.position, end.in_check, ply);
            let mut next = if is_over {
                None
            } else {
                let last = || last_move(&end.position, score, ply, plies);
                self.mating_move(&end.position, ply, score).or_else(last)
            };
            // Too long a line would take too long to search again.
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
        // A move of the table or of the search may have left the way to the mate. The line is then
        // reported as incomplete.
        if line.len() == plies && !ends_game(&state.position, line) {
            line.pop();
        }
    }

    /// Cuts a line before a move of the transposition table that by tablebases leaves the way to the
    /// mate, if another keeps to it.
    fn keep_to_mate<R: SearchRules>(&self, root: &Position<R>, line: &mut Vec<Move>, score: Score) {
        let mut position = *root;
        for (ply, &m) in line.iter().enumerate() {
            let child = position.after(m);
            let mate = self.tablebases.mate(&child, ply + 1);
            let leaves = mate.is_some_and(|mate| mate != seen_from(ply + 1, score));
            if ply > 0 && leaves && self.mating_move(&position, ply, score).is_some() {
                line.truncate(ply);
                return;
            }
            position = child;
        }
    }

    /// The move that keeps to a mate of this root score by tablebases.
    fn mating_move<R: SearchRules>(
        &self,
        position: &Position<R>,
        ply: usize,
        score: Score,
    ) -> Option<Move> {
        position.legal_moves().into_iter().find(|&m| {
            self.tablebases.mate(&position.after(m), ply + 1) == Some(seen_from(ply + 1, score))
        })
    }
}
