//! The feature `serde`: values as text or numbers, positions as FEN.
//!
//! A [`Position`] is a string, an [`AnyPosition`] a structure with `variant` and `fen`. The
//! castling letters are those of Shredder-FEN in the castling mode of Chess960, which is recognised
//! by them. A position of Chess960 without castling rights is read in the standard mode: the moves are
//! the same, but it is not equal. Nor is one of losing chess with promoted pieces, which its FEN does not
//! mark: they move as others do.

use crate::rules::Rules;
use crate::{
    AnyPosition, Bitboard, CastlingMode, Faults, Move, Piece, Position, Setup, Square, Variant,
    dispatch,
};
use alloc::borrow::Cow;
use alloc::string::String;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Implements both traits by a type's text.
macro_rules! as_text {
    ($type:ty, $write:expr, $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&$write(self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Cow::<str>::deserialize(deserializer)?;
                $read(&text).map_err(D::Error::custom)
            }
        }
    };
}

as_text!(Square, |square: &Square| *square, str::parse::<Square>);
as_text!(Move, |m: &Move| *m, str::parse::<Move>);
as_text!(Variant, |v: &Variant| v.uci(), str::parse::<Variant>);
as_text!(Piece, |piece: &Piece| *piece, str::parse::<Piece>);

/// As the number of its bits.
impl Serialize for Bitboard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bitboard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bitboard, D::Error> {
        u64::deserialize(deserializer).map(Bitboard)
    }
}

impl<R: Rules> Serialize for Position<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.full_fen().serialize(serializer)
    }
}

impl<'de, R: Rules> Deserialize<'de> for Position<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position<R>, D::Error> {
        let fen = Cow::<str>::deserialize(deserializer)?;
        let setup = Setup::from_variant_fen(R::VARIANT, &fen).map_err(D::Error::custom)?;
        Position::from_setup(&setup, mode_of(&fen, &setup))
            .or_else(|error| error.ignore(Faults::PLAYABLE))
            .map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "AnyPosition")]
struct VariantFen {
    variant: Variant,
    fen: String,
}

impl Serialize for AnyPosition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fen = dispatch!(self, |position| position.full_fen());
        let variant = self.variant();
        VariantFen { variant, fen }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnyPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyPosition, D::Error> {
        let VariantFen { variant, fen } = VariantFen::deserialize(deserializer)?;
        let setup = Setup::from_variant_fen(variant, &fen).map_err(D::Error::custom)?;
        AnyPosition::from_playable_setup(variant, &setup, mode_of(&fen, &setup))
            .map_err(D::Error::custom)
    }
}

/// Chess960 if castling rights are the files of rooks, or impossible in orthodox chess.
fn mode_of(fen: &str, setup: &Setup) -> CastlingMode {
    let rights = fen.split_whitespace().nth(2).unwrap_or_default();
    if rights.contains(|letter: char| matches!(letter, 'A'..='H' | 'a'..='h')) {
        CastlingMode::Chess960
    } else {
        setup.castling_mode()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Outcome, Role, Standard, Termination};

    fn check<T>(value: &T, json: &str)
    where
        T: Serialize + for<'de> Deserialize<'de> + PartialEq + core::fmt::Debug,
    {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn values() {
        check(&Square::E4, r#""e4""#);
        check(&Color::Black, r#""black""#);
        check(&Role::Knight, r#""knight""#);
        check(&Role::Queen.of(Color::White), r#""Q""#);
        check(&Bitboard(6), "6");
        check(&Variant::ThreeCheck, r#""3check""#);
        check(&Move::castle(Square::E1, Square::H1), r#""e1xh1""#);
        let outcome = Outcome {
            termination: Termination::FivefoldRepetition,
            winner: None,
        };
        check(
            &outcome,
            r#"{"termination":"fivefold_repetition","winner":null}"#,
        );
        assert!(serde_json::from_str::<Square>(r#""e9""#).is_err());
    }

    #[test]
    fn positions() {
        let start = Position::<Standard>::start();
        let fen = Variant::Standard.start_fen();
        check(&start, &format!("{fen:?}"));
        for variant in Variant::all() {
            let start = AnyPosition::start(variant);
            let (name, fen) = (variant.uci(), variant.start_fen());
            check(&start, &format!(r#"{{"variant":"{name}","fen":"{fen}"}}"#));
        }
        let chess960 = AnyPosition::chess960(518);
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
        check(
            &chess960,
            &format!(r#"{{"variant":"chess","fen":"{fen}"}}"#),
        );
        let empty = r#""8/8/8/8/8/8/8/8 w - - 0 1""#;
        assert!(serde_json::from_str::<Position>(empty).is_err());
    }
}
