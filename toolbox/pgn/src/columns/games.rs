//! The table of games.

use super::GAME;
use super::game::{GameInfo, GameSource, Rows};
use super::tags::{TEXTS, TYPED};
use crate::date::{PartialDate, known_parts};
use crate::{Opening, decode};
use arrow_array::builder::{
    Date32Builder, Int8Builder, Int16Builder, Int32Builder, Int64Builder, MapBuilder,
    MapFieldNames, StringBuilder,
};
use arrow_array::types::Date32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::ArrowError;
use chrono::NaiveDate;
use std::sync::Arc;

/// A row for each game.
pub(crate) struct GameRows {
    game: Int64Builder,
    file: StringBuilder,
    offset: Int64Builder,
    line: Int64Builder,
    texts: [StringBuilder; TEXTS.len()],
    date: Date32Builder,
    year: Int16Builder,
    month: Int8Builder,
    result: StringBuilder,
    white_elo: Int16Builder,
    black_elo: Int16Builder,
    eco: StringBuilder,
    opening: StringBuilder,
    variation: StringBuilder,
    plies: Int32Builder,
    final_key: Int64Builder,
    problems: Int32Builder,
    tags: MapBuilder<StringBuilder, StringBuilder>,
    movetext: StringBuilder,
}

impl GameRows {
    pub(crate) fn new() -> GameRows {
        let names = MapFieldNames {
            entry: "key_value".into(),
            key: "key".into(),
            value: "value".into(),
        };
        GameRows {
            game: Int64Builder::new(),
            file: StringBuilder::new(),
            offset: Int64Builder::new(),
            line: Int64Builder::new(),
            texts: Default::default(),
            date: Date32Builder::new(),
            year: Int16Builder::new(),
            month: Int8Builder::new(),
            result: StringBuilder::new(),
            white_elo: Int16Builder::new(),
            black_elo: Int16Builder::new(),
            eco: StringBuilder::new(),
            opening: StringBuilder::new(),
            variation: StringBuilder::new(),
            plies: Int32Builder::new(),
            final_key: Int64Builder::new(),
            problems: Int32Builder::new(),
            tags: MapBuilder::new(Some(names), StringBuilder::new(), StringBuilder::new()),
            movetext: StringBuilder::new(),
        }
    }

    /// The tags that have no column, and those whose column cannot hold their value.
    fn push_tags(&mut self, game: &GameInfo) -> Result<(), ArrowError> {
        for (name, value) in game.tags.others() {
            self.tags.keys().append_value(&name);
            self.tags.values().append_value(&value);
        }
        for tag in TYPED {
            if let Some(value) = game.tags.get(tag).filter(|value| !fits(game, tag, value)) {
                self.tags.keys().append_value(tag);
                self.tags.values().append_value(&value);
            }
        }
        self.tags.append(true)
    }
}

impl Rows for GameRows {
    fn end(&mut self, game: &GameInfo, source: &GameSource<'_>) -> Result<usize, ArrowError> {
        self.game.append_value(source.number);
        self.file.append_value(source.file);
        self.offset.append_value(source.offset as i64);
        self.line.append_value(source.line as i64);
        for (column, (_, tag)) in self.texts.iter_mut().zip(TEXTS) {
            column.append_option(game.tags.get(tag));
        }
        let date = game.date();
        let (year, month, _) = date.map(PartialDate::parts).unwrap_or_default();
        self.date.append_option(date.and_then(day));
        self.year.append_option(date.map(|_| year as i16));
        self.month.append_option(month.map(|month| month as i8));
        self.result.append_option(game.result());
        self.white_elo.append_option(rating(game, "WhiteElo"));
        self.black_elo.append_option(rating(game, "BlackElo"));
        self.eco.append_option(game.opening.map(Opening::eco));
        self.opening
            .append_option(game.opening.map(Opening::family));
        let variation = game.opening.and_then(Opening::variation);
        self.variation.append_option(variation);
        self.plies.append_value(game.plies);
        let key = game.last_key.map(u64::cast_signed);
        self.final_key.append_option(key);
        self.problems.append_value(game.problems.count() as i32);
        self.push_tags(game)?;
        self.movetext
            .append_value(decode(source.movetext.trim_ascii()));
        Ok(1)
    }

    fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<(&str, ArrayRef, bool)> = vec![
            (GAME, Arc::new(self.game.finish()), false),
            ("file", Arc::new(self.file.finish()), false),
            ("file_offset", Arc::new(self.offset.finish()), false),
            ("line", Arc::new(self.line.finish()), false),
        ];
        for (column, (name, _)) in self.texts.iter_mut().zip(TEXTS) {
            columns.push((name, Arc::new(column.finish()), true));
        }
        columns.extend([
            ("date", Arc::new(self.date.finish()) as ArrayRef, true),
            ("year", Arc::new(self.year.finish()), true),
            ("month", Arc::new(self.month.finish()), true),
            ("result", Arc::new(self.result.finish()), true),
            ("white_elo", Arc::new(self.white_elo.finish()), true),
            ("black_elo", Arc::new(self.black_elo.finish()), true),
            ("eco", Arc::new(self.eco.finish()), true),
            ("opening", Arc::new(self.opening.finish()), true),
            ("variation", Arc::new(self.variation.finish()), true),
            ("plies", Arc::new(self.plies.finish()), false),
            ("final_key", Arc::new(self.final_key.finish()), true),
            ("problems", Arc::new(self.problems.finish()), false),
            ("tags", Arc::new(self.tags.finish()), false),
            ("movetext", Arc::new(self.movetext.finish()), false),
        ]);
        RecordBatch::try_from_iter_with_nullable(columns)
    }
}

/// A date that is known to the day, as Arrow counts.
fn day(date: PartialDate) -> Option<i32> {
    let (year, month, day) = date.parts();
    let date = NaiveDate::from_ymd_opt(year.into(), month?.into(), day?.into())?;
    Some(Date32Type::from_naive_date(date))
}

/// Whether the typed columns have all that the value of a tag says.
fn fits(game: &GameInfo, tag: &str, value: &str) -> bool {
    match tag {
        "Date" => {
            let columns = game.date().map_or(0, |date| {
                let (_, month, _) = date.parts();
                1 + usize::from(month.is_some()) + usize::from(day(date).is_some())
            });
            columns == known_parts(value)
        }
        "Result" => game.result() == Some(value),
        tag => rating(game, tag).is_some(),
    }
}

fn rating(game: &GameInfo, tag: &str) -> Option<i16> {
    let rating = game.tags.get(tag)?.trim().parse().ok();
    rating.filter(|rating| *rating > 0)
}
