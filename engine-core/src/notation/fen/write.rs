//! Writing a FEN.

use crate::rules::{RemainingChecks, Rules};
use crate::types::ByColor;
use crate::{Bitboard, CastlingMode, Color, File, Position, Rank, Role, Setup, Square};
use alloc::string::String;
use core::fmt::{self, Write};

/// When an en passant square is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum EnPassant {
    /// When a pawn can legally capture there.
    #[default]
    Legal,
    /// When a pawn attacks the square, though it may be pinned, as in X-FEN.
    XFen,
    /// After every double step, as in the original FEN standard.
    Always,
}

/// How castling rights are written.
#[derive(Clone, Copy)]
enum Letters {
    /// `KQkq`; the file of the rook where it is not the outermost one.
    XFen,
    /// The files of the rooks, `HAha`.
    Shredder,
}

/// The board, and the FEN, which also shows what the board does not.
impl<R: Rules> fmt::Debug for Position<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.board(), self.full_fen())
    }
}

impl<R: Rules> Position<R> {
    /// The FEN with every en passant square, and with the castling letters of the position's mode.
    pub(crate) fn full_fen(&self) -> String {
        match self.mode() {
            CastlingMode::Standard => self.fen(EnPassant::Always),
            CastlingMode::Chess960 => self.shredder_fen(EnPassant::Always),
        }
    }

    /// The FEN, with the castling letters of X-FEN.
    ///
    /// ```
    /// use engine_core::notation::EnPassant;
    /// use engine_core::{Move, Position, Square};
    ///
    /// let mut position: Position = Position::start();
    /// position.play(Move::normal(Square::E2, Square::E4));
    /// let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    /// assert_eq!(position.fen(EnPassant::Legal), format!("{board} b KQkq - 0 1"));
    /// assert_eq!(position.fen(EnPassant::Always), format!("{board} b KQkq e3 0 1"));
    /// assert_eq!(position.shredder_fen(EnPassant::Legal), format!("{board} b HAha - 0 1"));
    /// assert_eq!(position.epd(EnPassant::Legal), format!("{board} b KQkq -"));
    /// ```
    pub fn fen(&self, en_passant: EnPassant) -> String {
        self.setup_with(en_passant).fen()
    }

    /// The FEN with the files of the rooks as castling letters.
    pub fn shredder_fen(&self, en_passant: EnPassant) -> String {
        self.setup_with(en_passant).shredder_fen()
    }

    /// The four fields of the FEN that an EPD begins with.
    pub fn epd(&self, en_passant: EnPassant) -> String {
        self.setup_with(en_passant).epd()
    }

    fn setup_with(&self, en_passant: EnPassant) -> Setup {
        let mut setup = self.to_setup();
        setup.en_passant = match en_passant {
            EnPassant::Always => self.en_passant(),
            EnPassant::XFen => self
                .en_passant()
                .filter(|&passed| self.en_passant_takers(passed).any()),
            EnPassant::Legal => self.legal_en_passant(),
        };
        setup.promoted = R::promoted_in_fen(&setup);
        setup
    }
}

impl Setup {
    /// The FEN of the setup with all its faults, with the castling letters of X-FEN.
    pub fn fen(&self) -> String {
        let mut text = self.epd();
        self.push_clocks(&mut text);
        text
    }

    /// The FEN of the setup with the files of the rooks as castling letters (Shredder-FEN).
    pub fn shredder_fen(&self) -> String {
        let mut text = self.four_fields(Letters::Shredder);
        self.push_clocks(&mut text);
        text
    }

    /// The four fields of the FEN that an EPD begins with.
    pub fn epd(&self) -> String {
        self.four_fields(Letters::XFen)
    }

    fn four_fields(&self, letters: Letters) -> String {
        let mut text = String::with_capacity(96);
        self.push_board(self.promoted, &mut text);
        if let Some(pockets) = self.pockets {
            // Writing to a string cannot fail.
            let _ = write!(text, "{pockets:?}");
        }
        text.push(' ');
        text.push(self.turn.letter());
        text.push(' ');
        self.push_castling(&mut text, letters);
        text.push(' ');
        match self.en_passant {
            Some(square) => {
                text.push(square.file().letter());
                text.push(square.rank().digit());
            }
            None => text.push('-'),
        }
        if let Some(RemainingChecks(ByColor([white, black]))) = self.checks {
            text.push(' ');
            push_number(&mut text, u32::from(white));
            text.push('+');
            push_number(&mut text, u32::from(black));
        }
        text
    }

    /// The first field alone, with `~` behind the pieces on these squares.
    pub fn board_fen(&self, promoted: Bitboard) -> String {
        let mut text = String::with_capacity(72);
        self.push_board(promoted, &mut text);
        text
    }

    fn push_board(&self, promoted: Bitboard, text: &mut String) {
        for rank in Rank::ALL.into_iter().rev() {
            if rank != Rank::Eighth {
                text.push('/');
            }
            let mut empty = 0;
            for file in File::ALL {
                let square = Square::new(file, rank);
                match self.board.piece_at(square) {
                    None => empty += 1,
                    Some(piece) => {
                        push_empty(text, empty);
                        empty = 0;
                        text.push(piece.letter());
                        if promoted.has(square) {
                            text.push('~');
                        }
                    }
                }
            }
            push_empty(text, empty);
        }
    }

    fn push_castling(&self, text: &mut String, letters: Letters) {
        let before = text.len();
        for color in Color::ALL {
            let mut rooks = self.castling & color.backrank().bitboard();
            // From the h-file to the a-file: the king's side first.
            while let Some(rook) = rooks.last() {
                rooks -= rook.bitboard();
                let letter = match letters {
                    Letters::Shredder => Some(rook.file().letter()),
                    Letters::XFen => self.xfen_letter(color, rook),
                };
                text.extend(letter.map(|letter| match color {
                    Color::White => letter.to_ascii_uppercase(),
                    Color::Black => letter,
                }));
            }
        }
        if text.len() == before {
            text.push('-');
        }
    }

    /// `k` or `q` for the outermost rook on that side of the king, else the file of the rook. `None`
    /// unless there is exactly one king.
    fn xfen_letter(&self, color: Color, rook: Square) -> Option<char> {
        let king = (self.board.pieces(color, Role::King) - self.promoted).single()?;
        let rooks = self.board.pieces(color, Role::Rook) & color.backrank().bitboard();
        Some(if rook > king && rooks.last() == Some(rook) {
            'k'
        } else if rook < king && rooks.first() == Some(rook) {
            'q'
        } else {
            rook.file().letter()
        })
    }

    fn push_clocks(&self, text: &mut String) {
        text.push(' ');
        push_number(text, self.halfmoves);
        text.push(' ');
        push_number(text, self.fullmoves);
    }
}

/// Adds the number of empty squares, if there are any.
fn push_empty(text: &mut String, count: u8) {
    if count > 0 {
        text.push(char::from(b'0' + count));
    }
}

fn push_number(text: &mut String, number: u32) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}
