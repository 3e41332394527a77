//! What the tablebases say of the position.

use common::count::count;
use common::error_text::plain;
use engine_core::AnyPosition;
use tablebases::{Mate, Tables, Wdl};

/// How the game ends with best play, or why that is not known.
pub(super) fn verdict(tables: &Tables, position: &AnyPosition) -> String {
    let (what, distance) = match (
        tables.syzygy.probe_wdl(position),
        tables.probe_mate(position),
    ) {
        (Ok(wdl), _) => (result(wdl), dtz(tables, position)),
        // Gaviota ignores the fifty-move rule, so it is used only if Syzygy has no value.
        (Err(_), Some(Mate::Draw)) => ("a draw", String::new()),
        (Err(_), Some(Mate::Win(plies))) => ("a win", format!(", mate in {}", count(plies, "ply"))),
        (Err(_), Some(Mate::Loss(plies))) => {
            ("a loss", format!(", mate in {}", count(plies, "ply")))
        }
        (Err(error), None) => return plain(&error.to_string()),
    };
    format!("Tablebases: {what} for the side to move{distance}")
}

fn result(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "a win",
        Wdl::CursedWin => "a cursed win (a draw by the fifty-move rule)",
        Wdl::Draw => "a draw",
        Wdl::BlessedLoss => "a blessed loss (a draw by the fifty-move rule)",
        Wdl::Loss => "a loss",
    }
}

/// `, DTZ 5 plies`; nothing for a draw, or without a table.
fn dtz(tables: &Tables, position: &AnyPosition) -> String {
    let plies = tables.syzygy.probe_dtz(position).unwrap_or(0).abs();
    if plies == 0 {
        return String::new();
    }
    format!(", DTZ {}", count(plies, "ply"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{CastlingMode, Variant};
    use tablebases::Tablebase;

    #[test]
    fn mates_are_known_without_syzygy_tables() {
        let fen = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
        let position = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard);
        let mut tables = Tables::builtin();
        let verdict = |tables: &Tables| verdict(tables, position.as_ref().unwrap());
        let win = "Tablebases: a win for the side to move";
        assert_eq!(verdict(&tables), format!("{win}, DTZ 1 ply"));
        tables.syzygy = Tablebase::new();
        assert_eq!(verdict(&tables), format!("{win}, mate in 1 ply"));
    }

    #[test]
    fn tables_of_another_variant_say_so() {
        let fen = "8/2K5/4B3/3N4/8/8/4k3/8 w - - 0 1";
        let position = AnyPosition::from_fen(Variant::Atomic, fen, CastlingMode::Standard);
        let said = verdict(&Tables::builtin(), position.as_ref().unwrap());
        assert_eq!(said, "none of the tables is for Atomic");
    }
}
