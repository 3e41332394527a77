//! Material: the number of pieces of each kind, by which tables are named.

use engine_core::{Board, Color, Piece, Role};
use std::fmt;
use std::str::FromStr;

/// How many pieces of each kind each side has, such as `KRPvKR`.
///
/// ```
/// use tablebases::Material;
///
/// let material: Material = "KRvKP".parse()?;
/// assert_eq!(material.pieces(), 4);
/// assert!(material.has_pawns());
/// assert_eq!(material.swapped().to_string(), "KPvKR");
/// assert_eq!(material.swapped().normalized(), material);
/// # Ok::<(), tablebases::ParseMaterialError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Material(u64);

/// Bits for the count of one kind of piece.
const BITS: u32 = 4;
/// Bits for all pieces of one side.
const SIDE: u32 = 6 * BITS;
/// The order of the letters in a name.
const ORDER: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

const fn shift(piece: Piece) -> u32 {
    piece.color.index() as u32 * SIDE + piece.role.index() as u32 * BITS
}

impl Material {
    /// The material on a board. Means nothing where a side has more than 15 pieces of a kind.
    #[inline]
    pub fn of(board: &Board) -> Material {
        let mut counts = 0;
        for color in Color::ALL {
            for role in Role::ALL {
                let count = u64::from(board.pieces(color, role).count());
                counts |= count << shift(role.of(color));
            }
        }
        Material(counts)
    }

    /// How many pieces of this kind there are.
    #[inline]
    pub const fn count(self, piece: Piece) -> u32 {
        (self.0 >> shift(piece)) as u32 & 15
    }

    /// One more piece of this kind.
    #[must_use]
    pub const fn with(self, piece: Piece) -> Material {
        Material(self.0 + (1 << shift(piece)))
    }

    /// One piece of this kind less, where there is one.
    pub const fn without(self, piece: Piece) -> Option<Material> {
        if self.count(piece) == 0 {
            None
        } else {
            Some(Material(self.0 - (1 << shift(piece))))
        }
    }

    /// The number of pieces of a side.
    pub fn side(self, color: Color) -> u32 {
        Role::ALL
            .into_iter()
            .map(|role| self.count(role.of(color)))
            .sum()
    }

    /// The number of all pieces.
    pub fn pieces(self) -> u32 {
        self.side(Color::White) + self.side(Color::Black)
    }

    /// Whether any side has a pawn.
    pub const fn has_pawns(self) -> bool {
        self.count(Role::Pawn.of(Color::White)) + self.count(Role::Pawn.of(Color::Black)) > 0
    }

    /// The material with colours exchanged.
    pub const fn swapped(self) -> Material {
        Material(self.0 >> SIDE | (self.0 & ((1 << SIDE) - 1)) << SIDE)
    }

    /// Whether both sides have the same.
    pub fn is_symmetric(self) -> bool {
        self == self.swapped()
    }

    /// With the stronger side as White: more pieces, or better ones, as tables are named.
    #[must_use]
    pub fn normalized(self) -> Material {
        let strength = |color: Color| {
            (
                self.side(color),
                ORDER.map(|role| self.count(role.of(color))),
            )
        };
        if strength(Color::Black) > strength(Color::White) {
            self.swapped()
        } else {
            self
        }
    }

    /// The kinds of pieces with how many there are of each, White's first.
    pub fn iter(self) -> impl Iterator<Item = (Piece, u32)> {
        Color::ALL
            .into_iter()
            .flat_map(|color| ORDER.map(|role| role.of(color)))
            .map(move |piece| (piece, self.count(piece)))
            .filter(|&(_, count)| count > 0)
    }
}

/// The name of a table: `KRPvKR`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            if color == Color::Black {
                f.write_str("v")?;
            }
            for role in ORDER {
                for _ in 0..self.count(role.of(color)) {
                    write!(f, "{}", role.upper())?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not material such as `KRPvKR`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseMaterialError;

impl fmt::Display for ParseMaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not material such as KRPvKR")
    }
}

impl std::error::Error for ParseMaterialError {}

impl FromStr for Material {
    type Err = ParseMaterialError;

    /// Reads a name: capital letters in any order, both sides with at least one piece and at most
    /// 15 each.
    fn from_str(name: &str) -> Result<Material, ParseMaterialError> {
        let (white, black) = name.split_once('v').ok_or(ParseMaterialError)?;
        let mut material = Material::default();
        for (side, color) in [(white, Color::White), (black, Color::Black)] {
            if side.is_empty() || side.len() > 15 {
                return Err(ParseMaterialError);
            }
            for letter in side.chars() {
                let role = Role::from_letter(letter).filter(|role| role.upper() == letter);
                material = material.with(role.ok_or(ParseMaterialError)?.of(color));
            }
        }
        Ok(material)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str) -> Material {
        name.parse().unwrap()
    }

    #[test]
    fn names_are_normalized_by_number_then_strength() {
        for (name, normal) in [
            ("KvKQ", "KQvK"),
            ("KPvKR", "KRvKP"),
            ("KBvKN", "KBvKN"),
            ("KPPvKQ", "KPPvKQ"),
            ("KRvKPP", "KPPvKR"),
            ("KBNvKBN", "KBNvKBN"),
        ] {
            assert_eq!(material(name).normalized().to_string(), normal);
        }
    }

    #[test]
    fn what_is_no_material_is_refused() {
        for name in [
            "",
            "K",
            "v",
            "Kv",
            "vK",
            "KvX",
            "kvk",
            "KQKQ",
            "KvKvK",
            "KPvK.rtbw",
        ] {
            assert!(name.parse::<Material>().is_err(), "{name}");
        }
    }
}
