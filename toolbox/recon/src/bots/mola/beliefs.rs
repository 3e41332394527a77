//! The set of all boards that fit what a player has seen.

use super::packed::Packed;
use super::recovery;
use crate::actions::SenseResult;
use crate::board::Board;
use crate::outcome::MoveResult;
use common::random::Random;
use engine_core::{Bitboard, Color, Square};
use rayon::prelude::*;

/// The number of boards drawn to pick those with a threat from.
const DRAWN: usize = 16_384;

/// The belief state: every board that the true one can be, as far as the player knows. Above a cap
/// the set is a uniform sample.
#[derive(Clone, Debug)]
pub struct Beliefs {
    color: Color,
    turn: Color,
    /// Sorted, each once, never empty.
    boards: Vec<Packed>,
    cap: usize,
    is_complete: bool,
    random: Random,
}

impl Beliefs {
    /// The belief state at the start, when the player of this colour knows the board.
    pub fn new(color: Color, board: &Board, cap: usize, random: Random) -> Beliefs {
        Beliefs {
            color,
            turn: board.turn(),
            boards: vec![Packed::new(board)],
            cap: cap.max(1),
            is_complete: true,
            random,
        }
    }

    /// Keeps at most this many boards from the next observation on.
    pub fn set_cap(&mut self, cap: usize) {
        self.cap = cap.max(1);
    }

    /// The boards, sorted, each once. There is at least one.
    pub fn boards(&self) -> &[Packed] {
        &self.boards
    }

    /// The board with this number.
    pub fn board(&self, number: usize) -> Option<Board> {
        Some(self.boards.get(number)?.board(self.turn))
    }

    /// Whether the set has never been cut down to a sample, so that the true board is in it.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Whether a board is in the set; clocks do not count.
    pub fn contains(&self, board: &Board) -> bool {
        self.turn == board.turn() && self.boards.binary_search(&Packed::new(board)).is_ok()
    }

    /// Boards drawn at random, with their numbers. A board on which the player's king is attacked
    /// is this many times more likely than another; if there are any, they are at least this share
    /// of the sample, which is at most half. The extra weight raises their share to at most half,
    /// unless more than half of all boards are such. Such a board may be drawn several times.
    pub fn sample(&mut self, count: usize, threat: f64, least: f64) -> Vec<(usize, Board)> {
        let some = draw(&mut self.random, self.boards.len(), DRAWN.max(count));
        let board = |number| Some((number, self.board(number)?));
        let (threatened, calm): (Vec<_>, Vec<_>) = some
            .into_par_iter()
            .filter_map(board)
            .partition(|(_, board)| board.is_attacked(self.color));
        let share_at = |threat: f64| {
            let odds = threat * threatened.len() as f64;
            odds / (odds + calm.len() as f64).max(1.0)
        };
        let least = if threatened.is_empty() {
            0.0
        } else {
            least.min(0.5)
        };
        let share = share_at(threat).clamp(least, 0.5).max(share_at(1.0));
        // No more than the calm boards are enough for: they are drawn once.
        let enough = (calm.len() as f64 / (1.0 - share)).ceil() as usize;
        let count = count.min(enough.max(threatened.len()));
        let wanted = (share * count as f64).round() as usize;
        let wanted = if calm.is_empty() { count } else { wanted };
        let calm = calm.into_iter().take(count.saturating_sub(wanted));
        let mut sample: Vec<_> = threatened
            .into_iter()
            .cycle()
            .take(wanted)
            .chain(calm)
            .collect();
        self.random.shuffle(&mut sample);
        sample
    }

    /// The opponent has made any move that captures there, or nowhere. Before the first turn of
    /// White it has made none.
    pub fn opponent_moved(&mut self, capture: Option<Square>) {
        if self.turn == self.color {
            return;
        }
        let turn = self.turn;
        let boards = self.boards.par_iter().flat_map_iter(|packed| {
            let board = packed.board(turn);
            let mut after = Vec::with_capacity(48);
            // The game goes on, so that the king was not taken.
            if board.pieces().king(turn).is_none() {
                return after;
            }
            let mut push = |m| {
                let mut board = board.clone();
                board.push(m);
                after.push(Packed::new(&board));
            };
            if capture.is_none() {
                push(None);
            }
            board.possible_moves(|m| {
                if board.capture_square(m) == capture {
                    push(Some(m));
                }
            });
            after
        });
        let boards: Vec<Packed> = boards.collect();
        self.turn = self.color;
        self.replace(boards, |board| {
            recovery::after_capture(board, turn, capture)
        });
    }

    /// The player has seen this.
    pub fn sensed(&mut self, result: &SenseResult) {
        let (turn, color) = (self.turn, self.color);
        let squares: Bitboard = result.iter().map(|&(square, _)| square).collect();
        let mut seen = Board::empty(turn);
        for &(square, piece) in result {
            seen.set_piece(square, piece);
        }
        let seen = Packed::new(&seen).observation(squares);
        let fits = |packed: &&Packed| packed.observation(squares) == seen;
        let boards: Vec<Packed> = self.boards.iter().filter(fits).copied().collect();
        self.replace(boards, |board| recovery::after_sense(board, color, result));
        self.cut();
    }

    /// The player has moved, with this result.
    pub fn moved(&mut self, result: MoveResult) {
        let turn = self.turn;
        let after = |packed: &Packed| {
            let mut board = packed.board(turn);
            let taken = result
                .requested
                .and_then(|m| board.taken_move(board.request(m)?));
            let capture = taken.and_then(|m| board.capture_square(m));
            (taken == result.taken && capture == result.capture).then(|| {
                board.push(taken);
                Packed::new(&board)
            })
        };
        let boards: Vec<Packed> = self.boards.par_iter().filter_map(after).collect();
        self.turn = !self.turn;
        self.replace(boards, |board| recovery::after_move(board, turn, result));
        self.cut();
    }

    /// Replaces the set by the boards that fit an observation. If none does, because the true one
    /// was lost in sampling, `recover` changes the old ones to fit.
    fn replace(&mut self, mut boards: Vec<Packed>, recover: impl Fn(&Packed) -> Vec<Packed>) {
        if boards.is_empty() {
            log::debug!("no board fits: {} are changed to fit", self.boards.len());
            let some = draw(&mut self.random, self.boards.len(), self.cap.div_ceil(16));
            let old = some
                .into_iter()
                .filter_map(|number| self.boards.get(number));
            boards = old.flat_map(recover).collect();
        }
        boards.par_sort_unstable();
        boards.dedup();
        if !boards.is_empty() {
            self.boards = boards;
        }
    }

    /// Cuts the set down to the cap by sampling.
    fn cut(&mut self) {
        if self.boards.len() > self.cap {
            self.is_complete = false;
            let mut numbers = draw(&mut self.random, self.boards.len(), self.cap);
            numbers.sort_unstable();
            let kept = numbers
                .into_iter()
                .filter_map(|number| self.boards.get(number));
            self.boards = kept.copied().collect();
        }
    }
}

/// Different numbers below a bound, in random order, as many as there are (Fisher and Yates, as
/// far as needed).
fn draw(random: &mut Random, bound: usize, count: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..bound).collect();
    let count = count.min(bound);
    for place in 0..count {
        numbers.swap(place, place + random.below(bound - place));
    }
    numbers.truncate(count);
    numbers
}

#[cfg(test)]
mod tests;
