//! What must hold for any text: reading ends, emits no more than a multiple of the text's length, and
//! finds the same games whichever way it goes.
//!
//! The fuzz target `pgn` includes this file, too.

use pgn::{
    Blocks, Builder, Flow, Headers, Parsed, Parser, Problem, Remark, Replay, Tree, Visitor, Writer,
};
use std::fmt::Write as _;

/// What a visitor reads of each game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    /// Where it begins and ends.
    Ends,
    /// Its tags, too.
    Headers,
    /// Everything.
    Moves,
}

/// A game: where it begins and ends, and its tags.
type Outline = (u64, u64, Option<Headers>);

/// Records all events, and counts them.
struct Log {
    depth: Depth,
    /// The offset of the block in the text.
    offset: u64,
    games: Vec<Outline>,
    events: usize,
    bytes: usize,
    text: String,
}

impl Log {
    fn new(depth: Depth) -> Log {
        Log {
            depth,
            offset: 0,
            games: Vec::new(),
            events: 0,
            bytes: 0,
            text: String::new(),
        }
    }

    fn add(&mut self, kind: &str, at: Option<usize>, text: &[u8]) {
        self.events += 1;
        self.bytes += text.len();
        let at = at.map(|at| at as u64 + self.offset);
        let text = String::from_utf8_lossy(text);
        let _ = writeln!(self.text, "{kind} {at:?} {text}");
    }
}

impl Visitor for Log {
    fn begin_game(&mut self, at: usize) -> Flow {
        self.add("game", Some(at), b"");
        let headers = (self.depth != Depth::Ends).then(Headers::new);
        self.games.push((at as u64 + self.offset, 0, headers));
        match self.depth {
            Depth::Ends => Flow::Skip,
            _ => Flow::Go,
        }
    }

    fn header(&mut self, name: &[u8], value: &[u8], at: usize) {
        self.add("tag", Some(at), &[name, b" ", value].concat());
        if let Some((.., Some(headers))) = self.games.last_mut() {
            headers.push(name, value);
        }
    }

    fn end_headers(&mut self, at: usize) -> Flow {
        self.add("moves", Some(at), b"");
        match self.depth {
            Depth::Moves => Flow::Go,
            _ => Flow::Skip,
        }
    }

    fn san(&mut self, word: &[u8], at: usize) -> Flow {
        self.add("move", Some(at), word);
        // As if the move could not be played.
        if word.ends_with(b"9") {
            Flow::Skip
        } else {
            Flow::Go
        }
    }

    fn nag(&mut self, nag: u32) {
        self.add("nag", None, nag.to_string().as_bytes());
    }

    fn remark(&mut self, remark: Remark, text: &[u8]) {
        self.add(&format!("{remark:?}"), None, text);
    }

    fn begin_variation(&mut self) -> Flow {
        self.add("(", None, b"");
        Flow::Go
    }

    fn skipped(&mut self, text: &[u8], at: usize) -> Flow {
        self.add("skipped", Some(at), text);
        Flow::Go
    }

    fn end_variation(&mut self) {
        self.add(")", None, b"");
    }

    fn result(&mut self, result: &'static str, at: usize) {
        self.add("result", Some(at), result.as_bytes());
    }

    fn problem(&mut self, problem: Problem) -> Flow {
        let text = problem.kind.to_string();
        self.add("problem", Some(problem.at), text.as_bytes());
        Flow::Go
    }

    fn end_game(&mut self, at: usize) {
        self.add("end", Some(at), b"");
        if let Some((_, end, _)) = self.games.last_mut() {
            *end = at as u64 + self.offset;
        }
    }
}

fn read(text: &[u8], log: &mut Log) {
    let mut parser = Parser::new(text);
    let mut at = 0;
    while parser.read_game(log) == Parsed::Game {
        assert!(parser.at() > at, "a game without text at {at}");
        at = parser.at();
    }
    // One byte can cause this many events: a game of `*` has a beginning, the end of its tags, a
    // result and an end; and this much text before an error can be repeated in messages.
    assert!(log.events <= 8 * (text.len() + 1), "{} events", log.events);
    assert!(log.bytes <= 64 * (text.len() + 1), "{} bytes", log.bytes);
}

/// Reads the tokens of a text in all ways.
pub(crate) fn check_tokens(text: &[u8], block_sizes: impl IntoIterator<Item = usize>) {
    let mut whole = Log::new(Depth::Moves);
    read(text, &mut whole);
    let mut skim = Log::new(Depth::Headers);
    read(text, &mut skim);
    assert_eq!(whole.games, skim.games, "the moves skipped");
    let mut ends = Log::new(Depth::Ends);
    read(text, &mut ends);
    let places = |log: &Log| -> Vec<_> { log.games.iter().map(|game| (game.0, game.1)).collect() };
    assert_eq!(places(&whole), places(&ends), "the games skipped");
    for size in block_sizes {
        let mut log = Log::new(Depth::Moves);
        for block in Blocks::with_size(text, size).map_while(Result::ok) {
            log.offset = block.offset;
            let mut part = Log::new(Depth::Moves);
            part.offset = block.offset;
            read(&block.text, &mut part);
            log.text += &part.text;
        }
        let mut differ = whole
            .text
            .lines()
            .zip(log.text.lines())
            .filter(|(a, b)| a != b);
        assert_eq!(differ.next(), None, "blocks of {size} bytes");
        assert_eq!(whole.text.len(), log.text.len(), "blocks of {size} bytes");
    }
}

/// The games of a text as trees; what is written of them is not much longer than the text, and
/// reads the same where nothing had to be repaired.
pub(crate) fn check_games(text: &[u8]) -> Vec<Tree> {
    let games = trees(text);
    let mut bytes = 0;
    for game in &games {
        let written = Writer::new().write(game);
        bytes += written.len();
        let again: String = trees(written.as_bytes())
            .iter()
            .map(|game| Writer::new().write(game))
            .collect();
        if game.problems.count() == 0 {
            assert_eq!(written, again);
        }
    }
    assert!(games.len() <= text.len());
    assert!(bytes <= 64 * (text.len() + 1), "{bytes} bytes are written");
    games
}

fn trees(text: &[u8]) -> Vec<Tree> {
    let mut games = Vec::new();
    let mut builder = Builder::new();
    let mut parser = Parser::new(text);
    while parser.read_game(&mut Replay::new(&mut builder)) == Parsed::Game {
        games.push(builder.take());
    }
    games
}
