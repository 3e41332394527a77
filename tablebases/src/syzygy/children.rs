//! Which tables another one needs: those of the material after a capture or promotion.

use super::Family;
use crate::Material;
use engine_core::{Color, Piece, Role};

impl Family {
    /// The material after a capture or promotion, normalized, each once.
    pub(crate) fn children(self, material: Material) -> Vec<Material> {
        // Whether kings can be captured and promoted to.
        let kings = self.must_capture();
        let mut children = Vec::new();
        for (piece, _) in material.iter() {
            let Some(rest) = material.without(piece) else {
                continue;
            };
            if (kings || piece.role != Role::King) && rest.side(piece.color) > 0 {
                if self == Family::Atomic {
                    children.extend(after_explosion(rest, !piece.color));
                } else {
                    children.push(rest);
                }
            }
            if piece.role == Role::Pawn {
                let becomes = Role::ALL.into_iter().filter(|&role| match role {
                    Role::Pawn => false,
                    Role::King => kings,
                    _ => true,
                });
                children.extend(becomes.map(|role| rest.with(role.of(piece.color))));
            }
        }
        for child in &mut children {
            *child = child.normalized();
        }
        children.sort_unstable();
        children.dedup();
        children
    }
}

/// What a capture by a side may leave in Atomic of the pieces but the captured one: the one that
/// captures goes, and so may all others but pawns. Without a king the game is over.
fn after_explosion(material: Material, by: Color) -> Vec<Material> {
    let captures = |piece: Piece| piece.color == by && piece.role != Role::King;
    let burns = |piece: Piece| !matches!(piece.role, Role::King | Role::Pawn);
    let capturing = material.iter().filter(|&(piece, _)| captures(piece));
    let mut left: Vec<_> = capturing
        .filter_map(|(piece, _)| material.without(piece))
        .collect();
    let mut at = 0;
    while let Some(&material) = left.get(at) {
        for (piece, _) in material.iter().filter(|&(piece, _)| burns(piece)) {
            let less = material.without(piece);
            left.extend(less.filter(|less| !left.contains(less)));
        }
        at += 1;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_captures_and_promotions() {
        let names = |name: &str, family: Family| {
            let mut names: Vec<_> = family
                .children(name.parse().unwrap())
                .iter()
                .map(ToString::to_string)
                .collect();
            names.sort();
            names
        };
        assert_eq!(
            names("KPvK", Family::Standard),
            ["KBvK", "KNvK", "KQvK", "KRvK", "KvK"]
        );
        assert_eq!(names("KRvKB", Family::Standard), ["KBvK", "KRvK"]);
        assert_eq!(names("KBvK", Family::Giveaway), ["KvB", "KvK"]);
        // If the pawn captures, White's rook may stand beside; pawns beside stay.
        let promotions = ["KQRvKR", "KRBvKR", "KRNvKR", "KRRvKR"];
        let captures = |name: &String| !promotions.contains(&name.as_str());
        let left: Vec<_> = names("KRPvKR", Family::Atomic)
            .into_iter()
            .filter(captures)
            .collect();
        assert_eq!(left, ["KPvK", "KRvK", "KvK"]);
    }
}
