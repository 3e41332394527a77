//! FEN.

use crate::{Bitboard, CastlingMode, Color, File, Piece, Rank, Role, Setup, Square};

impl Setup {
    /// Reads a FEN.
    pub fn from_fen(text: &str) -> Result<Setup, String> {
        let mut s = Setup::EMPTY;
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (mut f, mut r) = (0i8, 7i8);
        for c in fields[0].chars() {
            match c {
                '/' => {
                    f = 0;
                    r -= 1;
                }
                '1'..='8' => f += c as i8 - '0' as i8,
                _ => {
                    let sq = Square::A1.offset(f, r).ok_or("bad")?;
                    s.board.put(Piece::from_letter(c).ok_or("bad")?, sq);
                    f += 1;
                }
            }
        }
        s.turn = Color::from_white(fields.get(1) != Some(&"b"));
        for c in fields.get(2).unwrap_or(&"-").chars() {
            let color = Color::from_white(c.is_ascii_uppercase());
            let rank = color.backrank();
            let rooks = s.board.pieces(color, Role::Rook) & rank.bitboard();
            let rook = match c.to_ascii_lowercase() {
                'k' => rooks.last(),
                'q' => rooks.first(),
                c => File::from_letter(c).map(|f| Square::new(f, rank)),
            };
            s.castling |= rook.map_or(Bitboard::EMPTY, Square::bitboard);
        }
        let _ = (CastlingMode::Standard, Rank::First);
        s.en_passant = fields.get(3).and_then(|t| t.parse().ok());
        s.halfmoves = fields.get(4).and_then(|t| t.parse().ok()).unwrap_or(0);
        s.fullmoves = fields.get(5).and_then(|t| t.parse().ok()).unwrap_or(1);
        Ok(s)
    }
}
