//! The parameters during a run: what `--plot` draws.

use super::State;
use super::parameter::Parameter;
use common::count::count;
use plot::{Panel, Plot, Point, ReferenceLine, Scale, Series};
use serde::{Deserialize, Serialize};

/// The parameters after a number of pairs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Milestone {
    played: u64,
    values: Vec<f64>,
}

/// Milestones of a run.
const MILESTONES: u64 = 100;

/// Whether the parameters are recorded after this many pairs.
pub(super) fn is_milestone(played: u64, pairs: u64) -> bool {
    let every = pairs.div_ceil(MILESTONES).max(1);
    played.is_multiple_of(every) || played == pairs
}

impl Milestone {
    pub(super) fn of(played: u64, parameters: &[Parameter]) -> Milestone {
        Milestone {
            played,
            values: parameters.iter().map(|parameter| parameter.value).collect(),
        }
    }
}

/// A panel for each parameter, as their ranges differ.
pub(super) fn plot(state: &State) -> Plot {
    let panels = state.parameters.iter().enumerate();
    Plot {
        title: format!(
            "{} of {}; grey: the start",
            state.played,
            count(state.pairs, "pair")
        ),
        panels: panels
            .map(|(number, parameter)| panel(state, number, parameter))
            .collect(),
    }
}

fn panel(state: &State, number: usize, parameter: &Parameter) -> Panel {
    let known = state.history.iter().filter_map(|milestone| {
        let value = milestone.values.get(number)?;
        Some(Point::new(milestone.played as f64, *value))
    });
    let start = Point::new(0.0, parameter.start);
    let now = Point::new(state.played as f64, parameter.value);
    let mut points: Vec<Point> = [start].into_iter().chain(known).chain([now]).collect();
    points.dedup_by_key(|point| point.x);
    Panel {
        title: format!("{}: {:.1}", parameter.name, parameter.value),
        x: "",
        scale: Scale::Whole,
        series: vec![Series {
            name: String::new(),
            points,
        }],
        reference_lines: vec![ReferenceLine {
            y: parameter.start,
            name: "start".to_owned(),
        }],
    }
}
