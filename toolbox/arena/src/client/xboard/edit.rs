//! Positions for engines without `setboard`: the older command `edit`.

use engine_core::{AnyPosition, Color, Fault, Role, Setup, Square};

/// The commands that set up a position after `new` and `force`; the prefix is that of moves.
///
/// # Errors
/// When `edit` cannot express the position.
pub(super) fn lines(position: &AnyPosition, prefix: &str) -> Result<Vec<String>, &'static str> {
    let (setup, mode) = (position.to_setup(), position.mode());
    let start = AnyPosition::start(position.variant()).to_setup();
    let playable = position.legal_en_passant();
    // Engines take rights as they can be when `edit` is left.
    let complete = Setup {
        castling: home_rooks(&setup),
        ..setup.clone()
    };
    if playable.is_some()
        || complete.clean_castling(mode) != setup.castling
        || setup.standard_faults(mode).has(Fault::BadCastlingRights)
        // These stay as they are at the start.
        || (setup.promoted, setup.pockets, setup.checks)
            != (start.promoted, start.pockets, start.checks)
    {
        return Err("without the feature setboard it cannot set up this position");
    }
    let mut lines = Vec::new();
    if setup.turn == Color::Black {
        // `edit` does not change the turn; this move makes it Black's.
        lines.push(format!("{prefix}a2a3"));
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

    fn position(variant: Variant, fen: &str) -> AnyPosition {
        AnyPosition::from_fen(variant, fen, CastlingMode::Standard).unwrap()
    }

    fn edit(fen: &str) -> Result<Vec<String>, &'static str> {
        lines(&position(Variant::Standard, fen), "")
    }

    #[test]
    fn positions() {
        let black = edit("r3k3/8/8/8/8/8/P7/4K2R b Kq - 0 1").unwrap();
        let expected = "a2a3 edit # Ke1 Rh1 Pa2 c Ra8 Ke8 .";
        assert_eq!(black.join(" "), expected);
        assert!(edit("4k3/8/8/8/8/8/8/4K2R w - - 0 1").is_err());
        assert!(edit("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").is_err());
    }

    #[test]
    fn the_move_for_the_turn_is_written_as_moves_are() {
        let black = position(Variant::Standard, "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
        let lines = lines(&black, "usermove ").unwrap();
        assert_eq!(lines[..2], ["usermove a2a3", "edit"]);
    }

    #[test]
    fn what_the_board_does_not_show() {
        use Variant::{Crazyhouse, ThreeCheck};
        for (variant, fen) in [
            (Crazyhouse, "4k3/8/8/8/8/8/8/Q3K3[] w - - 0 1"),
            (ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1"),
        ] {
            assert!(lines(&position(variant, fen), "").is_ok(), "{fen}");
        }
        for (variant, fen) in [
            (Crazyhouse, "4k3/8/8/8/8/8/8/Q3K3[p] w - - 0 1"),
            (Crazyhouse, "4k3/8/8/8/8/8/8/Q~3K3[] w - - 0 1"),
            (ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 3+1 0 1"),
        ] {
            assert!(lines(&position(variant, fen), "").is_err(), "{fen}");
        }
    }
}
