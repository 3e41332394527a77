//! Names of openings: those collected by lichess, by position, so that a transposition has the name
//! of the opening that it leads to.

#[cfg_attr(feature = "packed", path = "packed.rs")]
mod table;

use crate::Tree;
use engine_core::{AnyPosition, Game};
use std::fmt;

/// An opening that has a name.
///
/// ```
/// use engine_core::{AnyPosition, Variant};
/// use pgn::Opening;
///
/// let mut position = AnyPosition::start(Variant::Standard);
/// for san in ["c4", "e6", "d4", "d5"] {
///     position.play(position.parse_san(san)?);
/// }
/// let opening = Opening::of(&position).ok_or("no name")?;
/// assert_eq!((opening.eco(), opening.family()), ("D30", "Queen's Gambit Declined"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opening(u16);

impl Opening {
    /// The opening whose name a position has.
    #[inline]
    pub fn of(position: &AnyPosition) -> Option<Opening> {
        match position {
            AnyPosition::Standard(position) => Opening::by_key(position.key()),
            _ => None,
        }
    }

    /// The opening whose name a position of standard chess has, by its Zobrist key.
    #[inline]
    pub fn by_key(key: u64) -> Option<Opening> {
        table::index_of(key).map(Opening)
    }

    /// The opening of a game: the last of its positions that has a name.
    pub fn of_game(game: &Game) -> Option<Opening> {
        let before = game.plies().map(|(before, _)| Opening::of(before));
        let last = before.flatten().last();
        Opening::of(game.position()).or(last)
    }

    /// The opening of the main line of a game with variations.
    pub fn of_tree(tree: &Tree) -> Option<Opening> {
        let mut position = tree.start?;
        let mut last = Opening::of(&position);
        for id in tree.main_line(tree.root()) {
            position.play_or_pass(tree.move_to(id));
            last = Opening::of(&position).or(last);
        }
        last
    }

    /// Code and name with a blank between.
    fn text(self) -> &'static str {
        table::text(usize::from(self.0))
    }

    /// The code of the Encyclopaedia of Chess Openings.
    pub fn eco(self) -> &'static str {
        self.text().get(..3).unwrap_or_default()
    }

    /// The whole name, such as `Ruy Lopez: Marshall Attack`.
    pub fn name(self) -> &'static str {
        self.text().get(4..).unwrap_or_default()
    }

    /// The opening without its variation: `Ruy Lopez`.
    pub fn family(self) -> &'static str {
        self.name().split(": ").next().unwrap_or_default()
    }

    /// The tags that name it in a game: `ECO`, `Opening`, and `Variation` if it is one.
    pub fn tags(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let variation = self.variation().map(|name| ("Variation", name));
        [("ECO", self.eco()), ("Opening", self.family())]
            .into_iter()
            .chain(variation)
    }

    /// The variation, if the name has one: `Marshall Attack`.
    pub fn variation(self) -> Option<&'static str> {
        Some(self.name().split_once(": ")?.1)
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco(), self.name())
    }
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_tree;

    #[test]
    fn every_line_of_the_data_has_its_name() {
        let mut lines = 0;
        for volume in ["a", "b", "c", "d", "e"] {
            let path = format!("{}/data/eco/{volume}.tsv", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            for line in text.lines().skip(1) {
                let [eco, name, moves] = line.split('\t').collect::<Vec<_>>()[..] else {
                    panic!("{line}");
                };
                let (tree, _) = read_tree(moves.as_bytes()).unwrap();
                let opening = Opening::of_tree(&tree).unwrap();
                assert_eq!((opening.eco(), opening.name()), (eco, name));
                lines += 1;
            }
        }
        assert_eq!(lines, table::count());
    }

    #[test]
    fn what_follows_the_last_name_keeps_it() {
        let name = |moves: &str| Opening::of_tree(&read_tree(moves.as_bytes()).unwrap().0);
        let opening =
            name("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Kh1 Rb8").unwrap();
        assert_eq!((opening.eco(), opening.family()), ("C84", "Ruy Lopez"));
        assert_eq!(name("[Variant \"Atomic\"]\n\n1. e4 e5 *"), None);
        assert_eq!(
            name("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *"),
            None
        );
    }
}
