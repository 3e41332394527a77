//! The events of a search in UCI: `info` and `bestmove`.

use engine_core::AnyPosition;
use engine_core::search::wdl;
use engine_core::search::{BestMove, Bound, Event, Info, Score, ScoreKind};

/// The line for an event of a search from a root, with WDL if that is to be shown.
pub(super) fn line(event: &Event, root: &AnyPosition, shows_wdl: bool) -> String {
    match event {
        Event::Info(info) => info_line(info, root, shows_wdl),
        Event::CurrentMove { depth, m, number } => {
            let m = root.to_uci(*m);
            format!("info depth {depth} currmove {m} currmovenumber {number}")
        }
        Event::BestMove(BestMove { best, ponder, .. }) => match (best, ponder) {
            (Some(best), Some(ponder)) => {
                let both = root.variation_uci(&[*best, *ponder]);
                format!("bestmove {}", both.replace(' ', " ponder "))
            }
            (Some(best), None) => format!("bestmove {}", root.to_uci(*best)),
            (None, _) => "bestmove (none)".into(),
        },
    }
}

/// For a root without moves only depth and score are written, as nothing was searched. The order of
/// the fields is the one that clients have been tested with; a bound must follow its score.
fn info_line(info: &Info, root: &AnyPosition, shows_wdl: bool) -> String {
    let score = match info.score.kind() {
        ScoreKind::Centipawns(cp) => format!("cp {cp}"),
        // A game that is already won, as by stalemate in Giveaway: 0 means that it is lost.
        ScoreKind::Mate(0) if info.score > Score::DRAW => "mate 1".to_owned(),
        ScoreKind::Mate(moves) => format!("mate {moves}"),
    };
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let is_over = info.depth == 0;
    let chances = if shows_wdl {
        let [win, draw, loss] = wdl::of(info, root);
        format!(" wdl {win} {draw} {loss}")
    } else {
        String::new()
    };
    if is_over {
        return format!("info depth 0 score {score}{chances}");
    }
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {score}{bound}{chances} nodes {} nps {} hashfull {} \
         tbhits {} time {}",
        info.depth,
        info.seldepth,
        info.multipv,
        info.nodes,
        info.nps(),
        info.hashfull,
        info.tbhits,
        info.time.as_millis(),
    );
    if !info.pv.is_empty() {
        line += " pv ";
        line += &root.variation_uci(&info.pv);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::search::Convergence;
    use engine_core::{Move, Square, Variant};
    use std::time::Duration;

    #[test]
    fn order_of_the_fields() {
        let info = Info {
            depth: 9,
            seldepth: 14,
            multipv: 1,
            score: Score::mate_in(3),
            bound: Bound::Lower,
            nodes: 1000,
            time: Duration::from_millis(500),
            hashfull: 3,
            tbhits: 0,
            pv: vec![Move::normal(Square::E2, Square::E4)],
            convergence: Convergence::default(),
        };
        let start = AnyPosition::start(Variant::Standard);
        assert_eq!(
            line(&Event::Info(info.clone()), &start, false),
            "info depth 9 seldepth 14 multipv 1 score mate 2 lowerbound nodes 1000 nps 2000 \
             hashfull 3 tbhits 0 time 500 pv e2e4"
        );
        assert!(
            line(&Event::Info(info), &start, true)
                .contains(" score mate 2 lowerbound wdl 1000 0 0 nodes ")
        );
    }

    #[test]
    fn best_moves() {
        let mut best = BestMove {
            search: 1,
            best: None,
            ponder: None,
            score: Score::DRAW,
        };
        let root = AnyPosition::start(Variant::Standard);
        let text = |best: &BestMove| line(&Event::BestMove(best.clone()), &root, false);
        assert_eq!(text(&best), "bestmove (none)");
        best.best = Some(Move::normal(Square::G1, Square::F3));
        assert_eq!(text(&best), "bestmove g1f3");
        best.ponder = Some(Move::normal(Square::E7, Square::E5));
        assert_eq!(text(&best), "bestmove g1f3 ponder e7e5");
    }
}
