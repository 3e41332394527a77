//! Games as PGN: written whole, and the first game of a file read as far as play needs it.

use super::clock;
use crate::{date, setup};
use engine_core::search::Score;
use engine_core::{AnyPosition, CastlingMode, Color, Game, Variant, dispatch};
use std::fmt::Write;
use std::time::{Duration, SystemTime};

/// What is known of a move beside the move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Note {
    /// The engine's score for the side that moved.
    pub(super) score: Option<Score>,
    /// What that side's clock showed.
    pub(super) clock: Option<Duration>,
}

/// What a file says about a game.
pub(super) struct Headers {
    pub(super) white: String,
    pub(super) black: String,
    pub(super) result: &'static str,
    /// How it ended, in the words of the PGN standard.
    pub(super) termination: &'static str,
    pub(super) time_control: String,
}

/// PGN readers want lines below 80 columns.
const WIDTH: usize = 79;

/// The game with its notes, one for each move.
pub(super) fn write(game: &Game, notes: &[Note], headers: &Headers) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", "Terminal game");
    tag("Site", "?");
    tag("Date", &date::of(SystemTime::now()));
    tag("Round", "-");
    tag("White", &headers.white);
    tag("Black", &headers.black);
    tag("Result", headers.result);
    tag("TimeControl", &headers.time_control);
    let start = game.start();
    let is_chess960 = dispatch!(start, |position| position.mode()) == CastlingMode::Chess960;
    if is_chess960 {
        tag("Variant", "Chess960");
    }
    if *start != AnyPosition::start(start.variant()) {
        tag("SetUp", "1");
        tag("FEN", &setup::fen(start));
    }
    tag("Termination", headers.termination);
    text.push('\n');
    wrap(&words(game, notes, headers.result), &mut text);
    text
}

/// Move numbers, moves, comments and the result.
fn words(game: &Game, notes: &[Note], result: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut number_is_due = true;
    let notes = notes
        .iter()
        .copied()
        .chain(std::iter::repeat(Note::default()));
    for ((position, m), note) in game.plies().zip(notes) {
        // Nobody passes on the terminal.
        let Some(m) = m else { continue };
        let (turn, number, san) = dispatch!(position, |position| {
            (
                position.turn(),
                position.fullmoves(),
                position.to_san(m).to_string(),
            )
        });
        match turn {
            Color::White => words.push(format!("{number}.")),
            Color::Black if number_is_due => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(san);
        let comment = comment(note, turn);
        number_is_due = comment.is_some();
        words.extend(comment);
    }
    words.push(result.to_owned());
    words
}

/// `{[%eval 0.34] [%clk 0:04:58]}`: evaluations are White's.
fn comment(note: Note, turn: Color) -> Option<String> {
    let score = note.score.map(|score| {
        let white = if turn.is_white() { score } else { -score };
        format!("[%eval {}]", white.to_string().trim_start_matches('+'))
    });
    let clock = note.clock.map(|left| {
        let seconds = left.as_secs();
        format!(
            "[%clk {}:{:02}:{:02}]",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        )
    });
    let parts: Vec<String> = score.into_iter().chain(clock).collect();
    (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(" ")))
}

fn wrap(words: &[String], text: &mut String) {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}

/// The first game of a text: its moves up to its end, comments and variations left out.
pub(super) fn read(text: &str) -> Result<Game, String> {
    let mut game = Game::new(start(text)?);
    let mut is_in_game = false;
    let mut variations = 0_u32;
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r']);
        let Some(first) = rest.chars().next() else {
            break;
        };
        match first {
            '\n' => rest = rest.get(1..).unwrap_or(""),
            // The headers of the next game end this one.
            '[' if is_in_game => break,
            '[' | ';' | '%' => rest = skip(rest, '\n'),
            '{' => rest = skip(rest, '}'),
            '(' => {
                variations += 1;
                rest = rest.get(1..).unwrap_or("");
            }
            ')' => {
                variations = variations.saturating_sub(1);
                rest = rest.get(1..).unwrap_or("");
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "(){};".contains(c));
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                rest = after;
                if matches!(word, "*" | "1-0" | "0-1" | "1/2-1/2") && variations == 0 {
                    break;
                }
                let word = without_number(word).trim_end_matches(['!', '?']);
                if word.is_empty() || word.starts_with('$') || variations > 0 {
                    continue;
                }
                is_in_game = true;
                let m = dispatch!(game.position(), |position| position.parse_san(word));
                game.play(m.map_err(|error| format!("{}: {error}", crate::input::shorten(word)))?);
            }
        }
    }
    Ok(game)
}

/// Numbers may stand before a move without a blank: `1.e4`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

/// Where the first game starts.
fn start(text: &str) -> Result<AnyPosition, String> {
    let headers = text
        .trim_start()
        .lines()
        .take_while(|line| line.trim_start().starts_with('['));
    let fen = headers.filter_map(|line| line.trim().strip_prefix("[FEN \"")?.strip_suffix("\"]"));
    match fen.last() {
        Some(fen) => setup::from_fen(fen, Variant::default(), CastlingMode::Standard),
        None => Ok(AnyPosition::start(Variant::default())),
    }
}

fn skip(text: &str, end: char) -> &str {
    text.split_once(end).map_or("", |(_, rest)| rest)
}

/// The clock of a time control, as the header has it.
pub(super) fn time_control(clocks: Option<&clock::Clocks>) -> String {
    clocks.map_or_else(|| "-".into(), |clocks| clocks.control.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_wrote() {
        let text = "[Event \"x\"]\n\n1.e4 {king's (pawn)} e5 2. Nf3 (2. f4 exf4 (2... d5)) Nc6 $1 \
                    ; to the end of the line\n3. Bb5!? a6 1/2-1/2\n\n[Event \"next\"]\n\n1. d4 *\n";
        let game = read(text).unwrap();
        assert_eq!(game.moves().len(), 6);
        let headers = Headers {
            white: "A \"quoted\" name".into(),
            black: "B".into(),
            result: "1/2-1/2",
            termination: "normal",
            time_control: "-".into(),
        };
        let notes = [Note {
            score: Some(Score(34)),
            clock: Some(Duration::from_secs(3661)),
        }];
        let written = write(&game, &notes, &headers);
        assert!(written.contains("1. e4 {[%eval 0.34] [%clk 1:01:01]} 1... e5 2. Nf3"));
        assert!(written.ends_with("3. Bb5 a6 1/2-1/2\n"));
        assert_eq!(read(&written).unwrap().moves(), game.moves());
        let castling = read("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 0-1").unwrap();
        assert_eq!(castling.moves().len(), 8);
        assert!(read("1. e5 *").is_err());
        assert_eq!(read("").unwrap().moves().len(), 0);
    }
}
