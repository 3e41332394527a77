//! Sessions of the protocols.

use crossbeam_channel::unbounded;
use common::input::read_line;
use common::output::Output;
use mola::protocol::{Protocol, speak};

/// Words of lines that take long by design, or write files.
const LEFT_OUT: [&str; 8] = [
    "perft", "bench", "hash", "threads", "memory", "cores", "log", "/",
];

/// Passes lines to a session, each followed by the command that ends a search.
pub fn run(protocol: Protocol, mut bytes: &[u8], stop: &str) {
    let (sender, lines) = unbounded();
    while let Ok(Some(line)) = read_line(&mut bytes) {
        let words = line.text.to_lowercase();
        if LEFT_OUT.iter().any(|word| words.contains(word)) {
            continue;
        }
        let mut end = line.clone();
        stop.clone_into(&mut end.text);
        let _ = (sender.send(line), sender.send(end));
    }
    drop(sender);
    speak(Some(protocol), lines, Output::to(std::io::sink())).expect("nothing can fail");
}
