//! Boards and sets of squares in plain characters.

use engine_core::{Bitboard, Board, Color, File, Piece, Rank, Square};

/// How a board is drawn in characters, eight lines from the top of the board to the bottom.
///
/// ```
/// use diagram::TextBoard;
/// use engine_core::Position;
///
/// let start: Position = Position::start();
/// let text = TextBoard::ASCII.draw(start.board());
/// assert_eq!(text.lines().next(), Some("r n b q k b n r"));
/// let figurines = TextBoard::FIGURINES.draw(start.board());
/// assert_eq!(figurines.lines().last(), Some("♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextBoard {
    /// Figurines, or the letters of FEN.
    pub figurines: bool,
    /// White figurines for black pieces and the other way round, for light text on dark ground.
    pub invert: bool,
    /// The frame around the squares.
    pub frame: TextFrame,
    /// The side at the bottom.
    pub orientation: Color,
    /// The character of an empty square.
    pub empty: char,
}

/// The frame around the squares of a board in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextFrame {
    /// Nothing.
    None,
    /// The names of ranks and files.
    Coordinates,
    /// The names, and lines around each square.
    Lines,
}

impl TextBoard {
    /// Letters of FEN and dots.
    pub const ASCII: TextBoard = TextBoard {
        figurines: false,
        invert: false,
        frame: TextFrame::None,
        orientation: Color::White,
        empty: '.',
    };

    /// Figurines and circles.
    pub const FIGURINES: TextBoard = TextBoard {
        figurines: true,
        empty: '⭘',
        ..TextBoard::ASCII
    };

    /// The board as text, without a line end after its last line.
    pub fn draw(self, board: &Board) -> String {
        self.lay_out(|square| match board.piece_at(square) {
            None => self.empty,
            Some(piece) if !self.figurines => piece.letter(),
            Some(Piece { color, role }) if self.invert => role.of(!color).figurine(),
            Some(piece) => piece.figurine(),
        })
    }

    /// A set of squares as `1` and `.`, laid out as the board is.
    ///
    /// ```
    /// use diagram::TextBoard;
    /// use engine_core::Bitboard;
    ///
    /// let text = TextBoard::ASCII.draw_set(Bitboard::FILE_A);
    /// assert!(text.lines().all(|line| line == "1 . . . . . . ."));
    /// ```
    pub fn draw_set(self, set: Bitboard) -> String {
        self.lay_out(|square| if set.has(square) { '1' } else { '.' })
    }

    fn lay_out(self, mark: impl Fn(Square) -> char) -> String {
        let (mut ranks, mut files) = (Rank::ALL, File::ALL);
        match self.orientation {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        let rule = format!("  {}", "-".repeat(17));
        let separator = match self.frame {
            TextFrame::Lines => "|",
            TextFrame::None | TextFrame::Coordinates => " ",
        };
        let mut lines = Vec::with_capacity(18);
        for rank in ranks {
            let marks = files.map(|file| mark(Square::new(file, rank)).to_string());
            let row = marks.join(separator);
            match self.frame {
                TextFrame::None => lines.push(row),
                TextFrame::Coordinates => lines.push(format!("{} {row}", rank.digit())),
                TextFrame::Lines => {
                    lines.push(rule.clone());
                    lines.push(format!("{} |{row}|", rank.digit()));
                }
            }
        }
        let names = files.map(|file| file.letter().to_string()).join(" ");
        match self.frame {
            TextFrame::None => {}
            TextFrame::Coordinates => lines.push(format!("  {names}")),
            TextFrame::Lines => lines.extend([rule, format!("   {names}")]),
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Position;

    #[test]
    fn borders_and_orientation() {
        let start: Position = Position::start();
        let view = TextBoard {
            frame: TextFrame::Lines,
            orientation: Color::Black,
            invert: true,
            ..TextBoard::FIGURINES
        };
        let text = view.draw(start.board());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 18);
        assert_eq!(lines[0], "  -----------------");
        assert_eq!(lines[1], "1 |♜|♞|♝|♚|♛|♝|♞|♜|");
        assert_eq!(lines[7], "4 |⭘|⭘|⭘|⭘|⭘|⭘|⭘|⭘|");
        assert_eq!(lines[17], "   h g f e d c b a");
        let plain = TextBoard {
            frame: TextFrame::Coordinates,
            ..TextBoard::ASCII
        };
        let text = plain.draw(start.board());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 9);
        assert_eq!(lines[0], "8 r n b q k b n r");
        assert_eq!(lines[8], "  a b c d e f g h");
    }

    #[test]
    fn sets_have_the_layout_of_the_board() {
        let view = TextBoard {
            frame: TextFrame::Coordinates,
            orientation: Color::Black,
            ..TextBoard::FIGURINES
        };
        let text = view.draw_set(Square::A1.into());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "1 . . . . . . . 1");
        assert_eq!(lines[8], "  h g f e d c b a");
    }
}
