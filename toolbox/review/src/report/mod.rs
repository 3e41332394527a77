//! The facts of a reviewed game: what its page shows and `--json` writes.

mod clock;
mod comment;
mod legal;
mod nodes;
mod players;
mod reviewer;
mod why;

pub(crate) use legal::Choice;
pub(crate) use reviewer::{MainLinePosition, Reviewer};

use crate::accuracy::Mark;
use crate::endings::TableResult;
use engine_core::Color;
use pgn::Headers;
use serde::Serialize;

/// A reviewed game.
#[derive(Serialize)]
pub(crate) struct Review {
    /// Its number in the input, from 1.
    pub(crate) game: u64,
    pub(crate) tags: Headers,
    /// The engine and its limits; `None` if only evaluations in the game were used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) engine: Option<String>,
    pub(crate) result: String,
    pub(crate) variant: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) chess960: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) opening: Option<OpeningName>,
    pub(crate) white: Player,
    pub(crate) black: Player,
    /// The nodes where the game turned, in their order.
    pub(crate) turning_points: Vec<usize>,
    /// The first is the start; those of the main line follow, then those of variations.
    pub(crate) nodes: Vec<Node>,
    /// At least so many moves of variations are left out because there are too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) left_out: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The opening by its last position with a name.
#[derive(Serialize)]
pub(crate) struct OpeningName {
    pub(crate) eco: &'static str,
    pub(crate) name: &'static str,
    /// The name without its variation.
    #[serde(skip)]
    pub(crate) family: &'static str,
}

/// The figures of one side.
#[derive(Serialize)]
pub(crate) struct Player {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rating: Option<String>,
    pub(crate) moves: u32,
    /// From 0 to 100; none where positions have no evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accuracy: Option<f64>,
    /// The average loss of a move in centipawns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) average_loss: Option<f64>,
    pub(crate) inaccuracies: u32,
    pub(crate) mistakes: u32,
    pub(crate) blunders: u32,
    /// Seconds spent on moves, as far as clocks tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<f64>,
}

/// A position, and the move that led to it.
#[derive(Serialize, Default)]
pub(crate) struct Node {
    /// The node before; none for the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parent: Option<usize>,
    /// Whether it is of the main line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) main: bool,
    /// `3.` or `3...`
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) number: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) san: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) uci: String,
    pub(crate) fen: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nags: Vec<u32>,
    /// Before the move.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) intro: String,
    /// After the move, without the commands in it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) comment: String,
    /// Arrows and squares as PGN has them, `Re2e4` or `Ga1`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) arrows: Vec<String>,
    #[serde(flatten)]
    pub(crate) eval: Evaluation,
    /// By endgame tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tables: Option<TableResult>,
    /// The time left on the mover's clock, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<f64>,
    /// The time that the move took, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<f64>,
    /// From 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accuracy: Option<f64>,
    /// The engine's best line here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<LineText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fault: Option<Fault>,
}

/// White's evaluation: centipawns, or moves to mate, negative when Black mates. Where the game is
/// won already, no moves are left to it, and there is the winner.
#[derive(Serialize, Default, Clone, Copy)]
pub(crate) struct Evaluation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cp: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mate: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) winner: Option<&'static str>,
}

impl Evaluation {
    /// Of a position in which a side has won.
    pub(crate) fn won_by(winner: Color) -> Evaluation {
        Evaluation {
            mate: Some(0),
            winner: Some(if winner.is_white() { "white" } else { "black" }),
            ..Evaluation::default()
        }
    }
}

impl From<Option<pgn::Eval>> for Evaluation {
    fn from(eval: Option<pgn::Eval>) -> Evaluation {
        match eval {
            Some(pgn::Eval::Cp(cp)) => Evaluation {
                cp: Some(cp),
                ..Evaluation::default()
            },
            Some(pgn::Eval::Mate(moves)) => Evaluation {
                mate: Some(moves),
                ..Evaluation::default()
            },
            None => Evaluation::default(),
        }
    }
}

/// A line of moves.
#[derive(Serialize)]
pub(crate) struct LineText {
    /// The first move in UCI notation.
    pub(crate) uci: String,
    /// In SAN with move numbers.
    pub(crate) san: String,
}

/// A faulty move: an inaccuracy, a mistake or a blunder.
#[derive(Serialize)]
pub(crate) struct Fault {
    pub(crate) mark: Mark,
    /// Expected points that it lost, in percent.
    pub(crate) lost: f64,
    /// A sentence on why the move was not good.
    pub(crate) why: String,
    /// The legal moves, for the reader to try another one.
    pub(crate) choices: Vec<Choice>,
}
