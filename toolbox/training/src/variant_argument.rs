//! The variant of a file of training data, as an argument.

use engine_core::{UnknownVariant, Variant, is_name_of_chess960};

/// Reads a variant. Chess960 is none here: its games are a part of those of standard chess, with the
/// same weights.
pub(crate) fn variant(name: &str) -> Result<Variant, String> {
    if is_name_of_chess960(name) {
        let why = "no file has games of Chess960 alone; they are a quarter of those of \"chess\"";
        return Err(why.to_owned());
    }
    name.parse()
        .map_err(|error: UnknownVariant| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess960_is_a_part_of_chess() {
        assert_eq!(variant("chess"), Ok(Variant::Standard));
        assert_eq!(variant("atomic"), Ok(Variant::Atomic));
        assert!(variant("Fischerandom").unwrap_err().contains("a quarter"));
        assert!(variant("x").is_err());
    }
}
