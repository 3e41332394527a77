//! Moves written with both of their squares.

use engine_core::{AnyPosition, Bitboard, CastlingMode, File, Role, Square};

/// A move written with both of its squares and without a piece.
pub(crate) struct Coordinates {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) promotion: Option<char>,
}

impl Coordinates {
    pub(crate) fn read(text: &str) -> Option<Coordinates> {
        let from = text.get(..2)?.parse().ok()?;
        let rest = text.get(2..)?;
        let rest = rest.strip_prefix(['-', 'x']).unwrap_or(rest);
        let to = rest.get(..2)?.parse().ok()?;
        let rest = rest.get(2..)?;
        let unchecked = rest.strip_suffix(['+', '#']).unwrap_or(rest);
        let promotion = unchecked.chars().last();
        let promotion = promotion.map(|c| c.to_ascii_lowercase());
        Some(Coordinates {
            from,
            to,
            promotion,
        })
    }

    /// The move as python-chess has it: a pawn becomes a queen, and a king on its first square
    /// castles by two steps.
    pub(crate) fn uci(&self, position: &AnyPosition) -> String {
        let (board, mode) = (*position.board(), position.mode());
        let Coordinates {
            from,
            mut to,
            mut promotion,
        } = *self;
        if promotion.is_none() && board.role(Role::Pawn).has(from) && Bitboard::BACKRANKS.has(to) {
            promotion = Some('q');
        }
        let is_home = from.file() == File::E && Bitboard::BACKRANKS.has(from);
        if promotion.is_none()
            && mode == CastlingMode::Standard
            && is_home
            && from.rank() == to.rank()
        {
            to = match to.file() {
                File::H if board.role(Role::King).has(from) => Square::new(File::G, to.rank()),
                File::A if board.role(Role::King).has(from) => Square::new(File::C, to.rank()),
                _ => to,
            };
        }
        let letter = promotion.map(String::from).unwrap_or_default();
        match (from, to, &*letter) {
            (Square::A1, Square::A1, "") => "0000".into(),
            _ => format!("{from}{to}{letter}"),
        }
    }
}
