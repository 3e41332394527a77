//! Distances to mate from stored values; en passant is not known to tables.

use super::table::BLOCK;
use super::{Gaviota, Slot};
use crate::Material;
use crate::error::TableError;
use engine_core::{Color, IS_PAGE, Piece, Position, Role, Rules, Variant};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// How a position ends with best play, the fifty-move rule left aside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mate {
    /// Drawn.
    Draw,
    /// The side to move mates with the last of this many plies.
    Win(u32),
    /// The side to move is mated with the last of this many plies, of which 0 is mate now.
    Loss(u32),
}

impl Mate {
    /// Signed plies: 0 for a draw, and for a mate that is on the board.
    pub const fn plies(self) -> i32 {
        match self {
            Mate::Draw => 0,
            Mate::Win(plies) => plies as i32,
            Mate::Loss(plies) => -(plies as i32),
        }
    }

    /// `1` for a win, `0` for a draw, `-1` for a loss.
    pub const fn wdl(self) -> i8 {
        match self {
            Mate::Draw => 0,
            Mate::Win(_) => 1,
            Mate::Loss(_) => -1,
        }
    }

    /// The value for the other side a ply earlier, if its move leads here.
    pub const fn before(self) -> Mate {
        match self {
            Mate::Draw => Mate::Draw,
            Mate::Win(plies) => Mate::Loss(plies + 1),
            Mate::Loss(plies) => Mate::Win(plies + 1),
        }
    }
}

/// In words: `draw`, `win in 5 plies`, `loss in 0 plies`.
impl fmt::Display for Mate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (outcome, plies) = match self {
            Mate::Draw => return f.write_str("draw"),
            Mate::Win(plies) => ("win", plies),
            Mate::Loss(plies) => ("loss", plies),
        };
        let unit = if *plies == 1 { "ply" } else { "plies" };
        write!(f, "{outcome} in {plies} {unit}")
    }
}

/// By preference: losses, the slow ones later, draws, and wins, the quick ones last.
impl Ord for Mate {
    fn cmp(&self, other: &Mate) -> Ordering {
        match (self, other) {
            (Mate::Win(ours), Mate::Win(theirs)) => theirs.cmp(ours),
            (Mate::Loss(ours), Mate::Loss(theirs)) => ours.cmp(theirs),
            _ => self.wdl().cmp(&other.wdl()),
        }
    }
}

impl PartialOrd for Mate {
    fn partial_cmp(&self, other: &Mate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Why a position has no distance to mate.
#[derive(Clone, Debug)]
pub enum GaviotaError {
    /// There are no tables of this variant.
    Variant(Variant),
    /// Tables have no castling.
    Castling,
    /// No table that was added has this many pieces.
    TooManyPieces {
        /// The pieces of the position.
        pieces: u32,
        /// The most that a table has.
        most: u32,
    },
    /// A table is needed that is not there.
    Missing(Material),
    /// The position is not legal, and no table has it.
    Illegal,
    /// A table is needed that cannot be used.
    Broken(Arc<TableError>),
}

impl fmt::Display for GaviotaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GaviotaError::Variant(variant) => {
                write!(f, "there are no Gaviota tables for {variant}")
            }
            GaviotaError::Castling => f.write_str("tables have no positions with castling rights"),
            GaviotaError::TooManyPieces { pieces, most } => {
                write!(
                    f,
                    "{pieces} pieces, and the Gaviota tables have up to {most}"
                )
            }
            GaviotaError::Missing(material) => write!(f, "{material} is missing (Gaviota)"),
            GaviotaError::Illegal => f.write_str("the position is not legal"),
            GaviotaError::Broken(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GaviotaError {}

type Result<T> = std::result::Result<T, GaviotaError>;

impl Gaviota {
    /// How a position ends with best play.
    ///
    /// # Errors
    /// When the table is missing or broken, or the position cannot be in a table.
    pub fn mate<R: Rules>(&self, position: &Position<R>) -> Result<Mate> {
        if const { !matches!(R::VARIANT, Variant::Standard) || IS_PAGE } {
            return Err(GaviotaError::Variant(R::VARIANT));
        }
        if position.castling().any() {
            return Err(GaviotaError::Castling);
        }
        let board = position.board();
        let pieces = board.occupied().count();
        let most = self.most_pieces;
        if pieces > most {
            return Err(GaviotaError::TooManyPieces { pieces, most });
        }
        if board.role(Role::King) == board.occupied() {
            return Ok(Mate::Draw);
        }
        let without = self.stored(position)?;
        if position.en_passant().is_none() {
            return Ok(without);
        }
        self.with_en_passant(position, without)
    }

    #[cold]
    fn with_en_passant<R: Rules>(&self, position: &Position<R>, without: Mate) -> Result<Mate> {
        let moves = position.legal_moves();
        let mut best = None;
        for m in moves.iter().copied().filter(|m| m.is_en_passant()) {
            best = best.max(Some(self.stored(&position.after(m))?.before()));
        }
        let Some(with) = best else {
            return Ok(without);
        };
        // Without another move the table sees mate or stalemate where there is none.
        let forced = moves.iter().all(|m| m.is_en_passant());
        Ok(if forced { with } else { with.max(without) })
    }

    /// The value in the table.
    #[inline]
    fn stored<R: Rules>(&self, position: &Position<R>) -> Result<Mate> {
        let board = position.board();
        let material = Material::of(board);
        let found = self.by_material.get(&material).map(|&at| (at, false));
        let swapped = || {
            let at = self.by_material.get(&material.swapped())?;
            Some((*at, true))
        };
        let missing = || GaviotaError::Missing(material.normalized());
        let (at, flip) = found.or_else(swapped).ok_or_else(missing)?;
        let slot = self.slots.get(at).ok_or_else(missing)?;
        let table = slot.open().map_err(GaviotaError::Broken)?;
        let broken = || {
            let fault = table
                .damage
                .note(table.broken("an invalid value"), position);
            fault.map_or(GaviotaError::Illegal, GaviotaError::Broken)
        };
        let side = usize::from(position.turn().is_white() == flip);
        let index = slot.index(position, flip).ok_or_else(broken)?;
        let (block, place) = (index / BLOCK, index % BLOCK);
        let number = (side * table.blocks() + block) as u32;
        let make = || table.block(side, block);
        let entry = self.blocks.entry(at as u32, number, place, make);
        entry.and_then(|entry| mate(side, entry)).ok_or_else(broken)
    }
}

impl Slot {
    /// The number of a position in the table, with colours exchanged or as they are.
    pub(super) fn index<R: Rules>(&self, position: &Position<R>, flip: bool) -> Option<usize> {
        let board = position.board();
        let mask = if flip { 0b111_000 } else { 0 };
        let mut squares = [0u8; super::index::MAX_PIECES];
        let mut count = 0;
        while let Some(&Piece { color, role }) = self.layout.pieces.get(count) {
            let color = if flip { !color } else { color };
            let before = count;
            for square in board.pieces(color, role) {
                *squares.get_mut(count)? = square.index() as u8 ^ mask;
                count += 1;
            }
            if count == before {
                return None;
            }
        }
        self.layout.index(squares.get_mut(..count)?)
    }
}

/// The entry of what is no position.
pub(super) const FORBIDDEN: u8 = 3;

/// Decodes an entry for the side to move, White being 0. The two low bits are the result, the
/// others the moves; long mates use codes of draws and of impossible positions.
fn mate(side: usize, entry: u8) -> Option<Mate> {
    let moves = u32::from(entry >> 2);
    let [win, loss] = if side == Color::White.index() {
        [1, 2]
    } else {
        [2, 1]
    };
    Some(match entry & 3 {
        0 if moves == 0 => Mate::Draw,
        3 if moves == 0 => return None,
        result if result == win => Mate::Win(2 * (moves + 1) - 1),
        result if result == loss => Mate::Loss(2 * moves),
        // The one place that Black needs for a longer loss of its own.
        0 if moves == 63 && side == Color::Black.index() => Mate::Loss(2 * (64 + 63)),
        0 => Mate::Win(2 * (moves + 1 + 63) - 1),
        _ => Mate::Loss(2 * (moves + 63)),
    })
}
