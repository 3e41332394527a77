//! Probes of positions whose variant is known only at run time.

use super::error::ProbeError;
use super::root::RankedMove;
use super::tablebase::Tablebase;
use crate::Wdl;
use engine_core::{AnyPosition, dispatch};

impl Tablebase {
    /// Win, draw or loss of a position of any variant; see [`Tablebase::wdl`].
    ///
    /// # Errors
    /// As [`Tablebase::wdl`].
    pub fn probe_wdl(&self, position: &AnyPosition) -> Result<Wdl, ProbeError> {
        dispatch!(position, |position| self.wdl(position))
    }

    /// The distance to the next capture or pawn move; see [`Tablebase::dtz`].
    ///
    /// # Errors
    /// As [`Tablebase::dtz`].
    pub fn probe_dtz(&self, position: &AnyPosition) -> Result<i32, ProbeError> {
        dispatch!(position, |position| self.dtz(position))
    }

    /// The value that the WDL table has for a position of any variant. It ignores en passant, and
    /// may be too low where the best move is a capture.
    ///
    /// # Errors
    /// As [`Tablebase::wdl`].
    pub fn probe_wdl_table(&self, position: &AnyPosition) -> Result<Wdl, ProbeError> {
        dispatch!(position, |position| self.table_wdl(position))
    }

    /// The number that the DTZ table has for a position of any variant, given its value: plies to
    /// the next capture or pawn move, unsigned; `None` when the table is for the other side to
    /// move.
    ///
    /// # Errors
    /// As [`Tablebase::wdl`].
    pub fn probe_dtz_table(
        &self,
        position: &AnyPosition,
        wdl: Wdl,
    ) -> Result<Option<i32>, ProbeError> {
        dispatch!(position, |position| self.table_dtz(position, wdl))
    }

    /// The moves whose values are known, the best first; see [`Tablebase::known_moves`].
    pub fn probe_known_moves(
        &self,
        position: &AnyPosition,
    ) -> (Vec<RankedMove>, Option<ProbeError>) {
        dispatch!(position, |position| self.known_moves(position))
    }

    /// All legal moves with their values, the best first; see [`Tablebase::ranked_moves`].
    ///
    /// # Errors
    /// As [`Tablebase::ranked_moves`].
    pub fn probe_moves(&self, position: &AnyPosition) -> Result<Vec<RankedMove>, ProbeError> {
        dispatch!(position, |position| self.ranked_moves(position))
    }
}
