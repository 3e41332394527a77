//! Where games begin.

use crate::position_lines::position_lines;
use crate::trees::{is_pgn, trees};
use common::files;
use common::random::Random;
use engine_core::{AnyPosition, CastlingMode, Game, Move, Variant};
use pgn::command::unpack;
use pgn::{LineIndex, Problem};
use std::fmt::Display;
use std::path::Path;

/// A position, and the book moves from it, with which a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The first position.
    pub start: AnyPosition,
    /// The book moves.
    pub moves: Vec<Move>,
}

/// The order of the openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Order {
    /// In the order of the file.
    Sequential,
    /// Shuffled; the seed determines the order.
    #[default]
    Random,
}

impl Order {
    /// Puts openings into this order.
    pub fn arrange(self, openings: &mut [Opening], seed: u64) {
        if self == Order::Random {
            Random::new(seed, 0).shuffle(openings);
        }
    }
}

/// The openings of a book: the main lines of a PGN, or a position from each line of FEN or EPD.
/// Those in which the game is over are left out. `plies` is the most moves to take of a line.
///
/// # Errors
/// When the file cannot be read, a position or move is wrong, a game has other rules, or there is none.
pub fn read_book(
    path: &Path,
    variant: Variant,
    mode: CastlingMode,
    plies: Option<usize>,
) -> Result<Vec<Opening>, String> {
    let file = unpack::read_input(path).map_err(|error| error.to_string())?;
    let name = files::input_name(path);
    let bytes = files::without_mark(&file);
    let mut openings = if is_pgn(path, bytes) {
        main_lines(bytes, variant, mode).map_err(|error| format!("{name}:{error}"))?
    } else if bytes.contains(&0) {
        return Err(format!(
            "{name}: not a text of FEN, EPD or PGN; a Polyglot book is set by the engines' options, \
             such as option.OwnBook and option.BookFile"
        ));
    } else {
        let text = String::from_utf8_lossy(bytes);
        let read = position_lines(&text).map(|(number, line)| {
            let start = AnyPosition::from_epd(variant, line, mode).map(|(start, _)| start);
            let start = start.map_err(|why| format!("{name}:{number}: {why}"))?;
            Ok(Opening {
                start,
                moves: Vec::new(),
            })
        });
        read.collect::<Result<Vec<_>, String>>()?
    };
    if let Some(plies) = plies {
        for opening in &mut openings {
            opening.moves.truncate(plies);
        }
    }
    openings.retain(|opening| opening.game().outcome(true).is_none());
    if openings.is_empty() {
        return Err(format!("{name}: no openings found"));
    }
    Ok(openings)
}

/// The main lines of all games of a book.
///
/// # Errors
/// The place of the first wrong move, or of the first start that cannot be read or has other rules, and
/// what is wrong.
fn main_lines(text: &[u8], variant: Variant, mode: CastlingMode) -> Result<Vec<Opening>, String> {
    (1..)
        .zip(trees(text))
        .map(|(number, tree)| {
            let failed = |at, why: &dyn Display| {
                let place = LineIndex::new(text, 1).location(at);
                format!("{place}: game {number}: {why}")
            };
            let is_broken = |problem: &&Problem| !problem.kind.keeps_moves();
            if let Some(problem) = tree.problems.iter().find(is_broken) {
                return Err(failed(problem.at, &problem.kind));
            }
            let game = tree.to_game();
            let game = game.ok_or_else(|| failed(tree.span.start, &"no start"))?;
            let start = start_by_rules(game.start(), variant, mode);
            Ok(Opening {
                start: start.map_err(|why| failed(tree.span.start, &why))?,
                moves: game.moves().iter().copied().map_while(|m| m).collect(),
            })
        })
        .collect()
}

/// The start of a game of a book, by these rules. The moves of standard chess are those of Chess960, too.
///
/// # Errors
/// When the game needs other rules.
fn start_by_rules(
    start: &AnyPosition,
    variant: Variant,
    mode: CastlingMode,
) -> Result<AnyPosition, String> {
    let chess960 = (Variant::Standard, CastlingMode::Chess960);
    let needs_chess960 = (start.variant(), start.mode()) == chess960;
    let is_chess960 = (variant, mode) == chess960;
    if start.variant() != variant || needs_chess960 && !is_chess960 {
        let name = if needs_chess960 {
            "chess960"
        } else {
            start.variant().uci()
        };
        return Err(format!("needs --variant {name}"));
    }
    Ok(if is_chess960 {
        start.with_mode(mode)
    } else {
        *start
    })
}

/// Openings without a book: the start position, or for Chess960 its start positions.
pub fn starts(variant: Variant, mode: CastlingMode) -> Vec<Opening> {
    let opening = |start| Opening {
        start,
        moves: Vec::new(),
    };
    if (variant, mode) == (Variant::Standard, CastlingMode::Chess960) {
        (0..960)
            .map(|number| opening(AnyPosition::chess960(number)))
            .collect()
    } else {
        vec![opening(AnyPosition::start(variant).with_mode(mode))]
    }
}

impl Opening {
    /// The opening with this many random moves more; fewer where each move would end the game.
    pub(super) fn with_random_moves(mut self, plies: u32, random: &mut Random) -> Opening {
        let mut game = self.game();
        for _ in 0..plies {
            let mut moves = game.position().legal_moves().to_vec();
            random.shuffle(&mut moves);
            let goes_on = |&m: &Move| {
                let mut next = game.clone();
                next.play(m);
                next.outcome(true).is_none()
            };
            let Some(m) = moves.into_iter().find(goes_on) else {
                break;
            };
            game.play(m);
            self.moves.push(m);
        }
        self
    }

    /// The game up to the end of the opening.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for &m in &self.moves {
            game.play(m);
        }
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_moves_differ_and_end_no_game() {
        let [start] = &starts(Variant::Standard, CastlingMode::Standard)[..] else {
            panic!("one start position");
        };
        let opening = |number| {
            let random = &mut Random::new(1, number);
            start.clone().with_random_moves(300, random)
        };
        let openings: Vec<Opening> = (0..20).map(opening).collect();
        for (at, opening) in openings.iter().enumerate() {
            assert!(opening.game().outcome(true).is_none());
            assert!(!openings[..at].contains(opening));
        }
        assert_eq!(opening(3), openings[3]);
    }

    #[test]
    fn a_binary_book_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.bin");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            read_book(&path, Variant::Standard, CastlingMode::Standard, None)
        };
        let error = read(&[0x46, 0x3b, 0x96, 0x18, 0, 1, 0, 0]).unwrap_err();
        assert!(error.contains("Polyglot"), "{error}");
        let fen = Variant::Standard.start_fen();
        for text in [
            format!("{fen}\r\n"),
            format!("{fen}\r\n\u{1a}"),
            format!("{fen} id \"a\u{1}b\";\n"),
        ] {
            let openings = read(text.as_bytes());
            assert_eq!(openings.map(|all| all.len()), Ok(1), "{text}");
        }
        let error = read(format!("{fen}\n8/\u{7f}\n").as_bytes()).unwrap_err();
        assert!(error.contains("book.bin:2: "), "{error}");
    }

    #[test]
    fn games_of_a_book_have_the_rules_of_the_match() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.pgn");
        let read = |text: &str, variant, mode| {
            std::fs::write(&path, text).unwrap();
            read_book(&path, variant, mode, None).map_err(|why| why.replace('\\', "/"))
        };
        let (chess, atomic) = (Variant::Standard, Variant::Atomic);
        let (standard, chess960) = (CastlingMode::Standard, CastlingMode::Chess960);
        let plain = "[White \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n";
        let tagged = |name: &str| format!("{plain}\n[Variant \"{name}\"]\n\n1. e4 e5 *\n");
        let refused = |text: &str, variant, mode, why: &str| {
            let error = read(text, variant, mode).unwrap_err();
            assert!(error.ends_with(why), "{error}");
        };
        refused(
            plain,
            atomic,
            standard,
            "book.pgn:1:1: game 1: needs --variant chess",
        );
        let why = "book.pgn:5:1: game 2: needs --variant atomic";
        refused(&tagged("Atomic"), chess, standard, why);
        refused(&tagged("Atomic"), chess, chess960, why);
        let why = "book.pgn:5:1: game 2: needs --variant chess960";
        refused(&tagged("Chess960"), chess, standard, why);
        let openings = read(&tagged("Chess960"), chess, chess960).unwrap();
        assert_eq!(openings.len(), 2);
        assert!(openings.iter().all(|each| each.start.mode() == chess960));
        let castled = openings[0].game();
        assert_eq!(
            castled.position().fen().split('/').next_back(),
            Some("RNBQ1RK1 b kq - 5 4")
        );
        assert_eq!(read(plain, chess, standard).map(|all| all.len()), Ok(1));
        let one = "[Variant \"Atomic\"]\n\n1. e4 *\n";
        assert_eq!(read(one, atomic, standard).map(|all| all.len()), Ok(1));
    }

    #[test]
    fn chess960_has_many_starts() {
        assert_eq!(starts(Variant::Standard, CastlingMode::Chess960).len(), 960);
        let mut openings = starts(Variant::Standard, CastlingMode::Chess960);
        let first = openings[0].clone();
        Order::Random.arrange(&mut openings, 1);
        assert_ne!(openings[0], first);
        assert!(openings.contains(&first));
    }
}
