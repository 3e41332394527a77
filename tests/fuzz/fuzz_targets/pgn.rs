//! PGN, read in every way there is, written, and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pgn::{Blocks, Builder, Layout, Lines, Parser, Replay, Step, Tree, Writer};
use python_chess::games::{Reader, export};

fuzz_target!(|bytes: &[u8]| {
    let games = read(bytes);
    for game in &games {
        let written = Writer::new().write(game);
        let again = read(written.as_bytes());
        let same: String = again.iter().map(|game| Writer::new().write(game)).collect();
        // What had to be repaired may read otherwise the second time.
        if game.problems.is_empty() {
            assert_eq!(written, same);
        }
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
    let mut lines = Lines::new(bytes, 1);
    for game in &games {
        for problem in &game.problems {
            assert!(problem.at <= bytes.len());
            assert!(lines.place(problem.at).line >= 1 && !problem.kind.to_string().is_empty());
        }
    }
    let mut blocks = Blocks::with_size(bytes, 64);
    while let Some(Ok(block)) = blocks.next() {
        read(&block.text);
    }
    let mut reader = Reader::new(bytes);
    while let Ok(Some(game)) = reader.read_game() {
        let _ = export(&game.tree, Layout::default());
    }
    let mut reader = Reader::new(bytes);
    while let Ok(Some(_)) = reader.read_headers() {}
});

fn read(text: &[u8]) -> Vec<Tree> {
    let mut games = Vec::new();
    let mut builder = Builder::new();
    let mut parser = Parser::new(text);
    while parser.read_game(&mut Replay::new(&mut builder)) == Step::Game {
        games.push(builder.take());
    }
    games
}
