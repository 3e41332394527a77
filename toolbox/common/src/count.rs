//! Numbers of things in words.

/// `1 game`, `2 games`.
pub fn count(number: impl Into<u64>, noun: &str) -> String {
    match number.into() {
        1 => format!("1 {noun}"),
        number => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many() {
        let texts = [0_u64, 1, 2].map(|number| count(number, "game"));
        assert_eq!(texts, ["0 games", "1 game", "2 games"]);
    }
}
