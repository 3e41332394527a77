//! The report of a match of two engines.

use super::summary::{MatchSummary, SprtState, elo, score};
use crate::tournament::{EngineFault, Estimate, Tally, Verdict};
use common::count::count;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// A match of two engines, from the first one's view.
#[derive(Serialize)]
pub(super) struct Duel<'s> {
    names: &'s [String],
    /// The limits of the searches; empty for games read from a file.
    limits: &'s str,
    tally: Tally,
    /// Infinite figures become null in JSON.
    estimate: Option<Estimate>,
    sprt: Option<SprtState>,
    /// Faults of each side by their kind.
    faults: [BTreeMap<EngineFault, u64>; 2],
    /// Wrong principal variations of each side.
    bad_lines: [u64; 2],
    /// How games ended.
    endings: &'s BTreeMap<String, u64>,
    seconds: f64,
    interrupted: bool,
    #[serde(skip)]
    summary: &'s MatchSummary,
}

impl Duel<'_> {
    pub(super) fn of(summary: &MatchSummary) -> Duel<'_> {
        let tally = summary.tally();
        Duel {
            names: &summary.names,
            limits: &summary.limits,
            tally,
            estimate: tally.estimate(),
            sprt: summary.test(),
            faults: [0, 1].map(|engine| summary.results.faults(engine)),
            bad_lines: [0, 1].map(|engine| summary.results.bad_lines(engine)),
            endings: summary.results.endings(),
            seconds: summary.seconds,
            interrupted: summary.interrupted,
            summary,
        }
    }

    fn write_estimate(&self, f: &mut fmt::Formatter<'_>, estimate: &Estimate) -> fmt::Result {
        let Estimate {
            nelo,
            nelo_error,
            los,
            ..
        } = estimate;
        let percent = 100.0 * estimate.score;
        writeln!(f, "Score   {}, {percent:.2} %", score(&self.tally))?;
        write!(f, "Elo     {}", elo(estimate, &self.tally))?;
        if estimate.score_error.is_some() && nelo.is_finite() {
            write!(f, ", normalised {nelo:.2} +- {nelo_error:.2}")?;
        }
        writeln!(f)?;
        if let Some(los) = los {
            writeln!(f, "LOS     {:.2} %", 100.0 * los)?;
        }
        Ok(())
    }

    fn write_faults(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.names.iter().zip(&self.faults).zip(self.bad_lines);
        // The games of other programs do not tell that there was no fault.
        let is_played = !self.limits.is_empty();
        let told = all.filter(|((_, faults), lines)| is_played || !faults.is_empty() || *lines > 0);
        for ((name, faults), lines) in told {
            let count = |fault: EngineFault| faults.get(&fault).copied().unwrap_or(0);
            let kinds = EngineFault::ALL.map(|fault| format!("{} {}", fault.name(), count(fault)));
            writeln!(f, "Faults  {name}: {}, bad line {lines}", kinds.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Duel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [first, second] = self.names {
            let games = count(self.tally.games(), "game");
            let more = self.summary.circumstances();
            writeln!(f, "{first} against {second}: {games}{more}")?;
        }
        if let Some(estimate) = &self.estimate {
            self.write_estimate(f, estimate)?;
        }
        if self.tally.is_paired() {
            let Tally {
                pairs,
                won_and_lost,
                ..
            } = self.tally;
            writeln!(
                f,
                "Pairs   {pairs:?} with 0 to 2 points, {won_and_lost} with a win and a loss"
            )?;
        }
        if let Some(test) = &self.sprt {
            writeln!(f, "SPRT    {test}")?;
        }
        writeln!(f, "Ends    {}", self.summary.endings())?;
        self.write_faults(f)
    }
}

impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtState {
            sprt,
            llr,
            lower,
            upper,
            ..
        } = self;
        let verdict = match self.verdict {
            Some(Verdict::H0) => "H0 accepted",
            Some(Verdict::H1) => "H1 accepted",
            None => "undecided",
        };
        let model = format!("{:?}", sprt.model).to_lowercase();
        write!(
            f,
            "LLR {llr:.2} ({lower:.2}, {upper:.2}) for [{:.2}, {:.2}] {model}: {verdict}",
            sprt.elo0, sprt.elo1
        )
    }
}
