//! Retrograde analysis: from mates and from what captures and pawn moves lead to, back to all
//! other positions, ply by ply (<https://www.chessprogramming.org/Retrograde_Analysis>).

use super::space::Space;
use super::values::{ILLEGAL, Solved, Value, loss, win};
use super::zeroing::{Metric, Zeroing, ZeroingMoves};
use crate::Material;
use engine_core::{Bitboard, Color, Piece, Rank, Role};
use rayon::prelude::*;
use std::sync::Arc;

/// A set of squares of the second piece for each row.
type Sets = Vec<Bitboard>;

/// The longest win or loss that a value can express; no material of four pieces needs as many
/// plies.
const MAX_PLIES: u32 = 126;

/// Solves material of three or four pieces, given what its captures and promotions lead to.
/// `None` when one of these is missing, or for other material.
pub(super) fn solve(
    material: Material,
    metric: Metric,
    find: impl Fn(Material) -> Option<Arc<Solved>>,
) -> Option<Solved> {
    let space = Space::new(material)?;
    let zeroing_moves = ZeroingMoves::new(&space, metric, &find)?;
    let rows = space.rows();
    let mut solver = Solver {
        zeroing_moves,
        terminal: [vec![Bitboard::EMPTY; rows], vec![Bitboard::EMPTY; rows]],
        solved: Solved {
            values: [vec![ILLEGAL; rows * 64], vec![ILLEGAL; rows * 64]],
            flags: [vec![0; rows * 64], vec![0; rows * 64]],
            space,
        },
    };
    // No move leads back to a pawn's earlier square, so each place of the pawns is a problem of
    // its own, the most advanced first.
    let extras = (solver.solved.space.first, solver.solved.space.second);
    for first in pawn_slices(extras.0) {
        for second in pawn_slices(Some(extras.1)) {
            solver.solve(first, second);
        }
    }
    Some(solver.solved)
}

/// The ranks of a pawn, the most advanced first, or all squares for another piece.
fn pawn_slices(piece: Option<Piece>) -> Vec<Bitboard> {
    match piece.filter(|piece| piece.role == Role::Pawn) {
        Some(pawn) => Rank::ALL
            .into_iter()
            .rev()
            .map(|rank| pawn.color.relative_rank(rank).bitboard())
            .filter(|&rank| (rank & Bitboard::BACKRANKS).is_empty())
            .collect(),
        None => vec![Bitboard::FULL],
    }
}

struct Solver {
    zeroing_moves: ZeroingMoves,
    solved: Solved,
    /// Positions without a legal move.
    terminal: [Sets; 2],
}

/// What is known of one side to move, row by row.
struct SideState {
    /// Positions whose value is not known yet.
    unknown: Sets,
    /// Those that may be lost: there is a move, and no capture or pawn move draws or wins.
    losable: Sets,
    /// The plies of the quickest win by a capture or pawn move, for each position; 0 for none.
    wins: Vec<u8>,
    /// Those that are not won in fewer plies than the present iteration is about.
    not_won: Sets,
    /// Those lost in one ply less.
    lost: Sets,
    any_lost: bool,
    any_won: bool,
    /// Those won and those lost in the plies of the present iteration, row by row.
    found: Vec<(Bitboard, Bitboard)>,
}

impl Solver {
    /// Solves the positions with the extra pieces on these squares.
    fn solve(&mut self, first: Bitboard, second: Bitboard) {
        let legal = Color::ALL.map(|turn| self.legal(turn, first, second));
        for turn in Color::ALL {
            let rows = self.solved.values[turn.index()].par_chunks_mut(64);
            rows.zip(&legal[turn.index()])
                .for_each(|(values, &legal)| set(values, legal, 0));
        }
        let [white, black] = &legal;
        let mut sides = [
            self.start(Color::White, white, black),
            self.start(Color::Black, black, white),
        ];
        let last_win = sides.iter().flat_map(|side| &side.wins).max();
        let last_win = u32::from(last_win.copied().unwrap_or(0));
        for plies in 1..=MAX_PLIES {
            for turn in Color::ALL {
                self.iterate(turn, plies, &mut sides);
            }
            for side in &mut sides {
                side.close();
            }
            let news = sides.iter().any(|side| side.any_lost || side.any_won);
            if !news && plies > last_win {
                break;
            }
        }
    }

    /// The legal positions.
    fn legal(&self, turn: Color, first: Bitboard, second: Bitboard) -> Sets {
        let space = &self.solved.space;
        let rows = (0..space.rows()).into_par_iter().map(|number| {
            let row = space.row(number);
            let kings = row.kings();
            let clash = !kings.more_than_one()
                || row.kings_touch()
                || space.first.is_some() && !(first - kings).has(row.first);
            if clash {
                return Bitboard::EMPTY;
            }
            second - space.occupied(row) - space.checks(turn, row)
        });
        rows.collect()
    }

    /// What is known before the first iteration, by captures and pawn moves alone. Gives mates
    /// their values.
    fn start(&mut self, turn: Color, legal: &Sets, replies: &Sets) -> SideState {
        let (solved, zeroing_moves, terminal) = (&self.solved, &self.zeroing_moves, &self.terminal);
        let space = &solved.space;
        let mut wins = vec![0; legal.len() * 64];
        let mut flags = vec![0; legal.len() * 64];
        let found = wins
            .par_chunks_mut(64)
            .zip(flags.par_chunks_mut(64))
            .zip(legal)
            .enumerate()
            .map(|(number, ((wins, flags), &legal))| {
                let row = space.row(number);
                let (mut any, mut saved) = (Bitboard::EMPTY, Bitboard::EMPTY);
                for second in legal {
                    let zeroing: Zeroing =
                        zeroing_moves.evaluate(solved, terminal, turn, row, second);
                    wins[second.index()] = zeroing.quickest_win;
                    flags[second.index()] = zeroing.flags;
                    if zeroing.some_legal {
                        any |= second.bitboard();
                    }
                    if zeroing.some_not_losing {
                        saved |= second.bitboard();
                    }
                }
                let movable = any | space.predecessors(turn, row, legal - any, replies);
                let mated = (legal - movable) & space.checks(!turn, row);
                (movable, movable - saved, mated)
            });
        let found: Vec<(Bitboard, Bitboard, Bitboard)> = found.collect();
        let mated: Sets = found.iter().map(|row| row.2).collect();
        let side = turn.index();
        let rows = self.solved.values[side].par_chunks_mut(64);
        rows.zip(&mated)
            .for_each(|(values, &mated)| set(values, mated, loss(0)));
        for ((terminal, &legal), row) in self.terminal[side].iter_mut().zip(legal).zip(&found) {
            *terminal |= legal - row.0;
        }
        for (kept, new) in self.solved.flags[side].iter_mut().zip(&flags) {
            *kept |= new;
        }
        SideState {
            unknown: legal
                .iter()
                .zip(&mated)
                .map(|(&legal, &mated)| legal - mated)
                .collect(),
            losable: found.iter().map(|row| row.1).collect(),
            wins,
            not_won: legal.clone(),
            any_lost: mated.iter().any(|mated| mated.any()),
            any_won: false,
            lost: mated,
            found: Vec::new(),
        }
    }

    /// Finds the positions won and lost in this many plies.
    fn iterate(&mut self, turn: Color, plies: u32, sides: &mut [SideState; 2]) {
        let [white, black] = sides;
        let (own, other) = match turn {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        let space = &self.solved.space;
        let (lost, not_won) = (&other.lost, &other.not_won);
        let losses_matter = other.any_lost;
        let wins_matter = other.any_won || plies == 1;
        let rows = self.solved.values[turn.index()]
            .par_chunks_mut(64)
            .zip(own.wins.par_chunks(64))
            .zip(own.unknown.par_iter_mut().zip(&own.losable))
            .enumerate();
        let found = rows.map(|(number, ((values, wins), (unknown, &losable)))| {
            if unknown.is_empty() {
                return (Bitboard::EMPTY, Bitboard::EMPTY);
            }
            let row = space.row(number);
            let mut won: Bitboard = unknown
                .into_iter()
                .filter(|second| u32::from(wins[second.index()]) == plies)
                .collect();
            if losses_matter {
                won |= space.predecessors(turn, row, *unknown - won, lost);
            }
            *unknown -= won;
            set(values, won, win(plies));
            let mut lost = Bitboard::EMPTY;
            if wins_matter {
                let candidates = *unknown & losable;
                if candidates.any() {
                    lost = candidates - space.predecessors(turn, row, candidates, not_won);
                }
            }
            *unknown -= lost;
            set(values, lost, loss(plies));
            (won, lost)
        });
        own.found = found.collect();
    }
}

impl SideState {
    /// Ends an iteration: what it found is what the next one starts from.
    fn close(&mut self) {
        self.any_won = self.found.iter().any(|(won, _)| won.any());
        self.any_lost = self.found.iter().any(|(_, lost)| lost.any());
        let rows = self.not_won.iter_mut().zip(&mut self.lost);
        for ((not_won, last), &(won, lost)) in rows.zip(&self.found) {
            *not_won -= won;
            *last = lost;
        }
    }
}

/// Gives positions of a row a value.
fn set(values: &mut [Value], squares: Bitboard, value: Value) {
    for square in squares {
        values[square.index()] = value;
    }
}
