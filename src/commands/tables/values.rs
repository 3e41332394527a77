//! The tablebase values of a position, as text and as JSON.

use engine_core::{AnyPosition, Move};
use serde::Serialize;
use std::cmp::Reverse;
use tablebases::{Mate, ProbeError, Tables, Wdl};

/// The values of a position; `None` without a table.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Values {
    /// From -2 for a loss to 2 for a win.
    pub(super) wdl: Option<i8>,
    /// Signed plies to the next capture or pawn move.
    pub(super) dtz: Option<i32>,
    /// Signed plies to mate.
    pub(super) dtm: Option<i32>,
}

impl Values {
    pub(super) fn is_empty(&self) -> bool {
        (self.wdl, self.dtz, self.dtm) == (None, None, None)
    }

    fn new(wdl: Option<Wdl>, dtz: Option<i32>, mate: Option<Mate>) -> Values {
        Values {
            // Gaviota ignores the fifty-move rule, so it is used only if Syzygy has no value.
            wdl: wdl.map(Wdl::number).or(mate.map(|mate| 2 * mate.wdl())),
            dtz,
            dtm: mate.map(Mate::plies),
        }
    }
}

/// A move and its values for the side that plays it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MoveValues {
    pub(super) uci: String,
    pub(super) san: String,
    #[serde(flatten)]
    pub(super) values: Values,
}

/// All tablebase values of a position, and why some are missing.
pub(super) struct TableValues {
    pub(super) values: Values,
    /// The best first; without those that no table has.
    pub(super) moves: Vec<MoveValues>,
    /// Why there is no WDL or DTZ.
    pub(super) fault: Option<ProbeError>,
}

/// The values of a position alone.
pub(super) fn values(tables: &Tables, position: &AnyPosition) -> (Values, Option<ProbeError>) {
    let (wdl, dtz) = (
        tables.syzygy.probe_wdl(position),
        tables.syzygy.probe_dtz(position),
    );
    let mate = tables.probe_mate(position);
    let known = (wdl.as_ref().ok().copied(), dtz.as_ref().ok().copied());
    let values = Values::new(known.0, known.1, mate);
    (values, wdl.err().or(dtz.err()))
}

/// The values of a position and of all its moves.
pub(super) fn answer(tables: &Tables, position: &AnyPosition) -> TableValues {
    let (values, fault) = values(tables, position);
    let (moves, moves_fault) = moves(tables, position);
    TableValues {
        values,
        moves,
        fault: fault.or(moves_fault),
    }
}

fn moves(tables: &Tables, position: &AnyPosition) -> (Vec<MoveValues>, Option<ProbeError>) {
    let named = |m: Move, values: Values| MoveValues {
        uci: position.to_uci(m).to_string(),
        san: position.to_san(m).to_string(),
        values,
    };
    let mate_after = |m: Move| tables.probe_mate(&position.after(m)).map(Mate::before);
    let (ranked, missing) = tables.syzygy.probe_known_moves(position);
    // Moves that only Gaviota's tables know come last.
    let is_ranked = |m| ranked.iter().any(|each| each.m == m);
    let moves = position.legal_moves();
    let others = moves.iter().filter(|&&m| !is_ranked(m));
    let mut mates: Vec<_> = others.filter_map(|&m| Some((m, mate_after(m)?))).collect();
    mates.sort_by_key(|&(_, mate)| Reverse(mate));
    let of_ranked = |each: &tablebases::RankedMove| {
        let values = Values::new(Some(each.wdl), Some(each.dtz), mate_after(each.m));
        named(each.m, values)
    };
    let of_mate = |(m, mate)| named(m, Values::new(None, None, Some(mate)));
    let known = ranked.iter().map(of_ranked);
    (
        known.chain(mates.into_iter().map(of_mate)).collect(),
        missing,
    )
}
