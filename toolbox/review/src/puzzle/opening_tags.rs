//! The opening of a puzzle, as lichess tags it.

use pgn::Opening;
use unicode_normalization::UnicodeNormalization;

/// Only puzzles that start before this move have tags (<https://database.lichess.org/#puzzles>).
const FIRST_MOVE_WITHOUT: u32 = 20;
/// The variation of an opening whose name has none.
const OTHER_VARIATIONS: &str = "Other variations";

/// The family and its variation, as lila's `SimpleOpening` has them, for a puzzle that starts at
/// this move: `Ruy_Lopez Ruy_Lopez_Morphy_Defense`. What follows a comma in the variation is left
/// out.
pub(super) fn opening_tags(opening: Option<Opening>, first_move: u32) -> String {
    let Some(opening) = opening.filter(|_| first_move < FIRST_MOVE_WITHOUT) else {
        return String::new();
    };
    let family = opening.family();
    let variation = opening.variation().unwrap_or(OTHER_VARIATIONS);
    let variation = variation.split(',').next().unwrap_or_default();
    format!("{} {}", tag(family), tag(&format!("{family} {variation}")))
}

/// A name as a tag, as scalachess's `nameToKey` makes it: letters without their accents, and of
/// other characters only those of ASCII words and the hyphen.
fn tag(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_kept = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    words.join("_").nfd().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::read_tree;

    fn tags(moves: &str, first_move: u32) -> String {
        let (tree, _) = read_tree(moves.as_bytes()).unwrap();
        opening_tags(Opening::of_tree(&tree), first_move)
    }

    /// The expected tags are those of lichess's puzzles.
    #[test]
    fn family_and_variation() {
        for (moves, expected) in [
            (
                "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 Nf6 5. Nc3 d6",
                "Italian_Game Italian_Game_Giuoco_Pianissimo",
            ),
            (
                "1. e4 e5 2. Nf3 Nc6 3. d4",
                "Scotch_Game Scotch_Game_Other_variations",
            ),
            (
                "1. e4 e5 2. Nf3 Nc6 3. d4 exd4 4. c3",
                "Scotch_Game Scotch_Game_Goring_Gambit",
            ),
            (
                "1. d4 Nf6 2. c4 c5 3. d5 b5 4. e4",
                "Benko_Gambit_Declined Benko_Gambit_Declined_Hjrring_Countergambit",
            ),
            (
                "1. e4 c6",
                "Caro-Kann_Defense Caro-Kann_Defense_Other_variations",
            ),
        ] {
            assert_eq!(tags(moves, 10), expected);
        }
    }

    #[test]
    fn late_puzzles_and_unknown_openings_have_none() {
        let moves = "1. e4 c6";
        assert!(!tags(moves, 19).is_empty());
        assert_eq!(tags(moves, 20), "");
        assert_eq!(opening_tags(None, 5), "");
    }
}
