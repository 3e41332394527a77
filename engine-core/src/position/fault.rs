//! What can be wrong with a setup.

use crate::types::Bitboard;
use core::fmt;
use core::ops::BitOr;

/// One thing that is wrong with a setup: a bit of [`Faults::bits`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
pub enum Fault {
    /// White has no king.
    NoWhiteKing = 1 << 0,
    /// Black has no king.
    NoBlackKing = 1 << 1,
    /// A side has more than one king, or the white side of Horde has one.
    TooManyKings = 1 << 2,
    /// White has more than eight pawns.
    TooManyWhitePawns = 1 << 3,
    /// Black has more than eight pawns.
    TooManyBlackPawns = 1 << 4,
    /// A pawn stands on the first or the eighth rank.
    PawnsOnBackrank = 1 << 5,
    /// White has more than sixteen pieces.
    TooManyWhitePieces = 1 << 6,
    /// Black has more than sixteen pieces.
    TooManyBlackPieces = 1 << 7,
    /// A castling right without its king and rook in place.
    BadCastlingRights = 1 << 8,
    /// No pawn can just have passed over the en passant square.
    InvalidEnPassant = 1 << 9,
    /// The side to move could take the king.
    OppositeCheck = 1 << 10,
    /// No pieces at all.
    Empty = 1 << 11,
    /// A king is in check where checks are forbidden.
    RaceCheck = 1 << 12,
    /// The race was over before this move.
    RaceOver = 1 << 13,
    /// More pieces than Racing Kings starts with.
    RaceMaterial = 1 << 14,
    /// More than two pieces give check.
    TooManyCheckers = 1 << 15,
    /// No last move can have led to this check.
    ImpossibleCheck = 1 << 16,
}

impl Fault {
    /// All faults, the gravest first.
    const ALL: [Fault; 17] = [
        Fault::Empty,
        Fault::NoWhiteKing,
        Fault::NoBlackKing,
        Fault::TooManyKings,
        Fault::TooManyWhitePawns,
        Fault::TooManyBlackPawns,
        Fault::PawnsOnBackrank,
        Fault::TooManyWhitePieces,
        Fault::TooManyBlackPieces,
        Fault::BadCastlingRights,
        Fault::InvalidEnPassant,
        Fault::OppositeCheck,
        Fault::RaceCheck,
        Fault::RaceOver,
        Fault::RaceMaterial,
        Fault::TooManyCheckers,
        Fault::ImpossibleCheck,
    ];
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Fault::Empty => "the board is empty",
            Fault::NoWhiteKing => "White has no king",
            Fault::NoBlackKing => "Black has no king",
            Fault::TooManyKings => "a side has too many kings",
            Fault::TooManyWhitePawns => "White has more than eight pawns",
            Fault::TooManyBlackPawns => "Black has more than eight pawns",
            Fault::PawnsOnBackrank => "a pawn stands on the first or eighth rank",
            Fault::TooManyWhitePieces => "White has more than sixteen pieces",
            Fault::TooManyBlackPieces => "Black has more than sixteen pieces",
            Fault::BadCastlingRights => "a castling right lacks its king or rook",
            Fault::InvalidEnPassant => "no pawn has just passed over the en passant square",
            Fault::OppositeCheck => "the side to move could take the king",
            Fault::RaceCheck => "a king is in check",
            Fault::RaceOver => "the race was over a move ago",
            Fault::RaceMaterial => "more pieces than Racing Kings starts with",
            Fault::TooManyCheckers => "more than two pieces give check",
            Fault::ImpossibleCheck => "no move can have led to this check",
        })
    }
}

/// A set of faults.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Faults(u32);

impl Faults {
    /// No fault.
    pub const NONE: Faults = Faults(0);

    /// Faults that a game can be played with: wrong counts, rights that are dropped, and checks
    /// that no game leads to.
    pub const PLAYABLE: Faults = Faults(
        Fault::TooManyWhitePawns as u32
            | Fault::TooManyBlackPawns as u32
            | Fault::TooManyWhitePieces as u32
            | Fault::TooManyBlackPieces as u32
            | Fault::BadCastlingRights as u32
            | Fault::InvalidEnPassant as u32
            | Fault::TooManyCheckers as u32
            | Fault::ImpossibleCheck as u32,
    );

    /// Whether there is no fault.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this fault is among them.
    pub const fn has(self, fault: Fault) -> bool {
        self.0 & fault as u32 != 0
    }

    /// These faults.
    pub const fn of(faults: &[Fault]) -> Faults {
        let (mut set, mut rest) = (0, faults);
        while let [fault, after @ ..] = rest {
            set |= *fault as u32;
            rest = after;
        }
        Faults(set)
    }

    /// What is wrong with the number and place of pieces, given the squares that are occupied, those
    /// of White and Black, and those of kings and pawns.
    pub fn of_pieces(
        occupied: Bitboard,
        [white, black]: [Bitboard; 2],
        kings: Bitboard,
        pawns: Bitboard,
    ) -> Faults {
        let mut faults = Faults::NONE;
        faults.add_if(occupied.is_empty(), Fault::Empty);
        faults.add_if((kings & white).is_empty(), Fault::NoWhiteKing);
        faults.add_if((kings & black).is_empty(), Fault::NoBlackKing);
        faults.add_if((kings & occupied).count() > 2, Fault::TooManyKings);
        faults.add_if((pawns & white).count() > 8, Fault::TooManyWhitePawns);
        faults.add_if((pawns & black).count() > 8, Fault::TooManyBlackPawns);
        faults.add_if((pawns & Bitboard::BACKRANKS).any(), Fault::PawnsOnBackrank);
        faults.add_if(white.count() > 16, Fault::TooManyWhitePieces);
        faults.add_if(black.count() > 16, Fault::TooManyBlackPieces);
        faults
    }

    /// Adds a fault when the condition holds.
    pub fn add_if(&mut self, condition: bool, fault: Fault) {
        if condition {
            self.0 |= fault as u32;
        }
    }

    /// These without those.
    pub const fn without(self, others: Faults) -> Faults {
        Faults(self.0 & !others.0)
    }

    /// The set as a number with a bit for each fault.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Each fault, the gravest first.
    pub fn iter(self) -> impl Iterator<Item = Fault> {
        Fault::ALL.into_iter().filter(move |&fault| self.has(fault))
    }
}

/// Those of both.
///
/// ```
/// use engine_core::{Fault, Faults};
///
/// let ignored = Faults::PLAYABLE | Faults::of(&[Fault::OppositeCheck]);
/// assert!(ignored.has(Fault::OppositeCheck) && ignored.has(Fault::ImpossibleCheck));
/// ```
impl BitOr for Faults {
    type Output = Faults;

    fn bitor(self, others: Faults) -> Faults {
        Faults(self.0 | others.0)
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for fault in self.iter() {
            write!(f, "{separator}{fault}")?;
            separator = "; ";
        }
        Ok(())
    }
}
