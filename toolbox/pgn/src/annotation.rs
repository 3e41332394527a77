//! Commands inside comments: `[%eval 0.25,20]`, `[%clk 0:05:00]`, `[%emt 0:00:07]`,
//! `[%csl Ga1]`, `[%cal Re2e4]`. The spellings read, and the blanks left around a command that is
//! replaced, follow python-chess.

use super::{Comment, NodeId, Remark, Tree};
use engine_core::Square;
#[cfg(feature = "columns")]
use std::borrow::Cow;
use std::fmt;

/// An engine's evaluation of a position from White's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// Hundredths of a pawn.
    Cp(i64),
    /// Moves to mate; negative if Black mates.
    Mate(i64),
}

/// An evaluation and the depth of the search that found it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeepEval {
    /// The evaluation.
    pub eval: Eval,
    /// Plies, if they are known.
    pub depth: Option<u64>,
}

/// `[%eval 0.25,20]`.
impl fmt::Display for DeepEval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.eval {
            Eval::Cp(cp) => write!(f, "[%eval {:.2}", cp as f64 / 100.0)?,
            Eval::Mate(moves) => write!(f, "[%eval #{moves}")?,
        }
        match self.depth {
            Some(depth) => write!(f, ",{depth}]"),
            None => f.write_str("]"),
        }
    }
}

/// The colour of an arrow or a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "colours")]
pub enum ArrowColor {
    Green,
    Red,
    Yellow,
    Blue,
}

/// An arrow, or a marked square if tail and head are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Where it begins.
    pub tail: Square,
    /// Where it points.
    pub head: Square,
    /// Its colour.
    pub color: ArrowColor,
}

/// `Re2e4` or, for a square, `Ga1`.
impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = match self.color {
            ArrowColor::Green => 'G',
            ArrowColor::Red => 'R',
            ArrowColor::Yellow => 'Y',
            ArrowColor::Blue => 'B',
        };
        write!(f, "{color}{}", self.tail)?;
        if self.tail == self.head {
            Ok(())
        } else {
            write!(f, "{}", self.head)
        }
    }
}

/// `[%clk 1:02:03.5]` or `[%emt …]`: at most three decimals.
pub fn time(command: &str, seconds: f64) -> String {
    let milliseconds = (seconds.max(0.0) * 1000.0).round() as u64;
    let (whole, rest) = (milliseconds / 1000, milliseconds % 1000);
    let (hours, minutes) = (whole / 3600, whole / 60 % 60);
    let text = format!("[%{command} {hours}:{minutes:02}:{:02}", whole % 60);
    let decimals = format!(".{rest:03}");
    format!(
        "{text}{}]",
        decimals.trim_end_matches('0').trim_end_matches('.')
    )
}

/// A command found in a text. Offsets are in bytes.
struct CommandSpan<T> {
    /// Where the blank before the command begins; `begin` if there is none.
    prefix: usize,
    begin: usize,
    end: usize,
    /// Where the blank after the command ends; `end` if there is none.
    suffix: usize,
    value: T,
}

/// Takes characters from the front of a text.
struct Cursor<'t>(&'t str);

impl Cursor<'_> {
    fn skip(&mut self, prefix: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(prefix)?;
        Some(())
    }

    fn blank(&mut self) -> Option<()> {
        self.0 = self.0.strip_prefix(char::is_whitespace)?;
        Some(())
    }

    /// All digits that follow, as text, if their number is in the range.
    fn digits(&mut self, range: std::ops::RangeInclusive<usize>) -> Option<&str> {
        let end = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        range.contains(&end).then_some(digits)
    }

    fn number(&mut self) -> Option<i64> {
        let digits = self.digits(1..=usize::MAX)?;
        Some(digits.parse().unwrap_or(i64::MAX))
    }

    fn is_negative(&mut self) -> bool {
        let is_negative = self.0.starts_with('-');
        self.0 = self.0.strip_prefix(['+', '-']).unwrap_or(self.0);
        is_negative
    }
}

fn parse_time(cursor: &mut Cursor<'_>) -> Option<f64> {
    let hours = cursor.number()?;
    cursor.skip(":")?;
    let minutes = cursor.number()?;
    cursor.skip(":")?;
    let text = cursor.0;
    cursor.digits(1..=usize::MAX)?;
    if cursor.skip(".").is_some() {
        cursor.digits(0..=usize::MAX)?;
    }
    let seconds = text.get(..text.len() - cursor.0.len())?;
    Some(hours as f64 * 3600.0 + minutes as f64 * 60.0 + seconds.parse::<f64>().ok()?)
}

fn parse_eval(cursor: &mut Cursor<'_>) -> Option<DeepEval> {
    let eval = if cursor.skip("#").is_some() {
        let is_negative = cursor.is_negative();
        let moves = cursor.number()?;
        Eval::Mate(if is_negative { -moves } else { moves })
    } else {
        let is_negative = cursor.is_negative();
        let text = cursor.0;
        let whole = cursor.digits(0..=10)?.len();
        let has_point = cursor.skip(".").is_some();
        let decimals = if has_point {
            cursor.digits(0..=2)?.len()
        } else {
            0
        };
        if whole + decimals == 0 {
            return None;
        }
        let pawns: f64 = text.get(..text.len() - cursor.0.len())?.parse().ok()?;
        let cp = (pawns * 100.0).round_ties_even() as i64;
        Eval::Cp(if is_negative { -cp } else { cp })
    };
    let depth = match cursor.skip(",") {
        Some(()) => Some(cursor.number()?.unsigned_abs()),
        None => None,
    };
    Some(DeepEval { eval, depth })
}

fn parse_square(cursor: &mut Cursor<'_>) -> Option<Square> {
    let name = cursor.0.get(..2)?;
    let square = name.parse().ok()?;
    cursor.skip(name)?;
    Some(square)
}

fn parse_arrows(cursor: &mut Cursor<'_>) -> Option<Vec<Arrow>> {
    let mut arrows = Vec::new();
    loop {
        let color = match cursor.0.chars().next()? {
            'G' => ArrowColor::Green,
            'R' => ArrowColor::Red,
            'Y' => ArrowColor::Yellow,
            'B' => ArrowColor::Blue,
            _ => return None,
        };
        cursor.0 = cursor.0.get(1..)?;
        let tail = parse_square(cursor)?;
        let head = parse_square(cursor).unwrap_or(tail);
        arrows.push(Arrow { tail, head, color });
        if cursor.skip(",").is_none() {
            return Some(arrows);
        }
    }
}

/// The first command of one of these names whose value can be read, from offset `from` on.
fn find<T>(
    text: &str,
    from: usize,
    names: &[&str],
    parse: fn(&mut Cursor<'_>) -> Option<T>,
) -> Option<CommandSpan<T>> {
    for (offset, _) in text.get(from..)?.match_indices("[%") {
        let begin = from + offset;
        let mut cursor = Cursor(text.get(begin + 2..)?);
        let name = names.iter().find(|name| cursor.0.starts_with(**name));
        let read = name.and_then(|name| {
            cursor.skip(name)?;
            cursor.blank()?;
            let value = parse(&mut cursor)?;
            cursor.skip("]")?;
            Some(value)
        });
        if let Some(value) = read {
            let end = text.len() - cursor.0.len();
            let before = text.get(from..begin)?;
            let is_blank = |c: &char| c.is_whitespace();
            let prefix = before.chars().next_back().filter(is_blank);
            let suffix = cursor.0.chars().next().filter(is_blank);
            return Some(CommandSpan {
                prefix: begin - prefix.map_or(0, char::len_utf8),
                begin,
                end,
                suffix: end + suffix.map_or(0, char::len_utf8),
                value,
            });
        }
    }
    None
}

/// The text with one command replaced, and the offset behind the replacement. Where a command is
/// removed, one of the blanks around it stays if there were two.
fn replaced<T>(text: &str, found: &CommandSpan<T>, with: &str) -> (String, usize) {
    let part = |from, to| text.get(from..to).unwrap_or_default();
    let prefix = part(found.prefix, found.begin);
    let suffix = part(found.end, found.suffix);
    let middle = match (with, prefix) {
        ("", "") => String::new(),
        ("", _) => suffix.to_owned(),
        _ => format!("{prefix}{with}{suffix}"),
    };
    let head = part(0, found.prefix);
    let at = head.len() + middle.len();
    (
        format!("{head}{middle}{}", part(found.suffix, text.len())),
        at,
    )
}

/// A comment split for the table of plies: the commands that have columns, and the rest of the
/// text.
#[cfg(feature = "columns")]
pub(crate) struct Commands<'t> {
    pub(crate) eval: Option<DeepEval>,
    /// The time left on the clock after the move, in seconds.
    pub(crate) clock: Option<f64>,
    /// The time that the move took, in seconds.
    pub(crate) move_time: Option<f64>,
    pub(crate) rest: Cow<'t, str>,
}

#[cfg(feature = "columns")]
impl Commands<'_> {
    /// The first command of each kind counts; all are taken out.
    pub(crate) fn of(text: &str) -> Commands<'_> {
        let mut rest = Cow::Borrowed(text);
        Commands {
            eval: cut(&mut rest, "eval", parse_eval),
            clock: cut(&mut rest, "clk", parse_time),
            move_time: cut(&mut rest, "emt", parse_time),
            rest,
        }
    }
}

/// Takes all commands of this name out of a text; the value of the first.
#[cfg(feature = "columns")]
fn cut<T>(
    text: &mut Cow<'_, str>,
    name: &str,
    parse: fn(&mut Cursor<'_>) -> Option<T>,
) -> Option<T> {
    let mut rest = String::new();
    let (mut first, mut from) = (None, 0);
    let part = |from, to| text.get(from..to).unwrap_or_default();
    while let Some(found) = find(text, from, &[name], parse) {
        rest.push_str(part(from, found.begin));
        // One blank stays of those around it, so that words stay apart.
        let is_after_blank = rest.ends_with(char::is_whitespace);
        from = if is_after_blank {
            found.suffix
        } else {
            found.end
        };
        first = first.or(Some(found.value));
    }
    rest.push_str(part(from, text.len()));
    if first.is_some() {
        *text = Cow::Owned(rest);
    }
    first
}

/// The evaluation that a comment holds.
pub fn eval_in(text: &str) -> Option<DeepEval> {
    find(text, 0, &["eval"], parse_eval).map(|found| found.value)
}

/// The seconds of the first command of this name (`clk`, `emt`) that a comment holds.
pub fn time_in(text: &str, command: &str) -> Option<f64> {
    find(text, 0, &[command], parse_time).map(|found| found.value)
}

/// Comments as one text, without what is for other programs.
fn text_of(comments: &[Comment]) -> String {
    let comments = comments
        .iter()
        .filter(|comment| matches!(comment.remark, Remark::Comment | Remark::Line));
    let texts: Vec<_> = comments.map(|comment| comment.text.to_str()).collect();
    texts.join(" ")
}

impl Tree {
    /// All comments of a node as one text.
    pub fn comment_text(&self, id: NodeId) -> String {
        text_of(self.comments(id))
    }

    /// The same of the comments before its move.
    pub fn starting_comment_text(&self, id: NodeId) -> String {
        text_of(self.starting_comments(id))
    }

    /// The first `%eval` in the comments of a node.
    pub fn eval(&self, id: NodeId) -> Option<DeepEval> {
        eval_in(&self.comment_text(id))
    }

    /// The first `%clk`: the time left on the player's clock after the move, in seconds.
    pub fn clock(&self, id: NodeId) -> Option<f64> {
        time_in(&self.comment_text(id), "clk")
    }

    /// The first `%emt`: the time that the move took, in seconds.
    pub fn move_time(&self, id: NodeId) -> Option<f64> {
        time_in(&self.comment_text(id), "emt")
    }

    /// All arrows and marked squares, `%cal` and `%csl`.
    pub fn arrows(&self, id: NodeId) -> Vec<Arrow> {
        let text = self.comment_text(id);
        let mut arrows = Vec::new();
        let mut from = 0;
        while let Some(found) = find(&text, from, &["csl", "cal"], parse_arrows) {
            arrows.extend(found.value);
            from = found.end;
        }
        arrows
    }

    /// Replaces the first `%eval`, adds one, or removes it. A mate in zero moves is not written.
    pub fn set_eval(&mut self, id: NodeId, eval: Option<DeepEval>) {
        let eval = eval.filter(|eval| eval.eval != Eval::Mate(0));
        let text = eval.map(|eval| eval.to_string()).unwrap_or_default();
        self.set_command(id, &text, &["eval"], parse_eval);
    }

    /// Replaces the first `%clk`, adds one, or removes it.
    pub fn set_clock(&mut self, id: NodeId, seconds: Option<f64>) {
        self.set_time(id, "clk", seconds);
    }

    /// Replaces the first `%emt`, adds one, or removes it.
    pub fn set_move_time(&mut self, id: NodeId, seconds: Option<f64>) {
        self.set_time(id, "emt", seconds);
    }

    fn set_time(&mut self, id: NodeId, command: &str, seconds: Option<f64>) {
        let text = seconds.map(|seconds| time(command, seconds));
        self.set_command(id, &text.unwrap_or_default(), &[command], parse_time);
    }

    fn set_command<T>(
        &mut self,
        id: NodeId,
        text: &str,
        names: &[&str],
        parse: fn(&mut Cursor<'_>) -> Option<T>,
    ) {
        let Some(comments) = self.comments_mut(id) else {
            return;
        };
        let mut is_found = false;
        for comment in &mut *comments {
            let old = comment.text.to_str();
            if let Some(found) = find(&old, 0, names, parse) {
                comment.text = replaced(&old, &found, text).0.into();
                is_found = true;
                break;
            }
        }
        comments.retain(|comment| !comment.text.is_empty());
        if !is_found && !text.is_empty() {
            self.add_comment(id, text);
        }
    }

    /// Replaces all arrows and marked squares.
    pub fn set_arrows(&mut self, id: NodeId, arrows: &[Arrow]) {
        let Some(comments) = self.comments_mut(id) else {
            return;
        };
        for comment in &mut *comments {
            let mut text = comment.text.to_str().into_owned();
            let mut from = 0;
            while let Some(found) = find(&text, from, &["csl", "cal"], parse_arrows) {
                (text, from) = replaced(&text, &found, "");
            }
            comment.text = text.into();
        }
        comments.retain(|comment| !comment.text.is_empty());
        let list = |command: &str, is_square: bool| {
            let wanted = arrows
                .iter()
                .filter(|arrow| (arrow.tail == arrow.head) == is_square);
            let names: Vec<_> = wanted.map(Arrow::to_string).collect();
            match *names {
                [] => String::new(),
                _ => format!("[%{command} {}]", names.join(",")),
            }
        };
        let text = list("csl", true) + &list("cal", false);
        if !text.is_empty() {
            comments.insert(0, Comment::new(&text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(comments: &[&str]) -> (Tree, NodeId) {
        let mut tree = Tree::default();
        let root = tree.root();
        if let Some(place) = tree.comments_mut(root) {
            place.extend(comments.iter().map(|text| Comment::new(text)));
        }
        (tree, root)
    }

    fn texts(tree: &Tree) -> Vec<String> {
        let comments = tree.comments(tree.root()).iter();
        comments.map(|comment| comment.text.to_string()).collect()
    }

    #[test]
    fn reads() {
        let eval = |text| eval_in(text).map(|eval| (eval.eval, eval.depth));
        assert_eq!(
            eval("x [%eval -.25,7] [%eval 3]"),
            Some((Eval::Cp(-25), Some(7)))
        );
        assert_eq!(eval("[%eval #-3]"), Some((Eval::Mate(-3), None)));
        assert_eq!(eval("[%eval 12.] "), Some((Eval::Cp(1200), None)));
        assert_eq!(eval("[%eval .][%eval 1.234][%eval  1][%eval 1,]"), None);
        assert_eq!(time_in("[%clk 1:2:3.5]", "clk"), Some(3723.5));
        assert_eq!(time_in("[%clk 1:2]", "clk"), None);
        let (tree, root) = with(&["[%csl Ga1,Rh8] [%cal", "Ye2e4]"]);
        let arrows: Vec<_> = tree.arrows(root).iter().map(Arrow::to_string).collect();
        assert_eq!(arrows, ["Ga1", "Rh8", "Ye2e4"]);
    }

    #[cfg(feature = "columns")]
    #[test]
    fn takes_all_commands_out() {
        for (text, rest) in [
            ("a [%clk 0:00:01] [%clk 0:00:02] b", "a b"),
            ("[%eval 1] a [%clk 0:00:01][%eval 2] b[%clk 0:00:02]", "a b"),
            ("a[%emt 0:00:01]b [%eval x] [%emt 0:00:02]", "ab [%eval x]"),
            ("[%csl Ga1] [%eval 1]", "[%csl Ga1]"),
            ("a [%clk 0:00:01][%eval 1] b", "a b"),
            ("none", "none"),
        ] {
            assert_eq!(Commands::of(text).rest.trim(), rest, "{text}");
        }
        let commands = Commands::of("[%clk 0:00:01] [%eval 1] [%eval 2] [%clk 0:00:02]");
        assert_eq!(commands.clock, Some(1.0));
        assert_eq!(commands.eval.map(|eval| eval.eval), Some(Eval::Cp(100)));
        let many = "[%clk 0:00:01] x ".repeat(100_000);
        assert_eq!(Commands::of(&many).rest.trim().len(), 2 * 100_000 - 1);
    }

    #[test]
    fn writes_before_text_that_cannot_be_read() {
        let (mut tree, _) = crate::read_tree(b"1. e4 e5 2. Ke3 *").unwrap();
        let end = tree.end(tree.root());
        let (eval, depth) = (Eval::Cp(25), None);
        tree.set_eval(end, Some(DeepEval { eval, depth }));
        let text = crate::Writer::moves_only().write(&tree);
        assert_eq!(text, "1. e4 e5 {[%eval 0.25]} 2. Ke3 *");
        let (again, _) = crate::read_tree(text.as_bytes()).unwrap();
        assert_eq!(again.eval(end), tree.eval(end));
    }

    #[test]
    fn writes_in_place() {
        let (mut tree, root) = with(&["a [%clk 0:00:01] b", "[%eval 1.00]"]);
        tree.set_clock(root, Some(3661.25));
        tree.set_eval(
            root,
            Some(DeepEval {
                eval: Eval::Mate(-2),
                depth: Some(9),
            }),
        );
        tree.set_move_time(root, Some(10.0));
        assert_eq!(
            texts(&tree),
            ["a [%clk 1:01:01.25] b", "[%eval #-2,9]", "[%emt 0:00:10]"]
        );
        tree.set_clock(root, None);
        tree.set_eval(root, None);
        assert_eq!(texts(&tree), ["a b", "[%emt 0:00:10]"]);
        let square = Arrow {
            tail: Square::A1,
            head: Square::A1,
            color: ArrowColor::Red,
        };
        let arrow = Arrow {
            head: Square::A8,
            color: ArrowColor::Blue,
            ..square
        };
        tree.set_arrows(root, &[arrow, square]);
        assert_eq!(texts(&tree)[0], "[%csl Ra1][%cal Ba1a8]");
        tree.set_arrows(root, &[]);
        assert_eq!(texts(&tree), ["a b", "[%emt 0:00:10]"]);
    }
}
