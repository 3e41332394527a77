//! Records of values computed by python-chess.

use engine_core::{CastlingMode, Termination};
pub(crate) use serde_json::Value;

/// The committed records of one kind.
pub(crate) fn committed(kind: &str) -> Vec<Value> {
    let mut records = parse(include_str!("../data/notation.jsonl"));
    records.retain(|record| record["kind"] == kind);
    assert!(!records.is_empty(), "no committed record is a {kind}");
    records
}

/// The records of a compressed file of the shared data.
pub(crate) fn shared(path: &str) -> Vec<Value> {
    parse(&corpora::text(&corpora::path(path)))
}

/// The string under a key of a record, if there is one.
pub(crate) fn text<'a>(record: &'a Value, key: &str) -> &'a str {
    record[key].as_str().unwrap_or_default()
}

/// Whether a record is of Chess960.
pub(crate) fn mode_of(record: &Value) -> CastlingMode {
    if record["chess960"] == true {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    }
}

/// python-chess's name of a termination.
pub(crate) fn termination(termination: Termination) -> &'static str {
    match termination {
        Termination::Checkmate => "CHECKMATE",
        Termination::Stalemate => "STALEMATE",
        Termination::InsufficientMaterial => "INSUFFICIENT_MATERIAL",
        Termination::SeventyFiveMoves => "SEVENTYFIVE_MOVES",
        Termination::FivefoldRepetition => "FIVEFOLD_REPETITION",
        Termination::FiftyMoves => "FIFTY_MOVES",
        Termination::ThreefoldRepetition => "THREEFOLD_REPETITION",
        Termination::VariantWin => "VARIANT_WIN",
        Termination::VariantLoss => "VARIANT_LOSS",
        Termination::VariantDraw => "VARIANT_DRAW",
    }
}

/// One record a line.
fn parse(lines: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).expect("a corpus has one JSON record a line");
    lines.lines().map(parse).collect()
}

/// Counts comparisons and keeps those that fail, so that a test shows all of them at once.
#[derive(Default)]
pub(crate) struct Tally {
    compared: usize,
    failures: Vec<String>,
}

impl Tally {
    /// Compares Mola's value with that under a key of a record, if there is one.
    pub(crate) fn check(&mut self, what: &str, record: &Value, key: &str, ours: impl Into<Value>) {
        let Some(theirs) = record.get(key) else {
            return;
        };
        self.compared += 1;
        let ours = ours.into();
        if ours != *theirs {
            let failure = format!("{what} {key}: ours {ours}, theirs {theirs}");
            self.failures.push(failure);
        }
    }

    /// Compares a value that is not in the record.
    pub(crate) fn ensure(&mut self, what: &str, holds: bool) {
        self.compared += 1;
        if !holds {
            self.failures.push(what.to_owned());
        }
    }

    /// Fails if a comparison failed.
    pub(crate) fn finish(self, name: &str) {
        let failures = self.failures;
        println!("{name}: {} facts, {} differ", self.compared, failures.len());
        assert!(failures.is_empty(), "{name}:\n{}", failures.join("\n"));
    }
}
