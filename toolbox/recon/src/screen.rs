//! Boards with fog, for the terminal.

use common::{ascii, locale, window};
use engine_core::{Bitboard, Board as Pieces, Color, File, Piece, Rank, Square};
use std::borrow::Cow;
use std::io::{IsTerminal, stdout};

/// The columns of a board with three for each square.
const USUAL_WIDTH: usize = 2 + 8 * 3;

/// A board as one side sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    /// The pieces that are known or assumed.
    pub pieces: Pieces,
    /// The side at the bottom.
    pub bottom: Color,
    /// Squares in the fog: not sensed.
    pub fog: Bitboard,
    /// Squares of the last sense, shown in brackets.
    pub sensed: Bitboard,
    /// Squares of the last move, or of a capture, shown between stars.
    pub marked: Bitboard,
    /// Squares of pieces that are guessed, shown between question marks.
    pub guessed: Bitboard,
    /// What pieces and empty squares look like.
    pub signs: BoardSigns,
}

/// What pieces and empty squares look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BoardSigns {
    /// Figurines and blocks of fog.
    Unicode,
    /// Letters, as in FEN.
    Ascii,
}

/// How boards are shown on the terminal.
#[derive(clap::Args, Debug)]
pub(crate) struct ScreenArgs {
    /// Only ASCII characters: letters for pieces, `#` for fog, no accents [default where the locale is not one
    /// of UTF-8]
    #[arg(long)]
    ascii: bool,
}

impl ScreenArgs {
    pub(crate) fn signs(&self) -> BoardSigns {
        if self.ascii || !locale::is_unicode() {
            BoardSigns::Ascii
        } else {
            BoardSigns::Unicode
        }
    }
}

impl BoardSigns {
    /// A text with names.
    pub(crate) fn text(self, text: &str) -> Cow<'_, str> {
        match self {
            BoardSigns::Unicode => text.into(),
            BoardSigns::Ascii => ascii::of(text),
        }
    }

    pub(crate) fn piece(self, piece: Piece) -> char {
        match self {
            BoardSigns::Unicode => piece.figurine(),
            BoardSigns::Ascii => piece.letter(),
        }
    }

    /// An empty square.
    fn empty(self) -> char {
        match self {
            BoardSigns::Unicode => '·',
            BoardSigns::Ascii => '.',
        }
    }

    /// A square in the fog on which no piece was seen.
    pub(crate) fn fog(self) -> char {
        match self {
            BoardSigns::Unicode => '░',
            BoardSigns::Ascii => '#',
        }
    }
}

/// Columns of the terminal's window; in a pipe, lines may be of any length.
pub(crate) fn columns() -> usize {
    if stdout().is_terminal() {
        window::size().0
    } else {
        usize::MAX
    }
}

impl Screen {
    /// A board without fog or marks.
    pub(crate) fn new(pieces: Pieces, bottom: Color, signs: BoardSigns) -> Screen {
        Screen {
            pieces,
            bottom,
            fog: Bitboard::EMPTY,
            sensed: Bitboard::EMPTY,
            marked: Bitboard::EMPTY,
            guessed: Bitboard::EMPTY,
            signs,
        }
    }

    /// Nine lines, eight ranks and the names of the files, that fit the terminal's window.
    pub(crate) fn draw(&self) -> String {
        self.draw_in(columns())
    }

    /// The board for a window of so many columns: where three for a square are too many, one.
    fn draw_in(&self, columns: usize) -> String {
        let is_narrow = columns < USUAL_WIDTH;
        let mut ranks = Rank::ALL;
        let mut files = File::ALL;
        match self.bottom {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        let mut text = String::new();
        for rank in ranks {
            text.push(rank.digit());
            text.push(' ');
            for file in files {
                let [left, middle, right] = self.square(Square::new(file, rank));
                let is_empty = [self.signs.empty(), self.signs.fog()].contains(&middle);
                match (is_narrow, left) {
                    (false, _) => text.extend([left, middle, right]),
                    // What was captured there is gone.
                    (true, '*') if is_empty => text.push('*'),
                    (true, _) => text.push(middle),
                }
            }
            text.push('\n');
        }
        text += "  ";
        for file in files {
            if is_narrow {
                text.push(file.letter());
            } else {
                text.extend([' ', file.letter(), ' ']);
            }
        }
        text.push('\n');
        text
    }

    /// A square with what stands around its piece.
    fn square(&self, square: Square) -> [char; 3] {
        let (left, right) = if self.marked.has(square) {
            ('*', '*')
        } else if self.guessed.has(square) {
            ('?', '?')
        } else if self.sensed.has(square) {
            ('[', ']')
        } else {
            (' ', ' ')
        };
        let signs = self.signs;
        let middle = match self.pieces.piece_at(square) {
            Some(piece) => signs.piece(piece),
            None if self.fog.has(square) => signs.fog(),
            None => signs.empty(),
        };
        [left, middle, right]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::window;
    use crate::board::Board;

    #[test]
    fn fog_and_marks() {
        let mut screen = Screen::new(*Board::start().pieces(), Color::White, BoardSigns::Unicode);
        screen.fog = Rank::Fifth.bitboard();
        screen.sensed = window(Square::A1).collect();
        screen.marked = Square::A2.bitboard();
        let text = screen.draw_in(USUAL_WIDTH);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ ");
        assert_eq!(lines[3], "5  ░  ░  ░  ░  ░  ░  ░  ░ ");
        assert_eq!(lines[6], "2 *♙*[♙] ♙  ♙  ♙  ♙  ♙  ♙ ");
        assert_eq!(lines[7], "1 [♖][♘] ♗  ♕  ♔  ♗  ♘  ♖ ");
        assert_eq!(lines[8], "   a  b  c  d  e  f  g  h ");
        screen.bottom = Color::Black;
        assert!(screen.draw_in(80).starts_with("1  ♖  ♘  ♗  ♔  ♕  ♗ [♘][♖]"));
    }

    #[test]
    fn a_narrow_board() {
        let mut screen = Screen::new(*Board::start().pieces(), Color::White, BoardSigns::Unicode);
        screen.fog = Rank::Fifth.bitboard();
        screen.marked = Square::C5.bitboard() | Square::A2.bitboard();
        let text = screen.draw_in(USUAL_WIDTH - 1);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "8 ♜♞♝♛♚♝♞♜");
        assert_eq!(lines[3], "5 ░░*░░░░░");
        assert_eq!(lines[6], "2 ♙♙♙♙♙♙♙♙");
        assert_eq!(lines[8], "  abcdefgh");
    }

    #[test]
    fn a_board_of_ascii() {
        let mut screen = Screen::new(*Board::start().pieces(), Color::White, BoardSigns::Ascii);
        screen.fog = Rank::Fifth.bitboard();
        screen.marked = Square::C5.bitboard();
        let text = screen.draw_in(USUAL_WIDTH);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "8  r  n  b  q  k  b  n  r ");
        assert_eq!(lines[3], "5  #  # *#* #  #  #  #  # ");
        assert_eq!(lines[4], "4  .  .  .  .  .  .  .  . ");
        let narrow = screen.draw_in(USUAL_WIDTH - 1);
        assert_eq!(narrow.lines().nth(3), Some("5 ##*#####"));
    }
}
