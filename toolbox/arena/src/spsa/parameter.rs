//! A parameter that is tuned.

use engine_core::search::TUNABLES;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A parameter that is tuned: an option of the engine with a whole number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) start: f64,
    min: f64,
    max: f64,
    /// The perturbation at the end of the run (Spall's c).
    pub(super) step: f64,
    pub(super) value: f64,
}

/// Reads parameters; without any, all tunable numbers of this build.
pub(super) fn read(texts: &[String]) -> Result<Vec<Parameter>, String> {
    if texts.is_empty() {
        let own = |tunable: &engine_core::search::Tunable| {
            Parameter::new(
                tunable.name,
                [tunable.default, tunable.min, tunable.max].map(f64::from),
                None,
            )
        };
        return TUNABLES.iter().map(own).collect();
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    for text in texts {
        let parameter = Parameter::read(text)?;
        // Engines take names of options in any case.
        let is_same = |other: &Parameter| other.name.eq_ignore_ascii_case(&parameter.name);
        if parameters.iter().any(is_same) {
            return Err(format!("{text}: there is another {}", parameter.name));
        }
        parameters.push(parameter);
    }
    Ok(parameters)
}

impl Parameter {
    fn new(
        name: &str,
        [start, min, max]: [f64; 3],
        step: Option<f64>,
    ) -> Result<Parameter, String> {
        let step = step.unwrap_or(((max - min) / 20.0).max(0.5));
        let is_sound = min < max && (min..=max).contains(&start) && step > 0.0;
        if !is_sound
            || ![start, min, max, step]
                .iter()
                .all(|number| number.is_finite())
        {
            return Err(format!(
                "{name}: MIN <= START <= MAX and a STEP above 0 expected"
            ));
        }
        Ok(Parameter {
            name: name.to_owned(),
            start,
            min,
            max,
            step,
            value: start,
        })
    }

    fn read(text: &str) -> Result<Parameter, String> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let number = |word: &str| {
            let number = word.parse::<f64>();
            number.map_err(|_| format!("{text}: {word:?} is not a number"))
        };
        match *words.as_slice() {
            [name] => {
                let own = TUNABLES.iter().find(|tunable| tunable.name == name);
                let own =
                    own.ok_or_else(|| format!("{name}: NAME,START,MIN,MAX[,STEP] expected"))?;
                let range = [own.default, own.min, own.max].map(f64::from);
                Parameter::new(name, range, None)
            }
            [name, start, min, max] => {
                Parameter::new(name, [number(start)?, number(min)?, number(max)?], None)
            }
            [name, start, min, max, step] => {
                let range = [number(start)?, number(min)?, number(max)?];
                Parameter::new(name, range, Some(number(step)?))
            }
            _ => Err(format!("{text}: NAME,START,MIN,MAX[,STEP] expected")),
        }
    }

    /// What it is, as typed: name, start, range and step.
    pub(super) fn setting(&self) -> String {
        let Parameter {
            name,
            start,
            min,
            max,
            step,
            ..
        } = self;
        format!("{name},{start},{min},{max},{step}")
    }

    /// The whole number below or above a value, within the range: stochastic rounding if `fraction`
    /// is random from 0 to 1.
    pub(super) fn round(&self, value: f64, fraction: f64) -> String {
        let value = value.clamp(self.min, self.max);
        format!("{}", (value + fraction).floor().min(self.max) as i64)
    }

    /// Moves the value.
    pub(super) fn go(&mut self, distance: f64) {
        self.value = (self.value + distance).clamp(self.min, self.max);
    }
}

/// `name = 81 (80.7, from 75)`.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter {
            name, value, start, ..
        } = self;
        // Zero without a sign, as the number is pasted into options.
        let whole = value.round() + 0.0;
        write!(f, "{name} = {whole:.0} ({value:.2}, from {start})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_and_rounding() {
        let parameter = Parameter::read("razor, 220, 50, 500, 25").unwrap();
        assert_eq!(parameter.round(220.4, 0.5), "220");
        assert_eq!(parameter.round(220.6, 0.5), "221");
        assert_eq!(parameter.round(999.0, 0.9), "500");
        assert_eq!(parameter.to_string(), "razor = 220 (220.00, from 220)");
        let mut near_zero = Parameter::read("b,0,-50,50").unwrap();
        near_zero.go(-0.01);
        assert_eq!(near_zero.to_string(), "b = 0 (-0.01, from 0)");
        for wrong in [
            "x",
            "x,1",
            "x,1,2,3",
            "x,1,0,2,0",
            "x,a,0,2",
            "x,1,0,inf",
            "x,1,0,2,3,4",
        ] {
            assert!(Parameter::read(wrong).is_err(), "{wrong}");
        }
        let twice = ["a,1,0,2", "b,1,0,2", "A,3,0,4"].map(str::to_owned);
        assert_eq!(read(&twice).unwrap_err(), "A,3,0,4: there is another A");
        assert_eq!(read(&twice[..2]).unwrap().len(), 2);
    }
}
