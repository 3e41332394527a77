//! The start positions that tags name.

use crate::pockets::read_fen;
use engine_core::{
    AnyPosition, Bitboard, CastlingMode, Color, File, Role, Setup, Square, Variant,
    is_name_of_chess960,
};
use pgn::{Headers, Text, is_wild};

/// The variant by its tag; Chess960 and the wild positions of the Free Internet Chess Server are
/// standard chess.
pub(super) fn variant_of(name: Option<&str>) -> Result<Variant, String> {
    match name {
        Some(name) if !is_name_of_chess960(name) && !is_wild(name) => {
            let variant = name.parse::<Variant>();
            variant.map_err(|_| format!("unsupported variant: {name}"))
        }
        _ => Ok(Variant::Standard),
    }
}

/// The start position by the tags. The message is python-chess's.
pub(super) fn named(headers: &Headers) -> Result<AnyPosition, String> {
    let name = headers.raw("Variant").map(Text::to_str);
    of_variant(headers, variant_of(name.as_deref())?)
}

/// The start position by the tags, in a variant that they need not name.
pub(super) fn of_variant(headers: &Headers, variant: Variant) -> Result<AnyPosition, String> {
    let name = headers.raw("Variant").map(Text::to_str);
    let fen = headers.raw("FEN").map(Text::to_str);
    let fen = fen.as_deref().unwrap_or(variant.start_fen());
    let setup = read_fen(fen, variant)?;
    let is_chess960 = name.is_some_and(|name| is_name_of_chess960(&name)) || needs_chess960(&setup);
    let mode = if is_chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    Ok(AnyPosition::from_setup_unchecked(variant, &setup, mode))
}

/// Whether there are castling rights that standard chess does not know.
fn needs_chess960(setup: &Setup) -> bool {
    let rooks = setup.clean_castling(CastlingMode::Chess960);
    let is_odd = |color: Color| {
        let rank = color.backrank();
        let king = Square::new(File::E, rank);
        (rooks & rank.bitboard()).any() && !setup.board.pieces(color, Role::King).has(king)
    };
    (rooks - Bitboard::CORNERS).any() || Color::ALL.into_iter().any(is_odd)
}
