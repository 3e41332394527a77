//! Axes that begin and end at round numbers.

use crate::Scale;

/// From where to where an axis goes, and the distance of its ticks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    step: f64,
    scale: Scale,
}

/// Steps between ticks, as far as they fit.
const STEPS: f64 = 5.0;
/// No axis of a plot has more ticks.
const MAX_TICKS: usize = 16;

impl Axis {
    /// An axis for these values with room to spare, if there is none at all: from 0 to 1.
    pub(crate) fn around(values: impl Iterator<Item = f64>, scale: Scale) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.abs() < 1e15) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // A difference within rounding errors counts as zero.
        if high - low <= 1e-9 * high.abs().max(low.abs()) + 1e-12 {
            let margin = match scale {
                Scale::Real if low != 0.0 => low.abs() * 0.1,
                _ => 1.0,
            };
            (low, high) = (low - margin, high + margin);
        }
        let step = step((high - low) / STEPS, scale);
        let low = (low / step + 1e-9).floor() * step;
        let high = (high / step - 1e-9).ceil() * step;
        Axis {
            low,
            high: high.max(low + step),
            step,
            scale,
        }
    }

    /// The round numbers from its beginning to its end.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let number = ((self.high - self.low) / self.step).round() as usize;
        let tick = |index: usize| self.low + index as f64 * self.step;
        (0..=number.min(MAX_TICKS)).map(tick).collect()
    }

    /// A number as it stands beside the axis.
    pub(crate) fn label(&self, value: f64) -> String {
        if self.scale == Scale::Month {
            let month = value.round() as i64;
            let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
            return if self.step >= 12.0 {
                year.to_string()
            } else {
                format!("{year}-{month:02}")
            };
        }
        let (unit, name) = match self.low.abs().max(self.high.abs()) {
            1e6.. => (1e6, " M"),
            1e4.. => (1e3, "k"),
            _ => (1.0, ""),
        };
        let (value, step) = (value / unit, self.step / unit);
        let decimals = (-(step * 1.0001).log10().floor()).clamp(0.0, 9.0) as usize;
        let text = format!("{value:.decimals$}");
        // What rounds to nothing has no sign.
        let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
        let text = if is_zero {
            text.trim_start_matches('-')
        } else {
            &text
        };
        format!("{text}{}", if is_zero { "" } else { name })
    }
}

/// The smallest round number that is not below this one.
fn step(least: f64, scale: Scale) -> f64 {
    if scale == Scale::Month {
        let months = [1.0, 2.0, 3.0, 6.0, 12.0, 24.0, 60.0, 120.0, 240.0, 600.0];
        return months
            .into_iter()
            .find(|&step| step >= least)
            .unwrap_or_else(|| 12.0 * round(least / 12.0));
    }
    let step = round(least);
    if scale == Scale::Whole {
        step.max(1.0)
    } else {
        step
    }
}

/// 1, 2 or 5 times a power of ten.
fn round(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let factor = factors
        .into_iter()
        .find(|f| f * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], scale: Scale) -> Vec<String> {
        let axis = Axis::around(values.iter().copied(), scale);
        axis.ticks()
            .into_iter()
            .map(|tick| axis.label(tick))
            .collect()
    }

    #[test]
    fn round_numbers() {
        let labels = |values: &[f64], scale| labels(values, scale).join(" ");
        assert_eq!(labels(&[0.0, 100.0], Scale::Real), "0 20 40 60 80 100");
        assert_eq!(labels(&[1.0, 217.0], Scale::Whole), "0 50 100 150 200 250");
        assert_eq!(labels(&[], Scale::Real), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(&[3.0], Scale::Whole), "2 3 4");
        assert_eq!(labels(&[1.0, 2.0], Scale::Whole), "1 2");
        assert_eq!(labels(&[-0.3, 0.31], Scale::Real), "-0.4 -0.2 0.0 0.2 0.4");
        assert_eq!(labels(&[0.0, 4.1e6], Scale::Real), "0 1 M 2 M 3 M 4 M 5 M");
        assert_eq!(
            labels(&[1.16e6, 1.2e6], Scale::Real),
            "1.16 M 1.17 M 1.18 M 1.19 M 1.20 M"
        );
        assert_eq!(labels(&[0.0, 1e5], Scale::Whole), "0 20k 40k 60k 80k 100k");
        assert_eq!(
            labels(&[0.00001, 0.00003], Scale::Real),
            "0.000010 0.000015 0.000020 0.000025 0.000030"
        );
        let may = 2020.0 * 12.0 + 4.0;
        assert_eq!(
            labels(&[may, may + 3.0], Scale::Month),
            "2020-05 2020-06 2020-07 2020-08"
        );
        assert_eq!(
            labels(&[may, may + 40.0], Scale::Month),
            "2020 2021 2022 2023 2024"
        );
    }

    #[test]
    fn any_numbers() {
        let odd = [
            f64::NAN,
            f64::INFINITY,
            f64::MIN,
            f64::MAX,
            f64::MIN_POSITIVE,
            0.0,
            -0.0,
            1e14,
            1.0 + 1e-12,
        ];
        for scale in [Scale::Real, Scale::Whole, Scale::Month] {
            for low in odd {
                for high in odd {
                    let axis = Axis::around([low, high].into_iter(), scale);
                    assert!(axis.low < axis.high, "{low} {high} {axis:?}");
                    let labels = labels(&[low, high], scale);
                    assert!(
                        (2..=MAX_TICKS).contains(&labels.len()),
                        "{low} {high} {labels:?}"
                    );
                    assert!(labels.iter().all(|label| label.len() < 24), "{labels:?}");
                }
            }
        }
    }
}
