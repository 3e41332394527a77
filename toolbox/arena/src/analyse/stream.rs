//! An infinite analysis, shown while it runs.

use super::analysis::{PvLine, words_of_end};
use super::task::AnalysisTask;
use super::work::Work;
use crate::client::{ErrorKind, Info, SearchEvent};
use crate::start;
use common::control_characters::without_control_characters;
use common::error::{Error, Result};
use common::signals::Signal;
use crossbeam_channel::{Receiver, never};
use serde::Serialize;
use std::io::{Write, stdout};
use std::time::{Duration, Instant};

/// How soon Ctrl-C is heard.
const TICK: Duration = Duration::from_millis(50);
/// How long the engine may take to end its search.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// A line as it comes.
#[derive(Serialize)]
struct Streamed {
    multipv: usize,
    #[serde(flatten)]
    line: PvLine,
}

/// Shows every line of the engine until Ctrl-C, and its move in the end. A second Ctrl-C does not
/// wait for an engine that goes on.
pub(super) fn run(
    work: &Work,
    task: &AnalysisTask,
    json: bool,
    signals: &Receiver<Signal>,
) -> Result {
    let mut engine = start::start(&work.command, &never())?;
    let mut request = work.request(task);
    request.limits.infinite = true;
    engine.begin(&task.game(), &request)?;
    let mut stopped: Option<Instant> = None;
    loop {
        let is_signal = signals.try_recv().is_ok();
        match stopped {
            Some(at) if is_signal || at.elapsed() >= STOP_TIMEOUT => {
                let message = "the engine did not end its search";
                return Err(Error::Interrupted(message.to_owned()));
            }
            None if is_signal => {
                engine.stop();
                stopped = Some(Instant::now());
            }
            _ => {}
        }
        match engine.next(Some(TICK)) {
            Ok(SearchEvent::Info(info)) if info.pv.is_empty() => {}
            Ok(SearchEvent::Info(info)) => write_info(task, &info, json)?,
            Ok(SearchEvent::Done(end)) => {
                let best = end.best.map(|best| task.position.variation_san(&[best]));
                if !json {
                    let over = || Some(format!("no move: {}", words_of_end(&task.position)?));
                    let best = best.or_else(over);
                    let best = best.as_deref().unwrap_or("no move");
                    let id = without_control_characters(&task.id);
                    writeln!(stdout(), "{id}: {best}; scores are White's")?;
                }
                return Ok(());
            }
            Err(error) if matches!(error.kind, ErrorKind::TimedOut { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn write_info(task: &AnalysisTask, info: &Info, json: bool) -> Result {
    let line = PvLine::new(&task.position, info);
    let multipv = info.multipv.unwrap_or(1);
    let mut out = stdout().lock();
    if json {
        let text = serde_json::to_string(&Streamed { multipv, line });
        writeln!(out, "{}", text.map_err(|error| error.to_string())?)?;
    } else {
        let nodes = line.nodes.unwrap_or(0);
        writeln!(out, "{multipv}. {line}, {nodes} nodes: {}", line.san)?;
    }
    Ok(out.flush()?)
}
