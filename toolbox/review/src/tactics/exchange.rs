//! Static exchange by legal moves: exact about pins and checks, and slow; searches have their own.

use engine_core::{AnyPosition, Move, Role, Square};

/// The worth of a piece in centipawns; kings are not exchanged.
pub(crate) const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// The material in centipawns that the side to move wins by captures on a square, as long as they
/// pay.
pub(crate) fn wins_on(position: &AnyPosition, square: Square) -> i32 {
    let Some(m) = least_valuable_capture(position, square) else {
        return 0;
    };
    let captured = position.captured(m).map_or(0, value);
    let promoted = m
        .promoted()
        .map_or(0, |role| value(role) - value(Role::Pawn));
    // Every capture takes a piece from the board, so this ends.
    (captured + promoted - wins_on(&position.after(m), square)).max(0)
}

fn least_valuable_capture(position: &AnyPosition, square: Square) -> Option<Move> {
    let moves = position.legal_moves();
    let captures = moves.iter().copied();
    let captures = captures.filter(|&m| m.to() == square && position.is_capture(m));
    // Of promotions the best, which is what is made.
    captures.min_by_key(|m| {
        let capturer = position.board().role_at(m.from());
        let worth = capturer.map_or(0, |role| match role {
            Role::King => i32::MAX / 2,
            role => value(role),
        });
        worth - m.promoted().map_or(0, value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{CastlingMode, Variant};

    #[test]
    fn exchanges() {
        for (fen, square, won) in [
            // An undefended knight, one that a pawn defends, and one that a rook takes twice.
            ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "d5", 300),
            ("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "d5", 0),
            ("4k3/8/4p3/3n4/8/8/3R4/3RK3 w - - 0 1", "d5", 0),
            ("4k3/8/4p3/3n4/4P3/8/8/3RK3 w - - 0 1", "d5", 300),
            // The defender is pinned.
            ("4k3/8/4p3/3n4/8/8/4R3/3RK3 w - - 0 1", "d5", 300),
            ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "d8", 1300),
        ] {
            let position = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard);
            assert_eq!(
                wins_on(&position.unwrap(), square.parse().unwrap()),
                won,
                "{fen}"
            );
        }
    }
}
