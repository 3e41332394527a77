//! Which tables there are, each after those that its captures and promotions lead to.

use crate::Material;
use crate::syzygy::Family;
use engine_core::{Color, Role};

/// The most pieces of material that can be solved.
pub const MAX_PIECES: u32 = 4;

/// All material of three to this many pieces, as its tables are named.
///
/// ```
/// use tablebases::generate::materials;
///
/// let names: Vec<String> = materials(3).iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
/// assert_eq!(materials(4).len(), 35);
/// ```
pub fn materials(pieces: u32) -> Vec<Material> {
    const ROLES: [Role; 5] = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let mut ordered = Vec::new();
    let kings: Material = "KvK".parse().unwrap_or_default();
    let mut last = vec![kings];
    for _ in 2..pieces.min(MAX_PIECES) {
        let mut next: Vec<Material> = Vec::new();
        for material in &last {
            for color in Color::ALL {
                for role in ROLES {
                    let material = material.with(role.of(color)).normalized();
                    if !next.contains(&material) {
                        next.push(material);
                    }
                }
            }
        }
        ordered.extend(&next);
        last = next;
    }
    with_children(&ordered)
}

/// Some material, and before each what its captures and promotions lead to.
pub fn with_children(materials: &[Material]) -> Vec<Material> {
    let mut ordered = Vec::new();
    for &material in materials {
        add_after_children(material.normalized(), &mut ordered);
    }
    ordered
}

/// Adds material that is not there yet.
fn add_after_children(material: Material, ordered: &mut Vec<Material>) {
    if material.pieces() < 3 || ordered.contains(&material) {
        return;
    }
    for child in Family::Standard.children(material) {
        add_after_children(child, ordered);
    }
    ordered.push(material);
}
