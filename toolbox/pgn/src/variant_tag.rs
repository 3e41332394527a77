//! The tag `Variant`, which may say that the variant is unknown.

#[cfg(feature = "command")]
use super::Headers;
#[cfg(feature = "command")]
use std::borrow::Cow;

/// Whether a value of the tag `Variant` names none: the standard has `?` for what is unknown, and
/// `-` for what there is not.
pub(crate) fn names_no_variant(value: &str) -> bool {
    matches!(value.trim(), "" | "?" | "-")
}

#[cfg(feature = "command")]
impl Headers {
    /// The name of the variant, if the tag `Variant` has one; chess otherwise.
    pub(crate) fn variant_name(&self) -> Cow<'_, str> {
        let name = self.get("Variant").filter(|name| !names_no_variant(name));
        name.unwrap_or("Standard".into())
    }
}
