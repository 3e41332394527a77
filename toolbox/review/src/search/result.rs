//! The result of a search.

use common::error_text::of_json;
use engine_core::{AnyPosition, Move};
use pgn::Eval;
use serde::{Deserialize, Serialize};

/// The lines of a search, the best first; none if the engine reported none.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct SearchResult {
    pub(crate) lines: Vec<PvLine>,
    /// The depth from which on the first move was the best.
    pub(crate) settled: u32,
}

/// A line with its evaluation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PvLine {
    /// As White sees it.
    pub(crate) eval: Eval,
    /// Plies of the search.
    pub(crate) depth: u32,
    pub(crate) moves: Vec<Move>,
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
struct JournalLine {
    fen: String,
    settled: u32,
    lines: Vec<LineRecord>,
}

#[derive(Serialize, Deserialize)]
struct LineRecord {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cp: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    mate: Option<i64>,
    depth: u32,
    /// In UCI notation.
    pv: String,
}

impl SearchResult {
    /// The best line.
    pub(crate) fn best(&self) -> Option<&PvLine> {
        self.lines.first()
    }

    /// As a line of JSON.
    pub(super) fn write(&self, position: &AnyPosition) -> common::error::Result<String> {
        let line = |line: &PvLine| {
            let (cp, mate) = match line.eval {
                Eval::Cp(cp) => (Some(cp), None),
                Eval::Mate(moves) => (None, Some(moves)),
            };
            LineRecord {
                cp,
                mate,
                depth: line.depth,
                pv: position.variation_uci(&line.moves),
            }
        };
        let record = JournalLine {
            fen: position.fen(),
            settled: self.settled,
            lines: self.lines.iter().map(line).collect(),
        };
        let text = serde_json::to_string(&record).map_err(|error| error.to_string())?;
        Ok(text + "\n")
    }

    /// Reads the result for this position. The error says why it is none.
    pub(super) fn read(position: &AnyPosition, text: &str) -> Result<SearchResult, String> {
        let record: JournalLine =
            serde_json::from_str(text).map_err(|error| of_json(&error, text))?;
        if record.fen != position.fen() {
            return Err("a search is of another position".to_owned());
        }
        let line = |line: LineRecord| {
            let eval = match (line.cp, line.mate) {
                (Some(cp), None) => Eval::Cp(cp),
                (None, Some(moves)) => Eval::Mate(moves),
                _ => return Err("a line has no score".to_owned()),
            };
            let mut after = *position;
            let mut moves = Vec::new();
            for word in line.pv.split_whitespace() {
                let m = after
                    .parse_uci(word)
                    .map_err(|_| "a line has an illegal move".to_owned())?;
                after.play(m);
                moves.push(m);
            }
            Ok(PvLine {
                eval,
                depth: line.depth,
                moves,
            })
        };
        Ok(SearchResult {
            settled: record.settled,
            lines: record
                .lines
                .into_iter()
                .map(line)
                .collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Variant;

    #[test]
    fn written_and_read() {
        let start = AnyPosition::start(Variant::Standard);
        let e4 = start.parse_uci("e2e4").unwrap();
        let result = SearchResult {
            settled: 3,
            lines: [Eval::Cp(-31), Eval::Mate(2)]
                .map(|eval| PvLine {
                    eval,
                    depth: 12,
                    moves: vec![e4],
                })
                .into(),
        };
        let text = result.write(&start).unwrap();
        assert_eq!(SearchResult::read(&start, &text).unwrap(), result);
        let after = start.after(e4);
        for (position, text) in [(&after, text.as_str()), (&start, "{}"), (&start, "x")] {
            assert!(SearchResult::read(position, text).is_err(), "{text}");
        }
        let illegal = text.replace("e2e4", "e2e5");
        assert!(SearchResult::read(&start, &illegal).is_err());
    }
}
