//! PGN as python-chess reads and writes it, with all that it makes of broken text.
//!
//! A program that has relied on python-chess gets the same games, errors and texts here. Its
//! reader goes line by line and looks for tokens anywhere in a line, so that it finds the pawn
//! move `f3` in `Sf3`; an empty line ends a game; after a move that cannot be played inside a
//! variation, the moves that follow are tried on the board of that variation. Only the depth of
//! variations has a bound here.

mod export;
mod game;
mod illegal;
mod lines;
pub mod parse;
mod parsed_game;
mod plain;
mod reader;
mod start;
mod state;
mod tags;
pub mod token;

pub use export::export;
pub use game::PythonGame;
pub use lines::{LineSource, TextLines};
pub use plain::PlainGame;
pub use reader::Reader;
pub use tags::{headers_of, tags_of};
pub use token::nag_digits;

use pgn::{Dialect, ForeignGame, ForeignGames, PgnLayout, Tree};
use std::io::{self, BufRead, BufReader, Read};

/// A program whose reader is reproduced.
#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    /// python-chess
    PythonChess,
}

/// The choice of a way to read and write games, for all commands of collections.
#[derive(clap::Args, Debug)]
#[group(skip)]
pub struct DialectChoice {
    /// Read as this program does, with the same results
    #[arg(long, global = true, value_enum, value_name = "PROGRAM")]
    compat: Option<Program>,
}

impl DialectChoice {
    /// Leaves the choice out of the help of a subcommand that has none; it is refused there.
    pub fn hidden(subcommand: clap::Command) -> clap::Command {
        let choice = <DialectChoice as clap::Args>::augment_args(clap::Command::new(""));
        let hide = |option: &clap::Arg| option.clone().hide(true);
        subcommand.args(choice.get_arguments().map(hide))
    }

    /// The way that is chosen; ours if there is none.
    pub fn dialect(&self) -> Option<&'static dyn Dialect> {
        match self.compat {
            Some(Program::PythonChess) => Some(&PythonChess),
            None => None,
        }
    }
}

/// The way of python-chess.
#[derive(Clone, Copy, Debug)]
pub struct PythonChess;

impl Dialect for PythonChess {
    fn name(&self) -> &'static str {
        "python-chess"
    }

    fn read(&self, text: Box<dyn Read + Send>) -> ForeignGames {
        Box::new(Games(Reader::new(BufReader::new(text))))
    }

    fn write(&self, game: &Tree, layout: PgnLayout) -> String {
        export(game, layout)
    }
}

struct Games<B>(Reader<TextLines<B>>);

impl<B: BufRead> Iterator for Games<B> {
    type Item = io::Result<ForeignGame>;

    fn next(&mut self) -> Option<io::Result<ForeignGame>> {
        let offset = self.0.offset();
        let game = self.0.read_game().transpose()?;
        Some(game.map(|game| ForeignGame {
            offset,
            tree: game.tree,
            errors: game.errors,
        }))
    }
}
