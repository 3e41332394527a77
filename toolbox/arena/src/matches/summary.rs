//! What a match has come to.

use crate::tournament::{Estimate, Fault, Pairing, Report, Sprt, Tally, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// What a match has come to, from the first engine's view.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) names: [String; 2],
    /// The pace of both; empty for games that were only counted.
    pace: String,
    pub(crate) tally: Tally,
    /// Infinite figures become null in JSON.
    pub(crate) estimate: Option<Estimate>,
    sprt: Option<Test>,
    /// Faults of each side by their kind.
    faults: [BTreeMap<Fault, u64>; 2],
    /// Lines that each side told and that are wrong.
    bad_lines: [u64; 2],
    /// How games ended.
    endings: BTreeMap<&'static str, u64>,
    seconds: f64,
    /// The match was stopped before its end.
    pub(crate) interrupted: bool,
    #[serde(skip)]
    pairs: Pairing<u64>,
}

/// A sequential test with its state.
#[derive(Clone, Copy, Debug, Serialize)]
struct Test {
    #[serde(flatten)]
    sprt: Sprt,
    llr: f64,
    lower: f64,
    upper: f64,
    verdict: Option<Verdict>,
}

impl Test {
    fn new(sprt: Sprt, tally: &Tally) -> Test {
        let (lower, upper) = sprt.bounds();
        Test {
            sprt,
            llr: sprt.llr(tally),
            lower,
            upper,
            verdict: sprt.verdict(tally),
        }
    }
}

impl Summary {
    /// A match that begins.
    pub(crate) fn new(names: [&str; 2], pace: String, sprt: Option<Sprt>) -> Summary {
        let tally = Tally::default();
        Summary {
            names: names.map(str::to_owned),
            pace,
            tally,
            estimate: None,
            sprt: sprt.map(|sprt| Test::new(sprt, &tally)),
            faults: Default::default(),
            bad_lines: [0; 2],
            endings: BTreeMap::new(),
            seconds: 0.0,
            interrupted: false,
            pairs: Pairing::default(),
        }
    }

    /// What games of a file have come to.
    pub(crate) fn of_tally(names: [&str; 2], tally: Tally, sprt: Option<Sprt>) -> Summary {
        let mut summary = Summary::new(names, String::new(), sprt);
        summary.set_tally(tally);
        summary
    }

    fn set_tally(&mut self, tally: Tally) {
        self.tally = tally;
        self.estimate = tally.estimate();
        self.sprt = self.sprt.map(|test| Test::new(test.sprt, &tally));
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, report: &Report) {
        let is_first = |is_white: bool| usize::from(is_white != report.is_first_white());
        let ending = &report.played.ending;
        if let Some((color, fault)) = ending.fault
            && let Some(faults) = self.faults.get_mut(is_first(color.is_white()))
        {
            *faults.entry(fault).or_default() += 1;
        }
        for (color, ..) in &report.played.bad_lines {
            if let Some(count) = self.bad_lines.get_mut(is_first(color.is_white())) {
                *count += 1;
            }
        }
        *self.endings.entry(ending.reason).or_default() += 1;
        let [white, black] = report.names.clone();
        self.names = if report.is_first_white() {
            [white, black]
        } else {
            [black, white]
        };
        self.pairs.add(Some(report.pair()), report.half_points());
        let tally = *self.pairs.tally();
        self.set_tally(tally);
    }

    /// Notes how long the match has taken.
    pub(crate) fn set_elapsed(&mut self, elapsed: Duration) {
        self.seconds = elapsed.as_secs_f64();
    }

    /// What the sequential test has come to.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        self.sprt.and_then(|test| test.verdict)
    }

    /// Whether the first engine was at fault in any game.
    pub(crate) fn first_has_faults(&self) -> bool {
        !self.faults[0].is_empty()
    }

    /// The state in one line.
    pub(crate) fn short(&self) -> String {
        let Tally {
            wins,
            draws,
            losses,
            ..
        } = self.tally;
        let mut parts = vec![format!("+{wins} ={draws} -{losses}")];
        if let Some(estimate) = self.estimate {
            parts.push(format!("{:.1} %  {estimate}", 100.0 * estimate.score));
        }
        if let Some(test) = self.sprt {
            let Test {
                llr, lower, upper, ..
            } = test;
            parts.push(format!("LLR {llr:.2} ({lower:.2}, {upper:.2})"));
        }
        parts.join("  ")
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.names;
        let Tally {
            wins,
            draws,
            losses,
            pairs,
            won_and_lost,
        } = self.tally;
        let games = self.tally.games();
        write!(f, "{first} against {second}: {games} games")?;
        if !self.pace.is_empty() {
            write!(f, ", {}, {:.0} s", self.pace, self.seconds)?;
        }
        writeln!(
            f,
            "{}",
            if self.interrupted {
                ", interrupted"
            } else {
                ""
            }
        )?;
        if let Some(estimate) = self.estimate {
            let Estimate {
                score,
                elo,
                elo_error,
                nelo,
                nelo_error,
                los,
            } = estimate;
            let (percent, los) = (100.0 * score, 100.0 * los);
            writeln!(f, "Score   +{wins} ={draws} -{losses}, {percent:.2} %")?;
            if nelo.is_finite() {
                writeln!(
                    f,
                    "Elo     {elo:.2} +- {elo_error:.2}, normalised {nelo:.2} +- {nelo_error:.2}"
                )?;
            } else if elo.is_finite() {
                // All pairs are alike: there is no deviation to normalise by.
                writeln!(f, "Elo     {elo:.2} +- {elo_error:.2}")?;
            } else {
                writeln!(f, "Elo     {elo}")?;
            }
            writeln!(f, "LOS     {los:.2} %")?;
        }
        if self.tally.is_paired() {
            writeln!(
                f,
                "Pairs   {pairs:?} with 0 to 2 points, {won_and_lost} won and lost"
            )?;
        }
        if let Some(test) = self.sprt {
            let Sprt { elo0, elo1, .. } = test.sprt;
            let Test {
                llr, lower, upper, ..
            } = test;
            let verdict = match test.verdict {
                Some(Verdict::H0) => "H0 accepted",
                Some(Verdict::H1) => "H1 accepted",
                None => "undecided",
            };
            let model = format!("{:?}", test.sprt.model).to_lowercase();
            writeln!(
                f,
                "SPRT    LLR {llr:.2} ({lower:.2}, {upper:.2}) for [{elo0:.2}, {elo1:.2}] {model}: \
                 {verdict}"
            )?;
        }
        if self.pace.is_empty() {
            return Ok(());
        }
        let endings: Vec<_> = self
            .endings
            .iter()
            .map(|(why, n)| format!("{n} {why}"))
            .collect();
        writeln!(f, "Ends    {}", endings.join(", "))?;
        for (side, name) in self.names.iter().enumerate() {
            let count = |fault| {
                let faults = self.faults.get(side);
                faults
                    .and_then(|faults| faults.get(&fault))
                    .copied()
                    .unwrap_or(0)
            };
            let kinds = Fault::ALL.map(|fault| format!("{} {}", fault.name(), count(fault)));
            let lines = self.bad_lines.get(side).copied().unwrap_or(0);
            writeln!(f, "Faults  {name}: {}, bad line {lines}", kinds.join(", "))?;
        }
        Ok(())
    }
}
