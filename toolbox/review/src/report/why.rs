//! Sentences that explain why a move was bad.

use crate::accuracy::{centipawns, mate_by};
use crate::endings::TableResult;
use crate::search::PvLine;
use crate::tactics::{Motif, Trade, Verbs, of_move, settled};
use engine_core::{AnyPosition, Color, Move, Termination, Variant};
use pgn::Eval;

/// A faulty move, with all that can explain it.
pub(super) struct Case<'a> {
    pub(super) before: &'a AnyPosition,
    pub(super) played: Move,
    /// White's evaluations before and after it.
    pub(super) evals: (Eval, Eval),
    /// The tablebase results of both positions.
    pub(super) table_results: (Option<TableResult>, Option<TableResult>),
    /// The best line instead.
    pub(super) best: Option<&'a PvLine>,
    /// The line that refutes it.
    pub(super) refutation: Option<&'a PvLine>,
}

impl Case<'_> {
    /// The sentence. The most certain reason comes first: mates, tables, then material, then
    /// numbers.
    pub(super) fn sentence(&self) -> String {
        let found = self
            .allows_mate()
            .or_else(|| self.misses_mate())
            .or_else(|| self.spoils_ending())
            .or_else(|| self.material());
        found.unwrap_or_else(|| self.in_numbers())
    }

    fn mover(&self) -> Color {
        self.before.turn()
    }

    fn san(&self) -> String {
        self.before.to_san(self.played).to_string()
    }

    fn after(&self) -> AnyPosition {
        self.before.after(self.played)
    }

    /// The best move, if it is another one.
    fn better(&self) -> Option<Move> {
        let first = self.best?.moves.first().copied();
        first.filter(|&m| m != self.played)
    }

    fn better_san(&self) -> Option<String> {
        Some(self.before.to_san(self.better()?).to_string())
    }

    /// The answer that refutes it.
    fn answer(&self) -> Option<(AnyPosition, Move)> {
        let after = self.after();
        let answer = self.refutation?.moves.first().copied()?;
        Some((after, answer))
    }

    fn allows_mate(&self) -> Option<String> {
        let moves = mate_by(!self.mover(), self.evals.1)?;
        if mate_by(!self.mover(), self.evals.0).is_some() {
            return None;
        }
        let line = self
            .refutation
            .filter(|line| mate_by(!self.mover(), line.eval) == Some(moves));
        let answer = line.and_then(|_| self.answer());
        Some(format!(
            "{} allows {}.",
            self.san(),
            mate_with(answer, moves)
        ))
    }

    fn misses_mate(&self) -> Option<String> {
        let moves = mate_by(self.mover(), self.evals.0)?;
        if mate_by(self.mover(), self.evals.1).is_some() {
            return None;
        }
        let line = self
            .best
            .filter(|line| mate_by(self.mover(), line.eval) == Some(moves));
        let better = line.and_then(|_| self.better());
        let better = better.map(|m| (*self.before, m));
        Some(format!(
            "{} misses {}.",
            self.san(),
            mate_with(better, moves)
        ))
    }

    fn spoils_ending(&self) -> Option<String> {
        let (Some(before), Some(after)) = self.table_results else {
            return None;
        };
        if before == after {
            return None;
        }
        let san = self.san();
        let instead = self.better_san();
        let instead = instead.map_or(String::new(), |best| format!("; {best} keeps it"));
        let what = match (before, after) {
            (TableResult::Draw, _) => "loses a drawn ending",
            (_, TableResult::Draw) => "gives away a won ending, now drawn",
            _ => "loses a won ending",
        };
        Some(format!("{san} {what}, by the endgame tables{instead}."))
    }

    /// The sentence on material: that which is lost or, if it is worth more, that which is missed.
    fn material(&self) -> Option<String> {
        let (lost, missed) = (self.loses_material(), self.misses_material());
        let worth = |found: &Option<(i32, String)>| found.as_ref().map(|&(worth, _)| worth);
        let told = if worth(&missed) > worth(&lost) {
            missed
        } else {
            lost
        };
        told.map(|(_, sentence)| sentence)
    }

    /// The worth of the material that the answer wins, and the sentence.
    fn loses_material(&self) -> Option<(i32, String)> {
        let (after, answer) = self.answer().filter(|_| is_orthodox(self.before))?;
        let rest = settled(&after, &self.refutation?.moves)?;
        let lost = Trade::between(self.before, &rest, !self.mover());
        let wins = lost.describe(Verbs::Finite)?;
        // Material that the best line loses, too, is not this move's fault.
        if self
            .best_trade()
            .is_some_and(|best| best.value() <= -lost.value())
        {
            return None;
        }
        let (san, reply) = (self.san(), after.to_san(answer));
        let sentence = |text| Some((lost.value(), text));
        let motifs = of_move(&after, answer);
        let is_taking_back = self.before.is_capture(self.played) && self.played.to() == answer.to();
        if let Some(Motif::HangingPiece(role)) = motifs.first()
            && !is_taking_back
            && lost.wins(*role)
        {
            let (role, square) = (role.name(), answer.to());
            return sentence(format!(
                "{san} leaves the {role} on {square} undefended: {reply} {wins}."
            ));
        }
        let clause = motifs.into_iter().find_map(Motif::clause);
        let what = match clause {
            Some(clause) => format!("{clause} and {wins}"),
            None => lost.describe(Verbs::Participles)?,
        };
        sentence(format!("{san} allows {reply}, {what}."))
    }

    /// The material that the best line wins for the mover, if it reaches a quiet position.
    fn best_trade(&self) -> Option<Trade> {
        self.trade(&self.best?.moves)
    }

    /// The same of the move that was played, with the line that refutes it.
    fn played_trade(&self) -> Option<Trade> {
        let answers = self.refutation.map_or(&[][..], |line| &line.moves);
        self.trade(&[&[self.played], answers].concat())
    }

    fn trade(&self, line: &[Move]) -> Option<Trade> {
        let rest = settled(self.before, line)?;
        Some(Trade::between(self.before, &rest, self.mover()))
    }

    /// The worth of the material that another move would have won beyond that which the played move
    /// wins, and the sentence.
    fn misses_material(&self) -> Option<(i32, String)> {
        let better = self.better().filter(|_| is_orthodox(self.before))?;
        let (best_trade, played_trade) = (self.best_trade()?, self.played_trade()?);
        let missed = if played_trade.value() > 0 {
            best_trade.beyond(played_trade)
        } else {
            best_trade
        };
        let wins = self.wins_more(missed, best_trade, played_trade)?;
        let (san, best) = (self.san(), self.before.to_san(better));
        let motifs = of_move(self.before, better);
        let sentence = match motifs.into_iter().find_map(Motif::clause) {
            Some(clause) => format!("{san} misses {best}, {clause} and {wins}."),
            None => format!("{san} misses {best}, which {wins}."),
        };
        Some((missed.value(), sentence))
    }

    /// What the best line wins, compared with what the played move wins, if it does. Only pieces that the
    /// best line captures can be told as more; else both are told.
    fn wins_more(&self, missed: Trade, best: Trade, played: Trade) -> Option<String> {
        if !missed.is_gain() {
            return None;
        }
        let wins = best.describe(Verbs::Finite)?;
        let Some(less) = played.describe(Verbs::Finite) else {
            return Some(wins);
        };
        let more = missed.describe(Verbs::Finite);
        let more = more.filter(|_| missed.is_part_of(best));
        Some(match more {
            Some(more) => format!("{more} more"),
            None => format!("{wins}; {} only {less}", self.san()),
        })
    }

    fn in_numbers(&self) -> String {
        let san = self.san();
        let (before, after) = (pawns(self.evals.0), pawns(self.evals.1));
        match self.better_san() {
            Some(best) => {
                format!("{san} takes the evaluation from {before} to {after}; {best} was better.")
            }
            None => format!("{san} takes the evaluation from {before} to {after}."),
        }
    }
}

/// A mate in so many moves, and the move that begins it, if it is known. The mate may be known from the
/// game's own evaluations, where the search sees none or another one.
fn mate_with(first: Option<(AnyPosition, Move)>, moves: i64) -> String {
    let Some((position, m)) = first else {
        return format!("mate in {moves}");
    };
    let san = position.to_san(m);
    match position.after(m).outcome() {
        Some(outcome) if outcome.termination == Termination::Checkmate => {
            format!("{san}, which is mate")
        }
        Some(_) => format!("{san}, which wins the game"),
        None => format!("mate in {moves}, beginning with {san}"),
    }
}

fn is_orthodox(position: &AnyPosition) -> bool {
    position.variant() == Variant::Standard
}

/// `+1.25`, as White sees it.
fn pawns(eval: Eval) -> String {
    match eval {
        Eval::Cp(cp) => format!("{:+.2}", cp as f64 / 100.0),
        Eval::Mate(moves) => format!("#{moves}"),
    }
}

/// By how many centipawns an evaluation got worse for a side, of which ten pawns are the most.
pub(super) fn loss(color: Color, (before, after): (Eval, Eval)) -> i64 {
    let change = centipawns(after) - centipawns(before);
    let lost = if color.is_white() { -change } else { change };
    lost.max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::CastlingMode;

    /// The sentence for the first of the moves, whose evaluations, better line and refutation
    /// these are.
    fn sentence(
        fen: &str,
        played: &str,
        evals: (Eval, Eval),
        best: &str,
        refutation: &str,
    ) -> String {
        let position = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard);
        sentence_with(
            position.unwrap(),
            played,
            evals,
            best,
            refutation,
            (evals.0, evals.1),
        )
    }

    /// The same where the evaluations of the lines are others.
    fn sentence_with(
        before: AnyPosition,
        played: &str,
        evals: (Eval, Eval),
        best: &str,
        refutation: &str,
        found: (Eval, Eval),
    ) -> String {
        let played = before.parse_san(played).unwrap();
        let after = before.after(played);
        let line = |position: AnyPosition, text: &str, eval| {
            let mut position = position;
            let moves = text.split_whitespace().map(|san| {
                let m = position.parse_san(san).unwrap();
                position.play(m);
                m
            });
            PvLine {
                eval,
                depth: 1,
                moves: moves.collect(),
            }
        };
        let (best, refutation) = (
            line(before, best, found.0),
            line(after, refutation, found.1),
        );
        let case = Case {
            before: &before,
            played,
            evals,
            table_results: (None, None),
            best: Some(&best),
            refutation: Some(&refutation),
        };
        case.sentence()
    }

    #[test]
    fn moves_that_do_not_mate_are_not_said_to() {
        let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let position =
            |variant, fen| AnyPosition::from_fen(variant, fen, CastlingMode::Standard).unwrap();
        let standard = position(Variant::Standard, fool);
        let cp = Eval::Cp(0);
        // The game's own evaluation knows a mate that the search does not see.
        let evals = (cp, Eval::Mate(-9));
        assert_eq!(
            sentence_with(standard, "g4", evals, "e4", "d5", (cp, cp)),
            "g4 allows mate in 9."
        );
        let evals = (Eval::Mate(9), cp);
        assert_eq!(
            sentence_with(standard, "g4", evals, "e4", "d5", (cp, cp)),
            "g4 misses mate in 9."
        );
        // The search sees another mate.
        let (evals, found) = ((cp, Eval::Mate(-1)), (cp, Eval::Mate(-3)));
        assert_eq!(
            sentence_with(standard, "g4", evals, "e4", "a6", found),
            "g4 allows mate in 1."
        );
        let (evals, found) = ((Eval::Mate(1), cp), (Eval::Mate(3), cp));
        assert_eq!(
            sentence_with(standard, "g4", evals, "e4", "d5", found),
            "g4 misses mate in 1."
        );
        // A third check wins, but does not mate.
        let checks = position(
            Variant::ThreeCheck,
            "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1+3 0 2",
        );
        let evals = (cp, Eval::Mate(1));
        let found = (cp, Eval::Mate(1));
        assert_eq!(
            sentence_with(checks, "d6", evals, "Nf6", "Bxf7+", found),
            "d6 allows Bxf7#, which wins the game."
        );
        // It is won only after a forced capture.
        let antichess = position(Variant::Antichess, "8/8/7N/3p4/8/8/4b3/8 w - - 0 1");
        let evals = (Eval::Mate(1), Eval::Mate(-1));
        let bad = sentence_with(antichess, "Ng8", evals, "Ng4 Bxg4", "Bd1", (evals.0, cp));
        assert_eq!(bad, "Ng8 allows mate in 1.");
        let evals = (Eval::Mate(1), cp);
        let bad = sentence_with(antichess, "Ng8", evals, "Ng4 Bxg4", "Bd1", (evals.0, cp));
        assert_eq!(bad, "Ng8 misses mate in 1, beginning with Ng4.");
    }

    #[test]
    fn sentences() {
        let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let scholar = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
        let cp = |before, after| (Eval::Cp(before), Eval::Cp(after));
        for (found, expected) in [
            (
                sentence(fool, "g4", (Eval::Cp(-70), Eval::Mate(-1)), "e4", "Qh4#"),
                "g4 allows Qh4#, which is mate.",
            ),
            (
                sentence(scholar, "g6", cp(20, 500), "Qe7", "Qxe5+ Nxe5"),
                "g6 takes the evaluation from +0.20 to +5.00; Qe7 was better.",
            ),
            (
                sentence(
                    "4k3/8/4p3/8/8/8/4n3/3RK3 b - - 0 1",
                    "Nc3",
                    cp(-300, 200),
                    "Nf4",
                    "Rd3 Nb5",
                ),
                "Nc3 takes the evaluation from -3.00 to +2.00; Nf4 was better.",
            ),
            (
                sentence(
                    "4k3/8/4p3/8/8/4n3/8/3R3K b - - 0 1",
                    "Nd5",
                    cp(-300, 200),
                    "Nxd1",
                    "Rxd5 exd5",
                ),
                "Nd5 misses Nxd1, which wins a rook; Nd5 only wins the exchange.",
            ),
            (
                sentence(
                    "4k3/8/8/8/8/4n3/8/4R2K b - - 0 1",
                    "Kd7",
                    cp(-300, 200),
                    "Kf7",
                    "Rxe3",
                ),
                "Kd7 leaves the knight on e3 undefended: Rxe3 wins a knight.",
            ),
            (
                // The knight is taken, but in the end it is a bishop that is won.
                sentence(
                    "r1bqkb1r/ppp2ppp/2n5/3pp3/2B1N3/5N2/PPPP1PPP/R1BQK2R w KQkq - 0 6",
                    "Bb5",
                    cp(60, -200),
                    "Bd3",
                    "dxe4 Nxe5 Qg5 d4 Qxg2 Rf1 a6 Bxc6+ bxc6 Qh5",
                ),
                "Bb5 allows dxe4, winning a bishop.",
            ),
            (
                sentence(
                    "r7/5k2/8/1N6/8/8/8/6K1 b - - 0 1",
                    "Ke8",
                    cp(-100, 200),
                    "Kf6",
                    "Nc7+ Kd7 Nxa8 Kc8",
                ),
                "Ke8 allows Nc7+, which forks king and rook and wins a rook.",
            ),
        ] {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn what_the_move_wins_too_is_not_missed() {
        let cp = |before, after| (Eval::Cp(before), Eval::Cp(after));
        for (found, expected) in [
            (
                sentence(
                    "5k2/pp3pp1/2pq2p1/3pr3/3P4/2P3QP/PP3PP1/6K1 w - - 0 23",
                    "Qxe5",
                    cp(-4, -80),
                    "dxe5 Qe6 Qg5 Qe7 Qf4 b6",
                    "Qxe5 dxe5 g5 Kh2 Ke7 Kg3 Ke6",
                ),
                "Qxe5 takes the evaluation from -0.04 to -0.80; dxe5 was better.",
            ),
            (
                sentence(
                    "2kr3r/n2b1ppp/1p1P1n2/pQ2p3/1p1pP3/3P1NNP/P3BPP1/2B1K2R b K - 0 19",
                    "Bxb5",
                    cp(-276, -116),
                    "Nxb5 Nxe5 Be6 Nc4 Kb7 Bf3 Kc6 e5+ Nd5 Be4",
                    "Nxe5 Rhe8 d7+ Nxd7 Nxf7 Nc5 Nxd8 Kxd8",
                ),
                "Bxb5 misses Nxb5, which wins the queen for a pawn; \
                 Bxb5 only wins the queen and a knight for a rook and a pawn.",
            ),
            (
                sentence(
                    "1r1r2k1/2p2ppp/5nb1/qBB5/P2p4/5P2/6PP/R1QR2K1 w - - 4 27",
                    "Rxd4",
                    cp(104, 44),
                    "Bxd4 Nd5 Be5 Qb6+ Kh1 Rbc8 Qc6 Qxc6 Bxc6",
                    "Nd5 Kh1 h6 Rd1 Kh7 Bg1",
                ),
                "Rxd4 takes the evaluation from +1.04 to +0.44; Bxd4 was better.",
            ),
            (
                sentence(
                    "3q1rk1/1p1rn1p1/3p3p/1P2pp2/2b1P3/P3Q1PP/3N1P1K/2R1R3 w - - 0 31",
                    "Rxc4",
                    cp(-48, -128),
                    "Nxc4 fxe4 Qd2 Nf5 Qd5+ Kh7 Rxe4 Nd4 Rf1 Rf6",
                    "f4 gxf4 Rxf4 Rg1 Qf8 f3 d5 exd5 Rxd5 Rxf4",
                ),
                "Rxc4 takes the evaluation from -0.48 to -1.28; Nxc4 was better.",
            ),
            // A queen against a pawn that is left to take.
            (
                sentence(
                    "r3k2r/1pp5/1p1p1p2/4p1pN/1PPPq1P1/P7/6PN/R4RK1 w kq - 0 22",
                    "dxe5",
                    cp(659, -512),
                    "Nxf6+ Kd8 Nxe4 exd4 Nf3 Ra4",
                    "Qe3+ Kh1 fxe5 Ng7+ Kd8 Rf3 Qe2",
                ),
                "dxe5 misses Nxf6+, which forks king and queen and wins the queen.",
            ),
        ] {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn only_what_is_on_the_board_is_won() {
        let cp = |before, after| (Eval::Cp(before), Eval::Cp(after));
        for (found, expected) in [
            (
                sentence(
                    "4r1k1/P4pp1/6p1/8/8/2B4P/5PP1/6K1 b - - 0 1",
                    "Re2",
                    cp(0, 900),
                    "Ra8",
                    "a8=Q+ Kh7 Qf8",
                ),
                "Re2 allows a8=Q+, making a queen.",
            ),
            (
                sentence(
                    "r5k1/1P3pp1/6p1/8/8/2B4P/5PP1/6K1 w - - 0 1",
                    "g3",
                    cp(900, 0),
                    "bxa8=Q+ Kh7 Qf3",
                    "Rb8 Be5 Rxb7",
                ),
                "g3 misses bxa8=Q+, which wins a rook and makes a queen.",
            ),
            (
                sentence(
                    "4k3/8/2p1p3/8/3N4/8/8/4K3 w - - 0 1",
                    "Nxc6",
                    cp(300, 100),
                    "Nxe6 Kf7 Nd8+ Kf6 Nxc6",
                    "Kd7 Nd4",
                ),
                "Nxc6 misses Nxe6, which wins a pawn more.",
            ),
        ] {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn losses_are_the_movers() {
        assert_eq!(loss(Color::White, (Eval::Cp(50), Eval::Cp(-50))), 100);
        assert_eq!(loss(Color::Black, (Eval::Cp(50), Eval::Cp(-50))), 0);
        assert_eq!(loss(Color::Black, (Eval::Cp(0), Eval::Mate(2))), 1000);
    }
}
