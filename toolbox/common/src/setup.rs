//! Positions from text that a user or a GUI sends.

use engine_core::notation::{EnPassant, Epd, FenError, Operations};
use engine_core::{AnyPosition, CastlingMode, Color, Fault, Faults, Setup, Variant, dispatch};

/// The castling mode by the option for it.
pub fn mode(chess960: bool) -> CastlingMode {
    if chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    }
}

/// The start position of a variant.
pub fn start(variant: Variant, mode: CastlingMode) -> AnyPosition {
    with_mode(&AnyPosition::start(variant), mode)
}

/// The same position with castling written in another mode.
pub fn with_mode(position: &AnyPosition, mode: CastlingMode) -> AnyPosition {
    position.with_mode(mode)
}

/// Reads a FEN. Where the mode is that of orthodox chess but the castling rights are not, it is
/// taken for Chess960. Faults that a game can be played with are passed over.
///
/// # Errors
/// Says all that is wrong.
pub fn from_fen(text: &str, variant: Variant, mode: CastlingMode) -> Result<AnyPosition, String> {
    let setup = Setup::from_variant_fen(variant, text).map_err(|error| error.to_string())?;
    from_setup(&setup, variant, mode)
}

/// The same for a setup.
///
/// # Errors
/// Says all that is wrong.
pub fn from_setup(
    setup: &Setup,
    variant: Variant,
    mode: CastlingMode,
) -> Result<AnyPosition, String> {
    let is_fine = |mode| !setup.standard_faults(mode).has(Fault::BadCastlingRights);
    let mode = if !is_fine(mode) && is_fine(CastlingMode::Chess960) {
        CastlingMode::Chess960
    } else {
        mode
    };
    AnyPosition::from_setup_ignoring(variant, setup, mode, Faults::PLAYABLE)
        .map_err(|error| error.to_string())
}

/// Reads a line of EPD with its operations, or a FEN, which may be followed by operations, too.
///
/// # Errors
/// Says all that is wrong.
pub fn from_epd(
    line: &str,
    variant: Variant,
    mode: CastlingMode,
) -> Result<(AnyPosition, Operations), String> {
    // The clocks of a FEN, and with some variants counts of checks, written before or after them.
    let fen = (4..=7).rev().find_map(|count| {
        let (fields, rest) = split_fields(line, count)?;
        let (board, _) = split_fields(fields, 4)?;
        Some((literal(fields, variant).ok()?, board.trim_end(), rest))
    });
    let text = match fen {
        Some((setup, board, rest)) => {
            let (half, full) = (setup.halfmoves, setup.fullmoves);
            let checks = setup.checks.map_or(String::new(), |checks| {
                format!("{}+{} ", checks.0[Color::White], checks.0[Color::Black])
            });
            format!("{board} {checks}hmvc {half}; fmvn {full}; {rest}")
        }
        None => line.to_owned(),
    };
    let epd = Epd::read(&text, variant, mode).map_err(|error| error.to_string())?;
    Ok((from_setup(&epd.setup, variant, mode)?, epd.operations))
}

/// The first fields of a line, and what follows on them.
fn split_fields(line: &str, count: usize) -> Option<(&str, &str)> {
    let mut rest = line.trim_start();
    for _ in 0..count {
        let (field, _) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = rest.get(field.len()..)?.trim_start();
        if field.is_empty() {
            return None;
        }
    }
    line.split_at_checked(line.len() - rest.len())
}

/// Reads a FEN and leaves all its faults in place.
///
/// # Errors
/// When the text is no FEN.
pub fn literal(text: &str, variant: Variant) -> Result<Setup, FenError> {
    Setup::from_variant_fen(variant, text)
}

/// The FEN of a position; the en passant square is there when a pawn can take on it.
pub fn fen(position: &AnyPosition) -> String {
    dispatch!(position, |position| position.fen(EnPassant::Legal))
}

/// The start position of Chess960 with this number; see [`Setup::chess960`].
pub fn chess960(number: u32) -> AnyPosition {
    let setup = Setup::chess960(number);
    let position = from_setup(&setup, Variant::Standard, CastlingMode::Chess960);
    position.unwrap_or_else(|_| start(Variant::Standard, CastlingMode::Chess960))
}

/// The position with the sides exchanged: colours change and ranks are mirrored.
///
/// # Errors
/// When the position has faults that a game cannot be played with.
pub fn flip(position: &AnyPosition) -> Result<AnyPosition, String> {
    let (setup, mode) = dispatch!(position, |position| (position.to_setup(), position.mode()));
    from_setup(&setup.mirrored(), position.variant(), mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<AnyPosition, String> {
        from_fen(text, Variant::Standard, CastlingMode::Standard)
    }

    #[test]
    fn chess960_rights_are_noticed() {
        let mode = |text| dispatch!(read(text).unwrap(), |position| position.mode());
        let orthodox = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
        assert_eq!(mode(orthodox), CastlingMode::Standard);
        assert_eq!(
            mode("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq -"),
            CastlingMode::Chess960
        );
        assert_eq!(
            mode("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb -"),
            CastlingMode::Chess960
        );
    }

    #[test]
    fn faults() {
        assert!(read("8/8/8/8/8/8/8/8 w - -").is_err());
        assert!(read("").is_err());
        assert!(read("QQQQQQQQ/QQQQQQQQ/8/8/7k/8/8/K7 w - -").is_err());
        // More pawns than chess has; a game can be played all the same.
        assert!(read("4k3/pppppppp/p7/8/8/8/8/4K3 w - -").is_ok());
    }

    #[test]
    fn lines_of_epd_and_fen() {
        let read = |line: &str, variant| from_epd(line, variant, CastlingMode::Standard);
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (operations, fen) in [
            ("", "0 1"),
            ("3 20", "3 20"),
            ("3 20 bm e4; id \"x\";", "3 20"),
            ("bm e4; hmvc 5;", "5 1"),
        ] {
            let line = format!("{board} {operations}");
            let (position, found) = read(&line, Variant::Standard).unwrap();
            assert_eq!(super::fen(&position), format!("{board} {fen}"));
            assert_eq!(found.get("bm").is_some(), operations.contains("bm"));
        }
        for variant in Variant::all() {
            let start = variant.start_fen();
            assert!(read(start, variant).is_ok(), "{start}");
        }
        for (counts, fen) in [
            ("", "3+3 0 1"),
            ("bm e4; hmvc 5;", "3+3 5 1"),
            ("3 20 bm e4;", "3+3 3 20"),
            ("1+3 bm e4;", "1+3 0 1"),
            ("1+3 3 20", "1+3 3 20"),
            ("3 20 +2+0 bm e4;", "1+3 3 20"),
        ] {
            let (position, found) =
                read(&format!("{board} {counts}"), Variant::ThreeCheck).unwrap();
            assert_eq!(super::fen(&position), format!("{board} {fen}"));
            assert_eq!(found.get("bm").is_some(), counts.contains("bm"));
        }
        assert!(read("4k3/8 w - -", Variant::Standard).is_err());
    }

    #[test]
    fn flipping_twice_changes_nothing() {
        let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 9";
        let position = read(text).unwrap();
        let flipped = flip(&position).unwrap();
        assert_eq!(
            fen(&flipped),
            "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R w Qk - 3 9"
        );
        assert_eq!(flip(&flipped).unwrap(), position);
    }
}
