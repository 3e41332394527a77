//! An XBoard session: any lines, with searches cut short.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mola::protocol::Protocol;
use mola_fuzz::session;

fuzz_target!(|bytes: &[u8]| session::run(Protocol::XBoard, bytes, "?"));
