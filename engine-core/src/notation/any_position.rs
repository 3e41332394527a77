//! Positions of any variant and their moves as text.

use super::{EnPassant, Epd, EpdError, FenError, HumanMoveError, MoveError, MoveText, Operations};
use crate::any_position::forward;
use crate::{
    AnyPosition, CastlingMode, Faults, Move, Position, PositionError, Role, Rules, Setup, Square,
    Variant, dispatch,
};
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

impl AnyPosition {
    /// Reads a FEN; see [`AnyPosition::from_playable_setup`].
    ///
    /// ```
    /// use engine_core::{AnyPosition, CastlingMode, Variant};
    ///
    /// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1";
    /// let position = AnyPosition::from_fen(Variant::Crazyhouse, fen, CastlingMode::Standard)?;
    /// assert_eq!(position.fen(), fen);
    /// # Ok::<(), engine_core::notation::ReadPositionError>(())
    /// ```
    ///
    /// # Errors
    /// Says all that is wrong.
    pub fn from_fen(
        variant: Variant,
        text: &str,
        mode: CastlingMode,
    ) -> Result<AnyPosition, ReadPositionError> {
        let setup = Setup::from_variant_fen(variant, text)?;
        Ok(AnyPosition::from_playable_setup(variant, &setup, mode)?)
    }

    /// Reads a line of EPD, or a FEN that operations may follow; see [`Epd::read_line`] and
    /// [`AnyPosition::from_playable_setup`].
    ///
    /// # Errors
    /// Says all that is wrong.
    pub fn from_epd(
        variant: Variant,
        line: &str,
        mode: CastlingMode,
    ) -> Result<(AnyPosition, Operations), ReadPositionError> {
        let epd = Epd::read_line(line, variant, mode)?;
        let position = AnyPosition::from_playable_setup(variant, &epd.setup, mode)?;
        Ok((position, epd.operations))
    }

    /// The FEN, with an en passant square only where a pawn can legally capture; for other kinds see
    /// [`Position::fen`](crate::Position::fen).
    pub fn fen(&self) -> String {
        dispatch!(self, |position| position.fen(EnPassant::Legal))
    }
}

/// Reads a FEN of this variant, as [`AnyPosition::from_fen`] does: faults that do not prevent play
/// are ignored, and the mode is that of Chess960 only if the castling rights fit no other.
///
/// ```
/// use engine_core::Position;
///
/// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
/// assert_eq!(position.parse_san("O-O")?.to_string(), "e1xh1");
/// assert!("4k3/8/8/8/8/8/8/8 w - - 0 1".parse::<Position>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<R: Rules> FromStr for Position<R> {
    type Err = ReadPositionError;

    fn from_str(fen: &str) -> Result<Position<R>, ReadPositionError> {
        let setup = Setup::from_variant_fen(R::VARIANT, fen)?;
        let position = Position::from_setup(&setup, setup.castling_mode());
        Ok(position.or_else(|error| error.ignore(Faults::PLAYABLE))?)
    }
}

forward! {
    "A move in SAN" to_san(&self, m: Move) -> MoveText;
    "A move in long algebraic notation" to_lan(&self, m: Move) -> MoveText;
    "A move in UCI notation" to_uci(&self, m: Move) -> MoveText;
    "A move as in the XBoard protocol" to_xboard(&self, m: Move) -> MoveText;
    "Reads a move in SAN" parse_san(&self, text: &str) -> Result<Move, MoveError>;
    "Reads a move in UCI notation" parse_uci(&self, text: &str) -> Result<Move, MoveError>;
    "Reads a move as people type it" parse_human(&self, text: &str) -> Result<Move, HumanMoveError>;
    "The legal move between two squares"
    find_move(&self, from: Square, to: Square, promotion: Option<Role>) -> Result<Move, MoveError>;
    "A line of moves in SAN" variation_san(&self, line: &[Move]) -> String;
    "A line of moves in UCI notation" variation_uci(&self, line: &[Move]) -> String;
    "A line of moves as in the XBoard protocol" variation_xboard(&self, line: &[Move]) -> String;
}

/// Why a text is not a position that a game can be played from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadPositionError {
    /// The text is no FEN.
    Fen(FenError),
    /// The text is no EPD.
    Epd(EpdError),
    /// The position is not legal.
    Position(PositionError),
}

impl fmt::Display for ReadPositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadPositionError::Fen(error) => error.fmt(f),
            ReadPositionError::Epd(error) => error.fmt(f),
            ReadPositionError::Position(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ReadPositionError {}

impl ReadPositionError {
    /// The faults of a position that is not legal.
    pub fn faults(&self) -> Option<Faults> {
        match self {
            ReadPositionError::Position(error) => Some(error.faults()),
            ReadPositionError::Fen(_) | ReadPositionError::Epd(_) => None,
        }
    }
}

impl From<FenError> for ReadPositionError {
    fn from(error: FenError) -> ReadPositionError {
        ReadPositionError::Fen(error)
    }
}

impl From<EpdError> for ReadPositionError {
    fn from(error: EpdError) -> ReadPositionError {
        ReadPositionError::Epd(error)
    }
}

impl From<PositionError> for ReadPositionError {
    fn from(error: PositionError) -> ReadPositionError {
        ReadPositionError::Position(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<AnyPosition, ReadPositionError> {
        AnyPosition::from_fen(Variant::Standard, text, CastlingMode::Standard)
    }

    #[test]
    fn castling_rights_of_chess960_set_the_mode() {
        let mode = |text: &str| read(text).map(|position| position.mode());
        let orthodox = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
        assert_eq!(mode(orthodox), Ok(CastlingMode::Standard));
        for rights in ["KQkq", "GBgb"] {
            let fen = format!("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w {rights} -");
            assert_eq!(mode(&fen), Ok(CastlingMode::Chess960));
        }
    }

    #[test]
    fn some_faults_are_playable() {
        assert!(read("8/8/8/8/8/8/8/8 w - -").is_err());
        assert!(read("").is_err());
        assert!(read("QQQQQQQQ/QQQQQQQQ/8/8/7k/8/8/K7 w - -").is_err());
        // More pawns than chess has; a game can be played all the same.
        assert!(read("4k3/pppppppp/p7/8/8/8/8/4K3 w - -").is_ok());
    }

    #[test]
    fn lines_of_epd_and_fen() {
        let read =
            |line: &str, variant| AnyPosition::from_epd(variant, line, CastlingMode::Standard);
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (variant, operations, fen) in [
            (Variant::Standard, "", "0 1"),
            (Variant::Standard, "3 20", "3 20"),
            (Variant::Standard, "3 20 bm e4; id \"x\";", "3 20"),
            (Variant::Standard, "bm e4; hmvc 5;", "5 1"),
            (Variant::ThreeCheck, "", "3+3 0 1"),
            (Variant::ThreeCheck, "bm e4; hmvc 5;", "3+3 5 1"),
            (Variant::ThreeCheck, "3 20 bm e4;", "3+3 3 20"),
            (Variant::ThreeCheck, "1+3 bm e4;", "1+3 0 1"),
            (Variant::ThreeCheck, "1+3 3 20", "1+3 3 20"),
            (Variant::ThreeCheck, "3 20 +2+0 bm e4;", "1+3 3 20"),
        ] {
            let (position, found) = read(&format!("{board} {operations}"), variant).unwrap();
            assert_eq!(position.fen(), format!("{board} {fen}"));
            assert_eq!(found.get("bm").is_some(), operations.contains("bm"));
        }
        for variant in Variant::all() {
            let start = variant.start_fen();
            assert!(read(start, variant).is_ok(), "{start}");
        }
        assert!(read("4k3/8 w - -", Variant::Standard).is_err());
    }
}
