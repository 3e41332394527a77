//! Suicide, Giveaway and Antichess, where captures are compulsory.
//!
//! Their tables have arbitrary values where there is a capture. Those of six pieces also have them
//! where a move forces the opponent into a losing capture.

use super::error::ProbeError;
use super::family::Family;
use super::probe::{ProbeState, WdlEntry, value_of};
use super::tablebase::Tablebase;
use crate::Wdl;
use engine_core::{Position, Role, Rules};
use std::cmp::max;

type Result<T> = std::result::Result<T, ProbeError>;

/// From this many pieces on, tables leave moves that force a losing capture to the prober.
const LEAVES_THREATS: u32 = 6;

impl Tablebase {
    /// The value of a position within the bounds `alpha` and `beta`: that of the best capture; without
    /// captures, the better of the table's value and the best move that forces a losing capture.
    /// `threats` searches such moves even where the table takes them into account, since DTZ needs to
    /// know that the best move is one.
    pub(super) fn losing<R: Rules>(
        &self,
        family: Family,
        position: &Position<R>,
        mut alpha: Wdl,
        beta: Wdl,
        threats: bool,
    ) -> Result<WdlEntry> {
        if let Some(value) = end(position) {
            return Ok(WdlEntry::new(value, ProbeState::ZeroingBestMove));
        }
        if let Some(value) = self.losing_captures(family, position, alpha, beta)? {
            return Ok(WdlEntry::new(value, ProbeState::ZeroingBestMove));
        }
        let mut state = ProbeState::Normal;
        // As with captures, a missing table matters only if no other move wins.
        let mut missing = Ok(());
        if threats || position.board().occupied().count() >= LEAVES_THREATS {
            for m in &position.legal_moves() {
                if position.board().role(Role::Pawn).has(m.from()) {
                    continue;
                }
                let next = position.after(m);
                let reply = match self.losing_captures(family, &next, -beta, -alpha) {
                    Ok(Some(reply)) => reply,
                    Ok(None) => continue,
                    Err(error) => {
                        missing = Err(error);
                        continue;
                    }
                };
                if -reply > alpha {
                    alpha = -reply;
                    state = ProbeState::Threat;
                    if alpha >= beta {
                        return Ok(WdlEntry::new(alpha, state));
                    }
                }
            }
        }
        missing?;
        let stored = self.stored(family, position)?;
        if stored > alpha {
            Ok(WdlEntry::new(stored, ProbeState::Normal))
        } else {
            Ok(WdlEntry::new(alpha, state))
        }
    }

    /// The value of the best capture; `None` where there is none.
    fn losing_captures<R: Rules>(
        &self,
        family: Family,
        position: &Position<R>,
        mut alpha: Wdl,
        beta: Wdl,
    ) -> Result<Option<Wdl>> {
        let moves = position.legal_moves();
        let mut captures = moves.iter().filter(|&&m| position.is_capture(m)).peekable();
        if captures.peek().is_none() {
            return Ok(None);
        }
        // Whoever takes the last piece has lost.
        if position.board().color(!position.turn()).count() == 1 {
            return Ok(Some(Wdl::Loss));
        }
        // A missing table matters only if no other capture wins.
        let mut missing = Ok(());
        for &m in captures {
            match self.losing(family, &position.after(m), -beta, -alpha, false) {
                Ok(found) => alpha = max(alpha, -found.wdl),
                Err(error) => missing = Err(error),
            }
            if alpha >= beta {
                return Ok(Some(alpha));
            }
        }
        missing.map(|()| Some(alpha))
    }
}

/// The value of a game that is over: no pieces, or no moves.
fn end<R: Rules>(position: &Position<R>) -> Option<Wdl> {
    let over = R::variant_end(position)?;
    Some(value_of(position, over))
}
