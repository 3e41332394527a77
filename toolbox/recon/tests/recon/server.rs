//! The server without its network: requests of any kind, in any order.

use common::random::Random;
use recon::Limits;
use recon::server::{Config, OfflineServer};
use std::path::Path;

/// Base64 of `ann:x`, `bob:x` and `ann:wrong`, and nobody.
const USERS: [Option<&str>; 4] = [
    Some("Basic YW5uOng="),
    Some("Basic Ym9iOng="),
    Some("Basic YW5uOndyb25n"),
    None,
];

fn open(folder: &Path) -> OfflineServer {
    let residents = ["ann", "bob"].map(|name| (name.to_owned(), "x".to_owned()));
    let config = Config {
        folder: folder.to_owned(),
        limits: Limits {
            full_turns: Some(3),
            ..Limits::default()
        },
        version: "1".to_owned(),
        residents: residents.to_vec(),
        max_connections: 1,
        max_connections_per_address: 1,
        behind_proxy: false,
    };
    OfflineServer::open(&config).unwrap()
}

fn path(random: &mut Random) -> String {
    const PATHS: [&str; 12] = [
        "version",
        "users/",
        "users/me",
        "users/me/max_games",
        "users/me/ranked",
        "users/me/version",
        "ratings",
        "invitations/",
        "invitations/#",
        "invitations/#/finish",
        "no/such",
        "games/#/",
    ];
    const GAME: [&str; 19] = [
        "color",
        "starting_board",
        "opponent_name",
        "ready",
        "sense_actions",
        "move_actions",
        "seconds_left",
        "opponent_move_results",
        "sense",
        "move",
        "end_turn",
        "resign",
        "is_over",
        "is_my_turn",
        "game_status",
        "winner_color",
        "win_reason",
        "game_history",
        "my_turns",
    ];
    // Most requests are about games.
    let path = PATHS[random.below(2 * PATHS.len()).min(PATHS.len() - 1)];
    let number = match random.below(20) {
        0 => "99999999999999999999999".to_owned(),
        1 => "x".to_owned(),
        _ => random.below(12).to_string(),
    };
    let path = path.replace('#', &number);
    let what = if path.starts_with("games/") {
        // A turn is complete only after these requests in this order.
        const TURN: [&str; 4] = ["ready", "sense", "move", "end_turn"];
        match random.below(2) {
            0 => TURN[random.below(TURN.len())],
            _ => GAME[random.below(GAME.len())],
        }
    } else {
        ""
    };
    format!("/api/{path}{what}")
}

fn body(random: &mut Random) -> String {
    let number = [0, 1, 20, 63, 64, u64::MAX][random.below(6)];
    match random.below(10) {
        0 => String::new(),
        1 => "{".to_owned(),
        2 => format!(r#"{{"max_games":{number},"ranked":true}}"#),
        3 => r#"{"opponent":"bob","color":true}"#.to_owned(),
        4 => r#"{"opponent":"ann","color":false}"#.to_owned(),
        5 => format!(r#"{{"square":{number},"requested_move":null}}"#),
        6 => r#"{"square":null,"requested_move":{"type":"Move","value":"e2e4"}}"#.to_owned(),
        7 => r#"{"square":9,"requested_move":{"type":"Move","value":"e7e5"}}"#.to_owned(),
        8 => "[".repeat(2000),
        _ => (0..random.below(40))
            .map(|_| random.draw() as u8 as char)
            .collect(),
    }
}

/// As on a disk that was full when the game ended.
pub(crate) fn a_record_that_could_not_be_written_is_written_later() {
    let folder = tempfile::tempdir().unwrap();
    let (games, away) = (folder.path().join("games"), folder.path().join("away"));
    let server = open(folder.path());
    let post = |path: &str, user: usize, body: &str| {
        let (status, text) = server.answer("POST", path, USERS[user], body.as_bytes());
        assert_eq!(status, 200, "{path}: {text}");
    };
    post("/api/invitations/", 0, r#"{"opponent":"bob","color":true}"#);
    std::fs::rename(&games, &away).unwrap();
    post("/api/games/1/resign", 1, "{}");
    server.tick();
    let history = || server.answer("GET", "/api/games/1/game_history", USERS[0], b"");
    let before = history();
    std::fs::rename(&away, &games).unwrap();
    assert!(!games.join("1.json").exists());
    server.tick();
    assert!(games.join("1.json").exists());
    assert_eq!((before.0, &before), (200, &history()));
}

/// `$MOLA_FUZZ_REQUESTS` takes more of them.
pub(crate) fn any_requests_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let requests = std::env::var("MOLA_FUZZ_REQUESTS").ok();
    let requests = requests.map_or(20_000, |text| text.parse().unwrap());
    let mut server = open(folder.path());
    let mut random = Random::new(1, 1);
    let mut answered = 0;
    for number in 0..requests {
        let method = ["GET", "POST", "POST", "PUT"][random.below(4)];
        // Wrong passwords take long until further ones are refused without a check.
        let user = USERS[random.below(if number % 100 == 0 { 4 } else { 2 })];
        let (status, body) = server.answer(
            method,
            &path(&mut random),
            user,
            body(&mut random).as_bytes(),
        );
        assert!(
            [200, 400, 401, 404, 405, 429].contains(&status),
            "{status} {body}"
        );
        assert_eq!(status == 200, !body.contains("\"error\""), "{body}");
        answered += u32::from(status == 200);
        if number % 1000 == 0 {
            server.tick();
        }
        if number % 10_000 == 9999 {
            // Everything is restored from the journal.
            let before = server.answer("GET", "/api/games/1/game_history", USERS[0], b"");
            drop(server);
            server = open(folder.path());
            let after = server.answer("GET", "/api/games/1/game_history", USERS[0], b"");
            assert_eq!(before, after);
        }
    }
    assert!(answered > requests / 10, "{answered} of {requests}");
}
