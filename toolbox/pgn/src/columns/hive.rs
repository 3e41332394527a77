//! Folders named after values, as in Apache Hive: `year=2024/eco=B90`.

use super::game::GameInfo;
use super::tags::TEXTS;
use crate::Opening;
use crate::date::PartialDate;
use clap::ValueEnum;
use common::files::as_windows_compares;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;

/// A column of the table of games by which the table is partitioned.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
#[value(rename_all = "snake_case")]
pub(crate) enum Key {
    Year,
    Month,
    Eco,
    Opening,
    Result,
    Event,
    Site,
    White,
    Black,
    TimeControl,
    Termination,
    Variant,
}

/// Hive's name of the folder for an unknown value.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// Names of folders may have 255 bytes; longer values are cut.
const MAX_VALUE_LENGTH: usize = 200;

impl Key {
    /// The name of the column.
    pub(crate) fn column(self) -> String {
        let name = self.to_possible_value();
        name.map(|name| name.get_name().to_owned())
            .unwrap_or_default()
    }

    fn value(self, game: &GameInfo) -> Option<Cow<'_, str>> {
        let date = || game.date().map(PartialDate::parts);
        match self {
            Key::Year => Some(date()?.0.to_string().into()),
            Key::Month => Some(date()?.1?.to_string().into()),
            Key::Eco => game.opening.map(|opening| opening.eco().into()),
            Key::Opening => game.opening.map(Opening::family).map(Cow::from),
            Key::Result => game.result().map(Cow::from),
            _ => {
                let column = self.column();
                let (_, tag) = TEXTS.iter().find(|(name, _)| *name == column)?;
                game.tags.get(tag)
            }
        }
    }
}

/// The folder of a game, below that of the table.
pub(crate) fn partition_of(game: &GameInfo, keys: &[Key]) -> String {
    let folder = |key: &Key| {
        let value = key.value(game);
        let value = value.map_or(NULL.into(), |value| escaped(&value, cfg!(windows)));
        format!("{}={value}", key.column())
    };
    keys.iter().map(folder).collect::<Vec<_>>().join("/")
}

/// A value as Hive writes it: characters that mean something elsewhere by their numbers; in Windows also
/// those that the name of a folder cannot have there, at all or at its end.
fn escaped(value: &str, is_windows: bool) -> String {
    let mut name = String::new();
    for c in value.chars() {
        if name.len() + c.len_utf8() > MAX_VALUE_LENGTH {
            break;
        }
        if c.is_ascii_control() || "\"#%'*/:=?\\{[]^".contains(c) || is_windows && "<>|".contains(c)
        {
            escape(c, &mut name);
        } else {
            name.push(c);
        }
    }
    if is_windows && let Some(last @ ('.' | ' ')) = name.chars().next_back() {
        name.pop();
        escape(last, &mut name);
    }
    name
}

/// Writes a character by the numbers of its bytes.
fn escape(c: char, name: &mut String) {
    let mut bytes = [0; 4];
    for byte in c.encode_utf8(&mut bytes).bytes() {
        // Writing to a string cannot fail.
        let _ = write!(name, "%{byte:02X}");
    }
}

/// The folders that a system has which does not tell `A` from `a`, such as Windows.
#[derive(Default)]
pub(crate) struct CaselessNames {
    /// By the name as the system compares it: the first one of these.
    first: HashMap<String, String>,
}

impl CaselessNames {
    /// The path of a folder, each name in it such that no other value has it: the letters by whose case
    /// a value differs from an earlier one are escaped.
    pub(crate) fn distinct(&mut self, folder: &str) -> String {
        let names = folder.split('/').map(|name| {
            let first = self.first.entry(as_windows_compares(name));
            let first = first.or_insert_with(|| name.to_owned());
            with_escaped_differences(name, first)
        });
        names.collect::<Vec<_>>().join("/")
    }
}

/// A name that differs from the first one at most by the case of letters; those which do are escaped.
fn with_escaped_differences(name: &str, first: &str) -> String {
    let mut distinct = String::new();
    for (c, of_first) in name.chars().zip(first.chars()) {
        if c == of_first {
            distinct.push(c);
        } else {
            escape(c, &mut distinct);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_names_of_folders() {
        for is_windows in [false, true] {
            let escaped = |value: &str| escaped(value, is_windows);
            assert_eq!(escaped("1/2-1/2"), "1%2F2-1%2F2");
            assert_eq!(escaped("a=b%\u{7f}\n é"), "a%3Db%25%7F%0A é");
            assert!(escaped(&"é:".repeat(500)).len() <= MAX_VALUE_LENGTH + 2);
        }
        let mut game = GameInfo::default();
        game.tags.push(b"Date", b"2024.??.??");
        game.tags.push(b"TimeControl", b"?");
        let keys = [Key::Year, Key::Month, Key::TimeControl, Key::White];
        assert_eq!(
            partition_of(&game, &keys),
            format!("year=2024/month={NULL}/time_control={NULL}/white={NULL}")
        );
    }

    #[test]
    fn what_names_of_windows_cannot_have() {
        for (value, elsewhere, in_windows) in [
            ("Tal, M.", "Tal, M.", "Tal, M%2E"),
            ("x ..", "x ..", "x .%2E"),
            ("x ", "x ", "x%20"),
            ("a<b>|c", "a<b>|c", "a%3Cb%3E%7Cc"),
            ("Tal M", "Tal M", "Tal M"),
        ] {
            assert_eq!(escaped(value, false), elsewhere);
            assert_eq!(escaped(value, true), in_windows);
        }
    }

    #[test]
    fn values_that_differ_by_case_have_folders_of_their_own() {
        let mut names = CaselessNames::default();
        for (folder, distinct) in [
            ("white=Smith/eco=B90", "white=Smith/eco=B90"),
            ("white=smith/eco=B90", "white=%73mith/eco=B90"),
            ("white=SMith/eco=b90", "white=S%4Dith/eco=%6290"),
            ("white=Smith/eco=B90", "white=Smith/eco=B90"),
            ("white=%25é", "white=%25é"),
            ("white=%25É", "white=%25%C3%89"),
        ] {
            assert_eq!(names.distinct(folder), distinct);
        }
    }

    #[test]
    fn every_key_is_a_column() {
        let mut game = GameInfo::default();
        for (_, tag) in TEXTS {
            game.tags.push(tag.as_bytes(), b"x");
        }
        for key in Key::value_variants().iter().skip(5) {
            assert_eq!(key.value(&game).as_deref(), Some("x"), "{key:?}");
        }
    }
}
