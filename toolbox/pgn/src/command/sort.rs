//! `mola pgn sort`: games in the order of their tags.

use super::input::Input;
use super::output::{OutputArgs, RawGames};
use super::pipeline::GameRecord;
use super::tag_argument::tag_argument;
use crate::{Dialect, Headers};
use common::error::{Error, Result};
use common::error_text::of_system;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::env;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::str::FromStr;

/// Sort games by one or several tags; games are unchanged.
///
/// Numbers within a value are compared as numbers, other text ignoring case; games without the tag,
/// or with the value ?, come last. The sort is stable. Files of any size are sorted in little
/// memory, with a temporary file of the same size.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola pgn sort games.pgn --by Date -o sorted.pgn
  mola pgn sort games.pgn --by White,-Date,Round -o sorted.pgn")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: OutputArgs,
    /// The tags, most significant first; - before a name reverses the order
    #[arg(
        long,
        value_name = "TAG,...",
        value_delimiter = ',',
        required = true,
        allow_hyphen_values = true
    )]
    by: Vec<Field>,
}

/// A tag that games are sorted by.
#[derive(Debug, Clone)]
struct Field {
    tag: String,
    is_descending: bool,
}

impl FromStr for Field {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Field, String> {
        let (is_descending, tag) = match text.strip_prefix('-') {
            Some(tag) => (true, tag),
            None => (false, text),
        };
        Ok(Field {
            tag: tag_argument(tag)?,
            is_descending,
        })
    }
}

/// Bytes that sort as the values of the fields do.
fn key(headers: &Headers, fields: &[Field]) -> Vec<u8> {
    const KNOWN: u8 = 1;
    const UNKNOWN: u8 = 0xff;
    let mut key = Vec::new();
    for field in fields {
        let value = headers.get(&field.tag).unwrap_or_default();
        if value.is_empty() || value.chars().all(|c| "?.-".contains(c)) {
            key.push(UNKNOWN);
            continue;
        }
        key.push(KNOWN);
        let first = key.len();
        push_natural(&value, &mut key);
        key.push(0);
        if field.is_descending {
            for byte in key.iter_mut().skip(first) {
                *byte = !*byte;
            }
        }
    }
    key
}

/// Letters in small, and before every number how many digits it has. No byte is zero, which ends
/// a value.
fn push_natural(value: &str, key: &mut Vec<u8>) {
    let value = value.to_lowercase();
    let mut rest = value.as_str();
    while let Some(c) = rest.chars().next() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        if digits == 0 {
            let (letter, after) = rest.split_at(c.len_utf8());
            key.extend(letter.bytes().map(|byte| byte.max(1)));
            rest = after;
        } else {
            let (number, after) = rest.split_at(digits);
            let number = number.trim_start_matches('0');
            // Digits stay among digits when they are compared with letters.
            key.extend([b'0', number.len().min(250) as u8 + 1]);
            key.extend_from_slice(number.as_bytes());
            rest = after;
        }
    }
}

/// A game with its key.
struct Item {
    key: Vec<u8>,
    text: Vec<u8>,
}

/// So many bytes of games are sorted at a time.
const RUN: usize = 96 << 20;

/// Sorts more than the memory holds: sorted runs in a temporary file, which are merged.
#[derive(Default)]
struct Sorter {
    items: Vec<Item>,
    size: usize,
    file: Option<File>,
    /// Where each run begins and ends in the file.
    runs: Vec<(u64, u64)>,
}

fn temporary(error: &io::Error) -> Error {
    let (folder, error) = (env::temp_dir(), of_system(error));
    Error::Message(format!("a temporary file in {}: {error}", folder.display()))
}

impl Sorter {
    fn add(&mut self, item: Item) -> Result {
        self.size += item.key.len() + item.text.len() + size_of::<Item>();
        self.items.push(item);
        if self.size >= RUN {
            self.spill().map_err(|error| temporary(&error))?;
        }
        Ok(())
    }

    /// Writes what is in memory as a run.
    fn spill(&mut self) -> io::Result<()> {
        self.items.sort_by(|a, b| a.key.cmp(&b.key));
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        let begin = file.seek(SeekFrom::End(0))?;
        let mut out = BufWriter::with_capacity(1 << 20, file);
        for Item { key, text } in self.items.drain(..) {
            out.write_all(&(key.len() as u32).to_le_bytes())?;
            out.write_all(&(text.len() as u32).to_le_bytes())?;
            out.write_all(&key)?;
            out.write_all(&text)?;
        }
        let end = out.into_inner()?.stream_position()?;
        self.runs.push((begin, end));
        self.size = 0;
        Ok(())
    }

    /// Hands out all games in order.
    fn finish(mut self, mut take: impl FnMut(&[u8]) -> Result) -> Result {
        if self.file.is_none() {
            self.items.sort_by(|a, b| a.key.cmp(&b.key));
            return self.items.iter().try_for_each(|item| take(&item.text));
        }
        self.spill().map_err(|error| temporary(&error))?;
        let Some(mut file) = self.file else {
            return Ok(());
        };
        let runs = self.runs.iter();
        let mut runs: Vec<Run> = runs.map(|&(next, end)| Run::new(next, end)).collect();
        let mut heads = BinaryHeap::new();
        for (index, run) in runs.iter_mut().enumerate() {
            if let Some(item) = run.next(&mut file).map_err(|error| temporary(&error))? {
                heads.push(Reverse((item.key, index, item.text)));
            }
        }
        while let Some(Reverse((_, index, text))) = heads.pop() {
            take(&text)?;
            let Some(run) = runs.get_mut(index) else {
                continue;
            };
            if let Some(item) = run.next(&mut file).map_err(|error| temporary(&error))? {
                heads.push(Reverse((item.key, index, item.text)));
            }
        }
        Ok(())
    }
}

/// A run while it is read.
struct Run {
    next: u64,
    end: u64,
    buffer: Vec<u8>,
    at: usize,
}

impl Run {
    fn new(next: u64, end: u64) -> Run {
        Run {
            next,
            end,
            buffer: Vec::new(),
            at: 0,
        }
    }

    /// The next bytes of the run.
    fn take(&mut self, file: &mut File, length: usize) -> io::Result<Vec<u8>> {
        const AHEAD: usize = 1 << 18;
        if self.buffer.len() - self.at < length {
            self.buffer.drain(..self.at);
            self.at = 0;
            let missing = length - self.buffer.len();
            let wanted = missing.max(AHEAD) as u64;
            let wanted = wanted.min(self.end - self.next);
            file.seek(SeekFrom::Start(self.next))?;
            let read = file.take(wanted).read_to_end(&mut self.buffer)?;
            self.next += read as u64;
        }
        let taken = self.buffer.get(self.at..self.at + length);
        let taken = taken.ok_or(io::ErrorKind::UnexpectedEof)?.to_vec();
        self.at += length;
        Ok(taken)
    }

    fn next(&mut self, file: &mut File) -> io::Result<Option<Item>> {
        if self.at == self.buffer.len() && self.next == self.end {
            return Ok(None);
        }
        let mut length = || {
            let bytes = self.take(file, 4)?;
            let bytes: [u8; 4] = bytes.try_into().map_err(|_| io::ErrorKind::InvalidData)?;
            Ok::<usize, io::Error>(u32::from_le_bytes(bytes) as usize)
        };
        let (key, text) = (length()?, length()?);
        Ok(Some(Item {
            key: self.take(file, key)?,
            text: self.take(file, text)?,
        }))
    }
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let mut out = args.target.open(&args.input)?;
    let item = |record: GameRecord<'_>| Item {
        key: key(&record.tree.headers, &args.by),
        text: record.raw.to_vec(),
    };
    let mut sorter = Sorter::default();
    args.input.each_game(dialect, item, |item| {
        sorter.add(item)?;
        Ok(true)
    })?;
    let mut games = RawGames::default();
    sorter.finish(|game| Ok(out.write_all(games.next(game))?))?;
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(fields: &str, values: &[&str]) -> Vec<String> {
        let fields: Vec<Field> = fields
            .split(',')
            .map(|field| field.parse().unwrap())
            .collect();
        let key_of = |value: &&str| {
            let mut headers = Headers::new();
            headers.set("A", value);
            key(&headers, &fields)
        };
        let mut values = values.to_vec();
        values.sort_by_key(key_of);
        values.into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn numbers_letters_and_what_is_unknown() {
        assert_eq!(
            order("A", &["10", "9", "?", "1.10", "1.9", "007"]),
            ["1.9", "1.10", "007", "9", "10", "?"]
        );
        assert_eq!(order("-A", &["a", "?", "C", "b"]), ["C", "b", "a", "?"]);
        let dates = [
            "2024.10.01",
            "????.??.??",
            "2024.??.??",
            "1999.1.2",
            "2024.9.30",
        ];
        assert_eq!(
            order("A", &dates),
            [
                "1999.1.2",
                "2024.9.30",
                "2024.10.01",
                "2024.??.??",
                "????.??.??"
            ]
        );
    }

    #[test]
    fn runs_are_merged_in_order() {
        let mut sorter = Sorter::default();
        for number in 0..1000_u32 {
            let key = (number * 7919 % 10).to_be_bytes().to_vec();
            let text = number.to_be_bytes().repeat(1 + number as usize % 300);
            sorter.add(Item { key, text }).unwrap();
            if number % 100 == 99 {
                sorter.spill().unwrap();
            }
        }
        let mut found = Vec::new();
        let take = |text: &[u8]| {
            found.push(u32::from_be_bytes(text[..4].try_into().unwrap()));
            Ok(())
        };
        sorter.finish(take).unwrap();
        let mut expected: Vec<u32> = (0..1000).collect();
        expected.sort_by_key(|number| number * 7919 % 10);
        assert_eq!(found, expected);
    }
}
