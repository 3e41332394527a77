//! The evaluation that the bar beside the board shows.

use std::str::FromStr;

/// How good a position is for White.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Evaluation {
    /// In pawns.
    Pawns(f64),
    /// Mate in this many moves; Black mates if it is negative. 0 is mate on the board, by White.
    Mate(i32),
}

/// Reads `+1.3`, `-0.5`, `#3`, `#-2`, `M5`.
impl FromStr for Evaluation {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Evaluation, &'static str> {
        const EXPECTED: &str = "expected an evaluation such as +1.3, -0.5, #3 or #-2";
        if let Some(moves) = text.strip_prefix(['#', 'M']) {
            return moves.parse().map(Evaluation::Mate).map_err(|_| EXPECTED);
        }
        let pawns = text.parse().ok().filter(|pawns: &f64| pawns.is_finite());
        pawns.map(Evaluation::Pawns).ok_or(EXPECTED)
    }
}

impl Evaluation {
    /// White's part of the bar, 0 to 1: the expected score by the Elo formula, where four pawns
    /// are worth ten to one.
    pub(super) fn share(self) -> f64 {
        match self {
            Evaluation::Pawns(pawns) => 1.0 / (1.0 + 10_f64.powf(-pawns / 4.0)),
            Evaluation::Mate(moves) => f64::from(u8::from(moves >= 0)),
        }
    }

    /// At most four signs.
    pub(super) fn label(self) -> String {
        match self {
            Evaluation::Pawns(pawns) if pawns.abs() < 9.95 => format!("{:.1}", pawns.abs()),
            Evaluation::Pawns(pawns) => format!("{:.0}", pawns.abs().min(999.0)),
            Evaluation::Mate(moves) => format!("M{}", moves.unsigned_abs().min(99)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations() {
        assert_eq!("+1.3".parse(), Ok(Evaluation::Pawns(1.3)));
        assert_eq!("#-2".parse(), Ok(Evaluation::Mate(-2)));
        assert!("nan".parse::<Evaluation>().is_err() && "x".parse::<Evaluation>().is_err());
        assert_eq!(Evaluation::Pawns(-12.34).label(), "12");
        assert_eq!(Evaluation::Mate(i32::MIN).label(), "M99");
        assert!((Evaluation::Pawns(0.0).share() - 0.5).abs() < 1e-9);
        assert!(Evaluation::Mate(-1).share() < 1e-9);
    }
}
