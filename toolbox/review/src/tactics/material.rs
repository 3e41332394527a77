//! The material won by a line, in words.

use super::exchange::{value, wins_on};
use engine_core::{AnyPosition, Color, Move, Role};

/// Numbers of pieces, by role.
type Numbers = [i32; ROLES.len()];

/// What one side has won in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trade {
    /// Captured pieces of the other side minus its own.
    captured: Numbers,
    /// Pieces that its pawns have become, minus those of the other side.
    promoted: Numbers,
}

/// The verbs of a trade in words.
#[derive(Clone, Copy)]
pub(crate) enum Verbs {
    /// `wins`, `makes`
    Finite,
    /// `winning`, `making`
    Participles,
}

/// The roles that count, the most valuable first.
const ROLES: [Role; 5] = [
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// Plies of a line that are looked at: what comes later is less certain.
const HORIZON: usize = 10;

impl Trade {
    /// What `color` has won between two positions.
    pub(crate) fn between(before: &AnyPosition, after: &AnyPosition, color: Color) -> Trade {
        let (own_losses, own_promotions) = changes(before, after, color);
        let (losses, promotions) = changes(before, after, !color);
        Trade {
            captured: minus(losses, own_losses),
            promoted: minus(own_promotions, promotions),
        }
    }

    /// What it wins beyond another.
    pub(crate) fn beyond(self, other: Trade) -> Trade {
        Trade {
            captured: minus(self.captured, other.captured),
            promoted: minus(self.promoted, other.promoted),
        }
    }

    /// Whether it is captured pieces alone, all of which are among those of another.
    pub(crate) fn is_part_of(self, whole: Trade) -> bool {
        let mut pairs = self.captured.into_iter().zip(whole.captured);
        self.promoted == [0; 5]
            && pairs.all(|(number, all)| number == 0 || (1..=all).contains(&number))
    }

    /// Whether a piece of this role is won.
    pub(crate) fn wins(self, role: Role) -> bool {
        let mut numbers = ROLES.into_iter().zip(self.captured);
        numbers.any(|(other, number)| other == role && number > 0)
    }

    /// Its worth in centipawns.
    pub(crate) fn value(self) -> i32 {
        let captured = ROLES.into_iter().zip(self.captured);
        let captured = captured.map(|(role, number)| number * value(role));
        let promoted = ROLES.into_iter().zip(self.promoted);
        let promoted = promoted.map(|(role, number)| number * (value(role) - value(Role::Pawn)));
        captured.chain(promoted).sum()
    }

    /// Whether it is worth telling.
    pub(crate) fn is_gain(self) -> bool {
        self.value() >= value(Role::Pawn)
    }

    /// `wins the exchange`, `wins a knight for a pawn`, `makes a queen`; `None` where nothing is won, or
    /// the other side makes a piece, too.
    pub(crate) fn describe(self, verbs: Verbs) -> Option<String> {
        if !self.is_gain() || self.promoted.iter().any(|&number| number < 0) {
            return None;
        }
        let (wins, makes) = match verbs {
            Verbs::Finite => ("wins", "makes"),
            Verbs::Participles => ("winning", "making"),
        };
        let (won, lost) = self.captures();
        let made = names(self.promoted, number_of);
        let parts = [(wins, won), (makes, made)].into_iter();
        let parts = parts.filter(|(_, pieces)| !pieces.is_empty());
        let parts: Vec<_> = parts
            .map(|(verb, pieces)| format!("{verb} {pieces}"))
            .collect();
        let gain = parts.join(" and ");
        Some(if lost.is_empty() {
            gain
        } else {
            format!("{gain} for {lost}")
        })
    }

    /// The pieces won by captures, and those given for them.
    fn captures(self) -> (String, String) {
        let [queens, rooks, bishops, knights, pawns] = self.captured;
        let minors = bishops + knights;
        // A bishop for a knight is an even trade.
        let (bishops, knights) = if bishops * knights >= 0 {
            (bishops, knights)
        } else if bishops.abs() > knights.abs() {
            (minors, 0)
        } else {
            (0, minors)
        };
        if (queens, rooks, minors, pawns) == (0, 1, -1, 0) {
            return ("the exchange".to_owned(), String::new());
        }
        let numbers = [queens, rooks, bishops, knights, pawns];
        let name = |number, role| match (number, role) {
            (1, Role::Queen) => "the queen".to_owned(),
            _ => number_of(number, role),
        };
        let given = numbers.map(|number| -number);
        (names(numbers, name), names(given, name))
    }
}

/// The pieces that a side has lost between two positions, apart from pawns that were promoted, and those
/// that it has made of these.
fn changes(before: &AnyPosition, after: &AnyPosition, color: Color) -> (Numbers, Numbers) {
    let count = |position: &AnyPosition, role| {
        let pieces = position.board().pieces(color, role);
        pieces.count() as i32
    };
    let lost = ROLES.map(|role| count(before, role) - count(after, role));
    let promoted = lost.map(|number| (-number).max(0));
    let mut lost = lost.map(|number| number.max(0));
    if let Some(pawns) = lost.last_mut() {
        *pawns -= promoted.iter().sum::<i32>();
    }
    (lost, promoted)
}

fn minus(mut numbers: Numbers, others: Numbers) -> Numbers {
    for (number, other) in numbers.iter_mut().zip(others) {
        *number -= other;
    }
    numbers
}

/// Those of which there are any.
fn names(numbers: Numbers, name: impl Fn(i32, Role) -> String) -> String {
    let parts = ROLES.into_iter().zip(numbers);
    let parts = parts.filter(|&(_, number)| number > 0);
    let names: Vec<_> = parts.map(|(role, number)| name(number, role)).collect();
    names.join(" and ")
}

fn number_of(number: i32, role: Role) -> String {
    let name = role.name();
    let words = ["two", "three", "four", "five", "six", "seven", "eight"];
    let word = usize::try_from(number - 2)
        .ok()
        .and_then(|at| words.get(at));
    match (number, word) {
        (1, _) => format!("a {name}"),
        (_, Some(word)) => format!("{word} {name}s"),
        (number, None) => format!("{number} {name}s"),
    }
}

/// The last quiet position of a line within the horizon: no capture wins material there. `None` if
/// there is none after its first move.
pub(crate) fn settled(start: &AnyPosition, line: &[Move]) -> Option<AnyPosition> {
    let mut position = *start;
    let mut last = None;
    for &m in line.iter().take(HORIZON) {
        position.play(m);
        if is_quiet(&position) {
            last = Some(position);
        }
    }
    last
}

fn is_quiet(position: &AnyPosition) -> bool {
    let board = position.board();
    let targets = board.color(!position.turn());
    !position.in_check()
        && targets
            .into_iter()
            .all(|square| wins_on(position, square) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(queens: i32, rooks: i32, bishops: i32, knights: i32, pawns: i32) -> Option<String> {
        let trade = Trade {
            captured: [queens, rooks, bishops, knights, pawns],
            promoted: [0; 5],
        };
        let words = trade.describe(Verbs::Finite)?;
        Some(words.strip_prefix("wins ").expect("a verb").to_owned())
    }

    #[test]
    fn trades_in_words() {
        for (trade, expected) in [
            (words(0, 1, -1, 0, 0), "the exchange"),
            (words(0, 1, 0, -1, 0), "the exchange"),
            (words(0, 0, 0, 0, 2), "two pawns"),
            (words(0, 0, 0, 0, 3), "three pawns"),
            (words(0, 0, -1, 0, 8), "eight pawns for a bishop"),
            (words(0, 0, 0, 0, 9), "9 pawns"),
            (words(0, 0, 0, 1, -1), "a knight for a pawn"),
            (words(1, -1, 0, 0, 0), "the queen for a rook"),
            (words(1, 0, 0, 0, -1), "the queen for a pawn"),
            (words(0, 0, 1, -1, 1), "a pawn"),
            (words(0, 1, 1, 0, 0), "a rook and a bishop"),
            (words(0, 1, -1, 0, 1), "a rook and a pawn for a bishop"),
            (words(0, 1, 0, -1, 1), "a rook and a pawn for a knight"),
            (words(0, 1, -2, 1, 1), "a rook and a pawn for a bishop"),
            (
                words(1, 0, -1, -1, 0),
                "the queen for a bishop and a knight",
            ),
            (words(0, 0, 1, 1, -1), "a bishop and a knight for a pawn"),
        ] {
            assert_eq!(trade.as_deref(), Some(expected));
        }
        assert_eq!(words(0, 0, 1, -1, 0), None);
        assert_eq!(words(0, 0, 0, 0, -1), None);
    }

    #[test]
    fn promotions_are_no_captures() {
        let words = |fen: &str, moves: &[&str], color| {
            let mode = engine_core::CastlingMode::Standard;
            let start = AnyPosition::from_fen(engine_core::Variant::Standard, fen, mode).unwrap();
            let mut after = start;
            for m in moves {
                after.play(after.parse_uci(m).unwrap());
            }
            Trade::between(&start, &after, color).describe(Verbs::Participles)
        };
        let fen = "r5r1/1P2k1P1/2n5/8/8/8/2p5/R3K2B w - - 0 1";
        for (moves, expected) in [
            (&["b7b8q"][..], Some("making a queen")),
            (&["b7a8q"], Some("winning a rook and making a queen")),
            (&["b7a8n"], Some("winning a rook and making a knight")),
            (&["b7b8q", "a8b8"], None),
            (
                &["h1c6", "e7e6", "b7b8q", "a8b8"],
                Some("winning a knight for a pawn"),
            ),
            (&["b7b8q", "c6b8"], None),
            (&["b7b8q", "a8a1"], Some("making a queen for a rook")),
            (
                &["b7a8q", "e7f6", "a8g8", "c2c1q"],
                Some("winning two rooks"),
            ),
            (&["h1c6", "c2c1b"], None),
        ] {
            assert_eq!(
                words(fen, moves, Color::White).as_deref(),
                expected,
                "{moves:?}"
            );
        }
        let black = words(fen, &["b7b8q", "a8b8"], Color::Black);
        assert_eq!(black.as_deref(), Some("winning a pawn"));
    }

    #[test]
    fn lines_come_to_rest() {
        let mut position = AnyPosition::start(engine_core::Variant::Standard);
        let start = position;
        let line: Vec<_> = ["e4", "d5", "exd5", "Qxd5", "Nc3"]
            .map(|san| {
                let m = position.parse_san(san).unwrap();
                position.play(m);
                m
            })
            .into();
        let rest = settled(&start, &line[..3]).unwrap();
        // After 1. e4 d5 White can take; after 2. exd5 Black can take back.
        assert_eq!((rest.fullmoves(), rest.turn()), (2, Color::White));
        let rest = settled(&start, &line).unwrap();
        assert_eq!(Trade::between(&start, &rest, Color::White).value(), 0);
    }
}
