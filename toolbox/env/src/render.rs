//! Pictures of a position.

use engine_core::{Bitboard, Board, Color, File, Piece, Rank, Square};
use std::fmt::Write;

/// The board in letters, White's in capitals; as `PettingZoo` renders it for the mode `ansi`.
pub fn ansi(board: &Board) -> String {
    let rank = |rank| {
        let letter = |file| {
            board
                .piece_at(Square::new(file, rank))
                .map_or('.', Piece::letter)
        };
        File::ALL.map(|file| letter(file).to_string()).join(" ")
    };
    let ranks: Vec<String> = Rank::ALL.into_iter().rev().map(rank).collect();
    ranks.join("\n")
}

/// The width of a square.
const SIZE: usize = 45;

/// The board as SVG, with figurines as text.
pub fn svg(board: &Board) -> String {
    let side = 8 * SIZE;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" \
         font-family=\"DejaVu Sans, sans-serif\" font-size=\"36\" text-anchor=\"middle\">\n"
    );
    for square in Bitboard::FULL {
        let x = square.file().index() * SIZE;
        let y = (7 - square.rank().index()) * SIZE;
        let fill = if Bitboard::LIGHT_SQUARES.has(square) {
            "#f0d9b5"
        } else {
            "#b58863"
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<rect id=\"{square}\" x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{SIZE}\" \
             fill=\"{fill}\"/>"
        );
    }
    for (square, piece) in board.iter() {
        let x = square.file().index() * SIZE + SIZE / 2;
        let y = (7 - square.rank().index()) * SIZE + 35;
        // The filled figurines of Black serve both: their colour is the fill.
        let fill = if piece.color.is_white() {
            "#fff"
        } else {
            "#000"
        };
        let figurine = piece.role.of(Color::Black).figurine();
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\" stroke=\"#000\">{figurine}</text>"
        );
    }
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Position;

    #[test]
    fn pictures() {
        let start: Position = Position::start();
        let lines = ansi(start.board());
        assert!(lines.starts_with("r n b q k b n r\np p p"));
        assert_eq!(lines.lines().nth(3), Some(". . . . . . . ."));
        let svg = svg(start.board());
        assert_eq!(svg.matches("<rect").count(), 64);
        assert_eq!(svg.matches("<text").count(), 32);
    }
}
