//! The moves of games, from PGN.

use crate::result::result_of_game;
use crate::{Flow, GameVisitor, Parsed, Parser, Problem, ProblemKind, Replay, decode};
use book::PlayedMove;
use engine_core::{AnyPosition, Color, Move, Variant, dispatch};

/// The games of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Games {
    /// How many games were read.
    pub count: u64,
    /// Their moves in the order of the text.
    pub moves: Vec<PlayedMove>,
    /// The games that were not read.
    pub skipped: Vec<Skipped>,
}

/// A game that was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Where the reason is, in bytes from the beginning of the text.
    pub at: usize,
    /// The reason.
    pub reason: String,
}

/// Reads the main lines of all games, this many plies of each. Games of another variant are skipped,
/// and so are those with a move that cannot be played within these plies or without an end, since
/// the result of a damaged text is unknown. The result is that of the tag `Result` or,
/// where it names none, that after the moves; a game without a winner counts as drawn.
pub fn games(text: &[u8], plies: usize, variant: Variant) -> Games {
    let mut reader = BookGameReader {
        plies,
        variant,
        game: CurrentGame::default(),
        games: Games::default(),
    };
    let mut replay = Replay::new(&mut reader);
    let mut parser = Parser::new(text);
    while parser.read_game(&mut replay) == Parsed::Game {}
    reader.games
}

struct BookGameReader {
    plies: usize,
    variant: Variant,
    game: CurrentGame,
    games: Games,
}

/// The game that is being read.
#[derive(Default)]
struct CurrentGame {
    at: usize,
    /// Where its moves begin among all.
    first: usize,
    /// Moves so far, those beyond the limit included.
    plies: usize,
    tag: Option<String>,
    marker: Option<String>,
    fault: Option<Skipped>,
}

impl CurrentGame {
    /// Who won, if anybody did.
    fn winner(&self) -> Option<Color> {
        match result_of_game(self.tag.as_deref(), self.marker.as_deref()) {
            Some("1-0") => Some(Color::White),
            Some("0-1") => Some(Color::Black),
            _ => None,
        }
    }
}

impl BookGameReader {
    fn skip(&mut self, at: usize, reason: String) {
        self.game.fault.get_or_insert(Skipped { at, reason });
    }
}

impl GameVisitor for BookGameReader {
    fn begin_game(&mut self, at: usize) -> Flow {
        self.game = CurrentGame {
            at,
            first: self.games.moves.len(),
            ..CurrentGame::default()
        };
        Flow::Go
    }

    fn header(&mut self, name: &[u8], value: &[u8]) {
        if name == b"Result" {
            self.game.tag = Some(decode(value).into_owned());
        }
    }

    fn start(&mut self, start: Option<&AnyPosition>, _: usize) -> Flow {
        match start.map(AnyPosition::variant) {
            Some(variant) if variant == self.variant => Flow::Go,
            Some(variant) => {
                self.skip(self.game.at, format!("a game of {variant}"));
                Flow::Skip
            }
            None => Flow::Skip,
        }
    }

    fn play(&mut self, before: &AnyPosition, m: Option<Move>, _: &AnyPosition) {
        self.game.plies += 1;
        if self.game.plies > self.plies {
            return;
        }
        let Some(m) = m else {
            self.skip(self.game.at, "a null move".to_owned());
            return;
        };
        // Points come when the end is known.
        self.games
            .moves
            .extend(dispatch!(before, |position| PlayedMove::new(
                position, m, 1
            )));
    }

    fn begin_variation(&mut self) -> Flow {
        Flow::Skip
    }

    fn result(&mut self, result: &str) {
        self.game.marker = Some(result.to_owned());
    }

    fn problem(&mut self, problem: Problem) -> Flow {
        let fatal = match problem.kind {
            ProblemKind::BadMove(..) | ProblemKind::NotAMove(_) | ProblemKind::PieceApart(_) => {
                self.game.plies < self.plies
            }
            ProblemKind::BadStart(_)
            | ProblemKind::NoResult
            | ProblemKind::UnclosedComment
            | ProblemKind::UnclosedVariation
            | ProblemKind::TooLong
            | ProblemKind::TooManyMoves
            | ProblemKind::TooManyNodes => true,
            _ => false,
        };
        if fatal {
            self.skip(problem.at, problem.kind.to_string());
        }
        Flow::Go
    }

    fn end_game(&mut self, _: usize) {
        let game = std::mem::take(&mut self.game);
        let winner = game.winner();
        if let Some(fault) = game.fault {
            self.games.skipped.push(fault);
            self.games.moves.truncate(game.first);
            return;
        }
        self.games.count += 1;
        for played in self.games.moves.iter_mut().skip(game.first) {
            played.points = match winner {
                Some(color) if color == played.color => 2,
                Some(_) => 0,
                None => 1,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, plies: usize) -> Games {
        games(text.as_bytes(), plies, Variant::Standard)
    }

    fn points(text: &str) -> Vec<u8> {
        let games = read(text, 1024);
        assert_eq!(games.skipped, []);
        games.moves.iter().map(|played| played.points).collect()
    }

    #[test]
    fn points_go_to_the_winner() {
        assert_eq!(points("[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0"), [2, 0, 2]);
        assert_eq!(points("[Result \"0-1\"]\n\n1. e4 e5 0-1"), [0, 2]);
        assert_eq!(points("[Result \"*\"]\n\n1. e4 e5 *"), [1, 1]);
        assert_eq!(points("1. e4 (1. d4 d5) e5 {x} 0-1"), [0, 2]);
        // The tag counts, if it names a result.
        assert_eq!(points("[Result \"*\"]\n\n1. e4 e5 0-1"), [0, 2]);
        assert_eq!(points("[Result \"1-0\"]\n\n1. e4 e5 0-1"), [2, 0]);
    }

    #[test]
    fn damaged_games_are_skipped_whole() {
        let text = "[Event \"1\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
            [Event \"2\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. Ke4 1-0\n\n\
            [Event \"3\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 *\n\n\
            [Event \"4\"]\n[FEN \"nonsense\"]\n\n1. e4 e5 *\n\n\
            [Event \"5\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. c4 1-0\n\n\
            [Event \"6\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Nf";
        let games = read(text, 1024);
        assert_eq!((games.count, games.moves.len()), (2, 5));
        assert_eq!(games.skipped.len(), 4);
        // What comes later than wanted does not matter.
        let games = read(text, 2);
        assert_eq!((games.count, games.moves.len()), (3, 6));
    }
}
