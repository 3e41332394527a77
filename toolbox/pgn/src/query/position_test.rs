//! Tests of one position.

use super::board_pattern::BoardPattern;
use super::material::MaterialPattern;
use engine_core::{AnyPosition, Board, CastlingMode, Color, Setup, Variant};
use std::cmp::Ordering;

/// A test of a position.
#[derive(Debug, Clone)]
pub(crate) enum PositionTest {
    /// Pieces, side to move, castling rights, and en passant where it is possible.
    /// There is one for each variant in which the FEN is a position.
    Position(Vec<AnyPosition>),
    /// The pieces alone.
    Board(Box<Board>),
    /// The Zobrist key of a position of standard chess.
    Key(u64),
    Pattern(BoardPattern),
    Material(MaterialPattern),
    /// How many pieces there are, kings and pawns included.
    Pieces(Vec<Ordering>, u32),
    Turn(Color),
    Check,
}

impl PositionTest {
    /// The position of a FEN in any variant; one with nothing but pieces stands for them alone.
    ///
    /// # Errors
    /// When it is no position.
    pub(crate) fn fen(text: &str) -> Result<PositionTest, String> {
        let fen = |variant| common::arguments::fen(text.trim(), variant);
        if fen(Variant::Standard).contains(' ') {
            let read =
                |variant| AnyPosition::from_fen(variant, fen(variant), CastlingMode::Standard);
            let wanted: Vec<_> = Variant::all()
                .filter_map(|variant| read(variant).ok())
                .collect();
            if wanted.is_empty() {
                read(Variant::Standard).map_err(|error| error.to_string())?;
            }
            return Ok(PositionTest::Position(wanted));
        }
        // Pockets end where a side to move follows them.
        let with_turn = |variant| format!("{} w", fen(variant));
        let read = |variant| Setup::from_variant_fen(variant, &with_turn(variant));
        let setup = match Variant::all().find_map(|variant| read(variant).ok()) {
            Some(setup) => setup,
            None => Setup::from_variant_fen(Variant::Standard, fen(Variant::Standard))
                .map_err(|error| error.to_string())?,
        };
        Ok(PositionTest::Board(Box::new(setup.board)))
    }

    /// A Zobrist key in hexadecimal digits.
    ///
    /// # Errors
    /// When it is not a key.
    pub(crate) fn key(text: &str) -> Result<PositionTest, String> {
        let digits = text.trim_start_matches("0x");
        let key = u64::from_str_radix(digits, 16).ok();
        let key = key.filter(|_| (1..=16).contains(&digits.len()) && !digits.starts_with('+'));
        key.map(PositionTest::Key)
            .ok_or_else(|| "a key of up to 16 hexadecimal digits is expected".to_owned())
    }

    pub(super) fn holds(&self, position: &AnyPosition) -> bool {
        match self {
            PositionTest::Position(wanted) => wanted.iter().any(|one| one.repeats(position)),
            PositionTest::Board(wanted) => **wanted == *position.board(),
            PositionTest::Key(key) => {
                position.variant() == Variant::Standard && position.key() == *key
            }
            PositionTest::Pattern(pattern) => pattern.matches(position.board()),
            PositionTest::Material(material) => material.matches(position.board()),
            PositionTest::Pieces(orders, wanted) => {
                let count = position.board().occupied().count();
                orders.contains(&count.cmp(wanted))
            }
            PositionTest::Turn(color) => position.turn() == *color,
            PositionTest::Check => position.in_check(),
        }
    }
}
