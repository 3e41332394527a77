//! The one table of variants: names, protocol identifiers and start positions.

use std::fmt;
use std::str::FromStr;

/// A variant of chess. Chess960 is a castling mode, not a variant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Orthodox chess, Chess960 included.
    #[default]
    Standard,
}

/// One line of the table.
struct Facts {
    variant: Variant,
    name: &'static str,
    uci: &'static str,
    xboard: &'static str,
    aliases: &'static [&'static str],
    start_fen: &'static str,
}

const TABLE: &[Facts] = &[Facts {
    variant: Variant::Standard,
    name: "Standard",
    uci: "chess",
    xboard: "normal",
    aliases: &[
        "standard",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "fischer random",
    ],
    start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
}];

impl Variant {
    /// Every variant.
    pub fn all() -> impl Iterator<Item = Variant> {
        TABLE.iter().map(|facts| facts.variant)
    }

    fn facts(self) -> &'static Facts {
        &TABLE[self as usize]
    }

    /// The name for people.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The value of the option `UCI_Variant`.
    pub fn uci(self) -> &'static str {
        self.facts().uci
    }

    /// The name in the command `variant` of XBoard.
    pub fn xboard(self) -> &'static str {
        self.facts().xboard
    }

    /// How many fields of an EPD precede its operations.
    pub(crate) fn epd_fields(self) -> usize {
        match self {
            Variant::Standard => 4,
        }
    }

    /// The FEN of the start position.
    pub fn start_fen(self) -> &'static str {
        self.facts().start_fen
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No variant has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownVariant(pub String);

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown variant {:?}; known are", self.0)?;
        for facts in TABLE {
            write!(f, " {}", facts.uci)?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownVariant {}

impl FromStr for Variant {
    type Err = UnknownVariant;

    /// Reads any of a variant's names, in any case.
    fn from_str(text: &str) -> Result<Variant, UnknownVariant> {
        let wanted = text.to_ascii_lowercase();
        TABLE
            .iter()
            .find(|facts| {
                [facts.uci, facts.xboard].contains(&wanted.as_str())
                    || facts.name.eq_ignore_ascii_case(&wanted)
                    || facts.aliases.contains(&wanted.as_str())
            })
            .map(|facts| facts.variant)
            .ok_or_else(|| UnknownVariant(text.to_owned()))
    }
}
