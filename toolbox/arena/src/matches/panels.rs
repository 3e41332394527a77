//! What `--plot` draws: scores, the test, and how the engines used their time.

use super::history::{MatchHistory, TimeUse};
use super::summary::MatchSummary;
use common::count::count;
use plot::{Panel, Plot, Point, ReferenceLine, Scale, Series};

/// Scores are shown after the first of this many equal parts of the games.
const UNSETTLED: usize = 50;

impl MatchHistory {
    /// The plot of the scores, the test and the times.
    pub(super) fn plot(self, summary: &MatchSummary) -> Plot {
        let games = count(summary.results.games(), "game");
        let mut panels = vec![self.scores(summary)];
        if let Some(test) = summary.test() {
            let line = |y, name: &str| ReferenceLine {
                y,
                name: format!("{name} {y:.2}"),
            };
            panels.push(Panel {
                title: "log-likelihood ratio".to_owned(),
                x: "games",
                scale: Scale::Whole,
                reference_lines: vec![line(test.upper, "H1"), line(test.lower, "H0")],
                series: vec![Series {
                    name: String::new(),
                    points: self.llr,
                }],
            });
        }
        panels.extend(times(self.times, &summary.names));
        let names = match summary.names.as_slice() {
            [one, two] => format!("{one} against {two}"),
            names => format!("{} engines", names.len()),
        };
        Plot {
            title: format!("{names}, {games}"),
            panels,
        }
    }

    /// The scores with their errors: of two engines that of the first, of more all, the best first.
    fn scores(&self, summary: &MatchSummary) -> Panel {
        let is_duel = summary.is_duel();
        let shown = if is_duel { 1 } else { usize::MAX };
        let mut named: Vec<(&String, &[Point])> = Vec::new();
        for (name, points) in summary.names.iter().zip(&self.scores).take(shown) {
            // The first scores jump so much that the scale would hide the changes of later ones.
            let settled = points.get(points.len() / UNSETTLED..);
            named.push((name, settled.unwrap_or_default()));
        }
        let last = |points: &[Point]| points.last().map_or(0.0, |last| last.y);
        named.sort_by(|(_, a), (_, b)| last(b).total_cmp(&last(a)));
        let series = (0..).zip(named).map(|(number, (name, points))| Series {
            name: name.clone(),
            points: if is_duel {
                points.to_vec()
            } else {
                with_one_range(points, number)
            },
        });
        Panel {
            title: "score in %".to_owned(),
            x: "games",
            scale: Scale::Whole,
            series: series.collect(),
            reference_lines: vec![ReferenceLine {
                y: 50.0,
                name: "even".to_owned(),
            }],
        }
    }
}

/// A curve with its error at one point near its end: of several curves each has another point, so
/// that no error covers that of another curve.
fn with_one_range(points: &[Point], number: usize) -> Vec<Point> {
    let before_the_end = 1 + number * points.len() / 50;
    let kept = points.len().saturating_sub(before_the_end);
    let with_range = |(index, point): (usize, &Point)| Point {
        range: point.range.filter(|_| index == kept),
        ..*point
    };
    points.iter().enumerate().map(with_range).collect()
}

/// The panel of the times, if any are known.
fn times(times: Vec<TimeUse>, names: &[String]) -> Option<Panel> {
    let series = names.iter().zip(times).map(|(name, times)| Series {
        name: name.clone(),
        points: times.points(),
    });
    let series: Vec<Series> = series.collect();
    let is_known = series.iter().any(|series| !series.points.is_empty());
    is_known.then(|| Panel {
        title: "mean seconds per move".to_owned(),
        x: "move number",
        scale: Scale::Whole,
        series,
        reference_lines: Vec::new(),
    })
}
