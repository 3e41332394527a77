//! The command `edit`, by which protocol 1 sets up positions.

use engine_core::{Board, CastlingMode, Color, Piece, Setup, Square};

/// A board that is being set up.
pub(super) struct Editor {
    board: Board,
    color: Color,
}

impl Editor {
    /// Starts from the pieces of a board.
    pub(super) fn new(board: Board) -> Editor {
        Editor {
            board,
            color: Color::White,
        }
    }

    /// Handles a line other than the final dot: `#` clears, `c` changes colour, `Pa4` puts a
    /// piece, `xa4` empties a square. `None` for other lines, which change nothing.
    pub(super) fn line(&mut self, text: &str) -> Option<()> {
        let text = text.trim();
        match text {
            "#" => self.board = Board::EMPTY,
            "c" => self.color = !self.color,
            _ => {
                let mut chars = text.chars();
                let letter = chars.next()?;
                let square: Square = chars.as_str().parse().ok()?;
                let piece = match letter {
                    'x' => None,
                    letter => Some(Piece::from_letter(letter)?.role.of(self.color)),
                };
                self.board.remove_at(square);
                if let Some(piece) = piece {
                    self.board.put(piece, square);
                }
            }
        }
        Some(())
    }

    /// The position with this side to move. Kings and rooks on their start squares may castle, because
    /// the protocol cannot say otherwise.
    pub(super) fn finish(self, turn: Color, mode: CastlingMode) -> Setup {
        let mut setup = Setup {
            board: self.board,
            turn,
            castling: self.board.occupied(),
            ..Setup::EMPTY
        };
        setup.castling = setup.clean_castling(mode);
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_up() {
        let mut editor = Editor::new(Board::EMPTY);
        for line in ["#", "Ke1", "Rh1", "Pa4", "xa4", "c", "ke8", "qd8"] {
            editor.line(line).unwrap();
        }
        for line in ["nonsense", "Ze1", "Kz9", "K", ""] {
            assert!(editor.line(line).is_none(), "{line}");
        }
        let setup = editor.finish(Color::Black, CastlingMode::Standard);
        assert_eq!(setup.board.occupied().count(), 4);
        assert_eq!(setup.castling.count(), 1);
        assert_eq!(setup.turn, Color::Black);
    }
}
