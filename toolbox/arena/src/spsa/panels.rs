//! What `--plot` draws: the course of the parameters.

use super::parameter::Parameter;
use super::state::SpsaState;
use common::count::count;
use plot::{Panel, Plot, Point, ReferenceLine, Scale, Series};

/// A panel for each parameter, as their ranges differ.
pub(super) fn plot(state: &SpsaState) -> Plot {
    let panels = state.parameters.iter().enumerate();
    Plot {
        title: format!("{} of {}", state.played, count(state.pairs, "pair")),
        panels: panels
            .map(|(number, parameter)| panel(state, number, parameter))
            .collect(),
    }
}

fn panel(state: &SpsaState, number: usize, parameter: &Parameter) -> Panel {
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
