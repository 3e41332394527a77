//! The command `edit`, by which protocol 1 sets up positions.

use engine_core::{Bitboard, Board, CastlingMode, Color, Piece, Setup, Square};

/// A position that is being set up.
pub(super) struct Editor {
    setup: Setup,
    color: Color,
}

impl Editor {
    /// Starts from a position. The commands name only squares, so that the side to move, pieces in hand and
    /// checks still to be given stay; en passant and clocks do not, as the protocol defines it.
    pub(super) fn new(mut setup: Setup) -> Editor {
        setup.en_passant = None;
        (setup.halfmoves, setup.fullmoves) = (0, 1);
        Editor {
            setup,
            color: Color::White,
        }
    }

    /// Handles a line other than the final dot: `#` clears, `c` changes colour, `Pa4` puts a
    /// piece, `xa4` empties a square. `None` for other lines, which change nothing.
    pub(super) fn line(&mut self, text: &str) -> Option<()> {
        let text = text.trim();
        match text {
            "#" => (self.setup.board, self.setup.promoted) = (Board::EMPTY, Bitboard::EMPTY),
            "c" => self.color = !self.color,
            _ => {
                let mut chars = text.chars();
                let letter = chars.next()?;
                let square: Square = chars.as_str().parse().ok()?;
                let piece = match letter {
                    'x' => None,
                    letter => Some(Piece::from_letter(letter)?.role.of(self.color)),
                };
                self.setup.promoted -= square.bitboard();
                match piece {
                    Some(piece) => self.setup.board.put(piece, square),
                    None => _ = self.setup.board.remove_at(square),
                }
            }
        }
        Some(())
    }

    /// The position. Kings and rooks on their start squares may castle, because the protocol cannot say
    /// otherwise.
    pub(super) fn finish(mut self, mode: CastlingMode) -> Setup {
        self.setup.castling = self.setup.board.occupied();
        self.setup.castling = self.setup.clean_castling(mode);
        self.setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Variant;

    #[test]
    fn sets_up() {
        let mut editor = Editor::new(Setup {
            turn: Color::Black,
            ..Setup::EMPTY
        });
        for line in ["#", "Ke1", "Rh1", "Pa4", "xa4", "c", "ke8", "qd8"] {
            editor.line(line).unwrap();
        }
        for line in ["nonsense", "Ze1", "Kz9", "K", ""] {
            assert!(editor.line(line).is_none(), "{line}");
        }
        let setup = editor.finish(CastlingMode::Standard);
        assert_eq!(setup.board.occupied().count(), 4);
        assert_eq!(setup.castling.count(), 1);
        assert_eq!(setup.turn, Color::Black);
    }

    #[test]
    fn only_squares_are_edited() {
        let edited = |variant, fen| {
            let mut editor = Editor::new(Setup::from_variant_fen(variant, fen).unwrap());
            for line in ["xh2", "qa8"] {
                editor.line(line).unwrap();
            }
            editor.finish(CastlingMode::Standard).fen()
        };
        assert_eq!(
            edited(
                Variant::Crazyhouse,
                "Q~Q~2k3/8/8/8/8/8/7P/4K2R[Nq] b - e3 5 9"
            ),
            "QQ~2k3/8/8/8/8/8/8/4K2R[Nq] b K - 0 1"
        );
        assert_eq!(
            edited(Variant::ThreeCheck, "4k3/8/8/8/8/8/7P/4K3 w - - 2+1 5 9"),
            "Q3k3/8/8/8/8/8/8/4K3 w - - 2+1 0 1"
        );
    }
}
