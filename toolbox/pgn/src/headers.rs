//! The tag pairs of a game, and the start position that they name.

#[cfg(feature = "command")]
use super::date::PartialDate;
use super::{Text, TimeControlTag, unescape};
use engine_core::{
    AnyPosition, CastlingMode, Faults, Setup, UnknownVariant, Variant, is_name_of_chess960,
};
use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// The tags that every game has, in their order.
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Tag pairs in the order of the text. Values are kept as they were written, with their escapes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Headers(Vec<(Text, Text)>);

impl Headers {
    /// No tags.
    pub fn new() -> Headers {
        Headers::default()
    }

    /// The seven tag roster, with placeholders as values.
    pub fn roster() -> Headers {
        let pair = |(name, value): (&str, &str)| (name.into(), value.into());
        Headers(ROSTER.into_iter().map(pair).collect())
    }

    /// All pairs of name and value as written.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, &Text)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// How many tags there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no tags.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all tags.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The value as written, of the last tag with this name.
    pub fn raw(&self, name: &str) -> Option<&Text> {
        let is_wanted = |pair: &&(Text, Text)| pair.0.as_bytes() == name.as_bytes();
        self.0.iter().rev().find(is_wanted).map(|(_, value)| value)
    }

    /// The value of a tag, without escapes; bytes that are not UTF-8 are read as Latin-1.
    ///
    /// ```
    /// let mut headers = pgn::Headers::new();
    /// headers.set("White", "Michael \"Mick\" A.");
    /// assert_eq!(headers.get("White").as_deref(), Some("Michael \"Mick\" A."));
    /// assert_eq!(headers.get("Black"), None);
    /// ```
    pub fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        self.raw(name).map(unescape)
    }

    /// Sets a tag, in its place if it is there, else at the end. Of several with this name only the
    /// first stays, with the new value. Line breaks become blanks. When it is written, what
    /// [`is_tag_name`](crate::is_tag_name) does not allow in its name becomes `_`.
    pub fn set(&mut self, name: &str, value: &str) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        self.set_raw(name.as_bytes(), value.replace(['\r', '\n'], " ").as_bytes());
    }

    /// Sets a tag to a value that is escaped already; see [`Headers::set`].
    pub fn set_raw(&mut self, name: &[u8], value: &[u8]) {
        let mut value = Some(value);
        // Programs do not agree on which of several counts.
        self.0.retain_mut(|pair| {
            if pair.0.as_bytes() != name {
                return true;
            }
            let value = value.take();
            if let Some(value) = value {
                pair.1 = value.into();
            }
            value.is_some()
        });
        if let Some(value) = value {
            self.push(name, value);
        }
    }

    /// Adds a tag at the end, whether or not it is there, with its value as written.
    pub fn push(&mut self, name: &[u8], value: &[u8]) {
        self.0.push((name.into(), value.into()));
    }

    /// Puts the seven tags that every game has before the others, in their order.
    pub fn put_roster_first(&mut self) {
        let place = |pair: &(Text, Text)| {
            let is_name = |known: &(&str, &str)| pair.0.as_bytes() == known.0.as_bytes();
            ROSTER.iter().position(is_name).unwrap_or(ROSTER.len())
        };
        self.0.sort_by_key(place);
    }

    /// Removes a tag.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|pair| pair.0.as_bytes() != name.as_bytes());
    }

    /// Sets the tags `FEN`, `SetUp` and `Variant` for a start position, or removes them where they
    /// would say nothing.
    ///
    /// As in python-chess, the tag `Variant` names Chess960 or a variant, not both: the start of a
    /// variant's game is read in the mode of Chess960 only if its castling rights fit no other
    /// ([`Setup::castling_mode`]). Without such rights it comes back in the standard mode, where the
    /// same moves are legal.
    pub fn set_start(&mut self, start: &AnyPosition) {
        let variant = start.variant();
        let mode = start.mode();
        if variant != Variant::Standard {
            self.set("Variant", variant.name());
        } else if mode == CastlingMode::Chess960 {
            self.set("Variant", "Chess960");
        } else {
            self.remove("Variant");
        }
        if *start == AnyPosition::start(variant) {
            self.remove("FEN");
            self.remove("SetUp");
        } else {
            let fen = start.fen();
            self.set("SetUp", "1");
            self.set("FEN", &fen);
        }
    }

    /// How much time the players had; `None` without the tag `TimeControl`, or where it makes no
    /// sense.
    ///
    /// ```
    /// use pgn::{Headers, TimeControlTag};
    ///
    /// let mut headers = Headers::new();
    /// headers.set("TimeControl", "40/7200:3600");
    /// let Some(TimeControlTag::Periods(periods)) = headers.time_control() else {
    ///     panic!("no time control");
    /// };
    /// assert_eq!((periods[0].moves, periods[1].seconds), (Some(40), 3600.0));
    /// ```
    pub fn time_control(&self) -> Option<TimeControlTag> {
        self.get("TimeControl")?.parse().ok()
    }

    /// When the game was played, as far as the tag `Date` tells it as the standard has it.
    #[cfg(feature = "command")]
    pub(crate) fn date(&self) -> Option<PartialDate> {
        self.get("Date")?.parse().ok()
    }

    /// The position that the tags `Variant` and `FEN` name.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn start(&self) -> Result<AnyPosition, String> {
        let (variant, mode) = variant_of(self.get("Variant").as_deref())?;
        match self.get("FEN") {
            Some(fen) => start_from_fen(&fen, variant, mode, Faults::PLAYABLE),
            None if mode == CastlingMode::Chess960 => {
                start_from_fen(variant.start_fen(), variant, mode, Faults::PLAYABLE)
            }
            None => Ok(AnyPosition::start(variant)),
        }
    }
}

/// An object with the tags in their order; of two with the same name, the last one counts.
impl Serialize for Headers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = self
            .iter()
            .map(|(name, value)| (name.to_str(), unescape(value)));
        serializer.collect_map(pairs.collect::<IndexMap<_, _>>())
    }
}

/// Whether a value of the tag `Variant` is one of the start positions of the Free Internet Chess
/// Server with the rules of standard chess.
pub fn is_wild(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    matches!(
        name.strip_prefix("wild/"),
        Some("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "8a")
    )
}

/// The variant and castling mode by the tag `Variant`.
///
/// # Errors
/// When the variant is unknown.
pub fn variant_of(name: Option<&str>) -> Result<(Variant, CastlingMode), String> {
    match name {
        None => Ok((Variant::Standard, CastlingMode::Standard)),
        Some(name) if is_name_of_chess960(name) => Ok((Variant::Standard, CastlingMode::Chess960)),
        Some(name) if is_wild(name) => Ok((Variant::Standard, CastlingMode::Standard)),
        Some(name) => match name.parse() {
            Ok(variant) => Ok((variant, CastlingMode::Standard)),
            Err(_) => Err(format!("unknown variant {name:?}")),
        },
    }
}

/// The same by an argument: the error lists the names, with that of Chess960, which is a variant here.
///
/// # Errors
/// When the variant is unknown.
pub fn variant_argument(name: &str) -> Result<(Variant, CastlingMode), String> {
    let unknown = || format!("{} chess960", UnknownVariant(name.to_owned()));
    variant_of(Some(name)).map_err(|_| unknown())
}

/// Reads a FEN. Castling rights that only Chess960 knows make it Chess960.
pub(super) fn start_from_fen(
    fen: &str,
    variant: Variant,
    mode: CastlingMode,
    ignored: Faults,
) -> Result<AnyPosition, String> {
    let setup = Setup::from_variant_fen(variant, fen).map_err(|error| error.to_string())?;
    let mode = match setup.castling_mode() {
        CastlingMode::Chess960 => CastlingMode::Chess960,
        CastlingMode::Standard => mode,
    };
    AnyPosition::from_setup_ignoring(variant, &setup, mode, ignored)
        .map_err(|error| error.to_string())
}
