//! `mola pgn eco`: games with the names of their openings.

use super::input::Input;
use super::output::{OutputArgs, RawGames};
use super::pipeline::{GameRecord, Reports};
use crate::lexer::is_break;
use crate::{
    Block, Dialect, Flow, GameVisitor, Opening, Parsed, Parser, PgnLayout, Problem, Problems,
    Replay, Visitor,
};
use common::count::count;
use common::error::Result;
use common::note;
use engine_core::{AnyPosition, Move};
use std::io::Write;
use std::ops::Range;

/// Add the tags ECO, Opening and Variation by the moves; games are otherwise unchanged.
///
/// A game gets the name of its last position that has a name, by whatever move order. The names are
/// lichess's, <https://github.com/lichess-org/chess-openings>. A game without such a position keeps
/// its tags.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola pgn eco games.pgn -o named.pgn
  mola pgn eco games.pgn.zst --whole-name --threads 2 | mola pgn headers --tags ECO,Opening
  mola pgn split games.pgn --by opening --output openings")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: OutputArgs,
    /// Write the full name into Opening, as lichess does, and no Variation
    #[arg(long)]
    whole_name: bool,
}

/// The tags that are set.
const TAGS: [&str; 3] = ["ECO", "Opening", "Variation"];

/// Their values; a variation need not have a name.
fn values(opening: Opening, whole_name: bool) -> [Option<&'static str>; 3] {
    if whole_name {
        [Some(opening.eco()), Some(opening.name()), None]
    } else {
        let (family, variation) = (opening.family(), opening.variation());
        [Some(opening.eco()), Some(family), variation]
    }
}

/// Finds the opening of each game, and where its tags and moves are.
#[derive(Default)]
struct Namer {
    opening: Option<Opening>,
    begin: usize,
    moves: usize,
    end: usize,
    /// How many variations are open: their problems count, but no openings.
    depth: usize,
    problems: Problems,
}

impl GameVisitor for Namer {
    fn begin_game(&mut self, at: usize) -> Flow {
        (self.opening, self.begin, self.moves) = (None, at, at);
        self.depth = 0;
        Flow::Go
    }

    fn start(&mut self, start: Option<&AnyPosition>, at: usize) -> Flow {
        self.moves = at;
        self.opening = start.and_then(Opening::of);
        Flow::Go
    }

    fn play(&mut self, _before: &AnyPosition, _m: Option<Move>, after: &AnyPosition) {
        if self.depth == 0
            && let Some(opening) = Opening::of(after)
        {
            self.opening = Some(opening);
        }
    }

    fn begin_variation(&mut self) -> Flow {
        self.depth += 1;
        Flow::Go
    }

    fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn problem(&mut self, problem: Problem) -> Flow {
        self.problems.add(problem);
        Flow::Go
    }

    fn end_game(&mut self, at: usize) {
        self.end = at;
    }
}

/// Where the tags of a game are in its text.
#[derive(Default)]
struct TagPlaces {
    /// The tags that will be set anew.
    old: Vec<Range<usize>>,
    /// The end of the last tag.
    end: usize,
}

impl TagPlaces {
    fn of(tags: &[u8]) -> TagPlaces {
        let mut finder = TagFinder {
            tags,
            places: TagPlaces::default(),
        };
        Parser::new(tags).read_game(&mut finder);
        finder.places
    }
}

struct TagFinder<'a> {
    tags: &'a [u8],
    places: TagPlaces,
}

impl TagFinder<'_> {
    /// The first byte of a kind from an offset on, or the end of the tags.
    fn find(&self, from: usize, is: impl Fn(u8) -> bool) -> usize {
        let rest = self.tags.get(from..).unwrap_or_default();
        let found = rest.iter().position(|&byte| is(byte));
        found.map_or(self.tags.len(), |at| from + at)
    }
}

impl Visitor for TagFinder<'_> {
    fn header(&mut self, name: &[u8], value: &[u8], at: usize) {
        // The value goes from the first quote to the last, or to the end of the line.
        let quote = self.find(at, |byte| byte == b'"');
        let close = self.find(quote + 1 + value.len(), |byte| {
            byte == b']' || is_break(byte)
        });
        let close = close + usize::from(self.tags.get(close) == Some(&b']'));
        // The tag ends with its line unless something else follows on it.
        let rest = self.tags.get(close..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        let blanks = blanks.count();
        let end = match rest.get(blanks..).unwrap_or_default() {
            [b'\r', b'\n', ..] => close + blanks + 2,
            [b'\r' | b'\n', ..] => close + blanks + 1,
            _ => close,
        };
        self.places.end = end;
        if TAGS.iter().any(|tag| tag.as_bytes() == name) {
            self.places.old.push(at..end);
        }
    }

    fn end_headers(&mut self, _at: usize) -> Flow {
        Flow::Skip
    }
}

/// The line break that a text uses.
fn line_break(text: &[u8]) -> &'static [u8] {
    match text.iter().position(|&byte| is_break(byte)) {
        Some(at) if text.get(at..).is_some_and(|rest| rest.starts_with(b"\r\n")) => b"\r\n",
        Some(at) if text.get(at) == Some(&b'\r') => b"\r",
        _ => b"\n",
    }
}

/// Writes a game with the tags of its opening instead of those that it has.
fn write_named(game: &[u8], moves: usize, opening: [Option<&str>; 3], out: &mut Vec<u8>) {
    let (tags, moves) = game.split_at_checked(moves).unwrap_or((game, &[]));
    let places = TagPlaces::of(tags);
    let mut at = 0;
    let mut last = b'\n';
    let end = places.end..places.end;
    for old in places.old.iter().chain([&end]) {
        let kept = tags.get(at..old.start).unwrap_or_default();
        out.extend_from_slice(kept);
        last = kept.last().copied().unwrap_or(last);
        at = at.max(old.end);
    }
    let newline = line_break(tags);
    if !is_break(last) {
        out.extend_from_slice(newline);
    }
    for (name, value) in TAGS.iter().zip(opening) {
        if let Some(value) = value {
            out.extend_from_slice(format!("[{name} \"{value}\"]").as_bytes());
            out.extend_from_slice(newline);
        }
    }
    let rest = tags.get(at..).unwrap_or_default();
    if !rest.first().is_some_and(|&byte| is_break(byte)) {
        out.extend_from_slice(newline);
    }
    out.extend_from_slice(rest);
    out.extend_from_slice(moves);
}

/// The text of a game, and whether it has a name.
type NamedGame = (Vec<u8>, bool);

/// The games of a block.
fn name_block(args: &Args, block: &Block, reports: &mut Reports<'_>) -> Vec<NamedGame> {
    let mut namer = Namer::default();
    let mut parser = Parser::new(&block.text);
    let mut replay = Replay::new(&mut namer).in_language(args.input.lang);
    let mut games = Vec::new();
    while parser.read_game(&mut replay) == Parsed::Game {
        let namer = replay.visitor();
        let game = block.text.get(namer.begin..namer.end).unwrap_or_default();
        let mut text = Vec::with_capacity(game.len() + game.len() / 8);
        if let Some(opening) = namer.opening {
            let moves = namer.moves - namer.begin;
            write_named(game, moves, values(opening, args.whole_name), &mut text);
        } else {
            text.extend_from_slice(game);
        }
        games.push((text, namer.opening.is_some()));
        reports.game(&std::mem::take(&mut namer.problems));
    }
    games
}

/// A game that another program reads and writes.
fn name_foreign(args: &Args, dialect: &dyn Dialect, record: &mut GameRecord<'_>) -> NamedGame {
    let opening = Opening::of_tree(record.tree);
    if let Some(opening) = opening {
        let values = values(opening, args.whole_name);
        for (name, value) in TAGS.iter().zip(values) {
            match value {
                Some(value) => record.tree.headers.set(name, value),
                None => record.tree.headers.remove(name),
            }
        }
    }
    let text = dialect.write(record.tree, PgnLayout::default());
    (text.into_bytes(), opening.is_some())
}

pub(super) fn run(args: &Args, dialect: Option<&dyn Dialect>) -> Result {
    let mut out = args.target.open(&args.input)?;
    let (mut games, mut named) = (0_u64, 0_u64);
    let mut raw = RawGames::default();
    let mut write = |(text, is_named): NamedGame| {
        games += 1;
        named += u64::from(is_named);
        out.write_all(raw.next(&text))?;
        Ok(true)
    };
    if let Some(dialect) = dialect {
        let name = |mut record: GameRecord<'_>| name_foreign(args, dialect, &mut record);
        args.input.each_game(Some(dialect), name, write)?;
    } else {
        let name = |block: &Block, reports: &mut Reports<'_>| name_block(args, block, reports);
        args.input.each_block(name, |games| {
            games
                .into_iter()
                .try_for_each(|game| write(game).map(drop))?;
            Ok(true)
        })?;
    }
    out.finish()?;
    if !args.input.quiet {
        note!("{named} of {} named", count(games, "game"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(game: &str) -> String {
        let moves = game.find("1.").unwrap_or(game.len());
        let mut out = Vec::new();
        let opening = [Some("C20"), Some("King's Pawn Game"), None];
        write_named(game.as_bytes(), moves, opening, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn tags_are_replaced_wherever_they_stand() {
        const NEW: &str = "[ECO \"C20\"]\n[Opening \"King's Pawn Game\"]\n";
        let end = format!("{NEW}\n1. e4 e5 *");
        assert_eq!(named("1. e4 e5 *"), end);
        assert_eq!(
            named("[White \"A\"]\n\n1. e4 e5 *"),
            format!("[White \"A\"]\n{end}")
        );
        let old = "[ECO \"A00\"]\n[White \"A\"]\n[Opening \"a \\\"]b\\\"\"]\n[Variation \"x\"]\n[Black \"]\"]\n";
        let kept = "[White \"A\"]\n[Black \"]\"]\n";
        assert_eq!(named(&format!("{old}\n1. e4 e5 *")), format!("{kept}{end}"));
        let one_line = "[ECO \"A00\"] [White \"A\"]\n\n1. e4 e5 *";
        assert_eq!(named(one_line), format!(" [White \"A\"]\n{end}"));
        let last = "[White \"A\"]\n[ECO \"A00\"]\n\n1. e4 e5 *";
        assert_eq!(named(last), format!("[White \"A\"]\n{end}"));
        let unclosed = "[ECO \"A00\n[White \"A\"]\n[Opening   \"x]y\"\n[Black \"B\"]\n\n1. e4 e5 *";
        assert_eq!(
            named(unclosed),
            format!("[White \"A\"]\n[Black \"B\"]\n{end}")
        );
    }

    #[test]
    fn the_line_breaks_of_the_game_are_kept() {
        for newline in ["\r\n", "\r"] {
            let before = "[ECO \"A00\"] \n[White \"A\"]\n[Opening \"x\"]\n\n1. e4 e5 *";
            let after =
                "[White \"A\"]\n[ECO \"C20\"]\n[Opening \"King's Pawn Game\"]\n\n1. e4 e5 *";
            let after = after.replace('\n', newline);
            assert_eq!(named(&before.replace('\n', newline)), after);
        }
    }
}
