//! PGN, read in every way, written, and read again. The output is limited to a
//! multiple of the text; `-timeout=1` limits the time.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn::{LineIndex, PgnLayout, Writer};
use python_chess::games::{Reader, export};

#[path = "../../../toolbox/pgn/src/tests/limits.rs"]
mod limits;

fuzz_target!(|bytes: &[u8]| {
    // The text itself gives the block sizes: all sizes for short texts, some for longer ones.
    let step = bytes.len() / 8 + 1;
    limits::check_tokens(bytes, (1..=bytes.len()).step_by(step));
    let games = limits::check_games(bytes);
    for game in &games {
        let _ = Writer::new()
            .columns(None)
            .without_comments()
            .without_variations()
            .write(game);
        for id in game.ids() {
            let _ = (
                game.comment_text(id),
                game.eval(id),
                game.clock(id),
                game.arrows(id),
            );
        }
    }
    let mut lines = LineIndex::new(bytes, 1);
    for game in &games {
        for problem in &game.problems {
            assert!(problem.at <= bytes.len());
            assert!(lines.location(problem.at).line >= 1 && !problem.kind.to_string().is_empty());
        }
    }
    let mut reader = Reader::new(bytes);
    while let Ok(Some(game)) = reader.read_game() {
        let _ = export(&game.tree, PgnLayout::default());
    }
    let mut reader = Reader::new(bytes);
    while let Ok(Some(_)) = reader.read_headers() {}
});
