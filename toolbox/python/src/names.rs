//! python-chess's names for values of the rules library: statuses, terminations, exceptions.

use engine_core::notation::MoveError;
use engine_core::{Fault, Faults, Outcome, Termination};

/// The flags of `chess.Status`, the lowest bit first.
const STATUS: [(Fault, &str); 17] = [
    (Fault::NoWhiteKing, "NO_WHITE_KING"),
    (Fault::NoBlackKing, "NO_BLACK_KING"),
    (Fault::TooManyKings, "TOO_MANY_KINGS"),
    (Fault::TooManyWhitePawns, "TOO_MANY_WHITE_PAWNS"),
    (Fault::TooManyBlackPawns, "TOO_MANY_BLACK_PAWNS"),
    (Fault::PawnsOnBackrank, "PAWNS_ON_BACKRANK"),
    (Fault::TooManyWhitePieces, "TOO_MANY_WHITE_PIECES"),
    (Fault::TooManyBlackPieces, "TOO_MANY_BLACK_PIECES"),
    (Fault::BadCastlingRights, "BAD_CASTLING_RIGHTS"),
    (Fault::InvalidEnPassant, "INVALID_EP_SQUARE"),
    (Fault::OppositeCheck, "OPPOSITE_CHECK"),
    (Fault::Empty, "EMPTY"),
    (Fault::RaceCheck, "RACE_CHECK"),
    (Fault::RaceOver, "RACE_OVER"),
    (Fault::RaceMaterial, "RACE_MATERIAL"),
    (Fault::TooManyCheckers, "TOO_MANY_CHECKERS"),
    (Fault::ImpossibleCheck, "IMPOSSIBLE_CHECK"),
];

/// The names of the flags of a `chess.Status`, the lowest bit first.
pub fn status_names(faults: Faults) -> impl Iterator<Item = &'static str> {
    let set = STATUS.iter().filter(move |&&(fault, _)| faults.has(fault));
    set.map(|&(_, name)| name)
}

/// The name of a `chess.Termination`.
pub const fn termination(termination: Termination) -> &'static str {
    match termination {
        Termination::Checkmate => "CHECKMATE",
        Termination::Stalemate => "STALEMATE",
        Termination::InsufficientMaterial => "INSUFFICIENT_MATERIAL",
        Termination::SeventyFiveMoves => "SEVENTYFIVE_MOVES",
        Termination::FivefoldRepetition => "FIVEFOLD_REPETITION",
        Termination::FiftyMoves => "FIFTY_MOVES",
        Termination::ThreefoldRepetition => "THREEFOLD_REPETITION",
        Termination::VariantWin => "VARIANT_WIN",
        Termination::VariantLoss => "VARIANT_LOSS",
        Termination::VariantDraw => "VARIANT_DRAW",
    }
}

/// A `chess.Outcome`: the name of its termination and its result.
pub const fn outcome(outcome: Outcome) -> [&'static str; 2] {
    [termination(outcome.termination), outcome.result()]
}

/// The exception for an invalid move.
pub const fn exception(error: &MoveError) -> &'static str {
    match error {
        MoveError::Syntax => "InvalidMoveError",
        MoveError::Ambiguous(_) => "AmbiguousMoveError",
        _ => "IllegalMoveError",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_is_the_set_as_a_number() {
        for (bit, (fault, name)) in STATUS.into_iter().enumerate() {
            let faults = Faults::of(&[fault]);
            assert_eq!(faults.bits(), 1 << bit, "{name}");
            assert!(status_names(faults).eq([name]));
        }
        assert_eq!(Faults::NONE.bits(), 0);
    }
}
