//! What an analysis has found, for people and for programs.

use super::task::Task;
use crate::client::{Info, Played, Score};
use engine_core::AnyPosition;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The first line of a file: what the records that follow come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) engine: String,
    pub(super) limits: String,
    pub(super) positions: usize,
}

/// What was found for one position: one line of JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    /// From 0, in the order of the input.
    pub(super) number: usize,
    pub(super) id: String,
    pub(super) fen: String,
    /// The move, in UCI notation and in SAN.
    pub(super) best: Option<String>,
    pub(super) san: Option<String>,
    /// The best line first.
    pub(super) lines: Vec<Line>,
    pub(super) seconds: f64,
    /// Whether the move is what the position asks for, if it asks for one.
    pub(super) solved: Option<bool>,
    /// The points of the move and the most there are, if the position gives some.
    pub(super) points: Option<(u32, u32)>,
    /// Why the engine found nothing.
    pub(super) error: Option<String>,
}

/// One line of analysis; scores are for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) cp: Option<i32>,
    /// Moves to mate, negative when being mated.
    pub(super) mate: Option<i32>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    /// In UCI notation.
    pub(super) pv: String,
    /// In SAN with move numbers.
    pub(super) san: String,
}

impl Line {
    fn new(root: &AnyPosition, info: &Info) -> Line {
        let score = info.score.map(|score| score.relative);
        Line {
            cp: score.and_then(Score::cp),
            mate: score.and_then(Score::mate),
            depth: info.depth,
            nodes: info.nodes,
            pv: root.variation_uci(&info.pv),
            san: root.variation_san(&info.pv),
        }
    }

    fn score(&self) -> String {
        match (self.mate, self.cp) {
            (Some(mate), _) => Score::Mate(mate).to_string(),
            (None, Some(cp)) => Score::Cp(cp).to_string(),
            (None, None) => "?".to_owned(),
        }
    }
}

impl Record {
    /// What was found.
    pub(super) fn found(number: usize, task: &Task, lines: &[Info], played: &Played) -> Record {
        let root = task.game.position();
        let text = |m| (root.to_uci(m).to_string(), root.to_san(m).to_string());
        let (best, san) = played.best.map(text).unzip();
        let mate = lines.first().and_then(|info| info.score?.relative.mate());
        Record {
            best,
            san,
            lines: lines.iter().map(|info| Line::new(root, info)).collect(),
            seconds: played.elapsed.as_secs_f64(),
            solved: task.goal.is_met(played.best, mate),
            points: task.goal.points_for(played.best),
            ..Record::failed(number, task, None)
        }
    }

    /// That nothing was found, and why.
    pub(super) fn failed(number: usize, task: &Task, error: Option<String>) -> Record {
        Record {
            number,
            id: task.id.clone(),
            fen: task.fen(),
            best: None,
            san: None,
            lines: Vec::new(),
            seconds: 0.0,
            solved: task.goal.is_met(None, None),
            points: task.goal.points_for(None),
            error,
        }
    }
}

/// `id: move, score, depth; line; FEN`.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.solved {
            Some(true) => "solved ",
            Some(false) => "missed ",
            None => "",
        };
        write!(f, "{mark}{}: ", self.id)?;
        if let Some(error) = &self.error {
            return write!(f, "{error}");
        }
        f.write_str(self.san.as_deref().unwrap_or("no move"))?;
        if let Some((points, most)) = self.points {
            write!(f, ", {points} of {most} points")?;
        }
        if let [line] = self.lines.as_slice() {
            let depth = line.depth.unwrap_or(0);
            write!(f, ", {} at depth {depth}: {}", line.score(), line.san)?;
        } else {
            for line in &self.lines {
                let depth = line.depth.unwrap_or(0);
                write!(f, "\n    {} at depth {depth}: {}", line.score(), line.san)?;
            }
        }
        Ok(())
    }
}
