//! Endgame tables for the positions of a game.

use common::error::{Error, Result};
use engine_core::{AnyPosition, Color, Move};
use pgn::Eval;
use std::path::Path;
use tablebases::{Tables, Wdl};

/// The evaluation of a tablebase win in centipawns, if no mate is known.
const WON: i64 = 1000;

/// Endgame tables: the built-in ones of three pieces, and those in folders.
pub(crate) struct Endings {
    tables: Tables,
}

/// How a position ends with best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    WhiteWins,
    Draw,
    BlackWins,
}

impl Verdict {
    fn won_by(color: Color) -> Verdict {
        match color {
            Color::White => Verdict::WhiteWins,
            Color::Black => Verdict::BlackWins,
        }
    }

    /// The evaluation by the tables, with the distance to mate of an engine's evaluation if that
    /// does not contradict them.
    pub(crate) fn correct(self, eval: Option<Eval>) -> Eval {
        match (self, eval) {
            (Verdict::Draw, _) => Eval::Cp(0),
            (Verdict::WhiteWins, Some(Eval::Mate(moves))) if moves > 0 => Eval::Mate(moves),
            (Verdict::WhiteWins, _) => Eval::Cp(WON),
            (Verdict::BlackWins, Some(Eval::Mate(moves))) if moves < 0 => Eval::Mate(moves),
            (Verdict::BlackWins, _) => Eval::Cp(-WON),
        }
    }
}

impl Endings {
    /// Opens the tables of folders, as `SyzygyPath` names them.
    ///
    /// # Errors
    /// When a folder cannot be read or has no tables.
    pub(crate) fn open(paths: Option<&str>) -> Result<Endings> {
        let mut tables = Tables::new();
        for folder in paths.into_iter().flat_map(tablebases::split_paths) {
            match tables.add_path(Path::new(&folder)) {
                Ok(0) => {
                    let folder = folder.display();
                    return Err(Error::Message(format!("{folder}: no tables there")));
                }
                Ok(_) => {}
                Err(error) => return Err(Error::Message(error.to_string())),
            }
        }
        tables.add_builtin();
        Ok(Endings { tables })
    }

    /// How a position ends under the fifty-move rule; `None` where no table answers.
    pub(crate) fn verdict(&self, position: &AnyPosition) -> Option<Verdict> {
        let wdl = self.tables.syzygy.probe_wdl(position).ok();
        // Gaviota knows no fifty-move rule, so it speaks only where Syzygy does not.
        let mate = || Some(2 * self.tables.probe_mate(position)?.wdl());
        let turn = position.turn();
        Some(match wdl.map(Wdl::number).or_else(mate)? {
            2.. => Verdict::won_by(turn),
            ..=-2 => Verdict::won_by(!turn),
            _ => Verdict::Draw,
        })
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
        let verdict = |fen: &str| {
            let position = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard);
            endings.verdict(&position.unwrap())
        };
        assert_eq!(
            verdict("8/8/8/8/8/4k3/8/4KQ2 w - - 0 1"),
            Some(Verdict::WhiteWins)
        );
        assert_eq!(
            verdict("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1"),
            Some(Verdict::Draw)
        );
        assert_eq!(
            verdict("8/8/8/8/8/1r2k3/8/4K3 w - - 0 1"),
            Some(Verdict::BlackWins)
        );
        assert_eq!(verdict(Variant::Standard.start_fen()), None);
        assert!(Endings::open(Some("/nowhere")).is_err());
    }

    #[test]
    fn tables_overrule_engines() {
        let correct = Verdict::WhiteWins.correct(Some(Eval::Mate(9)));
        assert_eq!(correct, Eval::Mate(9));
        assert_eq!(Verdict::Draw.correct(Some(Eval::Cp(300))), Eval::Cp(0));
        assert_eq!(
            Verdict::BlackWins.correct(Some(Eval::Mate(2))),
            Eval::Cp(-1000)
        );
    }
}
