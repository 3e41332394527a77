//! Folders named after values, as in Apache Hive: `year=2024/eco=B90`.

use super::game::GameInfo;
use super::tags::TEXTS;
use crate::Opening;
use crate::date::PartialDate;
use clap::ValueEnum;
use std::borrow::Cow;
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
        let value = value.map_or(NULL.into(), |value| escaped(&value));
        format!("{}={value}", key.column())
    };
    keys.iter().map(folder).collect::<Vec<_>>().join("/")
}

/// A value as Hive writes it: characters that mean something elsewhere by their numbers.
fn escaped(value: &str) -> String {
    let mut name = String::new();
    for c in value.chars() {
        if name.len() + c.len_utf8() > MAX_VALUE_LENGTH {
            break;
        }
        if c.is_ascii_control() || "\"#%'*/:=?\\{[]^".contains(c) {
            // Writing to a string cannot fail.
            let _ = write!(name, "%{:02X}", u32::from(c));
        } else {
            name.push(c);
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_names_of_folders() {
        assert_eq!(escaped("1/2-1/2"), "1%2F2-1%2F2");
        assert_eq!(escaped("a=b%\u{7f}\n é"), "a%3Db%25%7F%0A é");
        assert!(escaped(&"é:".repeat(500)).len() <= MAX_VALUE_LENGTH + 2);
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
