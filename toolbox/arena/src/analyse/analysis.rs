//! The result of an analysis, as text and as JSON.

use super::task::AnalysisTask;
use crate::client::{Info, PlayResult, PovScore, Score};
use crate::tournament::reason_of;
use common::control_characters::without_control_characters;
use engine_core::search::Bound;
use engine_core::{AnyPosition, Color, Move, Outcome};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The first line of a file: the engine and limits of the analyses that follow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) engine: String,
    pub(super) limits: String,
    pub(super) positions: usize,
    /// Whose view scores are: always White's.
    pub(super) scores: String,
}

/// What was found for one position: one line of JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Analysis {
    /// From 0, in the order of the input.
    pub(super) number: usize,
    pub(super) id: String,
    pub(super) fen: String,
    /// The move, in UCI notation and in SAN.
    pub(super) best: Option<String>,
    pub(super) san: Option<String>,
    /// How the game is over here, in words, where there is no move.
    pub(super) end: Option<String>,
    /// The move that was played in the game here, in SAN.
    pub(super) played: Option<String>,
    /// The best line first.
    pub(super) lines: Vec<PvLine>,
    pub(super) seconds: f64,
    /// Whether the move is what the position asks for, if it asks for one.
    pub(super) solved: Option<bool>,
    /// What the position asks for, in words.
    pub(super) wanted: Option<String>,
    /// The points of the move and the most there are, if the position gives some.
    pub(super) points: Option<(u32, u32)>,
    /// Why the engine found nothing.
    pub(super) error: Option<String>,
}

/// One line of analysis; scores are White's.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct PvLine {
    pub(super) cp: Option<i32>,
    /// Moves to mate, negative when Black mates; zero where the side to move is mated.
    pub(super) mate: Option<i32>,
    /// Whether `cp` or `mate` is only a bound; null where it is exact.
    pub(super) bound: Option<ScoreBound>,
    /// Wins, draws and losses in a thousand games.
    pub(super) wdl: Option<[u32; 3]>,
    pub(super) depth: Option<u32>,
    pub(super) seldepth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) nps: Option<u64>,
    /// Seconds since the search began.
    pub(super) time: Option<f64>,
    /// In UCI notation.
    pub(super) pv: String,
    /// In SAN with move numbers.
    pub(super) san: String,
}

/// What is known of a score that is not exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ScoreBound {
    /// White stands at least as well as the score says.
    Lower,
    /// White stands at most as well.
    Upper,
}

impl ScoreBound {
    /// The bound of White's score; `None` where it is exact.
    fn of(info: &Info) -> Option<ScoreBound> {
        let is_whites = info.score?.turn.is_white();
        match (info.bound?, is_whites) {
            (Bound::Exact, _) => None,
            (Bound::Lower, true) | (Bound::Upper, false) => Some(ScoreBound::Lower),
            (Bound::Upper, true) | (Bound::Lower, false) => Some(ScoreBound::Upper),
        }
    }
}

impl PvLine {
    pub(super) fn new(root: &AnyPosition, info: &Info) -> PvLine {
        let score = info.score.map(PovScore::white);
        let wdl = info.wdl.map(|wdl| wdl.pov(Color::White));
        PvLine {
            cp: score.and_then(Score::cp),
            mate: score.and_then(Score::mate),
            bound: ScoreBound::of(info),
            wdl: wdl.map(|wdl| [wdl.wins, wdl.draws, wdl.losses]),
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            nps: info.nps,
            time: info.time.map(|time| time.as_secs_f64()),
            pv: root.variation_uci(&info.pv),
            san: root.variation_san(&info.pv),
        }
    }
}

/// `+0.34 at depth 12`; `>=` or `<=` before a bound.
impl fmt::Display for PvLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bound {
            Some(ScoreBound::Lower) => f.write_str(">=")?,
            Some(ScoreBound::Upper) => f.write_str("<=")?,
            None => {}
        }
        match (self.mate, self.cp) {
            // Zero has no sign to say which side it is.
            (Some(0), _) => return f.write_str("the side to move is mated"),
            (Some(mate), _) => Score::Mate(mate).fmt(f)?,
            (None, Some(cp)) => Score::Cp(cp).fmt(f)?,
            (None, None) => f.write_str("no score")?,
        }
        write!(f, " at depth {}", self.depth.unwrap_or(0))
    }
}

impl Analysis {
    /// What was found.
    pub(super) fn found(
        number: usize,
        task: &AnalysisTask,
        lines: &[Info],
        end: &PlayResult,
    ) -> Analysis {
        let root = &task.position;
        let (best, san) = end.best.map(|m| texts(root, m)).unzip();
        let over = end.best.is_none().then(|| words_of_end(root)).flatten();
        // A score that is at most a mate proves none.
        let line = lines.first();
        let line = line.filter(|info| info.bound != Some(Bound::Upper));
        let mate = line.and_then(|info| info.score?.relative.mate());
        Analysis {
            best,
            san,
            end: over,
            lines: lines.iter().map(|info| PvLine::new(root, info)).collect(),
            seconds: end.elapsed.as_secs_f64(),
            solved: task.goal.is_met(end.best, mate),
            points: task.goal.points_for(end.best),
            ..Analysis::empty(number, task)
        }
    }

    /// That the engine failed, and why.
    pub(super) fn failed(number: usize, task: &AnalysisTask, error: String) -> Analysis {
        Analysis {
            error: Some(error),
            ..Analysis::empty(number, task)
        }
    }

    /// The position, with nothing found yet.
    fn empty(number: usize, task: &AnalysisTask) -> Analysis {
        let root = &task.position;
        Analysis {
            number,
            id: task.id.clone(),
            fen: task.fen(),
            best: None,
            san: None,
            end: None,
            played: task.next.map(|m| texts(root, m).1),
            lines: Vec::new(),
            seconds: 0.0,
            solved: task.goal.is_met(None, None),
            wanted: task.goal.wanted(root),
            points: task.goal.points_for(None),
            error: None,
        }
    }
}

/// How a game is over in a position: `checkmate, White wins`, `stalemate, a draw`.
pub(super) fn words_of_end(root: &AnyPosition) -> Option<String> {
    let Outcome {
        termination,
        winner,
    } = root.outcome()?;
    let whose = match winner {
        Some(Color::White) => "White wins",
        Some(Color::Black) => "Black wins",
        None => "a draw",
    };
    Some(format!("{}, {whose}", reason_of(termination)))
}

/// A move in UCI notation and in SAN.
fn texts(root: &AnyPosition, m: Move) -> (String, String) {
    (root.to_uci(m).to_string(), root.to_san(m).to_string())
}

/// `id: move, score, depth: line`.
impl fmt::Display for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.solved {
            Some(true) => "solved ",
            Some(false) => "missed ",
            None => "",
        };
        write!(f, "{mark}{}: ", without_control_characters(&self.id))?;
        if let Some(error) = &self.error {
            return write!(f, "{error}");
        }
        match (&self.san, &self.end) {
            (Some(san), _) => f.write_str(san)?,
            (None, Some(end)) => write!(f, "no move: {end}")?,
            (None, None) => f.write_str("no move")?,
        }
        if let Some((points, most)) = self.points {
            write!(f, ", {points} of {most} points")?;
        }
        let wanted = self.wanted.as_ref().filter(|_| self.solved == Some(false));
        let wanted = wanted.map(|wanted| format!(", {wanted}"));
        let played = self.played.as_ref();
        let played = played.map(|played| format!(", played {played}"));
        let beside: String = [wanted, played].into_iter().flatten().collect();
        // What the score of a game that is over says, its end has said.
        let lines = self.lines.as_slice();
        let lines = if self.end.is_some() { &[] } else { lines };
        if let [line] = lines {
            write!(f, ", {line}{beside}")?;
            return match line.san.as_str() {
                "" => Ok(()),
                san => write!(f, ": {san}"),
            };
        }
        f.write_str(&beside)?;
        for line in lines {
            write!(f, "\n    {line}: {}", line.san)?;
        }
        Ok(())
    }
}
