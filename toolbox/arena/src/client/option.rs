//! Options that engines declare, and what they are set to.

use super::error::ErrorKind;
use common::input::shorten;
use common::option_value::OptionValue;
use std::collections::HashMap;
use std::fmt;

/// An option that an engine has declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// Its name, which may hold blanks; case does not matter.
    pub name: String,
    /// Its type and range.
    pub kind: EngineOptionKind,
}

/// The type of an option with its default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineOptionKind {
    /// True or false.
    Check {
        /// The value at start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value at start.
        default: i64,
        /// The least value.
        min: Option<i64>,
        /// The greatest value.
        max: Option<i64>,
    },
    /// One of several texts.
    Combo {
        /// The value at start.
        default: String,
        /// All values.
        values: Vec<String>,
    },
    /// Something to press.
    Button,
    /// Any text on one line; the path of a file or folder, too.
    Text {
        /// The value at start.
        default: String,
    },
}

/// `Hash: number from 1 to 1024, 16 at start`.
impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        match &self.kind {
            EngineOptionKind::Check { default } => write!(f, "true or false, {default} at start"),
            EngineOptionKind::Spin { default, min, max } => {
                f.write_str("number")?;
                if let Some(min) = min {
                    write!(f, " from {min}")?;
                }
                if let Some(max) = max {
                    write!(f, " to {max}")?;
                }
                write!(f, ", {default} at start")
            }
            EngineOptionKind::Combo { default, values } => {
                write!(f, "one of {}; {default} at start", values.join(", "))
            }
            EngineOptionKind::Button => f.write_str("button"),
            EngineOptionKind::Text { default } if default.is_empty() => {
                f.write_str("text, empty at start")
            }
            EngineOptionKind::Text { default } => write!(f, "text, {default} at start"),
        }
    }
}

impl EngineOption {
    /// The value at start; `None` for a button.
    pub fn default(&self) -> Option<OptionValue> {
        match &self.kind {
            EngineOptionKind::Check { default } => Some(OptionValue::Flag(*default)),
            EngineOptionKind::Spin { default, .. } => Some(OptionValue::Number(*default)),
            EngineOptionKind::Combo { default, .. } | EngineOptionKind::Text { default } => {
                Some(OptionValue::Text(default.clone()))
            }
            EngineOptionKind::Button => None,
        }
    }

    /// The memory that it needs, about: twice, as its default is the value that it has at first.
    fn bytes(&self) -> usize {
        let texts = match &self.kind {
            EngineOptionKind::Combo { default, values } => {
                let values = values.iter().map(|value| size_of::<String>() + value.len());
                default.len() + values.sum::<usize>()
            }
            EngineOptionKind::Text { default } => default.len(),
            _ => 0,
        };
        2 * (size_of::<EngineOption>() + self.name.len() + texts)
    }

    /// Reads a value for the option.
    ///
    /// # Errors
    /// Says what was expected.
    pub fn parse(&self, text: &str) -> Result<OptionValue, String> {
        let expected = |what: String| {
            Err(format!(
                "option {}: {what}, not {:?}",
                self.name,
                shorten(text)
            ))
        };
        match &self.kind {
            EngineOptionKind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "on" => Ok(OptionValue::Flag(true)),
                "false" | "0" | "off" => Ok(OptionValue::Flag(false)),
                _ => expected("true or false".into()),
            },
            EngineOptionKind::Spin { min, max, .. } => match text.trim().parse::<i64>() {
                Ok(number) if min.is_some_and(|min| number < min) => {
                    expected(format!("at least {}", min.unwrap_or_default()))
                }
                Ok(number) if max.is_some_and(|max| number > max) => {
                    expected(format!("at most {}", max.unwrap_or_default()))
                }
                Ok(number) => Ok(OptionValue::Number(number)),
                Err(_) => expected("a whole number".into()),
            },
            EngineOptionKind::Combo { values, .. } => {
                match values.iter().find(|value| value.eq_ignore_ascii_case(text)) {
                    Some(value) => Ok(OptionValue::Text(value.clone())),
                    None => expected(format!("one of {}", values.join(", "))),
                }
            }
            EngineOptionKind::Button => Ok(OptionValue::Pressed),
            EngineOptionKind::Text { .. } if text.contains(['\n', '\r']) => {
                expected("one line".into())
            }
            EngineOptionKind::Text { .. } => Ok(OptionValue::Text(text.to_owned())),
        }
    }
}

/// More options are not kept, nor options that need more bytes in all, whatever an engine declares.
const MAX_OPTIONS: usize = 4096;
const MAX_BYTES: usize = 4 << 20;

/// All options of an engine: as declared, the values sent last, and the values set for good, to
/// which they return after a search that changed them.
#[derive(Clone, Debug, Default)]
pub(super) struct OptionSet {
    declared: Vec<EngineOption>,
    by_name: HashMap<String, usize>,
    /// What all of them need, about.
    bytes: usize,
    told: HashMap<usize, OptionValue>,
    wanted: HashMap<usize, OptionValue>,
}

impl OptionSet {
    /// Adds an option or replaces the one of its name.
    pub(super) fn declare(&mut self, option: EngineOption) {
        let name = option.name.to_ascii_lowercase();
        let before = self.find(&name).map(|(_, before)| before.bytes());
        let bytes = self.bytes - before.unwrap_or(0) + option.bytes();
        if bytes > MAX_BYTES || (self.declared.len() >= MAX_OPTIONS && before.is_none()) {
            return;
        }
        self.bytes = bytes;
        let index = *self.by_name.entry(name).or_insert(self.declared.len());
        if let Some(value) = option.default() {
            self.told.insert(index, value);
        }
        match self.declared.get_mut(index) {
            Some(slot) => *slot = option,
            None => self.declared.push(option),
        }
    }

    pub(super) fn declared(&self) -> &[EngineOption] {
        &self.declared
    }

    pub(super) fn find(&self, name: &str) -> Option<(usize, &EngineOption)> {
        let index = *self.by_name.get(&name.to_ascii_lowercase())?;
        Some((index, self.declared.get(index)?))
    }

    /// The value last sent to the engine, or its default.
    pub(super) fn value(&self, name: &str) -> Option<&OptionValue> {
        self.told.get(&self.find(name)?.0)
    }

    /// Sets the value that an option has for good, unless a request changes it for one search.
    pub(super) fn want(&mut self, index: usize, value: &OptionValue) {
        if *value != OptionValue::Pressed {
            self.wanted.insert(index, value.clone());
        }
    }

    /// Whether somebody has set this option for good.
    pub(super) fn is_wanted(&self, name: &str) -> bool {
        let found = self.find(name);
        found.is_some_and(|(index, _)| self.wanted.contains_key(&index))
    }

    /// Notes the value to be sent, and returns whether the engine does not have it yet.
    pub(super) fn change(&mut self, index: usize, value: &OptionValue) -> bool {
        *value == OptionValue::Pressed
            || self.told.insert(index, value.clone()).as_ref() != Some(value)
    }

    /// Options whose value differs from the one set for good, with that value to restore. Those
    /// never set go back to their default; those that follow from requests stay.
    pub(super) fn to_restore(&self, but: &[usize]) -> Vec<(EngineOption, OptionValue)> {
        let differs = |(index, told): (&usize, &OptionValue)| {
            let option = self.declared.get(*index)?;
            let value = self.wanted.get(index).cloned();
            let value = value.or_else(|| option.default())?;
            let stays = is_managed(&option.name) || is_implied(&option.name);
            (value != *told && !stays && !but.contains(index)).then(|| (option.clone(), value))
        };
        let mut found: Vec<_> = self.told.iter().filter_map(differs).collect();
        found.sort_by(|a, b| a.0.name.cmp(&b.0.name));
        found
    }

    /// The error for a name that no option has.
    pub(super) fn unknown(&self, name: &str) -> ErrorKind {
        let names: Vec<&str> = self.declared.iter().map(|o| o.name.as_str()).collect();
        let names = match names.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        ErrorKind::NoOption(format!("no option {:?} (it has: {names})", shorten(name)))
    }
}

/// Names of options that are always set automatically.
pub(super) fn is_managed(name: &str) -> bool {
    ["UCI_Chess960", "UCI_Variant", "MultiPV", "Ponder"]
        .iter()
        .any(|managed| managed.eq_ignore_ascii_case(name))
}

/// Names of options that are set automatically unless the user sets them.
fn is_implied(name: &str) -> bool {
    ["UCI_AnalyseMode", "UCI_Opponent"]
        .iter()
        .any(|implied| implied.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spin(name: &str, default: i64) -> EngineOption {
        EngineOption {
            name: name.into(),
            kind: EngineOptionKind::Spin {
                default,
                min: Some(1),
                max: Some(9),
            },
        }
    }

    #[test]
    fn values_are_checked() {
        let option = spin("Hash", 2);
        assert_eq!(option.parse("9"), Ok(OptionValue::Number(9)));
        for wrong in ["0", "10", "", "many"] {
            assert!(option.parse(wrong).is_err(), "{wrong}");
        }
        let combo = EngineOption {
            name: "Style".into(),
            kind: EngineOptionKind::Combo {
                default: "Normal".into(),
                values: vec!["Normal".into(), "Risky".into()],
            },
        };
        assert_eq!(combo.parse("risky"), Ok(OptionValue::Text("Risky".into())));
        assert!(combo.parse("wild").unwrap_err().contains("Normal, Risky"));
    }

    #[test]
    fn what_an_engine_declares_takes_bounded_memory() {
        let combo = |name: String| EngineOption {
            name,
            kind: EngineOptionKind::Combo {
                default: String::new(),
                values: vec!["x".into(); 16_000],
            },
        };
        let mut set = OptionSet::default();
        for number in 0..100 {
            // The same again takes the place of itself.
            set.declare(combo("Style".into()));
            set.declare(combo(format!("Style {number}")));
        }
        assert!((2..10).contains(&set.declared.len()));
        assert!(set.bytes <= MAX_BYTES);
    }

    #[test]
    fn what_a_request_changed_is_restored() {
        let mut set = OptionSet::default();
        set.declare(spin("Hash", 2));
        set.declare(spin("Threads", 1));
        let (hash, _) = set.find("hASH").unwrap();
        let (threads, _) = set.find("threads").unwrap();
        set.want(hash, &OptionValue::Number(5));
        assert!(set.change(hash, &OptionValue::Number(5)));
        assert!(!set.change(hash, &OptionValue::Number(5)));
        // A request changes both for once.
        assert!(set.change(hash, &OptionValue::Number(7)));
        assert!(set.change(threads, &OptionValue::Number(3)));
        let restored: Vec<_> = set.to_restore(&[]).into_iter().map(|(_, v)| v).collect();
        assert_eq!(restored, [OptionValue::Number(5), OptionValue::Number(1)]);
        assert_eq!(set.to_restore(&[hash]).len(), 1);
    }
}
