//! What can be wrong with a PGN text, and where.

use engine_core::notation::{MoveError, MoveText};
use engine_core::{Outcome, Termination};
use std::fmt;

/// Something wrong, where it is, and what was made of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The offset of the first byte in question.
    pub at: usize,
    /// How many moves of the line had been played.
    pub ply: usize,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A quote inside a tag value without a backslash.
    UnescapedQuote,
    /// A tag pair without `"]`, taken up to the end of its line.
    UnclosedTag,
    /// A line in square brackets among the tags that is no tag pair.
    BadTag,
    /// Text between the tags that belongs nowhere.
    TextAmongTags,
    /// `{` without `}`: the comment ends where the next game begins.
    UnclosedComment,
    /// `(` without `)`.
    UnclosedVariation,
    /// `)` without `(`.
    StrayClose,
    /// `(` with no move before it to replace.
    NothingToVary,
    /// More variations inside each other than [`MAX_DEPTH`](super::MAX_DEPTH).
    TooDeep,
    /// More moves than any game of chess can have, [`MAX_PLIES`](super::MAX_PLIES).
    TooManyMoves,
    /// More moves in a game and its variations than [`MAX_NODES`](super::MAX_NODES); the rest of each
    /// line that is open is not read.
    TooManyNodes,
    /// A game so long that it was cut: [`MAX_GAME`](super::MAX_GAME).
    TooLong,
    /// A blank line between the moves.
    BlankLine,
    /// Characters that begin nothing, such as `]`.
    Junk(String),
    /// No `1-0`, `0-1`, `1/2-1/2` or `*` at the end.
    NoResult,
    /// More than one result; the first counts.
    SecondResult,
    /// Moves that follow the result.
    MovesAfterResult,
    /// The result after the moves is not that of the tag.
    OtherResult(String, &'static str),
    /// The result is not the one on the board.
    ResultOnBoard(String, Outcome),
    /// A move in another spelling than SAN, read as what it means in most languages.
    OtherSpelling(String, MoveText),
    /// A letter and a move after it that together are another legal move: `N f3`. The letter is read
    /// as a sign, and the move alone.
    PieceApart(String),
    /// A word that is neither a move nor a known sign; it is left out of the game.
    NotAMove(String),
    /// A move that cannot be played; the rest of the line is not read.
    BadMove(String, MoveError),
    /// The variant or the start position cannot be read; the moves are kept as text.
    BadStart(String),
    /// The tag says that the variant is unknown; the moves are read as those of chess.
    NoVariant(String),
}

impl ProblemKind {
    /// Whether nothing of the game is lost or wrong.
    pub fn is_repaired(&self) -> bool {
        !self.costs_moves()
            && !self.is_about_result()
            && !matches!(
                self,
                ProblemKind::PieceApart(_) | ProblemKind::TooDeep | ProblemKind::TooLong
            )
    }

    /// Whether the moves are read as they are meant. Results may contradict each other.
    pub fn keeps_moves(&self) -> bool {
        self.is_repaired() || self.is_about_result()
    }

    fn is_about_result(&self) -> bool {
        matches!(
            self,
            ProblemKind::OtherResult(..) | ProblemKind::ResultOnBoard(..)
        )
    }

    /// Whether moves of the line in which it is could not be read.
    pub fn costs_moves(&self) -> bool {
        matches!(
            self,
            ProblemKind::NotAMove(_)
                | ProblemKind::BadMove(..)
                | ProblemKind::BadStart(_)
                | ProblemKind::TooManyMoves
                | ProblemKind::TooManyNodes
        )
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProblemKind::UnescapedQuote => {
                f.write_str("a quote inside a tag value needs a backslash")
            }
            ProblemKind::UnclosedTag => f.write_str("the tag has no closing \"]"),
            ProblemKind::BadTag => f.write_str("not a tag pair such as [Event \"?\"]"),
            ProblemKind::TextAmongTags => f.write_str("unexpected text among the tags"),
            ProblemKind::UnclosedComment => f.write_str("the comment has no closing brace"),
            ProblemKind::UnclosedVariation => f.write_str("a variation has no closing parenthesis"),
            ProblemKind::StrayClose => f.write_str("no variation is open here"),
            ProblemKind::NothingToVary => {
                f.write_str("a variation must follow the move that it replaces")
            }
            ProblemKind::TooDeep => {
                write!(f, "variations nested deeper than {}", super::MAX_DEPTH)
            }
            ProblemKind::TooManyMoves => {
                write!(f, "more than {} moves in one line", super::MAX_PLIES)
            }
            ProblemKind::TooManyNodes => {
                let most = super::MAX_NODES;
                write!(f, "more than {most} moves in the game and its variations")
            }
            ProblemKind::TooLong => {
                write!(
                    f,
                    "a game of more than {} MiB is cut here, and goes on as another",
                    super::MAX_GAME >> 20
                )
            }
            ProblemKind::BlankLine => f.write_str("a blank line between the moves"),
            ProblemKind::Junk(text) => write!(f, "unexpected {text:?}"),
            ProblemKind::NoResult => f.write_str("the game ends without a result"),
            ProblemKind::SecondResult => f.write_str("the game has a result already"),
            ProblemKind::MovesAfterResult => f.write_str("moves after the result"),
            ProblemKind::OtherResult(tag, result) => {
                write!(f, "the result here is {result}, but the tag says {tag}")
            }
            ProblemKind::ResultOnBoard(result, outcome) => {
                let on_board = outcome.result();
                let ending = ending(*outcome);
                write!(
                    f,
                    "the result is {result}, but on the board the game ends {on_board} by {ending}"
                )
            }
            ProblemKind::OtherSpelling(word, san) => write!(f, "{word:?} is read as {}", &**san),
            ProblemKind::PieceApart(words) => {
                write!(
                    f,
                    "{words:?} is read as a sign and a move, but could be one move"
                )
            }
            ProblemKind::NotAMove(word) => write!(f, "{word:?} is not a move"),
            ProblemKind::BadMove(word, error) => write!(f, "{word}: {error}"),
            ProblemKind::BadStart(reason) => write!(f, "the moves are skipped: {reason}"),
            ProblemKind::NoVariant(value) => {
                write!(f, "the moves are read as chess: {value:?} names no variant")
            }
        }
    }
}

impl std::error::Error for ProblemKind {}

fn ending(outcome: Outcome) -> &'static str {
    match outcome.termination {
        Termination::Checkmate => "checkmate",
        Termination::Stalemate => "stalemate",
        Termination::InsufficientMaterial => "insufficient material",
        Termination::VariantWin | Termination::VariantLoss | Termination::VariantDraw => {
            "the rules of the variant"
        }
        Termination::SeventyFiveMoves | Termination::FiftyMoves => "moves without progress",
        Termination::FivefoldRepetition | Termination::ThreefoldRepetition => "repetition",
    }
}

/// Text for a message: not too long, and without control characters, which could drive a terminal.
pub(super) fn excerpt(text: &[u8]) -> String {
    const MAX_EXCERPT_LENGTH: usize = 24;
    let text =
        String::from_utf8_lossy(text.get(..4 * MAX_EXCERPT_LENGTH).unwrap_or(text)).into_owned();
    let text = text.replace(char::is_control, " ");
    match text.char_indices().nth(MAX_EXCERPT_LENGTH) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_cannot_drive_a_terminal() {
        assert_eq!(excerpt(b"\x1b[2J\0Nf3"), " [2J Nf3");
        assert_eq!(excerpt(&[b'N'; 100]), format!("{}…", "N".repeat(24)));
    }
}
