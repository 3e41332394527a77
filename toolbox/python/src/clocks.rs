//! Clocks of any size, as Python's integers have them.

use engine_core::notation::{whole_number, words};

/// A FEN with the clocks of the text that it came from, which may be greater than any that a
/// position counts to.
pub(crate) fn with_clocks(fen: &str, source: &str) -> String {
    let mut numbers = words(source).skip(4).filter_map(whole_number);
    let halfmoves = numbers.next().unwrap_or_else(|| "0".to_owned());
    let fullmoves = numbers.next().filter(|number| number != "0");
    let fullmoves = fullmoves.unwrap_or_else(|| "1".to_owned());
    let fields = fen.rsplitn(3, ' ').nth(2).unwrap_or(fen);
    format!("{fields} {halfmoves} {fullmoves}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_of_any_size() {
        let board = "8/8/8/8/8/8/8/8 w - -";
        let long = "9".repeat(30);
        let fen = with_clocks(&format!("{board} 5 7"), &format!("{board} 00{long} 0"));
        assert_eq!(fen, format!("{board} {long} 1"));
    }
}
