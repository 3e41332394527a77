//! Thinking output and results in XBoard's format.

use engine_core::search::{Bound, Info, Score, ScoreKind};
use engine_core::{AnyPosition, Game, Move, Outcome, Termination};

/// `ply score time nodes` and the PV. The long form has `seldepth nps tbhits` and a
/// tab before the PV; GUIs that do not know it show these as moves.
pub(super) fn line(info: &Info, root: &AnyPosition, is_long: bool) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " !",
        Bound::Upper => " ?",
    };
    let more = if is_long {
        format!("{} {} {}\t", info.seldepth, info.nps(), info.tbhits)
    } else {
        String::new()
    };
    format!(
        "{} {} {} {} {more}{}{bound}",
        info.depth,
        score(info.score),
        info.time.as_millis() / 10,
        info.nodes,
        root.variation_xboard(&info.pv),
    )
}

/// Centipawns; mates are 100000 and the number of moves.
fn score(score: Score) -> i32 {
    match score.kind() {
        ScoreKind::Centipawns(cp) => cp,
        // In some variants the side to move may have won already.
        ScoreKind::Mate(moves) if score > Score::DRAW => 100_000 + moves,
        ScoreKind::Mate(moves) => moves - 100_000,
    }
}

/// The result line of a game that is over. Draws that must be claimed are left to `claim`.
pub(super) fn result(game: &Game) -> Option<String> {
    game.outcome(false).map(result_line)
}

/// The result line of a draw that can be claimed in the current position.
pub(super) fn claim(game: &Game) -> Option<String> {
    Some(result_line(Outcome::draw(game.claimable_draw()?)))
}

fn result_line(outcome: Outcome) -> String {
    let winner = outcome
        .winner
        .map_or(String::new(), |color| color.to_string());
    let reason = match outcome.termination {
        Termination::Checkmate => format!("{winner} mates"),
        Termination::Stalemate => "Stalemate".into(),
        Termination::InsufficientMaterial => "Draw by insufficient material".into(),
        Termination::SeventyFiveMoves | Termination::FiftyMoves => "Draw by fifty-move rule".into(),
        Termination::FivefoldRepetition | Termination::ThreefoldRepetition => {
            "Draw by repetition".into()
        }
        Termination::VariantWin | Termination::VariantLoss => format!("{winner} wins"),
        Termination::VariantDraw => "Draw".into(),
    };
    format!("{} {{{reason}}}", outcome.result())
}

/// The answer to `bk`: book moves with their shares, each line indented, and an empty line.
pub(super) fn book(position: &AnyPosition, moves: Option<Vec<(Move, u16)>>) -> String {
    let Some(moves) = moves else {
        return " no book\n".into();
    };
    if moves.is_empty() {
        return " not in the book\n".into();
    }
    let total: u32 = moves.iter().map(|&(_, weight)| u32::from(weight)).sum();
    let line = |(m, weight)| {
        let share = 100.0 * f64::from(weight) / f64::from(total);
        format!(" {:6} {share:5.1} %\n", position.to_xboard(m))
    };
    moves.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores() {
        assert_eq!(score(Score(34)), 34);
        assert_eq!(score(Score::mate_in(5)), 100_003);
        assert_eq!(score(Score::mated_in(4)), -100_002);
        assert_eq!(score(Score::mated_in(0)), -100_000);
        assert_eq!(score(Score::mate_in(0)), 100_000);
    }
}
