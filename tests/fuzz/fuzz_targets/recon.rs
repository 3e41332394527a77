//! Requests to the arbiter of Reconnaissance Chess.

#![no_main]

use libfuzzer_sys::fuzz_target;
use common::output::Output;
use recon::arbiter;

fuzz_target!(|bytes: &[u8]| {
    let mut input = bytes;
    arbiter::serve(&mut input, &mut Output::to(std::io::sink())).expect("nothing can fail");
});
