//! Requests to the server of Reconnaissance Chess: each line is a letter for the method, a letter
//! for the user, a path and a body.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recon::Limits;
use recon::server::{Config, OfflineServer};
use std::sync::{Mutex, PoisonError};
use std::{env, fs, process};

/// After this many inputs the server is recreated, so that its journal stays small.
const INPUTS: usize = 10_000;

/// A server, and the number of its inputs so far.
static SERVER: Mutex<Option<(OfflineServer, usize)>> = Mutex::new(None);

fn begin() -> OfflineServer {
    let folder = env::temp_dir().join(format!("mola-fuzz-server-{}", process::id()));
    let _ = fs::remove_dir_all(&folder);
    let residents = ["ann", "bob"].map(|name| (name.to_owned(), "x".to_owned()));
    let config = Config {
        folder,
        limits: Limits::default(),
        version: "1".to_owned(),
        residents: residents.to_vec(),
        max_connections: 1,
        max_connections_per_address: 1,
        behind_proxy: false,
    };
    OfflineServer::open(&config).expect("a folder can be made")
}

fuzz_target!(|bytes: &[u8]| {
    let mut server = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
    if server.as_ref().is_none_or(|(_, inputs)| *inputs > INPUTS) {
        // The old one holds the folder until it is dropped.
        *server = None;
        *server = Some((begin(), 0));
    }
    let (server, inputs) = server.as_mut().expect("it has begun");
    *inputs += 1;
    for line in bytes.split(|&byte| byte == b'\n').take(64) {
        let [method, user, request @ ..] = line else {
            continue;
        };
        let method = match method {
            b'g' => "GET",
            b'p' => "POST",
            _ => "PUT",
        };
        // Base64 of `ann:x` and `bob:x`.
        let authorization = match user {
            b'a' => Some("Basic YW5uOng="),
            b'b' => Some("Basic Ym9iOng="),
            _ => None,
        };
        let end = request.iter().position(|&byte| byte == b' ');
        let (path, body) = request.split_at(end.unwrap_or(request.len()));
        let path = String::from_utf8_lossy(path);
        let (status, body) = server.answer(method, &path, authorization, body);
        assert_ne!(status, 500, "{body}");
    }
    server.tick();
});
