//! The moves of a position with their values.

use super::error::ProbeError;
use super::family::Family;
use super::tablebase::Tablebase;
use crate::Wdl;
use engine_core::{Move, Position, Rules};

/// A move with its value for the side that plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// What it leads to, the counter of the fifty-move rule left aside.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn move with this one: 1 for a move that wins as a capture
    /// or pawn move, or mates. Signed and rounded as [`Tablebase::dtz`].
    pub dtz: i32,
    /// The rank with the fifty-move counter as it is, higher being better: 1000 for
    /// every move that surely wins in time, 0 for a draw, -1000 for every sure loss, and between
    /// these the nearer to zero the likelier the fifty-move rule spoils it.
    pub rank: i32,
}

/// The rank of moves that surely win.
const WIN: i32 = 1000;
/// Plies of the fifty-move rule.
const FIFTY_MOVES: i32 = 100;

impl Tablebase {
    /// All legal moves with their values, the best first: of winning moves those that come soonest
    /// to a capture or pawn move, of losing ones those that come latest.
    ///
    /// # Errors
    /// As [`Tablebase::dtz`], for the position after any move.
    pub fn ranked_moves<R: Rules>(
        &self,
        position: &Position<R>,
    ) -> Result<Vec<RankedMove>, ProbeError> {
        if const { !Family::has::<R>() } {
            return Err(ProbeError::Variant(R::VARIANT));
        }
        self.family_for(position)?;
        let (ranked, missing) = self.known_moves(position);
        missing.map_or(Ok(ranked), Err)
    }

    /// The legal moves whose values are known, as [`Tablebase::ranked_moves`] has them, and why the value of
    /// another is not known, if there is one.
    pub fn known_moves<R: Rules>(
        &self,
        position: &Position<R>,
    ) -> (Vec<RankedMove>, Option<ProbeError>) {
        if const { !Family::has::<R>() } {
            return (Vec::new(), Some(ProbeError::Variant(R::VARIANT)));
        }
        let (mut ranked, mut missing) = (Vec::new(), None);
        for m in &position.legal_moves() {
            match self.ranked_move(position, m) {
                Ok(known) => ranked.push(known),
                Err(error) => missing = Some(error),
            }
        }
        RankedMove::sort(&mut ranked);
        (ranked, missing)
    }

    /// One legal move with its value.
    ///
    /// # Errors
    /// As [`Tablebase::dtz`].
    pub(crate) fn ranked_move<R: Rules>(
        &self,
        position: &Position<R>,
        m: Move,
    ) -> Result<RankedMove, ProbeError> {
        let next = position.after(m);
        let dtz = if next.halfmoves() == 0 {
            (-self.wdl(&next)?).dtz_before_zeroing()
        } else {
            let dtz = -self.dtz(&next)?;
            let dtz = dtz + dtz.signum();
            if dtz == 2 && next.is_checkmate() {
                1
            } else {
                dtz
            }
        };
        Ok(RankedMove {
            m,
            wdl: Wdl::of_dtz(dtz),
            dtz,
            rank: rank(dtz, position.halfmoves().min(1000) as i32),
        })
    }
}

/// A win is sure when there is a ply to spare, as values may be rounded by one.
fn rank(dtz: i32, halfmoves: i32) -> i32 {
    match dtz.signum() {
        1 if dtz + halfmoves < FIFTY_MOVES => WIN,
        1 => (WIN - dtz - halfmoves).max(1),
        -1 if halfmoves - 2 * dtz < FIFTY_MOVES => -WIN,
        -1 => (-WIN - dtz + halfmoves).min(-1),
        _ => 0,
    }
}

impl RankedMove {
    /// Sorts the best first.
    fn sort(moves: &mut [RankedMove]) {
        moves.sort_by_key(|ranked| ranked.order());
    }

    /// Wins before draws before losses, quick wins and slow losses first.
    fn order(self) -> (i32, i32) {
        (-self.dtz.signum(), self.dtz)
    }
}
