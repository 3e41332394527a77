//! Numbers with their noun, in the singular or plural.

use std::fmt::Display;

/// `1 game`, `2 games`, `3 plies`.
pub fn count<N: Display + Copy + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    if number == N::from(1) {
        return format!("1 {noun}");
    }
    match noun.strip_suffix('y') {
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        let texts = [0_u64, 1, 2].map(|number| count(number, "game"));
        assert_eq!(texts, ["0 games", "1 game", "2 games"]);
        let texts = [0_usize, 1, 2].map(|number| count(number, "ply"));
        assert_eq!(texts, ["0 plies", "1 ply", "2 plies"]);
    }
}
