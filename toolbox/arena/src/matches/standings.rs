//! The report of a match of several engines: a crosstable.

use super::summary::MatchSummary;
use crate::tournament::{EngineFault, Estimate, Tally};
use common::count::count;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// A match of several engines.
#[derive(Serialize)]
pub(super) struct Standings<'s> {
    limits: &'s str,
    /// The best first.
    engines: Vec<StandingsRow<'s>>,
    /// How games ended.
    endings: &'s BTreeMap<String, u64>,
    seconds: f64,
    interrupted: bool,
    #[serde(skip)]
    summary: &'s MatchSummary,
}

/// The results of one engine.
#[derive(Serialize)]
struct StandingsRow<'s> {
    name: &'s str,
    points: f64,
    tally: Tally,
    /// The difference to its opponents; infinite figures become null in JSON.
    estimate: Option<Estimate>,
    /// Points against each engine in the order of the table, and of how many.
    against: Vec<(f64, u64)>,
    faults: BTreeMap<EngineFault, u64>,
    bad_lines: u64,
}

impl Standings<'_> {
    pub(super) fn of(summary: &MatchSummary) -> Standings<'_> {
        let results = &summary.results;
        let mut order: Vec<(usize, &String)> = summary.names.iter().enumerate().collect();
        let share = |engine| {
            let tally: Tally = results.total(engine);
            (tally.points() / tally.games().max(1) as f64, tally.points())
        };
        order.sort_by(|(a, _), (b, _)| {
            let ((a, points), (b, others)) = (share(*a), share(*b));
            b.total_cmp(&a).then(others.total_cmp(&points))
        });
        let against = |engine| {
            let points = |&(opponent, _): &(usize, _)| {
                let tally = results.tally(engine, opponent);
                (tally.points(), tally.games())
            };
            order.iter().map(points).collect()
        };
        let mut engines = Vec::new();
        for &(engine, name) in &order {
            let tally = results.total(engine);
            engines.push(StandingsRow {
                name,
                points: tally.points(),
                tally,
                estimate: tally.estimate(),
                against: against(engine),
                faults: results.faults(engine),
                bad_lines: results.bad_lines(engine),
            });
        }
        Standings {
            limits: &summary.limits,
            engines,
            endings: results.endings(),
            seconds: summary.seconds,
            interrupted: summary.interrupted,
            summary,
        }
    }

    fn width(&self) -> usize {
        let widths = self.engines.iter().map(|row| row.name.chars().count());
        widths.max().unwrap_or(0).max("Engine".len())
    }

    fn write_standings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width();
        let head = format!("{:width$}", "Engine");
        writeln!(
            f,
            "  #  {head}  Games  Points      %      Elo      +-  Faults"
        )?;
        for (rank, row) in self.engines.iter().enumerate() {
            let (percent, elo, error) = match &row.estimate {
                None => (String::new(), String::new(), String::new()),
                Some(estimate) => (
                    format!("{:.1}", 100.0 * estimate.score),
                    format!("{:+.1}", estimate.elo),
                    estimate
                        .elo_error
                        .map_or("?".to_owned(), |error| format!("{error:.1}")),
                ),
            };
            writeln!(
                f,
                "{:3}  {:width$}  {:5}  {:6.1}  {percent:>5}  {elo:>7}  {error:>6}  {:6}",
                rank + 1,
                row.name,
                row.tally.games(),
                row.points,
                row.faults.values().sum::<u64>()
            )?;
        }
        Ok(())
    }

    fn write_crosstable(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.width();
        write!(f, "     {:width$}", "Points against")?;
        // The heading may be wider than all names.
        let width = width.max("Points against".len());
        for rank in 1..=self.engines.len() {
            write!(f, "  {rank:>9}")?;
        }
        writeln!(f)?;
        for (rank, row) in self.engines.iter().enumerate() {
            write!(f, "{:3}  {:width$}", rank + 1, row.name)?;
            for &(points, games) in &row.against {
                let text = match games {
                    0 => "-".to_owned(),
                    _ => format!("{points:.1}/{games}"),
                };
                write!(f, "  {text:>9}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Standings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = count(self.summary.results.games(), "game");
        let more = self.summary.circumstances();
        writeln!(f, "{} engines: {games}{more}", self.engines.len())?;
        self.write_standings(f)?;
        self.write_crosstable(f)?;
        writeln!(f, "Ends    {}", self.summary.endings())?;
        for row in &self.engines {
            let faults = row.faults.iter().map(|(fault, n)| (fault.name(), *n));
            let lines = Some(("bad line", row.bad_lines)).filter(|(_, n)| *n > 0);
            let faults: Vec<_> = faults
                .chain(lines)
                .map(|(fault, n)| format!("{fault} {n}"))
                .collect();
            if !faults.is_empty() {
                writeln!(f, "Faults  {}: {}", row.name, faults.join(", "))?;
            }
        }
        Ok(())
    }
}
