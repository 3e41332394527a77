//! The tables as the searcher probes them.

use crate::syzygy::Family;
use crate::{Mate, RankedMove, Tables, Wdl};
use engine_core::search::{Probe, Ranked, Ranking, Score};
use engine_core::{AnyPosition, Move, Position, Rules, Variant, dispatch};

/// The rank of a win, less the plies that it takes.
const WIN: i32 = 10_000;
/// The rank of a sure loss.
const LOSS: i32 = -1000;
/// Longer distances, which without the fifty-move rule there are, have the score of this one.
const MAX_DISTANCE: u32 = 255;
/// Plies of the fifty-move rule.
const FIFTY_MOVES: i32 = 100;

impl Probe for Tables {
    fn most_pieces(&self, variant: Variant) -> u32 {
        let syzygy = Family::of(variant).map_or(0, |family| self.syzygy.most_pieces(family));
        match variant {
            Variant::Standard => syzygy.max(self.most_pieces_to_mate()),
            _ => syzygy,
        }
    }

    fn wdl(&self, position: &AnyPosition) -> Option<i8> {
        self.syzygy.probe_wdl(position).ok().map(Wdl::number)
    }

    fn mate(&self, position: &AnyPosition) -> Option<Score> {
        let AnyPosition::Standard(position) = position else {
            return None;
        };
        Tables::mate(self, position).map(score)
    }

    fn rank(&self, position: &AnyPosition, fifty_moves: bool) -> Option<Ranking> {
        dispatch!(position, |position| {
            let by_mates = self.by_mates(position, fifty_moves);
            match &by_mates {
                // A shortest mate is the end, if the fifty-move rule leaves time for it.
                Some((ranking, mate)) if !fifty_moves || is_in_time(position, *mate) => {
                    return Some(ranking.clone());
                }
                _ => {}
            }
            self.by_distance(position, fifty_moves)
                .or(by_mates.map(|(ranking, _)| ranking))
                .or_else(|| self.by_wdl(position, fifty_moves))
        })
    }
}

/// The counter of the fifty-move rule.
fn clock<R: Rules>(position: &Position<R>) -> i32 {
    position.halfmoves().min(1000) as i32
}

/// Whether there is a mate before the fifty-move rule ends the game, even without a capture or pawn
/// move.
fn is_in_time<R: Rules>(position: &Position<R>, mate: Mate) -> bool {
    mate.plies().abs() + clock(position) <= FIFTY_MOVES
}

fn score(mate: Mate) -> Score {
    match mate {
        Mate::Draw => Score::DRAW,
        Mate::Win(plies) => Score::mate_in(plies as usize),
        Mate::Loss(plies) => Score::mated_in(plies as usize),
    }
}

/// The score of a distance to the next capture or pawn move, which the fifty-move rule leaves time for
/// or not.
fn score_by_distance(dtz: i32, is_in_time: bool) -> Score {
    let plies = dtz.unsigned_abs().min(MAX_DISTANCE) as usize;
    match dtz.signum() {
        1 if is_in_time => Score::tb_win(plies),
        -1 if is_in_time => -Score::tb_win(plies),
        sign => Score::DRAW + sign,
    }
}

impl Tables {
    /// Ranks moves by the distance to mate, if all are known, and gives the best.
    fn by_mates<R: Rules>(
        &self,
        position: &Position<R>,
        fifty_moves: bool,
    ) -> Option<(Ranking, Mate)> {
        let mut best: Option<Mate> = None;
        let mut rank = |&m: &Move| {
            let next = position.after(m);
            let after = Tables::mate(self, &next)?;
            let mate = after.before();
            best = best.max(Some(mate));
            let sign = mate.plies().signum();
            Some(Ranked {
                m,
                rank: sign * WIN - mate.plies(),
                score: if !fifty_moves || is_in_time(&next, after) {
                    score(mate)
                } else {
                    // Syzygy knows whether captures and pawn moves on the way leave time.
                    let ranked = self.syzygy.ranked_move(position, m);
                    ranked.map_or(Score::DRAW + sign, |RankedMove { dtz, .. }| {
                        score_by_distance(dtz, dtz.abs() + clock(position) <= FIFTY_MOVES)
                    })
                },
            })
        };
        let moves = position.legal_moves();
        let ranked = moves.iter().map(&mut rank).collect::<Option<Vec<_>>>()?;
        let best = best?;
        let ranking = Ranking {
            moves: ranked,
            // The search finds mates itself, but cannot tell draws apart.
            leads_to_end: best == Mate::Draw,
        };
        Some((ranking, best))
    }

    /// Ranks moves by the distance to the next capture or pawn move: a win comes nearer with every move.
    fn by_distance<R: Rules>(&self, position: &Position<R>, fifty_moves: bool) -> Option<Ranking> {
        let clock = if fifty_moves { clock(position) } else { 0 };
        let moves = self.syzygy.ranked_moves(position).ok()?;
        let rank = |&RankedMove { m, dtz, rank, .. }: &RankedMove| {
            let is_in_time = !fifty_moves || dtz.abs() + clock <= FIFTY_MOVES;
            Ranked {
                m,
                rank: match dtz.signum() {
                    1 => WIN - dtz,
                    -1 if fifty_moves => rank.max(LOSS),
                    -1 => LOSS,
                    _ => 0,
                },
                score: score_by_distance(dtz, is_in_time),
            }
        };
        Some(Ranking {
            moves: moves.iter().map(rank).collect(),
            leads_to_end: true,
        })
    }

    /// Ranks moves by WDL alone; the search must find the way to win.
    fn by_wdl<R: Rules>(&self, position: &Position<R>, fifty_moves: bool) -> Option<Ranking> {
        let rank = |m: Move| {
            let wdl = -self.syzygy.wdl(&position.after(m)).ok()?;
            let counted = if fifty_moves {
                wdl.under_fifty_moves()
            } else {
                wdl.uncursed()
            };
            Some(Ranked {
                m,
                rank: 1000 * i32::from(wdl.number()),
                score: match counted {
                    Wdl::Win => Score::tb_win(1),
                    Wdl::Loss => -Score::tb_win(1),
                    _ => Score::DRAW + i32::from(wdl.number()),
                },
            })
        };
        let moves = position.legal_moves();
        let moves = moves.iter().map(|&m| rank(m)).collect::<Option<Vec<_>>>()?;
        let wins = moves.iter().any(|ranked| ranked.score > Score::DRAW + 1);
        Some(Ranking {
            moves,
            leads_to_end: !wins,
        })
    }
}
