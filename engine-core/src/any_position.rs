//! A position of any variant, for code that learns the variant at run time.

use crate::position::{CastlingMode, Fault, Faults, Position, PositionError, Setup};
use crate::rules::{self, Rules, Variant};
use crate::{Bitboard, Board, Color, Move, MoveList, Outcome, Role, Square, dispatch};
use alloc::vec::Vec;
use core::any::Any;

/// The start position of a variant, computed once; without the standard library, at every call.
#[cfg(feature = "std")]
macro_rules! start {
    ($rules:ident) => {{
        static START: std::sync::LazyLock<Position<rules::$rules>> =
            std::sync::LazyLock::new(Position::start);
        *START
    }};
}

#[cfg(not(feature = "std"))]
macro_rules! start {
    ($rules:ident) => {
        Position::start()
    };
}

/// Defines the enumeration and those of its methods that need more than [`dispatch!`].
macro_rules! define_any_position {
    ({} $($rules:ident $properties:tt)*) => {
        /// A position of one of the variants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "named as the rules are")]
        pub enum AnyPosition {
            $($rules(Position<rules::$rules>),)*
        }

        $(impl From<Position<rules::$rules>> for AnyPosition {
            fn from(position: Position<rules::$rules>) -> AnyPosition {
                AnyPosition::$rules(position)
            }
        })*

        impl AnyPosition {
            /// The start position.
            pub fn start(variant: Variant) -> AnyPosition {
                match variant {
                    $(Variant::$rules => AnyPosition::$rules(start!($rules)),)*
                }
            }

            /// A position whose variant was known at compile time, where the rules are a type
            /// parameter; for those that are named there is `From`.
            pub fn of<R: Rules>(position: &Position<R>) -> Option<AnyPosition> {
                // The compiler knows all these types, so nothing of this is left at run time.
                let position: &dyn Any = position;
                $(if let Some(position) = position.downcast_ref::<Position<rules::$rules>>() {
                    return Some(AnyPosition::$rules(*position));
                })*
                None
            }

            /// The position of a setup; see [`Position::from_setup`].
            ///
            /// # Errors
            /// When the setup has faults.
            pub fn from_setup(
                variant: Variant,
                setup: &Setup,
                mode: CastlingMode,
            ) -> Result<AnyPosition, PositionError> {
                AnyPosition::from_setup_ignoring(variant, setup, mode, Faults::NONE)
            }

            /// The position of a setup, passing over some faults; see [`PositionError::ignore`].
            ///
            /// # Errors
            /// When the setup has other faults.
            pub fn from_setup_ignoring(
                variant: Variant,
                setup: &Setup,
                mode: CastlingMode,
                ignored: Faults,
            ) -> Result<AnyPosition, PositionError> {
                match variant {
                    $(Variant::$rules => Position::from_setup(setup, mode)
                        .or_else(|error| error.ignore(ignored))
                        .map(AnyPosition::$rules),)*
                }
            }

            /// The position of a setup with whatever faults it has; see
            /// [`Position::from_setup_unchecked`].
            pub fn from_setup_unchecked(
                variant: Variant,
                setup: &Setup,
                mode: CastlingMode,
            ) -> AnyPosition {
                match variant {
                    $(Variant::$rules => {
                        AnyPosition::$rules(Position::from_setup_unchecked(setup, mode))
                    })*
                }
            }

            /// The position of a setup with its en passant square as written; see
            /// [`Position::from_setup_as_written`].
            pub fn from_setup_as_written(
                variant: Variant,
                setup: &Setup,
                mode: CastlingMode,
            ) -> AnyPosition {
                match variant {
                    $(Variant::$rules => {
                        AnyPosition::$rules(Position::from_setup_as_written(setup, mode))
                    })*
                }
            }

            /// Every fault of a setup; see [`Position::faults_of`].
            pub fn faults_of(variant: Variant, setup: &Setup, mode: CastlingMode) -> Faults {
                match variant {
                    $(Variant::$rules => Position::<rules::$rules>::faults_of(setup, mode),)*
                }
            }

            /// Which variant it is.
            pub fn variant(&self) -> Variant {
                match self {
                    $(AnyPosition::$rules(_) => Variant::$rules,)*
                }
            }

            /// The same position with castling written in another mode.
            pub fn with_mode(&self, mode: CastlingMode) -> AnyPosition {
                match self {
                    $(AnyPosition::$rules(position) => {
                        AnyPosition::$rules(position.with_mode(mode))
                    })*
                }
            }

            /// Whether both are the same position; see [`Position::repeats`].
            pub fn repeats(&self, other: &AnyPosition) -> bool {
                match (self, other) {
                    $((AnyPosition::$rules(a), AnyPosition::$rules(b)) => a.repeats(b),)*
                    _ => false,
                }
            }
        }
    };
}

crate::for_each_variant!(define_any_position {});

/// The start position of standard chess.
impl Default for AnyPosition {
    fn default() -> AnyPosition {
        AnyPosition::start(Variant::Standard)
    }
}

/// Defines methods that call the method of the same name of [`Position`].
macro_rules! forward {
    ($($text:literal $name:ident(&self $(, $argument:ident: $type:ty)*) -> $result:ty;)*) => {
        #[allow(clippy::missing_errors_doc, reason = "the linked methods have it")]
        impl AnyPosition {
            $(
                #[doc = concat!($text, "; see [`Position::", stringify!($name), "`](crate::Position::", stringify!($name), ").")]
                pub fn $name(&self $(, $argument: $type)*) -> $result {
                    dispatch!(self, |position| position.$name($($argument),*))
                }
            )*
        }
    };
}

pub(crate) use forward;

forward! {
    "The pieces" board(&self) -> &Board;
    "Whose move it is" turn(&self) -> Color;
    "The rooks that may still castle" castling(&self) -> Bitboard;
    "The castling mode" mode(&self) -> CastlingMode;
    "The square that a pawn has just passed over" en_passant(&self) -> Option<Square>;
    "Plies since the last capture or pawn move" halfmoves(&self) -> u32;
    "The number of the move, from 1" fullmoves(&self) -> u32;
    "The Zobrist key" key(&self) -> u64;
    "The key in opening books" polyglot_key(&self) -> u64;
    "The key without an en passant square where no pawn can take legally"
    repetition_key(&self) -> u64;
    "The keys of all positions that repeat this one" keys_of_repetitions(&self) -> Vec<u64>;
    "A setup that describes this position" to_setup(&self) -> Setup;
    "The pieces that give check" checkers(&self) -> Bitboard;
    "Whether the side to move is in check" in_check(&self) -> bool;
    "All legal moves" legal_moves(&self) -> MoveList;
    "Whether there is a legal move" has_legal_move(&self) -> bool;
    "Whether a move is legal" is_legal(&self, m: Move) -> bool;
    "Whether a move is pseudo-legal" is_pseudo_legal(&self, m: Move) -> bool;
    "Whether a move captures something" is_capture(&self, m: Move) -> bool;
    "The role that a move captures" captured(&self, m: Move) -> Option<Role>;
    "Whether a move is a capture, or a move or drop of a pawn" is_zeroing(&self, m: Move) -> bool;
    "The en passant square if a pawn can legally capture there"
    legal_en_passant(&self) -> Option<Square>;
    "How the game has ended" outcome(&self) -> Option<Outcome>;
    "Whether the side to move is mated" is_checkmate(&self) -> bool;
    "Whether the side to move is stalemated" is_stalemate(&self) -> bool;
    "Whether neither side can ever win" is_insufficient_material(&self) -> bool;
}

impl AnyPosition {
    /// The start position of Chess960 with this number; see [`Setup::chess960`].
    pub fn chess960(number: u32) -> AnyPosition {
        let setup = Setup::chess960(number);
        let mode = CastlingMode::Chess960;
        AnyPosition::from_setup_unchecked(Variant::Standard, &setup, mode)
    }

    /// The start position of a variant by the number of Chess960; see [`Setup::chess960_of`].
    pub fn chess960_of(variant: Variant, number: u32) -> Option<AnyPosition> {
        let setup = Setup::chess960_of(variant, number)?;
        let mode = CastlingMode::Chess960;
        Some(AnyPosition::from_setup_unchecked(variant, &setup, mode))
    }

    /// The position of a setup. Faults that do not prevent play, [`Faults::PLAYABLE`], are ignored. If
    /// the castling rights fit only Chess960, that becomes the mode.
    ///
    /// # Errors
    /// When the setup has any fault that is not in [`Faults::PLAYABLE`].
    pub fn from_playable_setup(
        variant: Variant,
        setup: &Setup,
        mode: CastlingMode,
    ) -> Result<AnyPosition, PositionError> {
        let is_fine = |mode| !setup.standard_faults(mode).has(Fault::BadCastlingRights);
        let mode = if !is_fine(mode) && is_fine(CastlingMode::Chess960) {
            CastlingMode::Chess960
        } else {
            mode
        };
        AnyPosition::from_setup_ignoring(variant, setup, mode, Faults::PLAYABLE)
    }

    /// Plays a legal move; see [`Position::play`].
    pub fn play(&mut self, m: Move) {
        dispatch!(self, |position| position.play(m));
    }

    /// Passes the move to the opponent; see [`Position::play_null`].
    pub fn play_null(&mut self) {
        dispatch!(self, |position| position.play_null());
    }

    /// Plays a legal move, or passes where it is `None`, a null move.
    pub fn play_or_pass(&mut self, m: Option<Move>) {
        match m {
            Some(m) => self.play(m),
            None => self.play_null(),
        }
    }

    /// The position after a legal move; see [`Position::after`].
    #[must_use]
    pub fn after(&self, m: Move) -> AnyPosition {
        let mut after = *self;
        after.play(m);
        after
    }

    /// The number of lines of `depth` plies; see [`perft`](crate::perft()).
    pub fn perft(&self, depth: u32) -> u64 {
        dispatch!(self, |position| crate::perft(position, depth))
    }

    /// The position with the sides exchanged; see [`Setup::mirrored`].
    ///
    /// # Errors
    /// When the position has faults that a game cannot be played with: in Horde always, whose sides differ.
    pub fn mirrored(&self) -> Result<AnyPosition, PositionError> {
        let setup = self.to_setup().mirrored();
        AnyPosition::from_playable_setup(self.variant(), &setup, self.mode())
    }
}

/// Evaluates an expression that is generic over the rules with a position of any variant. For
/// everyday calls there are methods of [`AnyPosition`].
///
/// ```
/// use engine_core::{dispatch, AnyPosition, Variant};
///
/// let any = AnyPosition::start(Variant::Atomic);
/// let moves = dispatch!(any, |position| position.count_legal_moves());
/// assert_eq!(moves, 20);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($any:expr, |$position:ident| $value:expr) => {
        $crate::for_each_variant!($crate::match_variants { $any, |$position| $value })
    };
}

/// The `match` of [`dispatch!`].
#[doc(hidden)]
#[macro_export]
macro_rules! match_variants {
    ({ $any:expr, |$position:ident| $value:expr } $($rules:ident $properties:tt)*) => {
        match $any {
            $($crate::AnyPosition::$rules($position) => $value,)*
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_any_variant_are_made_from_those_of_each() {
        for variant in Variant::all() {
            let start = AnyPosition::start(variant);
            assert_eq!(
                dispatch!(start, |position| AnyPosition::from(position)),
                start
            );
        }
        let position: Position = Position::default();
        assert_eq!(AnyPosition::from(position), AnyPosition::default());
    }

    #[test]
    fn a_move_or_none_is_played() {
        for variant in Variant::all() {
            let start = AnyPosition::start(variant);
            let m = start.legal_moves()[0];
            let mut played = start;
            played.play_or_pass(Some(m));
            assert_eq!(played, start.after(m));
            let (mut passed, mut null) = (start, start);
            passed.play_or_pass(None);
            null.play_null();
            assert_eq!(passed, null);
        }
    }

    #[test]
    fn mirroring_twice_changes_nothing() {
        let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 9";
        let position =
            AnyPosition::from_fen(Variant::Standard, text, CastlingMode::Standard).unwrap();
        let mirrored = position.mirrored().unwrap();
        assert_eq!(
            mirrored.fen(),
            "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R w Qk - 3 9"
        );
        assert_eq!(mirrored.mirrored(), Ok(position));
    }
}
