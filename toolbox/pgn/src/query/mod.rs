//! The query language: which games, and where in them. [`Query::parse`] reads it, and
//! [`HELP`] teaches it.

mod board_pattern;
mod ending;
mod error;
mod evaluate;
mod expression;
mod game;
mod material;
mod parse;
mod position_test;
mod sequence;
mod soundex;
mod tag_test;
mod tag_values;

pub use error::QueryError;
pub(crate) use sequence::without_number;

use crate::Tree;
use expression::Expression;

/// The description of the language for users.
pub const HELP: &str = r#"Queries:
  A query combines tests with and, or, not and parentheses. Texts are quoted; the quotes may be
  omitted around a single word.

  White = "Tal"  Event ~ "olympiad"         tags, by their names: = != < <= > >= compare numbers,
  WhiteElo >= 2500  Date < 1962.06          dates and texts; ~ and !~ are regular expressions that
  White sounds Smislow   has Annotator      ignore case; sounds compares by Soundex
  Date != 1962                              dates are compared as far as they are given here;
                                            one that is not known so far meets no comparison;
                                            what is no date is compared as written by = and !=
  WhiteElo < BlackElo  EventDate = Date     two tags with numbers or dates are compared with each
                                            other, where both are known
  player ~ ^karpov  winner = "Tal, M"       player is either player, with != and !~ neither; also
                                            winner and loser; elo must
  elo >= 2600  result = draw                hold for both players; result is white, draw, black,
  year >= 1990  plies < 40                  or as in the tag
  eco ~ "^B9"  opening ~ najdorf            ECO code and opening name by the moves
  variant = atomic  has problems            errors, such as a move that could not be read, or a
                                            result that is not that of the board or the tag
  ends checkmate                            also stalemate, insufficient, repetition, fifty
  has underpromotion                        also promotion, repetition, fifty, setup, comments,
                                            glyphs, variations
  line "e4 c5 * d6|e6 !d4"                  the first moves: * any move, | or, ! none of these
  line "d4 Nf6 c4 e6" any order             the moves of either side in any order
  played "Bxh7+ Kxh7 Ng5+"                  these moves one after the other, anywhere; x, + and #
                                            must be true, but may be omitted

  Position tests, which some position of the game must match:
  fen "r1bqkbnr/... w KQkq -"               this position, in any variant; with the piece
                                            placement only, the other fields are ignored
  key 463b96181691fc9c                      the Zobrist key, as in Polyglot books: standard chess
  board "*/*/*/*/???PP???/*/*/*"            ranks from the eighth; ? any square, _ an empty one,
                                            ! a piece, A or a White's or Black's, * any squares,
                                            [Qq] one of these, [^Pp] none of these
  board "..." mirrored                      this pattern, or with colours exchanged
  material KRPvKR                           for either colour; kings may be omitted
  material "QP+ v RRP*" as white            the first side is White; + one or more, * any number,
  material "RP1..3 v RP2-"                  2 two, 2+ two or more, 2- at most two, 1..3 a range;
  material "R+P+ v R=P1>="                  compared with the other side: = # < > equal, different,
                                            less, more; 1> at least one more, 1>= exactly one more;
  material "L v L"  "Q..vQ.."               L is bishop or knight, H queen or rook, .. any others
  pieces <= 7  check  turn = white          number of pieces, check, side to move
  reaches (material QvQ and check)          several tests of the same position
  material RvR in moves 20..40              range in the game, by moves or plies
  material RvR for 6 plies                  duration without interruption"#;

/// A query: a condition on games.
///
/// ```
/// use pgn::Query;
///
/// let (game, _) = pgn::read_tree(b"[White \"Tal\"]\n\n1. e4 c5 2. Nf3 *").ok_or("no game")?;
/// let query = Query::parse("White ~ ^tal and line \"e4 c5\"")?;
/// assert!(query.matches(&game));
/// assert!(Query::parse("White = ").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Query {
    expression: Expression,
}

impl std::str::FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Query, QueryError> {
        Query::parse(text)
    }
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    /// Says where the text is no query, and what was expected.
    pub fn parse(text: &str) -> Result<Query, QueryError> {
        Ok(Query {
            expression: parse::parse(text)?,
        })
    }

    /// One of several queries.
    pub(crate) fn any(queries: Vec<Query>) -> Query {
        let expressions = queries.into_iter().map(|query| query.expression);
        Query {
            expression: Expression::Any(expressions.collect()),
        }
    }

    /// Both queries.
    #[must_use]
    pub(crate) fn and(self, other: Query) -> Query {
        Query {
            expression: Expression::All(vec![self.expression, other.expression]),
        }
    }

    /// A position that must be reached.
    pub(crate) fn reaches(test: PositionTest) -> Query {
        Query {
            expression: Expression::position(test),
        }
    }

    /// Keys of positions, as in an index, of which every matching game must have one, if the query implies
    /// any.
    pub(crate) fn needed_keys(&self) -> Option<Vec<u64>> {
        self.expression.needed_keys()
    }

    /// Whether the main line of a game matches.
    pub fn matches(&self, game: &Tree) -> bool {
        self.find(game, false).is_some()
    }

    /// The ply at which a game matches, if it does; zero if the query has no condition on
    /// positions. Positions may be searched in variations, too.
    pub fn find(&self, game: &Tree, in_variations: bool) -> Option<usize> {
        evaluate::find(&self.expression, game, in_variations)
    }
}

pub(crate) use material::MaterialPattern;
pub(crate) use position_test::PositionTest;
pub(crate) use tag_values::{check_wanted, is_other_tag, order};

#[cfg(test)]
mod tests;
