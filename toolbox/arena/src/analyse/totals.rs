//! What all analyses of a run come to.

use super::analysis::Analysis;
use common::count::count;

/// What all analyses come to.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) solved: usize,
    /// Positions with a goal: those that can be solved.
    with_goal: usize,
    /// Points of a suite that gives some for each move, and the most there are.
    points: u32,
    most_points: u32,
    pub(super) failed: u64,
    /// Why the first analysis failed.
    pub(super) error: Option<String>,
    nodes: u64,
}

impl Totals {
    /// Adds an analysis.
    pub(super) fn add(&mut self, analysis: &Analysis) {
        self.with_goal += usize::from(analysis.solved.is_some());
        self.solved += usize::from(analysis.solved == Some(true));
        let (points, most_points) = analysis.points.unwrap_or_default();
        self.points = self.points.saturating_add(points);
        self.most_points = self.most_points.saturating_add(most_points);
        if let Some(error) = &analysis.error {
            self.failed += 1;
            self.error.get_or_insert_with(|| error.clone());
        }
        let nodes = analysis.lines.first().and_then(|line| line.nodes);
        self.nodes = self.nodes.saturating_add(nodes.unwrap_or(0));
    }

    /// The totals in one line.
    pub(super) fn text(&self) -> String {
        let mut parts = Vec::new();
        if self.with_goal > 0 {
            parts.push(format!("{} of {} solved", self.solved, self.with_goal));
        }
        if self.most_points > 0 {
            parts.push(format!("{} of {} points", self.points, self.most_points));
        }
        if self.failed > 0 {
            parts.push(format!("{} failed", self.failed));
        }
        parts.push(count(self.nodes, "node"));
        parts.join(", ")
    }
}
