//! The lines of UCI as types, for programs that speak to engines themselves.

use super::moves::read_move;
use super::{declare, go, info, position};
use crate::client::info::Info;
use crate::client::option::EngineOption;
use common::input::split_word;
use common::option_value::OptionValue;
use engine_core::search::Limits;
use engine_core::{AnyPosition, Game, Move};
use std::fmt;

/// A command of a GUI. `Display` writes its line.
///
/// ```
/// use arena::client::UciCommand;
/// use engine_core::search::Limits;
/// use engine_core::{AnyPosition, Game, Variant};
///
/// let game = Game::new(AnyPosition::start(Variant::Standard));
/// let limits = Limits { depth: Some(9), ..Limits::default() };
/// assert_eq!(UciCommand::Position(&game).to_string(), "position startpos");
/// assert_eq!(UciCommand::Go(&limits, game.position()).to_string(), "go depth 9");
/// ```
#[derive(Clone, Debug)]
pub enum UciCommand<'a> {
    /// Speak UCI.
    Uci,
    /// Send debugging information, or no more.
    Debug(bool),
    /// Answer as soon as everything is done.
    IsReady,
    /// Set the option of this name.
    SetOption(&'a str, &'a OptionValue),
    /// The next position is of another game.
    NewGame,
    /// The position that a game has reached. A game with null moves is sent without its history.
    Position(&'a Game),
    /// Search with these limits; the position is for the moves among them.
    Go(&'a Limits, &'a AnyPosition),
    /// Answer with the best move found.
    Stop,
    /// The move that was pondered on has been played.
    PonderHit,
    /// End.
    Quit,
}

impl fmt::Display for UciCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciCommand::Uci => f.write_str("uci"),
            UciCommand::Debug(true) => f.write_str("debug on"),
            UciCommand::Debug(false) => f.write_str("debug off"),
            UciCommand::IsReady => f.write_str("isready"),
            UciCommand::SetOption(name, value) => {
                write!(f, "setoption name {name}")?;
                match value {
                    OptionValue::Pressed => Ok(()),
                    OptionValue::Flag(flag) => write!(f, " value {flag}"),
                    OptionValue::Number(number) => write!(f, " value {number}"),
                    OptionValue::Text(text) if text.is_empty() => f.write_str(" value <empty>"),
                    OptionValue::Text(text) => write!(f, " value {text}"),
                }
            }
            UciCommand::NewGame => f.write_str("ucinewgame"),
            UciCommand::Position(game) => f.write_str(&position(game)),
            UciCommand::Go(limits, position) => f.write_str(&go::write(limits, position)),
            UciCommand::Stop => f.write_str("stop"),
            UciCommand::PonderHit => f.write_str("ponderhit"),
            UciCommand::Quit => f.write_str("quit"),
        }
    }
}

/// A line of an engine.
#[derive(Clone, PartialEq, Debug)]
pub enum UciMessage<'a> {
    /// `id name`: what it is called.
    Name(&'a str),
    /// `id author`: who made it.
    Author(&'a str),
    /// `option`: what can be set.
    Option(EngineOption),
    /// `uciok`: it has introduced itself.
    UciOk,
    /// `readyok`: it has done everything that was asked.
    ReadyOk,
    /// `info`: the progress of its search.
    Info(Box<Info>),
    /// `bestmove`: what it plays, and what it expects in reply.
    BestMove(BestMove<'a>),
    /// Anything else.
    Other(&'a str),
}

/// The answer to a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestMove<'a> {
    /// A legal move, and the expected reply if a legal one is given.
    Move {
        /// The move.
        best: Move,
        /// The expected reply.
        ponder: Option<Move>,
    },
    /// No move, by this word: `(none)`, `0000` and their like, or nothing.
    None(&'a str),
    /// A word that is no legal move.
    Illegal(&'a str),
}

impl<'a> UciMessage<'a> {
    /// Reads a line. Moves are those of this position, which the search began with. What makes no
    /// sense is [`UciMessage::Other`].
    ///
    /// ```
    /// use arena::client::{BestMove, Score, UciMessage};
    /// use engine_core::{AnyPosition, Variant};
    ///
    /// let start = AnyPosition::start(Variant::Standard);
    /// let UciMessage::Info(info) = UciMessage::read("info depth 3 score cp 20 pv e2e4", &start)
    /// else {
    ///     panic!("no information");
    /// };
    /// assert_eq!(info.score.map(|score| score.relative), Some(Score::Cp(20)));
    /// let best = UciMessage::read("bestmove e2e5", &start);
    /// assert_eq!(best, UciMessage::BestMove(BestMove::Illegal("e2e5")));
    /// ```
    pub fn read(line: &'a str, root: &AnyPosition) -> UciMessage<'a> {
        let other = UciMessage::Other(line);
        match split_word(line) {
            ("uciok", _) => UciMessage::UciOk,
            ("readyok", _) => UciMessage::ReadyOk,
            ("id", rest) => match split_word(rest) {
                ("name", name) if !name.is_empty() => UciMessage::Name(name),
                ("author", author) => UciMessage::Author(author),
                _ => other,
            },
            ("option", rest) => declare::read(rest).map_or(other, UciMessage::Option),
            ("info", rest) => {
                let info = info::read(rest, root);
                info.map_or(other, |info| UciMessage::Info(Box::new(info)))
            }
            ("bestmove", rest) => UciMessage::BestMove(BestMove::read(rest, root)),
            _ => other,
        }
    }
}

impl<'a> BestMove<'a> {
    /// Reads `MOVE [ponder MOVE]`; some engines write `(none)`, `NULL` or `0000` for no move, and
    /// promotions in capitals.
    fn read(text: &'a str, root: &AnyPosition) -> BestMove<'a> {
        let (word, rest) = split_word(text);
        if matches!(word, "" | "(none)" | "NULL" | "null" | "0000" | "none") {
            return BestMove::None(word);
        }
        let Some(best) = read_move(root, word) else {
            return BestMove::Illegal(word);
        };
        let ponder = match split_word(rest) {
            ("ponder", reply) => read_move(&root.after(best), split_word(reply).0),
            _ => None,
        };
        BestMove::Move { best, ponder }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::option::EngineOptionKind;
    use engine_core::{Square, Variant};

    fn read(line: &str) -> UciMessage<'_> {
        UciMessage::read(line, &AnyPosition::start(Variant::Standard))
    }

    #[test]
    fn what_a_gui_says() {
        let (number, empty) = (OptionValue::Number(64), OptionValue::Text(String::new()));
        for (command, line) in [
            (UciCommand::Uci, "uci"),
            (UciCommand::Debug(true), "debug on"),
            (UciCommand::IsReady, "isready"),
            (
                UciCommand::SetOption("Hash", &number),
                "setoption name Hash value 64",
            ),
            (
                UciCommand::SetOption("Book File", &empty),
                "setoption name Book File value <empty>",
            ),
            (
                UciCommand::SetOption("Clear Hash", &OptionValue::Pressed),
                "setoption name Clear Hash",
            ),
            (UciCommand::NewGame, "ucinewgame"),
            (UciCommand::Stop, "stop"),
            (UciCommand::PonderHit, "ponderhit"),
            (UciCommand::Quit, "quit"),
        ] {
            assert_eq!(command.to_string(), line);
        }
    }

    #[test]
    fn what_an_engine_says() {
        assert_eq!(read("id name Mola 1"), UciMessage::Name("Mola 1"));
        assert_eq!(read("id author"), UciMessage::Author(""));
        assert_eq!(read("uciok"), UciMessage::UciOk);
        assert_eq!(read("readyok"), UciMessage::ReadyOk);
        let clear = EngineOption {
            name: "Clear Hash".to_owned(),
            kind: EngineOptionKind::Button,
        };
        assert_eq!(
            read("option name Clear Hash type button"),
            UciMessage::Option(clear)
        );
        for line in ["", "id", "option", "info", "hello", "UCIOK"] {
            assert_eq!(read(line), UciMessage::Other(line));
        }
    }

    #[test]
    fn answers() {
        let e4 = Move::normal(Square::E2, Square::E4);
        let e5 = Move::normal(Square::E7, Square::E5);
        let best = |ponder| BestMove::Move { best: e4, ponder };
        for (line, found) in [
            ("bestmove e2e4", best(None)),
            ("bestmove E2E4 ponder e7e5", best(Some(e5))),
            ("bestmove e2e4 ponder e7e6e5", best(None)),
            ("bestmove (none)", BestMove::None("(none)")),
            ("bestmove 0000", BestMove::None("0000")),
            ("bestmove", BestMove::None("")),
            ("bestmove e2e5", BestMove::Illegal("e2e5")),
        ] {
            assert_eq!(read(line), UciMessage::BestMove(found), "{line}");
        }
    }
}
