//! Engines as commands start them.

use crate::client::{self, Engine, EngineCommand, Error};
use common::error;
use common::note;
use crossbeam_channel::Receiver;
use std::time::Duration;

/// How long an engine may take to introduce itself.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(15);

/// Starts an engine; if it is slow to answer, the user is informed. When the channel closes, all
/// waits end.
///
/// # Errors
/// When it cannot be started, does not introduce itself, or refuses an option.
pub(crate) fn start(command: &EngineCommand, interrupt: &Receiver<()>) -> client::Result<Engine> {
    Engine::start_reporting(command, HANDSHAKE_TIMEOUT, interrupt.clone(), report_delay)
}

fn report_delay(error: &Error, limit: Duration) {
    let seconds = limit.as_secs_f64();
    note!("mola: {error}; it has {seconds:.0} s in total");
}

/// The text of an engine's command; Mola itself where none is given.
///
/// # Errors
/// When the system cannot tell where this program is.
pub(crate) fn engine_or_own(engine: Option<&str>) -> error::Result<String> {
    if let Some(engine) = engine {
        return Ok(engine.to_owned());
    }
    let program = EngineCommand::own()?.program.replace(',', "\\,");
    Ok(format!("cmd='{program}' uci"))
}

/// Reads `NAME=VALUE`.
///
/// # Errors
/// When there is no such sign.
pub(crate) fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE expected")?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_is_an_engine() {
        let text = engine_or_own(None).unwrap();
        let command = EngineCommand::parse_with(&text, |_, _| Ok(false)).unwrap();
        assert_eq!(command.args, ["uci"]);
    }
}
