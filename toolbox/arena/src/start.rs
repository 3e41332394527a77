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

/// Reads an engine's command, whose other fields are passed to `other`; Mola itself where none is given.
///
/// # Errors
/// When something is wrong with the text, or the system cannot tell where this program is.
pub(crate) fn engine_or_own(
    engine: Option<&str>,
    other: impl FnMut(&str, &str) -> Result<bool, String>,
) -> error::Result<EngineCommand> {
    match engine {
        Some(text) => EngineCommand::parse_with(text, other).map_err(error::Error::Usage),
        None => Ok(EngineCommand::own()?),
    }
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
        let command = engine_or_own(None, |_, _| Ok(false)).unwrap();
        assert_eq!(command.args, ["uci"]);
    }
}
