//! The families of Syzygy tables: file names, magic numbers, and what differs in the index.

use crate::Material;
use engine_core::{Color, IS_PAGE, Role, Rules, Variant};
use std::path::Path;

/// The metric of a table: what its values are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Metric {
    /// Win, draw or loss.
    Wdl,
    /// Distance to the next capture or pawn move.
    Dtz,
}

/// The variants that have separate tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Standard chess: `.rtbw`, `.rtbz`.
    Standard,
    /// Suicide chess: `.stbw`, `.stbz`.
    Suicide,
    /// Giveaway chess and Antichess: `.gtbw`, `.gtbz`.
    Giveaway,
    /// Atomic chess: `.atbw`, `.atbz`.
    Atomic,
}

/// One line of the table of families, for WDL and DTZ.
struct FamilyFormat {
    suffixes: [&'static str; 2],
    magics: [[u8; 4]; 2],
}

const FORMATS: [FamilyFormat; 4] = [
    FamilyFormat {
        suffixes: ["rtbw", "rtbz"],
        magics: [[0x71, 0xe8, 0x23, 0x5d], [0xd7, 0x66, 0x0c, 0xa5]],
    },
    FamilyFormat {
        suffixes: ["stbw", "stbz"],
        magics: [[0x7b, 0xf6, 0x93, 0x15], [0xe4, 0xcf, 0xe7, 0x23]],
    },
    FamilyFormat {
        suffixes: ["gtbw", "gtbz"],
        magics: [[0xbc, 0x55, 0xbc, 0x21], [0xd6, 0xf5, 0x1b, 0x50]],
    },
    FamilyFormat {
        suffixes: ["atbw", "atbz"],
        magics: [[0x55, 0x8d, 0xa4, 0x49], [0x91, 0xa9, 0x5e, 0xeb]],
    },
];

impl Family {
    /// All of them.
    pub const ALL: [Family; 4] = [
        Family::Standard,
        Family::Suicide,
        Family::Giveaway,
        Family::Atomic,
    ];

    /// The tables of a variant, if it has any.
    pub const fn of(variant: Variant) -> Option<Family> {
        match variant {
            Variant::Standard => Some(Family::Standard),
            Variant::Suicide => Some(Family::Suicide),
            Variant::Giveaway | Variant::Antichess => Some(Family::Giveaway),
            Variant::Atomic => Some(Family::Atomic),
            _ => None,
        }
    }

    /// Whether there are tables for these rules. Asked in a `const` block, it keeps the compiler
    /// from making probers for rules that have none.
    pub(super) const fn has<R: Rules>() -> bool {
        match Family::of(R::VARIANT) {
            Some(Family::Standard) => true,
            // A page has only the tables that are part of the program.
            Some(_) => !IS_PAGE,
            None => false,
        }
    }

    /// Whether the tables of these rules are of a family where captures are compulsory, likewise.
    pub(super) const fn of_must_capture<R: Rules>() -> bool {
        matches!(Family::of(R::VARIANT), Some(family) if family.must_capture())
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Standard => "Standard",
            Family::Suicide => "Suicide",
            Family::Giveaway => "Giveaway",
            Family::Atomic => "Atomic",
        }
    }

    /// What file names end in, without the dot.
    pub const fn suffix(self, metric: Metric) -> &'static str {
        FORMATS[self as usize].suffixes[metric as usize]
    }

    /// The first four bytes of a file.
    pub const fn magic(self, metric: Metric) -> [u8; 4] {
        FORMATS[self as usize].magics[metric as usize]
    }

    /// The family whose tables without pawns serve as well: Suicide and Giveaway differ in
    /// stalemate alone, which no table without pawns has.
    pub(super) const fn pawnless_family(self) -> Option<Family> {
        match self {
            Family::Suicide => Some(Family::Giveaway),
            Family::Giveaway => Some(Family::Suicide),
            _ => None,
        }
    }

    /// Whether captures are compulsory and kings are pieces like others.
    pub const fn must_capture(self) -> bool {
        matches!(self, Family::Suicide | Family::Giveaway)
    }

    /// Whether kings may stand side by side.
    pub(super) const fn has_connected_kings(self) -> bool {
        !matches!(self, Family::Standard)
    }

    /// The most pieces that tables of the family have.
    pub const fn most_pieces(self) -> u32 {
        if matches!(self, Family::Standard) {
            7
        } else {
            6
        }
    }

    /// Whether this is material that a table of the family can have.
    pub fn allows(self, material: Material) -> bool {
        let pieces = material.pieces();
        let kings = Color::ALL.map(|color| material.count(Role::King.of(color)));
        let sides = Color::ALL.map(|color| material.side(color));
        pieces <= self.most_pieces()
            && !sides.contains(&0)
            && (self.must_capture() || kings == [1, 1] && pieces > 2)
    }

    /// The family, metric and material by the name of a file.
    pub fn of_file(path: &Path) -> Option<(Family, Metric, Material)> {
        let (family, metric) = Family::of_suffix(path.extension()?.to_str()?)?;
        let name: Material = path.file_stem()?.to_str()?.parse().ok()?;
        family.allows(name).then_some((family, metric, name))
    }

    /// The family and metric by what a file name ends in, without the dot.
    pub(crate) fn of_suffix(suffix: &str) -> Option<(Family, Metric)> {
        let metrics = |family| [Metric::Wdl, Metric::Dtz].map(|metric| (family, metric));
        let mut all = Family::ALL.into_iter().flat_map(metrics);
        all.find(|(family, metric)| family.suffix(*metric) == suffix)
    }
}
