//! Bitmaps of the pieces, for squares that are large enough. A character is two pixels high.

use engine_core::Role;

/// Rows and columns of a bitmap.
pub(super) const SIZE: u16 = 7;

/// Whether a pixel belongs to the piece.
pub(super) fn has_pixel(role: Role, column: u16, row: u16) -> bool {
    let lines = picture(role);
    let line = lines.get(usize::from(row));
    line.and_then(|line| line.as_bytes().get(usize::from(column))) == Some(&b'#')
}

fn picture(role: Role) -> [&'static str; SIZE as usize] {
    match role {
        Role::Pawn => [
            ".......", "...#...", "..###..", "...#...", "..###..", "..###..", ".#####.",
        ],
        Role::Knight => [
            "...##..", "..####.", ".##.###", "#######", "##.####", "..####.", ".######",
        ],
        Role::Bishop => [
            "...#...", "..###..", ".##.##.", ".#...#.", ".##.##.", "..###..", "#######",
        ],
        Role::Rook => [
            "##.#.##", "#######", ".#####.", "..###..", "..###..", ".#####.", "#######",
        ],
        Role::Queen => [
            "#..#..#", "#..#..#", "##.#.##", "#######", ".#####.", ".......", ".#####.",
        ],
        Role::King => [
            "...#...", "..###..", "...#...", "##.#.##", "#######", ".#####.", "#######",
        ],
    }
}
