//! The curves of the losses.

use super::train::LossReport;
use plot::{Panel, Plot, Point, Scale, Series};

/// A plot of the losses over the epochs. The first tenth of the reports is left out: its losses
/// would press all others flat.
pub(super) fn plot(reports: &[LossReport]) -> Plot {
    let settled = reports.get(reports.len() / 10..).unwrap_or_default();
    let series = |name: &str, loss: fn(&LossReport) -> f64| Series {
        name: name.to_owned(),
        points: settled
            .iter()
            .map(|report| Point::new(report.epochs, loss(report)))
            .collect(),
    };
    let panel = Panel {
        title: "loss".to_owned(),
        x: "epochs",
        scale: Scale::Real,
        series: vec![
            series("training positions", |report| report.training_loss),
            series("validation positions", |report| report.validation_loss),
        ],
        reference_lines: Vec::new(),
    };
    Plot {
        title: "Learning the evaluation".to_owned(),
        panels: vec![panel],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_curves_without_their_beginning() {
        let report = |number: u32| LossReport {
            epochs: f64::from(number) / 10.0,
            training_loss: 1.0 / f64::from(number),
            validation_loss: 1.1 / f64::from(number),
        };
        let reports: Vec<LossReport> = (1..=40).map(report).collect();
        let plot = plot(&reports);
        let lengths = plot.panels[0]
            .series
            .iter()
            .map(|series| series.points.len());
        assert_eq!(lengths.collect::<Vec<_>>(), [36, 36]);
        assert!(super::plot(&[]).svg().unwrap().contains("nothing to show"));
    }
}
