//! The one table of variants: names, protocol identifiers and start positions.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

/// The only list of variants: calls a macro with given arguments in braces and, for each
/// variant, its name and a group of properties. [`Variant`], [`dispatch!`](crate::dispatch) and
/// [`AnyPosition`](crate::AnyPosition) follow from it.
///
/// ```
/// use engine_core::{Rules, Variant, for_each_variant};
///
/// macro_rules! count_drops {
///     ({} $($rules:ident $properties:tt)*) => {
///         0 $(+ usize::from(engine_core::$rules::DROPS))*
///     };
/// }
///
/// assert_eq!(for_each_variant!(count_drops {}), 1);
/// assert_eq!(Variant::all().count(), 10);
/// ```
#[macro_export]
macro_rules! for_each_variant {
    ($callback:ident { $($arguments:tt)* }) => {
        $crate::for_each_variant! { @call [$callback] { $($arguments)* } }
    };
    ($root:tt::$callback:ident { $($arguments:tt)* }) => {
        $crate::for_each_variant! { @call [$root::$callback] { $($arguments)* } }
    };
    (@call [$($callback:tt)+] $arguments:tt) => {
        $($callback)+! {
            $arguments
            Standard {
                doc: "Orthodox chess, Chess960 included.",
                name: "Standard",
                uci: "chess",
                xboard: "normal",
                aliases: &[
                    "chess",
                    "classical",
                    "normal",
                    "illegal",
                    "from position",
                ],
                start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            }
            Suicide {
                doc: "Losing all pieces wins; in stalemate, the side with fewer pieces wins.",
                name: "Suicide",
                uci: "suicide",
                xboard: "suicide",
                aliases: &["suicide chess"],
                start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            }
            Giveaway {
                doc: "Losing all pieces wins, as does having no move.",
                name: "Giveaway",
                uci: "giveaway",
                xboard: "giveaway",
                aliases: &["giveaway chess", "give away", "give away chess"],
                start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            }
            Antichess {
                doc: "Giveaway without castling.",
                name: "Antichess",
                uci: "antichess",
                xboard: "giveaway",
                aliases: &["anti chess", "anti"],
                start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            }
            Atomic {
                doc: "Captures explode the pieces around them.",
                name: "Atomic",
                uci: "atomic",
                xboard: "atomic",
                aliases: &["atom", "atomic chess"],
                start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            }
            KingOfTheHill {
                doc: "A king in the centre wins.",
                name: "King of the Hill",
                uci: "kingofthehill",
                xboard: "kingofthehill",
                aliases: &["koth"],
                start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            }
            RacingKings {
                doc: "A king on the eighth rank wins; checks are forbidden.",
                name: "Racing Kings",
                uci: "racingkings",
                xboard: "racingkings",
                aliases: &["racing", "race"],
                start_fen: "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
            }
            Horde {
                doc: "White has a horde of pawns and no king.",
                name: "Horde",
                uci: "horde",
                xboard: "horde",
                aliases: &["horde chess"],
                start_fen: "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
            }
            ThreeCheck {
                doc: "The third check wins.",
                name: "Three-check",
                uci: "3check",
                xboard: "3check",
                aliases: &[
                    "three check",
                    "threecheck",
                    "three check chess",
                    "3-check",
                    "3 check",
                ],
                start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
            }
            Crazyhouse {
                doc: "Captured pieces can be dropped back on the board.",
                name: "Crazyhouse",
                uci: "crazyhouse",
                xboard: "crazyhouse",
                aliases: &["crazy house", "house", "zh"],
                start_fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
            }
        }
    };
}

/// Defines the enumeration and the table of properties.
macro_rules! define_variants {
    ({} $($variant:ident { doc: $doc:literal, $($field:ident: $value:expr,)* })*) => {
        /// A variant of chess. Chess960 is a castling mode, not a variant.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Variant {
            $(#[doc = $doc] $variant,)*
        }

        /// In the order of the enumeration. Aliases are those of python-chess, in lower case.
        const TABLE: &[VariantInfo] = &[
            $(VariantInfo { variant: Variant::$variant, $($field: $value,)* },)*
        ];
    };
}

for_each_variant!(define_variants {});

/// The properties of one variant.
struct VariantInfo {
    variant: Variant,
    name: &'static str,
    uci: &'static str,
    xboard: &'static str,
    aliases: &'static [&'static str],
    start_fen: &'static str,
}

#[expect(clippy::derivable_impls, reason = "a macro makes the enumeration")]
impl Default for Variant {
    fn default() -> Variant {
        Variant::Standard
    }
}

impl Variant {
    /// How many there are.
    pub const COUNT: usize = TABLE.len();

    /// Every variant.
    pub fn all() -> impl Iterator<Item = Variant> {
        TABLE.iter().map(|info| info.variant)
    }

    fn info(self) -> &'static VariantInfo {
        &TABLE[self as usize]
    }

    /// The name for people.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The value of the option `UCI_Variant`.
    pub fn uci(self) -> &'static str {
        self.info().uci
    }

    /// The name in the command `variant` of XBoard.
    pub fn xboard(self) -> &'static str {
        self.info().xboard
    }

    /// Whether the rules distinguish promoted pieces.
    pub(crate) fn tracks_promoted(self) -> bool {
        use Variant::{Antichess, Crazyhouse, Giveaway, Suicide};
        matches!(self, Suicide | Giveaway | Antichess | Crazyhouse)
    }

    /// How many fields of an EPD precede its operations.
    pub(crate) fn epd_fields(self) -> usize {
        match self {
            Variant::ThreeCheck => 5,
            _ => 4,
        }
    }

    /// The FEN of the start position.
    pub fn start_fen(self) -> &'static str {
        self.info().start_fen
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
        write!(f, "unknown variant {:?}; expected one of", self.0)?;
        for info in TABLE {
            write!(f, " {}", info.uci)?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownVariant {}

/// Whether a name, in any case, is one of Chess960, which [`Variant`] takes for standard chess.
pub fn is_name_of_chess960(name: &str) -> bool {
    const NAMES: [&str; 5] = [
        "chess 960",
        "chess960",
        "fischerandom",
        "fischerrandom",
        "fischer random",
    ];
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    /// Reads any of a variant's names, in any case.
    fn from_str(text: &str) -> Result<Variant, UnknownVariant> {
        let wanted = text.to_ascii_lowercase();
        TABLE
            .iter()
            .find(|info| {
                [info.uci, info.xboard].contains(&wanted.as_str())
                    || info.name.eq_ignore_ascii_case(&wanted)
                    || info.aliases.contains(&wanted.as_str())
            })
            .map(|info| info.variant)
            .or_else(|| is_name_of_chess960(&wanted).then_some(Variant::Standard))
            .ok_or_else(|| UnknownVariant(text.to_owned()))
    }
}
