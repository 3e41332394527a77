//! Positions for engines without `setboard`: the older command `edit`.

use engine_core::{AnyPosition, Color, Fault, Role, Setup, Square};

/// The commands that set up a position after `new` and `force`.
///
/// # Errors
/// When `edit` cannot express the position.
pub(super) fn lines(position: &AnyPosition) -> Result<Vec<String>, &'static str> {
    let (setup, mode) = (position.to_setup(), position.mode());
    let playable = position.legal_en_passant();
    // Engines take rights as they can be when `edit` is left.
    let complete = Setup {
        castling: home_rooks(&setup),
        ..setup.clone()
    };
    if playable.is_some()
        || complete.clean_castling(mode) != setup.castling
        || setup.standard_faults(mode).has(Fault::BadCastlingRights)
    {
        return Err("without the feature setboard it cannot set up this position");
    }
    let mut lines = Vec::new();
    if setup.turn == Color::Black {
        // `edit` does not change the turn; this move makes it Black's.
        lines.push("a2a3".to_owned());
    }
    lines.push("edit".to_owned());
    lines.push("#".to_owned());
    for color in Color::ALL {
        if color == Color::Black {
            lines.push("c".to_owned());
        }
        for (square, piece) in setup.board.iter() {
            if piece.color == color {
                lines.push(format!("{}{square}", piece.role.upper()));
            }
        }
    }
    lines.push(".".to_owned());
    Ok(lines)
}

/// The rooks in the corners, which may castle as far as their places show.
fn home_rooks(setup: &Setup) -> engine_core::Bitboard {
    let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
    let rooks = setup.board.role(Role::Rook);
    corners
        .into_iter()
        .filter(|&corner| rooks.has(corner))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{CastlingMode, Variant};

    fn edit(fen: &str) -> Result<Vec<String>, &'static str> {
        let position = AnyPosition::from_fen(Variant::Standard, fen, CastlingMode::Standard);
        lines(&position.unwrap())
    }

    #[test]
    fn positions() {
        let black = edit("r3k3/8/8/8/8/8/P7/4K2R b Kq - 0 1").unwrap();
        let expected = "a2a3 edit # Ke1 Rh1 Pa2 c Ra8 Ke8 .";
        assert_eq!(black.join(" "), expected);
        assert!(edit("4k3/8/8/8/8/8/8/4K2R w - - 0 1").is_err());
        assert!(edit("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").is_err());
    }
}
