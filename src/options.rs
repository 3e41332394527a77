//! The options of the engine, declared once: this table yields the `option` lines of UCI, the
//! `feature option` lines of XBoard, the help and the table in the README.

use crate::strength;
use common::option_value::OptionValue;
use engine_core::search::Pool;
use engine_core::{IS_PAGE, Variant};

/// Names an option.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub(crate) enum OptionId {
    Hash,
    Threads,
    ClearHash,
    Ponder,
    MultiPv,
    MoveOverhead,
    SearchDriver,
    Evaluation,
    EvalFile,
    OwnBook,
    BookFile,
    BookDepth,
    BookChoice,
    SyzygyPath,
    SyzygyProbeDepth,
    SyzygyProbeLimit,
    Syzygy50MoveRule,
    GaviotaTbPath,
    SkillLevel,
    LimitStrength,
    Elo,
    ShowWdl,
    Chess960,
    Variant,
    AnalyseMode,
    Opponent,
    EngineAbout,
    NodesTime,
    Resign,
    DebugLogFile,
}

/// The type of an option, with its default and limits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OptionKind {
    /// A whole number.
    Spin {
        /// The value at start.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// On or off.
    Check {
        /// The value at start.
        default: bool,
    },
    /// One of some words; the first is the value at start.
    Combo {
        /// The words.
        values: fn() -> Vec<&'static str>,
    },
    /// A button: an action without a value.
    Button,
    /// Any text.
    Text {
        /// The value at start.
        default: &'static str,
    },
    /// The name of a file; none at start.
    File,
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    /// The option's identifier in the program.
    pub(crate) id: OptionId,
    /// The name in UCI. XBoard has the same name with hyphens for spaces.
    pub(crate) name: &'static str,
    /// The values.
    pub(crate) kind: OptionKind,
    /// Whether XBoard lists it; not if XBoard has a command for it.
    pub(crate) xboard: bool,
    /// One line of help.
    pub(crate) help: &'static str,
}

/// The value of the option `UCI_EngineAbout`.
const ABOUT: &str = concat!(
    "Mola ",
    env!("CARGO_PKG_VERSION"),
    ", an open-source chess engine"
);

/// The largest transposition table in MB.
pub(crate) const MAX_HASH: i64 = if IS_PAGE { 2048 } else { 33_554_432 };

/// The greatest depth limit in plies.
pub(crate) const MAX_DEPTH: u32 = 255;

/// The most threads. In a browser page there are any only in the module built for shared memory.
pub(crate) const MAX_THREADS: i64 = match IS_PAGE {
    true if cfg!(target_feature = "atomics") => 32,
    true => 1,
    false => Pool::MAX_THREADS as i64,
};

/// Every option, in the order in which GUIs show them and of [`OptionId`].
pub(crate) const TABLE: &[Spec] = &[
    Spec {
        id: OptionId::Hash,
        name: "Hash",
        kind: OptionKind::Spin {
            default: 16,
            min: 1,
            max: MAX_HASH,
        },
        xboard: false,
        help: "Size of the transposition table in MB.",
    },
    Spec {
        id: OptionId::Threads,
        name: "Threads",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS,
        },
        xboard: false,
        help: "Number of search threads.",
    },
    Spec {
        id: OptionId::ClearHash,
        name: "Clear Hash",
        kind: OptionKind::Button,
        xboard: true,
        help: "Clears the transposition table and all history of earlier searches.",
    },
    Spec {
        id: OptionId::Ponder,
        name: "Ponder",
        kind: OptionKind::Check { default: false },
        xboard: false,
        help: "Allows pondering: the GUI may let the engine think on the opponent's time.",
    },
    Spec {
        id: OptionId::MultiPv,
        name: "MultiPV",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 256,
        },
        xboard: true,
        help: "Number of best lines searched and shown.",
    },
    Spec {
        id: OptionId::MoveOverhead,
        name: "Move Overhead",
        kind: OptionKind::Spin {
            default: 30,
            min: 0,
            max: 10_000,
        },
        xboard: true,
        help: "Milliseconds reserved on each move for delays between engine and GUI.",
    },
    Spec {
        id: OptionId::SearchDriver,
        name: "Search Driver",
        kind: OptionKind::Combo {
            values: || vec!["Auto", "PVS", "MTDF"],
        },
        xboard: true,
        help: "PVS searches an aspiration window; MTDF finds the score by null-window probes. Auto is PVS in chess, MTDF in variants; short mates are searched with MTDF.",
    },
    Spec {
        id: OptionId::Evaluation,
        name: "Evaluation",
        kind: OptionKind::Combo {
            values: || vec!["Vectors", "Tables"],
        },
        xboard: true,
        help: "Piece-square tables with or without vectors. Threats: in chess with both, in most variants with vectors.",
    },
    Spec {
        id: OptionId::EvalFile,
        name: "EvalFile",
        kind: OptionKind::File,
        xboard: true,
        help: "Evaluation weights made by mola tune, instead of the built-in ones.",
    },
    Spec {
        id: OptionId::OwnBook,
        name: "OwnBook",
        kind: OptionKind::Check { default: false },
        xboard: true,
        help: "Plays from the opening book BookFile while the position is in it.",
    },
    Spec {
        id: OptionId::BookFile,
        name: "BookFile",
        kind: OptionKind::File,
        xboard: true,
        help: "An opening book in Polyglot format, made for the variant that is played.",
    },
    Spec {
        id: OptionId::BookDepth,
        name: "BookDepth",
        kind: OptionKind::Spin {
            default: 255,
            min: 1,
            max: 1024,
        },
        xboard: true,
        help: "The last move number at which the book is used.",
    },
    Spec {
        id: OptionId::BookChoice,
        name: "BookChoice",
        kind: OptionKind::Combo {
            values: || vec!["Weighted", "Best"],
        },
        xboard: true,
        help: "Weighted chooses book moves at random by weight; Best always the one of highest weight.",
    },
    Spec {
        id: OptionId::SyzygyPath,
        name: "SyzygyPath",
        kind: OptionKind::Text { default: "" },
        xboard: false,
        help: "Folders of Syzygy tables, separated by ; or :, searched with their sub-folders.",
    },
    Spec {
        id: OptionId::SyzygyProbeDepth,
        name: "SyzygyProbeDepth",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 100,
        },
        xboard: true,
        help: "Least depth at which positions with as many pieces as the largest tables are probed.",
    },
    Spec {
        id: OptionId::SyzygyProbeLimit,
        name: "SyzygyProbeLimit",
        kind: OptionKind::Spin {
            default: 7,
            min: 0,
            max: 7,
        },
        xboard: true,
        help: "Greatest number of pieces of positions that are probed.",
    },
    Spec {
        id: OptionId::Syzygy50MoveRule,
        name: "Syzygy50MoveRule",
        kind: OptionKind::Check { default: true },
        xboard: true,
        help: "Counts wins that the fifty-move rule prevents as draws.",
    },
    Spec {
        id: OptionId::GaviotaTbPath,
        name: "GaviotaTbPath",
        kind: OptionKind::Text { default: "" },
        xboard: false,
        help: "Folders of Gaviota tables, which contain the distance to mate.",
    },
    Spec {
        id: OptionId::SkillLevel,
        name: "Skill Level",
        kind: OptionKind::Spin {
            default: 20,
            min: 1,
            max: 20,
        },
        xboard: true,
        help: "Playing strength, from 1 (beginner) to 20 (full strength); a search without limits is analysis \
               and ignores it.",
    },
    Spec {
        id: OptionId::LimitStrength,
        name: "UCI_LimitStrength",
        kind: OptionKind::Check { default: false },
        xboard: true,
        help: "Plays at the rating UCI_Elo, whatever the skill level.",
    },
    Spec {
        id: OptionId::Elo,
        name: "UCI_Elo",
        kind: OptionKind::Spin {
            default: 1500,
            min: strength::ELO.0,
            max: strength::ELO.1,
        },
        xboard: true,
        help: "Rating to play at with UCI_LimitStrength.",
    },
    Spec {
        id: OptionId::ShowWdl,
        name: "UCI_ShowWDL",
        kind: OptionKind::Check { default: false },
        xboard: false,
        help: "Shows the win, draw and loss probabilities, in permille, with each score.",
    },
    Spec {
        id: OptionId::Chess960,
        name: "UCI_Chess960",
        kind: OptionKind::Check { default: false },
        xboard: false,
        help: "Plays Chess960, with castling written as the king capturing its rook.",
    },
    Spec {
        id: OptionId::Variant,
        name: "UCI_Variant",
        kind: OptionKind::Combo {
            values: || Variant::all().map(Variant::uci).collect(),
        },
        xboard: false,
        help: "The rules of the game.",
    },
    Spec {
        id: OptionId::AnalyseMode,
        name: "UCI_AnalyseMode",
        kind: OptionKind::Check { default: false },
        xboard: false,
        help: "The engine analyses instead of playing; the skill level is ignored.",
    },
    Spec {
        id: OptionId::Opponent,
        name: "UCI_Opponent",
        kind: OptionKind::Text { default: "" },
        xboard: false,
        help: "The opponent of the engine; written to the log.",
    },
    Spec {
        id: OptionId::EngineAbout,
        name: "UCI_EngineAbout",
        kind: OptionKind::Text { default: ABOUT },
        xboard: false,
        help: "Information about the engine; setting it has no effect.",
    },
    Spec {
        id: OptionId::NodesTime,
        name: "nodestime",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 10_000,
        },
        xboard: false,
        help: "Measures time in nodes, this many per millisecond; 0 uses real time.",
    },
    Spec {
        id: OptionId::Resign,
        name: "Resign",
        kind: OptionKind::Check { default: true },
        xboard: true,
        help: "In XBoard, resigns lost games and offers draws in level ones.",
    },
    Spec {
        id: OptionId::DebugLogFile,
        name: "Debug Log File",
        kind: OptionKind::File,
        xboard: false,
        help: "Appends all input and output, and diagnostics, to this file.",
    },
];

/// Other names that GUIs and users have for options.
const ALIASES: &[(&str, &str)] = &[("GaviotaPath", "GaviotaTbPath")];

impl Spec {
    /// Finds an option by its UCI name or its XBoard name, in any case and with blanks or
    /// without, or with hyphens, as engines differ in how they write `BookFile` and the like.
    pub(crate) fn find(name: &str) -> Option<&'static Spec> {
        let wanted = name.replace([' ', '-'], "");
        let wanted = match ALIASES
            .iter()
            .find(|(alias, _)| alias.eq_ignore_ascii_case(&wanted))
        {
            Some(&(_, name)) => name,
            None => &wanted,
        };
        TABLE.iter().find(|spec| {
            spec.name.replace(' ', "").eq_ignore_ascii_case(wanted)
                || spec.short_name().eq_ignore_ascii_case(wanted)
        })
    }

    /// The line of an option.
    pub(crate) fn of(id: OptionId) -> Option<&'static Spec> {
        TABLE.get(id as usize)
    }

    /// The name in XBoard: hyphens instead of spaces, because python-chess reads only the first
    /// word.
    pub(crate) fn xboard_name(&self) -> String {
        let name = self.name.strip_prefix("UCI_").unwrap_or(self.name);
        name.replace(' ', "-")
    }

    /// The XBoard name as a string.
    fn short_name(&self) -> String {
        self.xboard_name().replace('-', "")
    }

    /// Whether UCI lists it.
    pub(crate) fn is_uci(&self) -> bool {
        self.id != OptionId::Resign && !(IS_PAGE && self.is_about_files())
    }

    /// Whether it names files, or concerns files that another option names.
    fn is_about_files(&self) -> bool {
        use OptionId::{
            BookChoice, BookDepth, GaviotaTbPath, OwnBook, Syzygy50MoveRule, SyzygyPath,
            SyzygyProbeDepth, SyzygyProbeLimit,
        };
        let beside = [
            OwnBook,
            BookDepth,
            BookChoice,
            SyzygyPath,
            SyzygyProbeDepth,
            SyzygyProbeLimit,
            Syzygy50MoveRule,
            GaviotaTbPath,
        ];
        matches!(self.kind, OptionKind::File) || beside.contains(&self.id)
    }

    /// The value at start.
    pub(crate) fn default(&self) -> OptionValue {
        match self.kind {
            OptionKind::Spin { default, .. } => OptionValue::Number(default),
            OptionKind::Check { default } => OptionValue::Flag(default),
            OptionKind::Combo { values } => {
                OptionValue::Text(values().first().copied().unwrap_or("").into())
            }
            OptionKind::Text { default } => OptionValue::Text(default.into()),
            OptionKind::File => OptionValue::Text(String::new()),
            OptionKind::Button => OptionValue::Pressed,
        }
    }

    /// The value at start as it is written, if it says something.
    fn default_text(&self) -> Option<String> {
        match self.default() {
            OptionValue::Number(number) => Some(number.to_string()),
            OptionValue::Flag(flag) => Some(flag.to_string()),
            OptionValue::Text(text) => Some(text).filter(|text| !text.is_empty()),
            OptionValue::Pressed => None,
        }
    }

    /// Reads a value.
    ///
    /// # Errors
    /// Says what was expected.
    pub(crate) fn parse(&self, text: &str) -> Result<OptionValue, String> {
        let expected = |what: String| format!("option {}: {what} expected", self.name);
        match self.kind {
            OptionKind::Spin { min, max, .. } => match text.parse() {
                Ok(number) if (min..=max).contains(&number) => Ok(OptionValue::Number(number)),
                _ => Err(expected(format!("a whole number from {min} to {max}"))),
            },
            OptionKind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "1" | "on" => Ok(OptionValue::Flag(true)),
                "false" | "0" | "off" => Ok(OptionValue::Flag(false)),
                _ => Err(expected("true or false".into())),
            },
            OptionKind::Combo { values } => {
                // A variant has more names than its own.
                let name = match text.parse::<Variant>() {
                    Ok(variant) if self.id == OptionId::Variant => variant.uci(),
                    _ => text,
                };
                values()
                    .into_iter()
                    .find(|value| value.eq_ignore_ascii_case(name))
                    .map(|value| OptionValue::Text(value.into()))
                    .ok_or_else(|| expected(format!("one of {}", values().join(", "))))
            }
            OptionKind::Text { .. } | OptionKind::File if text == "<empty>" => {
                Ok(OptionValue::Text(String::new()))
            }
            OptionKind::Text { .. } | OptionKind::File => Ok(OptionValue::Text(text.into())),
            OptionKind::Button => Ok(OptionValue::Pressed),
        }
    }

    /// The line that declares the option in UCI.
    pub(crate) fn uci(&self) -> String {
        let default = self.default_text().unwrap_or_else(|| "<empty>".to_owned());
        let kind = match self.kind {
            OptionKind::Spin { min, max, .. } => {
                format!("spin default {default} min {min} max {max}")
            }
            OptionKind::Check { .. } => format!("check default {default}"),
            OptionKind::Combo { values } => {
                format!("combo default {default} var {}", values().join(" var "))
            }
            OptionKind::Button => "button".into(),
            OptionKind::Text { .. } | OptionKind::File => format!("string default {default}"),
        };
        format!("option name {} type {kind}", self.name)
    }

    /// The line that declares the option in XBoard.
    pub(crate) fn xboard(&self) -> String {
        let kind = match self.kind {
            OptionKind::Spin { default, min, max } => format!("-spin {default} {min} {max}"),
            OptionKind::Check { default } => format!("-check {}", u8::from(default)),
            // The star marks the value at start.
            OptionKind::Combo { values } => format!("-combo *{}", values().join(" /// ")),
            OptionKind::Button => "-button".into(),
            OptionKind::Text { default } => format!("-string {default}"),
            // xboard needs the space.
            OptionKind::File => "-file ".into(),
        };
        format!("feature option=\"{} {kind}\"", self.xboard_name())
    }
}

/// The table for a terminal.
pub(crate) fn listing() -> String {
    let lines = TABLE.iter().map(|spec| {
        let default = spec.default_text();
        let default = default.map(|text| format!(" [default:\u{a0}{text}]"));
        let help = format!("{}{}", spec.help, default.unwrap_or_default());
        // A blank at which no line is broken.
        let help = hanging(&help).replace('\u{a0}', " ");
        format!("  {:<17} {help}", spec.name)
    });
    format!(
        "Options to set in the GUI:\n{}",
        lines.collect::<Vec<_>>().join("\n")
    )
}

/// A text beside the names of the listing, whose lines begin below each other.
fn hanging(text: &str) -> String {
    const WIDTH: usize = 78;
    let mut lines = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            lines.push('\n');
            lines.push_str(&" ".repeat(20));
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines
}

/// The value of every option.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    values: Vec<OptionValue>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            values: TABLE.iter().map(Spec::default).collect(),
        }
    }
}

impl Options {
    /// Sets a value; one of another kind is ignored.
    pub(crate) fn set(&mut self, id: OptionId, value: OptionValue) {
        if let Some(slot) = self.values.get_mut(id as usize)
            && std::mem::discriminant(slot) == std::mem::discriminant(&value)
        {
            *slot = value;
        }
    }

    /// The value of a spin.
    pub(crate) fn number(&self, id: OptionId) -> u64 {
        match self.values.get(id as usize) {
            Some(&OptionValue::Number(number)) => number.unsigned_abs(),
            _ => 0,
        }
    }

    /// The value of a check.
    pub(crate) fn flag(&self, id: OptionId) -> bool {
        matches!(self.values.get(id as usize), Some(OptionValue::Flag(true)))
    }

    /// The value of a combo or a text.
    pub(crate) fn text(&self, id: OptionId) -> &str {
        match self.values.get(id as usize) {
            Some(OptionValue::Text(text)) => text,
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn variants_have_all_their_names() {
        let spec = Spec::find("UCI_Variant").unwrap();
        for (name, value) in [("KOTH", "kingofthehill"), ("Three-check", "3check")] {
            assert_eq!(spec.parse(name), Ok(OptionValue::Text(value.into())));
        }
        assert!(spec.parse("bughouse").is_err());
    }

    #[test]
    fn the_listing_fits_its_lines() {
        let listing = listing();
        let (name, text) = (21, "  Hash              Size of");
        assert!(listing.contains(text), "{listing}");
        assert!(listing.contains("[default: 16]") && listing.contains("[default: false]"));
        for line in listing.lines().skip(1) {
            assert!(
                line.chars().count() <= 98 && !line.ends_with("[default:"),
                "{line}"
            );
            assert!(line.chars().take(name).any(|c| c != ' ') && line.starts_with("  "));
        }
    }

    /// The table as the README has it.
    fn markdown() -> String {
        let mut text = String::from("| Option | Values | What it does |\n|---|---|---|\n");
        for spec in TABLE {
            let values = match spec.kind {
                OptionKind::Spin { default, min, max } => {
                    format!("{min} to {max}, default {default}")
                }
                OptionKind::Check { default } => format!("true or false, default {default}"),
                OptionKind::Combo { values } => values().join(", "),
                OptionKind::Button => "button".into(),
                OptionKind::Text { .. } | OptionKind::File => "text".into(),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| `{}` | {values} | {} |", spec.name, spec.help);
        }
        text
    }

    #[test]
    fn the_table_is_in_the_order_of_its_ids() {
        for (index, spec) in TABLE.iter().enumerate() {
            assert_eq!(spec.id as usize, index, "{}", spec.name);
        }
    }

    #[test]
    fn the_readme_has_the_table() {
        let readme = include_str!("../README.md");
        assert!(
            readme.contains(&markdown()),
            "README.md is to have:\n{}",
            markdown()
        );
    }

    #[test]
    fn declarations() {
        let line = |name| Spec::find(name).unwrap().uci();
        assert_eq!(
            line("hash"),
            "option name Hash type spin default 16 min 1 max 33554432"
        );
        assert_eq!(
            line("search driver"),
            "option name Search Driver type combo default Auto var Auto var PVS var MTDF"
        );
        assert_eq!(
            line("Debug Log File"),
            "option name Debug Log File type string default <empty>"
        );
        assert_eq!(Spec::find("book file").unwrap().name, "BookFile");
        assert_eq!(Spec::find("gaviotapath").unwrap().name, "GaviotaTbPath");
        let line = Spec::find("MoveOverhead").unwrap().xboard();
        assert_eq!(line, "feature option=\"Move-Overhead -spin 30 0 10000\"");
        assert_eq!(Spec::find("Move-Overhead").unwrap().name, "Move Overhead");
        let line = Spec::find("BookFile").unwrap().xboard();
        assert_eq!(line, "feature option=\"BookFile -file \"");
    }

    #[test]
    fn bad_values_are_refused() {
        for (name, text) in [
            ("Hash", "0"),
            ("Hash", "99999999999999999999"),
            ("Hash", "many"),
            ("Hash", ""),
            ("Ponder", "maybe"),
            ("Search Driver", "Negamax"),
        ] {
            assert!(Spec::find(name).unwrap().parse(text).is_err(), "{name}");
        }
    }
}
