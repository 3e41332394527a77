//! Features and options as XBoard engines declare them.

use crate::client::link::Link;
use crate::client::option::{EngineOption, EngineOptionKind};

/// What an engine can do; the defaults are the protocol's.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a feature of the protocol"
)]
pub(super) struct Features {
    pub(super) ping: bool,
    pub(super) setboard: bool,
    pub(super) usermove: bool,
    pub(super) time: bool,
    pub(super) draw: bool,
    pub(super) reuse: bool,
    pub(super) analyze: bool,
    pub(super) nps: bool,
    pub(super) exclude: bool,
    pub(super) name: bool,
    pub(super) variants: Vec<String>,
    memory: bool,
    smp: bool,
    egt: Vec<String>,
    /// Whether it asked for more time to introduce itself (`done=0`).
    pub(super) is_slow: bool,
    pub(super) is_done: bool,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            draw: true,
            reuse: true,
            analyze: true,
            nps: false,
            exclude: false,
            name: false,
            variants: vec!["normal".to_owned()],
            memory: false,
            smp: false,
            egt: Vec::new(),
            is_slow: false,
            is_done: false,
        }
    }
}

impl Features {
    /// Reads what follows `feature`, and answers each.
    pub(super) fn read(&mut self, text: &str, link: &mut Link) {
        for (name, value) in settings(text) {
            let flag = value.trim() == "1";
            let list = || {
                value
                    .split(',')
                    .map(|word| word.trim().to_owned())
                    .collect()
            };
            let mut accepted = true;
            match name.as_str() {
                "done" => {
                    self.is_slow = !flag;
                    self.is_done = flag;
                }
                "ping" => self.ping = flag,
                "setboard" => self.setboard = flag,
                "usermove" => self.usermove = flag,
                "time" => self.time = flag,
                "draw" => self.draw = flag,
                "reuse" => self.reuse = flag,
                "analyze" => self.analyze = flag,
                "nps" => self.nps = flag,
                "exclude" => self.exclude = flag,
                "name" => self.name = flag,
                "variants" => self.variants = list(),
                "memory" => self.memory = flag,
                "smp" => self.smp = flag,
                "egt" => self.egt = list(),
                "myname" => link.name.clone_from(&value),
                "option" => match read_option(&value) {
                    Some(option) => link.options.declare(option),
                    None => accepted = false,
                },
                // We send moves in coordinates, and no signals.
                "san" => accepted = !flag,
                "sigint" | "sigterm" | "playother" | "colors" | "ics" | "pause" | "debug" => {}
                _ => accepted = false,
            }
            let answer = if accepted { "accepted" } else { "rejected" };
            link.send(&format!("{answer} {name}"));
        }
    }

    /// What stands before a move that the engine is sent.
    pub(super) fn move_prefix(&self) -> &'static str {
        if self.usermove { "usermove " } else { "" }
    }

    /// Features that are options for a user.
    pub(super) fn declare_options(&self, link: &mut Link) {
        let spin = |name: &str, default| EngineOption {
            name: name.to_owned(),
            kind: EngineOptionKind::Spin {
                default,
                min: Some(1),
                max: None,
            },
        };
        if self.memory {
            link.options.declare(spin(MEMORY, 0));
        }
        if self.smp {
            link.options.declare(spin(CORES, 0));
        }
        for format in self.egt.iter().filter(|format| !format.is_empty()) {
            link.options.declare(EngineOption {
                name: format!("{EGT_PATH} {format}"),
                kind: EngineOptionKind::Text {
                    default: String::new(),
                },
            });
        }
    }
}

const MEMORY: &str = "memory";
const CORES: &str = "cores";
const EGT_PATH: &str = "egtpath";

/// Whether an option is set by a separate command.
pub(super) fn is_command(name: &str) -> bool {
    name == MEMORY || name == CORES || name.starts_with(EGT_PATH)
}

/// The name in XBoard for an option of UCI.
pub(super) fn alias(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "hash" => Some(MEMORY),
        "threads" => Some(CORES),
        "syzygypath" => Some("egtpath syzygy"),
        // The first is the name that engines have, Mola among them.
        "gaviotatbpath" | "gaviotapath" => Some("egtpath gaviota"),
        _ => None,
    }
}

/// `name=value name="value with blanks"`.
fn settings(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let quoted = after.strip_prefix('"');
        let (value, after) = match quoted {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        // A word without a value before the name is not part of it.
        let name = name.split_whitespace().last().unwrap_or("");
        found.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    found
}

/// `NAME -TYPE ARGUMENTS`. The name may hold blanks and hyphens: it goes up to the first hyphen
/// before a type.
fn read_option(text: &str) -> Option<EngineOption> {
    text.match_indices(" -").find_map(|(at, hyphen)| {
        let (name, rest) = text.split_at(at);
        let rest = rest.strip_prefix(hyphen)?;
        let (kind, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        Some(EngineOption {
            name: name.trim().to_owned(),
            kind: option_kind(kind, arguments.trim())?,
        })
    })
}

/// The type of an option with its default and bounds.
fn option_kind(kind: &str, arguments: &str) -> Option<EngineOptionKind> {
    let numbers = || arguments.split_whitespace().map(str::parse).map(Result::ok);
    Some(match kind {
        "check" => EngineOptionKind::Check {
            default: arguments == "1",
        },
        "spin" | "slider" => {
            let mut numbers = numbers();
            EngineOptionKind::Spin {
                default: numbers.next()??,
                min: numbers.next()?,
                max: numbers.next()?,
            }
        }
        "combo" => {
            let all: Vec<&str> = arguments.split("///").map(str::trim).collect();
            let default = all.iter().find(|value| value.starts_with('*'));
            let default = default.or(all.first())?;
            let plain = |value: &str| value.trim_start_matches('*').to_owned();
            EngineOptionKind::Combo {
                default: plain(default),
                values: all.iter().map(|value| plain(value)).collect(),
            }
        }
        "button" | "save" | "reset" => EngineOptionKind::Button,
        "string" | "file" | "path" => EngineOptionKind::Text {
            default: arguments.to_owned(),
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_and_values() {
        let found = settings("ping=1 myname=\"A b\"  variants=\"normal,atomic\" done=1");
        let names: Vec<_> = found
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        assert_eq!(
            names,
            [
                ("ping", "1"),
                ("myname", "A b"),
                ("variants", "normal,atomic"),
                ("done", "1"),
            ]
        );
        assert_eq!(settings("junk"), []);
        assert_eq!(settings("a=\"open").len(), 1);
    }

    #[test]
    fn names_of_uci() {
        assert_eq!(alias("GaviotaTbPath"), Some("egtpath gaviota"));
        assert_eq!(alias("SyzygyPath"), Some("egtpath syzygy"));
        assert_eq!(alias("BookFile"), None);
    }

    #[test]
    fn options() {
        let kind = |text| read_option(text).map(|option| (option.name, option.kind));
        assert_eq!(
            kind("Multi-PV Margin -spin 0 -5 1000"),
            Some((
                "Multi-PV Margin".into(),
                EngineOptionKind::Spin {
                    default: 0,
                    min: Some(-5),
                    max: Some(1000),
                },
            ))
        );
        assert_eq!(
            kind("Style -combo Solid /// *Very wild"),
            Some((
                "Style".into(),
                EngineOptionKind::Combo {
                    default: "Very wild".into(),
                    values: vec!["Solid".into(), "Very wild".into()],
                },
            ))
        );
        assert_eq!(
            kind("Book -file /a b/c.bin"),
            Some((
                "Book".into(),
                EngineOptionKind::Text {
                    default: "/a b/c.bin".into()
                },
            ))
        );
        assert_eq!(
            kind("A - B -check 1"),
            Some(("A - B".into(), EngineOptionKind::Check { default: true }))
        );
        assert_eq!(
            kind("Clear Hash -button"),
            Some(("Clear Hash".into(), EngineOptionKind::Button))
        );
        for wrong in ["", "x", "x -spin", "x -spin a b c", "x -wheel 1"] {
            assert_eq!(kind(wrong), None, "{wrong}");
        }
    }
}
