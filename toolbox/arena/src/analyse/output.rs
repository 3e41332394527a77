//! The output of analyses: a file of JSON lines, from which a run can be resumed, and annotated games.

use super::analysis::{Analysis, Header};
use super::task::AnalysisTask;
use common::error::{Error, Result};
use common::error_text::of_json;
use common::files::{NewFile, RecordFile, Replace, is_dash};
use pgn::{DeepEval, Eval, NodeId, Tree, Writer};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

/// Lines of JSON.
pub(super) enum JsonLines {
    /// None are wanted.
    None,
    /// On the standard output.
    Stdout,
    /// In a file, which begins with the header when there is an analysis: an engine that fails at once
    /// must not replace the records of an earlier run.
    File {
        file: Box<RecordFile>,
        header: String,
    },
}

impl JsonLines {
    /// Begins with the header, or resumes a stopped run of these tasks, with its analyses. Only a file
    /// asks for the settings, for which inputs and weights are read.
    pub(super) fn open(
        path: Option<&Path>,
        header: &Header,
        tasks: &[AnalysisTask],
        settings: impl FnOnce() -> String,
        replace: Replace,
        inputs: &[PathBuf],
    ) -> Result<(JsonLines, Vec<Analysis>)> {
        let first = json(header)?;
        match path {
            None => Ok((JsonLines::None, Vec::new())),
            Some(path) if is_dash(path) => {
                stdout().write_all(first.as_bytes())?;
                Ok((JsonLines::Stdout, Vec::new()))
            }
            Some(path) => {
                let mut file = RecordFile::open(path, &settings(), replace, inputs)?;
                let mut found = Vec::new();
                if file.records() > 0 {
                    found = analyses(&file.read()?, path)?;
                }
                // An earlier version may have made other tasks of the same input.
                if !are_of(&found, tasks) {
                    if replace == Replace::No {
                        let path = path.display();
                        let message =
                            format!("{path} is of other positions; begin anew with --force");
                        return Err(Error::Message(message));
                    }
                    file.keep_first(0)?;
                    found.clear();
                }
                let file = Box::new(file);
                let header = first;
                Ok((JsonLines::File { file, header }, found))
            }
        }
    }

    /// Writes an analysis.
    pub(super) fn add(&mut self, analysis: &Analysis) -> Result {
        match self {
            JsonLines::None => Ok(()),
            JsonLines::Stdout => Ok(stdout().write_all(json(analysis)?.as_bytes())?),
            JsonLines::File { file, header } => {
                begin(file, header)?;
                file.add(json(analysis)?.as_bytes())
            }
        }
    }

    /// Ends the file if all is done; otherwise returns how to resume, if there is a way.
    pub(super) fn finish(self, is_stopped: bool) -> Result<Option<String>> {
        match self {
            JsonLines::File { file, .. } if is_stopped => Ok(Some(file.how_to_go_on())),
            JsonLines::File { mut file, header } => {
                begin(&mut file, &header)?;
                file.finish().map(|()| None)
            }
            JsonLines::None | JsonLines::Stdout => Ok(None),
        }
    }
}

/// Writes the header of a file that has none yet.
fn begin(file: &mut RecordFile, header: &str) -> Result {
    match file.records() {
        0 => file.add(header.as_bytes()),
        _ => Ok(()),
    }
}

fn json(record: &impl serde::Serialize) -> Result<String> {
    let text = serde_json::to_string(record).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

/// The analyses behind the header.
fn analyses(text: &[u8], path: &Path) -> Result<Vec<Analysis>> {
    let lines = text.split(|&byte| byte == b'\n');
    let lines = lines.skip(1).filter(|line| !line.is_empty());
    let read = lines.map(|line| {
        let other = |error| {
            let why = of_json(&error, line);
            format!("{}: not an analysis: {why}", path.display())
        };
        Ok(serde_json::from_slice(line).map_err(other)?)
    });
    read.collect()
}

/// Whether the analyses are those of the first tasks.
fn are_of(analyses: &[Analysis], tasks: &[AnalysisTask]) -> bool {
    let mut pairs = analyses.iter().zip(tasks);
    pairs.all(|(found, task)| found.id == task.id && found.fen == task.fen())
}

/// Writes games with the evaluations that were found. A bound is not the final score, and `%eval`
/// has no sign to say so: then, and without a score, the game keeps what it has.
pub(super) fn annotate(
    mut file: NewFile,
    mut games: Vec<Tree>,
    tasks: &[AnalysisTask],
    analyses: &[Analysis],
) -> Result {
    let line = |game: &Tree| -> Vec<NodeId> { game.main_line(game.root()).collect() };
    let lines: Vec<_> = games.iter().map(line).collect();
    for (task, analysis) in tasks.iter().zip(analyses) {
        let Some((game, moves)) = task
            .source
            .and_then(|source| games.get_mut(source).zip(lines.get(source)))
        else {
            continue;
        };
        // An evaluation stands after a move, so that the first position has no place for one.
        let Some(&node) = task.plies().checked_sub(1).and_then(|at| moves.get(at)) else {
            continue;
        };
        let best = analysis.lines.first();
        if let Some(line) = best.filter(|line| line.bound.is_none()) {
            let eval = match (line.mate, line.cp) {
                (Some(mate), _) => Some(Eval::Mate(mate.into())),
                (None, cp) => cp.map(|cp| Eval::Cp(cp.into())),
            };
            let depth = line.depth.map(u64::from);
            if let Some(eval) = eval {
                game.set_eval(node, Some(DeepEval { eval, depth }));
            }
        }
    }
    for game in &games {
        writeln!(file, "{}\n", Writer::new().write(game)).map_err(Error::from)?;
    }
    file.finish()
}
