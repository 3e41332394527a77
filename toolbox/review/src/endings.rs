//! Endgame tables for the positions of a game.

use common::error::{Error, Result};
use engine_core::{AnyPosition, Color, Move};
use pgn::Eval;
use tablebases::{Tables, Wdl};

/// The evaluation of a tablebase win in centipawns, if no mate is known.
const WON: i64 = 1000;
/// Plies of the fifty-move rule.
const FIFTY_MOVES: u32 = 100;

/// Endgame tables: the built-in ones of three pieces, and those in folders.
pub(crate) struct Endings {
    tables: Tables,
}

/// How a position ends with best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TableResult {
    WhiteWins,
    Draw,
    BlackWins,
}

impl TableResult {
    pub(crate) fn won_by(color: Color) -> TableResult {
        match color {
            Color::White => TableResult::WhiteWins,
            Color::Black => TableResult::BlackWins,
        }
    }

    /// The evaluation by the tables, with the distance to mate of an engine's evaluation if that
    /// does not contradict them.
    pub(crate) fn correct(self, eval: Option<Eval>) -> Eval {
        match (self, eval) {
            (TableResult::Draw, _) => Eval::Cp(0),
            (TableResult::WhiteWins, Some(Eval::Mate(moves))) if moves > 0 => Eval::Mate(moves),
            (TableResult::WhiteWins, _) => Eval::Cp(WON),
            (TableResult::BlackWins, Some(Eval::Mate(moves))) if moves < 0 => Eval::Mate(moves),
            (TableResult::BlackWins, _) => Eval::Cp(-WON),
        }
    }
}

impl Endings {
    /// Opens the tables of folders, as `SyzygyPath` names them.
    ///
    /// # Errors
    /// When a folder cannot be read or has no tables.
    pub(crate) fn open(paths: Option<&str>) -> Result<Endings> {
        let folders = paths.into_iter().flat_map(tablebases::split_paths);
        match Tables::open(folders) {
            Ok(tables) => Ok(Endings { tables }),
            Err(error) => Err(Error::Message(error.to_string())),
        }
    }

    /// How a position ends under the fifty-move rule; `None` where no table answers, or not for sure.
    pub(crate) fn table_result(&self, position: &AnyPosition) -> Option<TableResult> {
        let wdl = self.tables.syzygy.probe_wdl(position).ok();
        // Gaviota ignores the fifty-move rule, so it is used only if Syzygy has no value.
        let mate = || self.tables.probe_mate(position);
        let value = wdl.map(Wdl::number).or_else(|| Some(2 * mate()?.wdl()))?;
        let winner = match value {
            2.. => position.turn(),
            ..=-2 => !position.turn(),
            _ => return Some(TableResult::Draw),
        };
        // That holds for a counter of zero. From any other, the next capture or pawn move must come in time.
        let halfmoves = position.halfmoves();
        if halfmoves > 0 {
            let left = FIFTY_MOVES.saturating_sub(halfmoves);
            match self.tables.syzygy.probe_dtz(position) {
                Ok(dtz) if dtz.unsigned_abs() > left => return Some(TableResult::Draw),
                // It may be one ply more.
                Ok(dtz) if dtz.unsigned_abs() == left => return None,
                Err(_) if mate()?.plies().unsigned_abs() > left => return None,
                _ => {}
            }
        }
        Some(TableResult::won_by(winner))
    }

    /// The best move by the tables.
    pub(crate) fn best(&self, position: &AnyPosition) -> Option<Move> {
        let ranked = self.tables.syzygy.probe_moves(position).ok()?;
        ranked.first().map(|first| first.m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{CastlingMode, Variant};

    #[test]
    fn endings_of_three_pieces_are_known() {
        let endings = Endings::open(None).unwrap();
        let table_result = |fen: &str| {
            let position = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard);
            endings.table_result(&position.unwrap())
        };
        assert_eq!(
            table_result("8/8/8/8/8/4k3/8/4KQ2 w - - 0 1"),
            Some(TableResult::WhiteWins)
        );
        assert_eq!(
            table_result("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"),
            Some(TableResult::Draw)
        );
        assert_eq!(
            table_result("8/8/8/8/8/1r2k3/8/4K3 w - - 0 1"),
            Some(TableResult::BlackWins)
        );
        // The next capture, or mate, comes 29 plies later.
        for (halfmoves, expected) in [
            (70, Some(TableResult::WhiteWins)),
            (71, None),
            (72, Some(TableResult::Draw)),
            (101, Some(TableResult::Draw)),
        ] {
            let fen = format!("8/8/8/3k4/8/8/8/KR6 w - - {halfmoves} 120");
            assert_eq!(table_result(&fen), expected, "{halfmoves}");
        }
        assert_eq!(table_result(Variant::Standard.start_fen()), None);
        assert!(Endings::open(Some("/nowhere")).is_err());
    }

    #[test]
    fn tables_overrule_engines() {
        let correct = TableResult::WhiteWins.correct(Some(Eval::Mate(9)));
        assert_eq!(correct, Eval::Mate(9));
        assert_eq!(TableResult::Draw.correct(Some(Eval::Cp(300))), Eval::Cp(0));
        assert_eq!(
            TableResult::BlackWins.correct(Some(Eval::Mate(2))),
            Eval::Cp(-1000)
        );
    }
}
