//! Moves as players ask for them: squares and a promotion, whatever stands on the board.

use engine_core::{Role, Square};
use std::fmt;
use std::str::FromStr;

/// A move as UCI writes it. What it does, and whether it can be made, depends on a board that the
/// player does not know; castling is the king's step of two squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UciMove {
    /// The square it leaves.
    pub from: Square,
    /// The square it goes to.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
}

impl UciMove {
    /// A move without promotion.
    #[inline]
    pub const fn new(from: Square, to: Square) -> UciMove {
        UciMove {
            from,
            to,
            promotion: None,
        }
    }

    /// The move with a promotion.
    pub const fn promoting(self, role: Role) -> UciMove {
        UciMove {
            promotion: Some(role),
            ..self
        }
    }

    /// The move without its promotion.
    pub(crate) const fn without_promotion(self) -> UciMove {
        UciMove::new(self.from, self.to)
    }

    /// Whether a move has the same two squares.
    pub(crate) fn has_squares_of(self, other: UciMove) -> bool {
        self.without_promotion() == other.without_promotion()
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter()),
            None => Ok(()),
        }
    }
}

/// The text is not a move such as `e2e4` or `a7a8q`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "not a move: two different squares and perhaps a piece expected, as e2e4 or a7a8q",
        )
    }
}

impl std::error::Error for ParseMoveError {}

impl FromStr for UciMove {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<UciMove, ParseMoveError> {
        let square = |range| {
            let text: Option<&str> = text.get(range);
            text.and_then(|text| text.parse().ok())
                .ok_or(ParseMoveError)
        };
        let m = UciMove::new(square(0..2)?, square(2..4)?);
        if m.from == m.to {
            return Err(ParseMoveError);
        }
        let mut rest = text.chars().skip(4);
        match (rest.next(), rest.next()) {
            (None, _) => Ok(m),
            (Some(letter @ 'a'..='z'), None) => match Role::from_letter(letter) {
                Some(role) => Ok(m.promoting(role)),
                None => Err(ParseMoveError),
            },
            _ => Err(ParseMoveError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for text in ["e2e4", "a7a8q", "h2g1n", "e1g1"] {
            assert_eq!(text.parse::<UciMove>().unwrap().to_string(), text);
        }
        for text in [
            "", "e2", "e2e", "e2e2", "0000", "e2e9", "a7a8x", "a7a8Q", "a7a8qq", "éé2e4",
        ] {
            assert_eq!(text.parse::<UciMove>(), Err(ParseMoveError), "{text}");
        }
    }
}
