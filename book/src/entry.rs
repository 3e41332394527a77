//! One entry of a book: 16 bytes, big-endian.

use crate::position::BookPosition;
use engine_core::{Move, MoveKind, Role, Square};
use std::fmt;

/// An entry: one move in one position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BookEntry {
    /// Polyglot's key of the position, [`Position::polyglot_key`](engine_core::Position::polyglot_key).
    pub key: u64,
    /// The move.
    pub raw: PolyglotMove,
    /// The weight of the move; 0 marks a move that must not be played.
    pub weight: u16,
    /// What an engine has learned of the move; each engine in its own way.
    pub learn: u32,
}

impl BookEntry {
    /// The bytes of an entry.
    pub const SIZE: usize = 16;

    /// Whether this is no entry but a piece of the text that XBoard and Polyglot put before all
    /// entries: `@PG@`, the variant and a comment, with the key 0.
    pub fn is_header(&self) -> bool {
        self.key == 0
    }

    /// Reads an entry.
    pub fn from_bytes(bytes: [u8; BookEntry::SIZE]) -> BookEntry {
        let bits = u128::from_be_bytes(bytes);
        BookEntry {
            key: (bits >> 64) as u64,
            raw: PolyglotMove((bits >> 48) as u16),
            weight: (bits >> 32) as u16,
            learn: bits as u32,
        }
    }

    /// Writes an entry.
    pub fn to_bytes(self) -> [u8; BookEntry::SIZE] {
        let bits = u128::from(self.key) << 64
            | u128::from(self.raw.0) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        bits.to_be_bytes()
    }
}

/// A move as a book has it: six bits for the square it goes to, six for the one it leaves, three
/// for the piece that a pawn becomes. Castling is the king taking its rook. Equal squares mean a
/// piece from the pocket, an extension that python-chess reads, too.
///
/// It is written as in UCI, with castling as in Chess960 (`e1h1`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PolyglotMove(pub u16);

impl PolyglotMove {
    /// The move of a position; `None` for a pawn from the pocket, which the format lacks.
    pub fn new(m: Move) -> Option<PolyglotMove> {
        let (from, role) = match m.kind() {
            MoveKind::Drop(Role::Pawn) => return None,
            MoveKind::Drop(role) => (m.to(), role),
            MoveKind::Promotion(role) => (m.from(), role),
            MoveKind::Normal | MoveKind::EnPassant | MoveKind::Castle => (m.from(), Role::Pawn),
        };
        let bits = m.to().index() | from.index() << 6 | role.index() << 12;
        Some(PolyglotMove(bits as u16))
    }

    /// The square it leaves.
    pub fn from(self) -> Square {
        Square::from_index_masked(usize::from(self.0 >> 6))
    }

    /// The square it goes to.
    pub fn to(self) -> Square {
        Square::from_index_masked(usize::from(self.0))
    }

    /// The piece that a pawn becomes, or that comes from the pocket.
    pub fn role(self) -> Option<Role> {
        Role::from_index(usize::from(self.0 >> 12 & 7)).filter(|&role| role != Role::Pawn)
    }

    /// Whether a position is possible in which this is legal.
    pub fn is_possible(self) -> bool {
        let goes = self.from() != self.to() || self.role().is_some();
        goes && usize::from(self.0 >> 12 & 7) < Role::ALL.len()
    }

    /// The legal move in a position, if it is one. Castling is understood in both ways of writing.
    pub fn legal(self, position: &impl BookPosition) -> Option<Move> {
        let text = self.is_possible().then(|| self.to_string())?;
        position.parse_uci(&text).ok()
    }
}

impl fmt::Display for PolyglotMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.role() {
            Some(role) if self.from() == self.to() => write!(f, "{}@{}", role.upper(), self.to()),
            Some(role) => write!(f, "{}{}{}", self.from(), self.to(), role.letter()),
            None => write!(f, "{}{}", self.from(), self.to()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::{CastlingMode, Position, Setup};

    fn position(fen: &str) -> Position {
        Position::from_setup(&Setup::from_fen(fen).unwrap(), CastlingMode::Standard).unwrap()
    }

    #[test]
    fn entries_are_written_as_they_are_read() {
        let bytes = *b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x12\x34\xde\xad\xbe\xef";
        let entry = BookEntry::from_bytes(bytes);
        assert_eq!(entry.key, Position::<engine_core::Standard>::start().key());
        assert_eq!(entry.raw.to_string(), "e2e4");
        assert_eq!((entry.weight, entry.learn), (0x1234, 0xdeadbeef));
        assert_eq!(entry.to_bytes(), bytes);
    }

    #[test]
    fn every_kind_of_move_is_written_and_found_again() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
            "2r1k3/1P6/8/8/8/8/6p1/4K2R w K - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let position: Position = position(fen);
            for &m in &*position.legal_moves() {
                let raw = PolyglotMove::new(m).unwrap();
                assert_eq!(raw.legal(&position), Some(m), "{raw}");
            }
        }
    }

    #[test]
    fn odd_moves_are_not_legal() {
        let start: Position = Position::start();
        let legal = (0..=u16::MAX).filter(|&bits| PolyglotMove(bits).legal(&start).is_some());
        // The topmost bit has no meaning.
        assert_eq!(legal.count(), 2 * 20);
        assert_eq!(PolyglotMove(0x1555).to_string(), "N@f3");
    }
}
