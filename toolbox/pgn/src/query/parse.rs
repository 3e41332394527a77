//! The grammar of queries.

use super::board_pattern::BoardPattern;
use super::ending::{BoardEnding, Feature};
use super::error::QueryError;
use super::expression::{Expression, Positions, Reach};
use super::material::MaterialPattern;
use super::position_test::PositionTest;
use super::sequence::Sequence;
use super::tag_test::{Operator, Subject, TagTest};
use engine_core::Color;
use std::cmp::Ordering;
use std::ops::RangeInclusive;
use winnow::ascii::multispace0;
use winnow::combinator::{alt, cut_err, opt, preceded, separated};
use winnow::error::{ContextError, ErrMode, FromExternalError, StrContext};
use winnow::prelude::*;
use winnow::stream::Stateful;
use winnow::token::{literal, take_while};

/// The text, and how many parentheses are open.
type Input<'i> = Stateful<&'i str, usize>;

/// The deepest nesting of parentheses: the parser is recursive.
const MAX_DEPTH: usize = 100;

/// An error of meaning rather than syntax: the message.
#[derive(Debug)]
struct SemanticError(String);

impl std::fmt::Display for SemanticError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SemanticError {}

/// Reads a query.
pub(super) fn parse(text: &str) -> Result<Expression, QueryError> {
    let input = Stateful {
        input: text,
        state: 0,
    };
    let mut query = (formula, multispace0).map(|(query, _)| query);
    query.parse(input).map_err(|error| {
        let rest = text.get(error.offset()..).unwrap_or_default();
        let rest = rest.trim_start();
        let before = text.strip_suffix(rest).unwrap_or_default();
        QueryError {
            column: before.chars().count() + 1,
            reason: reason(error.inner(), rest),
        }
    })
}

fn reason(error: &ContextError, rest: &str) -> String {
    if let Some(cause) = error.cause() {
        return cause.to_string();
    }
    let expected = error.context().find_map(|context| match context {
        StrContext::Expected(expected) => Some(expected.to_string()),
        _ => None,
    });
    let expected = expected.unwrap_or("and, or, or the end".to_owned());
    let found = rest.split_whitespace().next();
    let found = found.map_or("nothing".to_owned(), |word| {
        let word: String = word.chars().take(24).collect();
        format!("{word:?}")
    });
    format!("expected {expected}, found {found}")
}

/// Makes failure final, without trying alternatives, with an error that names what was expected.
fn expected<'i, O>(
    parser: impl Parser<Input<'i>, O, ErrMode<ContextError>>,
    what: &'static str,
) -> impl Parser<Input<'i>, O, ErrMode<ContextError>> {
    cut_err(parser).context(StrContext::Expected(
        winnow::error::StrContextValue::Description(what),
    ))
}

/// A word in small or capital letters, which stands alone.
fn name<'i>(input: &mut Input<'i>) -> ModalResult<&'i str> {
    let is_first = |c: char| c.is_ascii_alphabetic();
    let is_next = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = (take_while(1, is_first), take_while(0.., is_next)).take();
    preceded(multispace0, word).parse_next(input)
}

/// A word of the language.
fn keyword<'i>(word: &'static str) -> impl Parser<Input<'i>, (), ErrMode<ContextError>> {
    name.verify(move |name: &str| name.eq_ignore_ascii_case(word))
        .void()
}

/// A sign.
fn sign<'i>(text: &'static str) -> impl Parser<Input<'i>, (), ErrMode<ContextError>> {
    preceded(multispace0, literal(text)).void()
}

/// A text in quotes, in which a backslash escapes the next character, or a word.
fn text(input: &mut Input<'_>) -> ModalResult<String> {
    multispace0.parse_next(input)?;
    let quote = input.chars().next().filter(|c| matches!(c, '"' | '\''));
    let Some(quote) = quote else {
        let is_plain = |c: char| !c.is_whitespace() && !"()\"'".contains(c);
        return take_while(1.., is_plain)
            .map(str::to_owned)
            .parse_next(input);
    };
    let mut value = String::new();
    let mut chars = input.char_indices().skip(1);
    let mut end = None;
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, c)) if c == quote => value.push(c),
                // Regular expressions need their backslashes.
                Some((_, c)) => value.extend(['\\', c]),
                None => break,
            },
            c if c == quote => {
                end = Some(at + c.len_utf8());
                break;
            }
            c => value.push(c),
        }
    }
    match end {
        Some(end) => {
            winnow::token::take(input.get(..end).map_or(0, |text| text.chars().count()))
                .void()
                .parse_next(input)?;
            Ok(value)
        }
        None => fault(input, "the quote is not closed".to_owned()),
    }
}

/// Fails at the present place with this reason.
fn fault<O>(input: &Input<'_>, reason: String) -> ModalResult<O> {
    Err(ErrMode::Cut(ContextError::from_external_error(
        input,
        SemanticError(reason),
    )))
}

/// The same at an earlier place.
fn fault_at<'i, O>(input: &mut Input<'i>, at: Input<'i>, reason: String) -> ModalResult<O> {
    *input = at;
    fault(input, reason)
}

/// Reads a text and converts it; an error of the conversion is reported at the text.
fn text_as<O>(
    input: &mut Input<'_>,
    what: &'static str,
    make: impl FnOnce(&str) -> Result<O, String>,
) -> ModalResult<O> {
    multispace0.parse_next(input)?;
    let at = *input;
    let text = expected(text, what).parse_next(input)?;
    make(&text).or_else(|reason| fault_at(input, at, reason))
}

fn number(input: &mut Input<'_>) -> ModalResult<usize> {
    let number = preceded(multispace0, digits.verify_map(|number| number));
    expected(number, "a number").parse_next(input)
}

/// The number of the digits that come next, if there are any.
fn digits(input: &mut Input<'_>) -> ModalResult<Option<usize>> {
    const MOST: usize = 9;
    let at = *input;
    let digits: &str = take_while(0.., |c: char| c.is_ascii_digit()).parse_next(input)?;
    match digits.parse() {
        _ if digits.is_empty() => Ok(None),
        Ok(number) if digits.len() <= MOST => Ok(Some(number)),
        _ => fault_at(input, at, format!("a number has at most {MOST} digits")),
    }
}

/// Parses one level deeper; fails if that is too deep.
fn deeper<O>(
    input: &mut Input<'_>,
    parser: impl FnOnce(&mut Input<'_>) -> ModalResult<O>,
) -> ModalResult<O> {
    input.state += 1;
    if input.state > MAX_DEPTH {
        return fault(input, format!("parentheses nested deeper than {MAX_DEPTH}"));
    }
    let inner = parser(input)?;
    input.state -= 1;
    Ok(inner)
}

/// Tests joined by `and`, `or`, `not` and parentheses, of a game or of one position.
trait Formula: Sized {
    const ANY: fn(Vec<Self>) -> Self;
    const ALL: fn(Vec<Self>) -> Self;
    const NOT: fn(Box<Self>) -> Self;

    /// Parses a single test.
    fn test(input: &mut Input<'_>) -> ModalResult<Self>;
}

impl Formula for Expression {
    const ANY: fn(Vec<Self>) -> Self = Expression::Any;
    const ALL: fn(Vec<Self>) -> Self = Expression::All;
    const NOT: fn(Box<Self>) -> Self = Expression::Not;

    fn test(input: &mut Input<'_>) -> ModalResult<Expression> {
        if let Some(test) = opt(position_test).parse_next(input)? {
            return reach(input, Positions::Test(test));
        }
        game_test(input)
    }
}

impl Formula for Positions {
    const ANY: fn(Vec<Self>) -> Self = Positions::Any;
    const ALL: fn(Vec<Self>) -> Self = Positions::All;
    const NOT: fn(Box<Self>) -> Self = Positions::Not;

    fn test(input: &mut Input<'_>) -> ModalResult<Positions> {
        let names = "fen, key, board, material, pieces, turn or check";
        expected(position_test, names)
            .map(Positions::Test)
            .parse_next(input)
    }
}

fn formula<F: Formula>(input: &mut Input<'_>) -> ModalResult<F> {
    let any: Vec<_> = separated(1.., conjunction, keyword("or")).parse_next(input)?;
    Ok(single_or(any, F::ANY))
}

fn conjunction<F: Formula>(input: &mut Input<'_>) -> ModalResult<F> {
    let all: Vec<_> = separated(1.., factor, keyword("and")).parse_next(input)?;
    Ok(single_or(all, F::ALL))
}

fn factor<F: Formula>(input: &mut Input<'_>) -> ModalResult<F> {
    if opt(keyword("not")).parse_next(input)?.is_some() {
        return Ok(F::NOT(Box::new(deeper(input, factor)?)));
    }
    if opt(sign("(")).parse_next(input)?.is_some() {
        return in_parentheses(input);
    }
    F::test(input)
}

/// What follows an opening parenthesis, and the closing one.
fn in_parentheses<F: Formula>(input: &mut Input<'_>) -> ModalResult<F> {
    let inner = deeper(input, formula)?;
    expected(sign(")"), "and, or, or )").parse_next(input)?;
    Ok(inner)
}

/// The only item of a list, or the list combined by `make`.
fn single_or<T>(mut list: Vec<T>, make: impl FnOnce(Vec<T>) -> T) -> T {
    match list.pop() {
        Some(only) if list.is_empty() => only,
        last => {
            list.extend(last);
            make(list)
        }
    }
}

/// A test of a game.
fn game_test(input: &mut Input<'_>) -> ModalResult<Expression> {
    multispace0.parse_next(input)?;
    let at = *input;
    let word = expected(name, "a test").parse_next(input)?;
    match word {
        "reaches" => {
            expected(sign("("), "(").parse_next(input)?;
            let inner = in_parentheses(input)?;
            reach(input, inner)
        }
        "ends" => word_as(input, BoardEnding::of, BoardEnding::NAMES).map(Expression::Ends),
        "has" => word_as(input, Feature::of, Feature::NAMES).map(Expression::Has),
        "line" => sequence(input).map(Expression::Line),
        "played" => {
            let what = "moves, such as \"Bxh7+ Kxh7 Ng5+\"";
            let sequence = text_as(input, what, |text| Sequence::read(text, false))?;
            Ok(Expression::Played(sequence))
        }
        word => {
            if let Some(subject) = Subject::of(word) {
                return comparison(input, subject).map(Expression::Tag);
            }
            let reason = format!("unknown test {word:?}; tags begin with a capital letter");
            fault_at(input, at, reason)
        }
    }
}

/// A word with a meaning here.
fn word_as<O>(
    input: &mut Input<'_>,
    of: impl Fn(&str) -> Option<O>,
    names: &'static str,
) -> ModalResult<O> {
    text_as(input, names, |word| {
        of(word).ok_or_else(|| format!("expected {names}, found {word:?}"))
    })
}

fn sequence(input: &mut Input<'_>) -> ModalResult<Sequence> {
    multispace0.parse_next(input)?;
    let at = *input;
    let moves = expected(text, "moves, such as \"e4 c5 Nf3\"").parse_next(input)?;
    let any_order = opt((keyword("any"), keyword("order"))).parse_next(input)?;
    Sequence::read(&moves, any_order.is_some()).or_else(|reason| fault_at(input, at, reason))
}

fn comparison(input: &mut Input<'_>, subject: Subject) -> ModalResult<TagTest> {
    let operator = alt((
        sign("!=").value(Operator::NotEqual),
        sign("!~").value(Operator::MatchesNot),
        sign("<=").value(Operator::AtMost),
        sign(">=").value(Operator::AtLeast),
        sign("=").value(Operator::Equal),
        sign("~").value(Operator::Matches),
        sign("<").value(Operator::Less),
        sign(">").value(Operator::Greater),
        keyword("sounds").value(Operator::Sounds),
    ));
    let signs = "= != < <= > >= ~ !~ or sounds";
    let operator = expected(operator, signs).parse_next(input)?;
    text_as(input, "a value", |value| {
        TagTest::new(subject, operator, value)
    })
}

/// A test of one position; another word is not read.
fn position_test(input: &mut Input<'_>) -> ModalResult<PositionTest> {
    let word = name
        .verify(|word: &str| {
            matches!(
                word,
                "fen" | "key" | "board" | "material" | "pieces" | "turn" | "check"
            )
        })
        .parse_next(input)?;
    match word {
        "fen" => text_as(input, "a FEN in quotes", PositionTest::fen),
        "key" => text_as(input, "a key of 16 hexadecimal digits", PositionTest::key),
        "board" => board(input),
        "material" => material(input),
        "pieces" => pieces(input),
        "turn" => {
            expected(sign("="), "=").parse_next(input)?;
            color(input).map(PositionTest::Turn)
        }
        _ => Ok(PositionTest::Check),
    }
}

fn color(input: &mut Input<'_>) -> ModalResult<Color> {
    let color = alt((
        keyword("white").value(Color::White),
        keyword("black").value(Color::Black),
    ));
    expected(color, "white or black").parse_next(input)
}

fn board(input: &mut Input<'_>) -> ModalResult<PositionTest> {
    multispace0.parse_next(input)?;
    let at = *input;
    let pattern = expected(text, "ranks in quotes, from the eighth").parse_next(input)?;
    let mirrored = opt(keyword("mirrored")).parse_next(input)?;
    BoardPattern::read(&pattern, mirrored.is_some())
        .map(PositionTest::Pattern)
        .or_else(|reason| fault_at(input, at, reason))
}

fn material(input: &mut Input<'_>) -> ModalResult<PositionTest> {
    multispace0.parse_next(input)?;
    let at = *input;
    let sides = expected(text, "two sides, such as KRPvKR").parse_next(input)?;
    let color = match opt(keyword("as")).parse_next(input)? {
        Some(()) => Some(color(input)?),
        None => None,
    };
    MaterialPattern::read(&sides, color)
        .map(PositionTest::Material)
        .or_else(|reason| fault_at(input, at, reason))
}

fn pieces(input: &mut Input<'_>) -> ModalResult<PositionTest> {
    use Ordering::{Equal, Greater, Less};
    let operator = alt((
        sign("!=").value([Less, Greater].as_slice()),
        sign("<=").value([Less, Equal].as_slice()),
        sign(">=").value([Greater, Equal].as_slice()),
        sign("=").value([Equal].as_slice()),
        sign("<").value([Less].as_slice()),
        sign(">").value([Greater].as_slice()),
    ));
    let orders = expected(operator, "= != < <= > or >=").parse_next(input)?;
    let wanted = number(input)?;
    Ok(PositionTest::Pieces(orders.to_vec(), wanted as u32))
}

/// When in the game a test must hold, and for how long.
fn reach(input: &mut Input<'_>, test: Positions) -> ModalResult<Expression> {
    let (mut plies, mut by_moves) = (0..=usize::MAX, false);
    if opt(keyword("in")).parse_next(input)?.is_some() {
        let unit = alt((keyword("plies").value(false), keyword("moves").value(true)));
        by_moves = expected(unit, "moves or plies").parse_next(input)?;
        plies = range(input)?;
        if by_moves {
            plies = plies_of(&plies);
        }
    }
    let mut lasting = 1;
    if opt(keyword("for")).parse_next(input)?.is_some() {
        let at = *input;
        lasting = number(input)?;
        if lasting == 0 {
            return fault_at(input, at, "expected at least 1 ply".to_owned());
        }
        let unit = alt((keyword("plies"), keyword("ply")));
        expected(unit, "plies").parse_next(input)?;
    }
    Ok(Expression::Reaches(Box::new(Reach {
        test,
        plies,
        by_moves,
        lasting,
    })))
}

/// The positions after the moves with these numbers, of either side.
fn plies_of(moves: &RangeInclusive<usize>) -> RangeInclusive<usize> {
    let first = (2 * moves.start()).saturating_sub(1);
    first..=moves.end().saturating_mul(2)
}

/// `20..40`, `20..`, `..40` or `20`.
fn range(input: &mut Input<'_>) -> ModalResult<RangeInclusive<usize>> {
    multispace0.parse_next(input)?;
    let at = *input;
    let from = digits(input)?;
    let dots = opt(literal("..")).parse_next(input)?;
    let to = match dots {
        Some(_) => digits(input)?,
        None => from,
    };
    match (from, to) {
        (None, None) => fault(input, "expected a range such as 20..40".to_owned()),
        (Some(from), Some(to)) if from > to => {
            fault_at(input, at, format!("{from}..{to} is an empty range"))
        }
        (from, to) => Ok(from.unwrap_or(0)..=to.unwrap_or(usize::MAX)),
    }
}
