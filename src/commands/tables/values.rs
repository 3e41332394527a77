//! What tables know of a position, as text and as JSON.

use engine_core::{AnyPosition, dispatch};
use serde::Serialize;
use tablebases::{ProbeError, RankedMove, Tablebase, Wdl};

/// The values of a position; `None` where no table answers.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Values {
    /// From -2 for a loss to 2 for a win.
    pub(super) wdl: Option<i8>,
    /// Signed plies to the next capture or pawn move.
    pub(super) dtz: Option<i32>,
    /// Signed plies to mate.
    pub(super) dtm: Option<i32>,
}

/// A move and its values for the side that plays it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MoveValues {
    pub(super) uci: String,
    pub(super) san: String,
    pub(super) wdl: i8,
    pub(super) dtz: i32,
}

/// All that tables know, and why they know no more.
pub(super) struct Answer {
    pub(super) values: Values,
    /// The best first.
    pub(super) moves: Vec<MoveValues>,
    /// Why there is no WDL or DTZ.
    pub(super) fault: Option<ProbeError>,
}

/// The values of a position alone.
pub(super) fn values(tables: &Tablebase, position: &AnyPosition) -> (Values, Option<ProbeError>) {
    let (wdl, dtz) = dispatch!(position, |position| (
        tables.wdl(position),
        tables.dtz(position)
    ));
    let values = Values {
        wdl: wdl.as_ref().ok().map(|wdl: &Wdl| wdl.number()),
        dtz: dtz.as_ref().ok().copied(),
        dtm: None,
    };
    (values, wdl.err().or(dtz.err()))
}

/// The values of a position and of all its moves.
pub(super) fn answer(tables: &Tablebase, position: &AnyPosition) -> Answer {
    let (values, fault) = values(tables, position);
    let (moves, moves_fault) = dispatch!(position, |position| {
        let of = |each: RankedMove| MoveValues {
            uci: position.to_uci(each.m).to_string(),
            san: position.to_san(each.m).to_string(),
            wdl: each.wdl.number(),
            dtz: each.dtz,
        };
        match tables.ranked_moves(position) {
            Ok(ranked) => (ranked.into_iter().map(of).collect(), None),
            Err(error) => (Vec::new(), Some(error)),
        }
    });
    Answer {
        values,
        moves,
        fault: fault.or(moves_fault),
    }
}
