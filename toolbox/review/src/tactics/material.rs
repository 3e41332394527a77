//! The material won by a line, in words.

use super::exchange::{value, wins_on};
use engine_core::{AnyPosition, Color, Move, Role};

/// What one side has won in a line, by role: captured pieces of the other minus its
/// own, promotions as pieces won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trade([i32; 5]);

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
        let balance = |position: &AnyPosition, role| {
            let count = |color| position.board().pieces(color, role).count() as i32;
            count(color) - count(!color)
        };
        Trade(ROLES.map(|role| balance(after, role) - balance(before, role)))
    }

    /// What it wins beyond another.
    pub(crate) fn beyond(self, Trade(others): Trade) -> Trade {
        let Trade(mut numbers) = self;
        for (number, other) in numbers.iter_mut().zip(others) {
            *number -= other;
        }
        Trade(numbers)
    }

    /// Whether a piece of this role is won.
    pub(crate) fn wins(self, role: Role) -> bool {
        let Trade(numbers) = self;
        let mut numbers = ROLES.into_iter().zip(numbers);
        numbers.any(|(other, number)| other == role && number > 0)
    }

    /// Its worth in centipawns.
    pub(crate) fn value(self) -> i32 {
        let Trade(numbers) = self;
        let values = ROLES.into_iter().zip(numbers);
        values.map(|(role, number)| number * value(role)).sum()
    }

    /// `the exchange`, `a knight for a pawn`; `None` where nothing is won.
    pub(crate) fn describe(self) -> Option<String> {
        if self.value() < 100 {
            return None;
        }
        let Trade([queens, rooks, bishops, knights, pawns]) = self;
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
            return Some("the exchange".to_owned());
        }
        if (queens, rooks, minors) == (0, 0, 0) {
            return Some(number_of(pawns, Role::Pawn));
        }
        let numbers = [queens, rooks, bishops, knights, pawns];
        let named = |sign: i32| {
            let parts = ROLES.into_iter().zip(numbers);
            let wanted = parts.filter(|(_, number)| number * sign > 0);
            let names: Vec<_> = wanted
                .map(|(role, number)| number_of(number * sign, role))
                .collect();
            names.join(" and ")
        };
        let (won, lost) = (named(1), named(-1));
        Some(if lost.is_empty() {
            won
        } else {
            format!("{won} for {lost}")
        })
    }
}

fn number_of(number: i32, role: Role) -> String {
    let name = role.name();
    let words = ["two", "three", "four", "five", "six", "seven", "eight"];
    let word = usize::try_from(number - 2)
        .ok()
        .and_then(|at| words.get(at));
    match (number, word, role) {
        (1, _, Role::Queen) => "the queen".to_owned(),
        (1, ..) => format!("a {name}"),
        (_, Some(word), _) => format!("{word} {name}s"),
        (number, None, _) => format!("{number} {name}s"),
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
        Trade([queens, rooks, bishops, knights, pawns]).describe()
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
