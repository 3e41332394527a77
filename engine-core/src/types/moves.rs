//! Moves in 16 bits, and lists of them.

use super::{File, Role, Square};
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::FusedIterator;
use core::num::NonZeroU16;
use core::ops::{Deref, DerefMut, Range};
use core::str::FromStr;

/// A move: from, to and kind in 16 bits.
///
/// Castling is written as the king taking its own rook, which is unambiguous in Chess960. A drop
/// keeps the role in the place of the from-square. There is no null move: `Option<Move>` is as
/// small as `Move`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// What a move does beyond going from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveKind {
    /// A step or capture.
    Normal,
    /// A pawn takes the pawn that has just passed.
    EnPassant,
    /// The king takes its own rook.
    Castle,
    /// A piece comes from the pocket.
    Drop(Role),
    /// A pawn becomes this piece.
    Promotion(Role),
}

// Kinds count from one, so that no move is zero whatever its squares.
const NORMAL: u16 = 1 << 12;
const EN_PASSANT: u16 = 2 << 12;
const CASTLE: u16 = 3 << 12;
const DROP: u16 = 4 << 12;
const PROMOTION: u16 = 5 << 12;
const END: u16 = PROMOTION + (6 << 12);

impl Move {
    #[inline(always)]
    const fn pack(from: u16, to: Square, kind: u16) -> Move {
        // The compiler knows that a kind is not zero and drops the alternative.
        match NonZeroU16::new(from | (to as u16) << 6 | kind) {
            Some(packed) => Move(packed),
            None => Move(NonZeroU16::MAX),
        }
    }

    /// A step or capture.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(from as u16, to, NORMAL)
    }

    /// A pawn takes the pawn that has just passed.
    #[inline(always)]
    pub fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from as u16, to, EN_PASSANT)
    }

    /// The king on `king` castles with the rook on `rook`.
    #[inline(always)]
    pub fn castle(king: Square, rook: Square) -> Move {
        Move::pack(king as u16, rook, CASTLE)
    }

    /// A piece of this role comes from the pocket.
    #[inline(always)]
    pub fn drop(role: Role, to: Square) -> Move {
        Move::pack(role as u16, to, DROP)
    }

    /// A pawn becomes a piece of this role.
    #[inline(always)]
    pub fn promotion(from: Square, to: Square, role: Role) -> Move {
        Move::pack(from as u16, to, PROMOTION + ((role as u16) << 12))
    }

    /// The square it leaves. For a drop this is meaningless: see [`Move::kind`].
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index_masked(self.0.get() as usize)
    }

    /// The square it goes to; for castling, the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index_masked(self.0.get() as usize >> 6)
    }

    /// The squares that boards mark as those of the last move: where the piece comes from and where it
    /// ends. Those of castling are the king's; those of a drop are the same.
    pub fn marked_squares(self) -> [Square; 2] {
        let (from, to) = (self.from(), self.to());
        match self.kind() {
            MoveKind::Drop(_) => [to; 2],
            MoveKind::Castle => {
                let file = if to > from { File::G } else { File::C };
                [from, Square::new(file, from.rank())]
            }
            _ => [from, to],
        }
    }

    /// The kind with its role.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 12 {
            0 | 1 => MoveKind::Normal,
            2 => MoveKind::EnPassant,
            3 => MoveKind::Castle,
            4 => MoveKind::Drop(Role::ALL[(self.0.get() & 63) as usize % 6]),
            kind => MoveKind::Promotion(Role::ALL[(kind - 5) as usize % 6]),
        }
    }

    /// Whether it is a plain step or capture.
    #[inline(always)]
    pub const fn is_normal(self) -> bool {
        self.0.get() < EN_PASSANT
    }

    /// Whether it is castling.
    #[inline(always)]
    pub const fn is_castle(self) -> bool {
        self.0.get() & 0xf000 == CASTLE
    }

    /// Whether it captures en passant.
    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() & 0xf000 == EN_PASSANT
    }

    /// Whether it is a drop.
    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        self.0.get() & 0xf000 == DROP
    }

    /// The piece that a pawn becomes.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Role> {
        if self.0.get() >= PROMOTION {
            Role::from_index((self.0.get() >> 12) as usize - 5)
        } else {
            None
        }
    }

    /// The 16 bits: from, to << 6, kind << 12. Never zero.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// Back from [`Move::to_bits`]; `None` for bits that are no move's. The result need not be
    /// legal anywhere.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        let is_move = match bits & 0xf000 {
            DROP => bits & 63 < 6,
            kind => NORMAL <= kind && kind < END,
        };
        match NonZeroU16::new(bits) {
            Some(bits) if is_move => Some(Move(bits)),
            _ => None,
        }
    }
}

/// All that the move holds: squares and promotion as in UCI, a drop as `N@f3`, castling as `e1xh1`,
/// en passant as `e5d6ep`. In a position, moves are written by [`notation`](crate::notation).
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            MoveKind::Drop(role) => write!(f, "{}@{}", role.upper(), self.to()),
            MoveKind::Promotion(role) => {
                write!(f, "{}{}{}", self.from(), self.to(), role.letter())
            }
            MoveKind::Castle => write!(f, "{}x{}", self.from(), self.to()),
            MoveKind::EnPassant => write!(f, "{}{}ep", self.from(), self.to()),
            MoveKind::Normal => write!(f, "{}{}", self.from(), self.to()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a move such as `e2e4`, `e7e8q`, `N@f3`, `e1xh1` or `e5d6ep`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseMoveError;

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a move: two squares such as e2e4 expected")
    }
}

impl core::error::Error for ParseMoveError {}

/// Reads what [`Display`](fmt::Display) writes, which is UCI but for castling and en passant: only a
/// position knows these by their squares alone, and
/// [`Position::parse_uci`](crate::Position::parse_uci) reads them.
///
/// ```
/// use engine_core::{Move, Role, Square};
///
/// assert_eq!("e2e4".parse(), Ok(Move::normal(Square::E2, Square::E4)));
/// assert_eq!("a7a8q".parse(), Ok(Move::promotion(Square::A7, Square::A8, Role::Queen)));
/// assert_eq!("e1xh1".parse(), Ok(Move::castle(Square::E1, Square::H1)));
/// assert!("e2".parse::<Move>().is_err());
/// ```
impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let square = |range: Range<usize>| text.get(range)?.parse::<Square>().ok();
        let role = |letter: &str| letter.chars().next().and_then(Role::from_letter);
        let read = || match (text.len(), text.get(1..2)?, text.get(2..3)?) {
            (4, "@", _) => Some(Move::drop(role(text)?, square(2..4)?)),
            (5, _, "x") => Some(Move::castle(square(0..2)?, square(3..5)?)),
            (4, ..) => Some(Move::normal(square(0..2)?, square(2..4)?)),
            (5, ..) => {
                let promoted = role(text.get(4..)?)?;
                Some(Move::promotion(square(0..2)?, square(2..4)?, promoted))
            }
            (6, ..) if text.ends_with("ep") => Some(Move::en_passant(square(0..2)?, square(2..4)?)),
            _ => None,
        };
        read().ok_or(ParseMoveError)
    }
}

/// A list of moves. Up to 128 of them lie on the stack, so that the list of nearly every position
/// needs no allocation; a longer list moves to the heap.
#[derive(Clone)]
pub struct MoveList {
    inline: [Move; MoveList::INLINE],
    len: usize,
    /// All the moves, once there are more than [`MoveList::INLINE`].
    heap: Vec<Move>,
}

impl MoveList {
    /// How many moves fit on the stack.
    const INLINE: usize = 128;

    /// An empty list.
    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList {
            inline: [Move(NonZeroU16::MAX); MoveList::INLINE],
            len: 0,
            heap: Vec::new(),
        }
    }

    /// Adds a move at the end.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        match self.inline.get_mut(self.len) {
            Some(slot) => *slot = m,
            None => self.push_on_heap(m),
        }
        self.len += 1;
    }

    #[cold]
    #[inline(never)]
    fn push_on_heap(&mut self, m: Move) {
        if self.heap.is_empty() {
            self.heap.extend(self.inline);
        }
        self.heap.push(m);
    }

    /// Removes all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
        self.heap.clear();
    }
}

impl Extend<Move> for MoveList {
    /// Adds moves at the end. Faster than pushing each, since the length stays in a register.
    #[inline(always)]
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        let mut len = self.len;
        for m in moves {
            match self.inline.get_mut(len) {
                Some(slot) => *slot = m,
                None => self.push_on_heap(m),
            }
            len += 1;
        }
        self.len = len;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        self.inline.get(..self.len).unwrap_or(&self.heap)
    }
}

/// To sort or shuffle the moves.
///
/// ```
/// use engine_core::{AnyPosition, Variant};
///
/// let mut moves = AnyPosition::start(Variant::Standard).legal_moves();
/// moves.sort_by_key(|m| m.to_string());
/// assert_eq!(moves[0].to_string(), "a2a3");
/// ```
impl DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Move] {
        self.inline.get_mut(..self.len).unwrap_or(&mut self.heap)
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = core::iter::Copied<core::slice::Iter<'a, Move>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

/// The moves of a list, taken from it.
///
/// ```
/// use engine_core::{AnyPosition, MoveList, Variant};
///
/// let start = AnyPosition::start(Variant::Standard);
/// for m in start.legal_moves() {
///     assert!(start.is_legal(m));
/// }
/// let castling: MoveList = start.legal_moves().into_iter().filter(|m| m.is_castle()).collect();
/// assert_eq!(castling.len(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct MoveListIter {
    list: MoveList,
    rest: Range<usize>,
}

impl Iterator for MoveListIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.rest.next().map(|index| self.list[index])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl DoubleEndedIterator for MoveListIter {
    fn next_back(&mut self) -> Option<Move> {
        self.rest.next_back().map(|index| self.list[index])
    }
}

impl ExactSizeIterator for MoveListIter {}

impl FusedIterator for MoveListIter {}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveListIter;

    fn into_iter(self) -> MoveListIter {
        MoveListIter {
            rest: 0..self.len(),
            list: self,
        }
    }
}

impl FromIterator<Move> for MoveList {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveList {
        let mut list = MoveList::new();
        list.extend(moves);
        list
    }
}

/// Lists are equal if their moves are, in the same order.
impl PartialEq for MoveList {
    fn eq(&self, other: &MoveList) -> bool {
        **self == **other
    }
}

impl Eq for MoveList {}

impl Hash for MoveList {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_back() {
        for bits in 0..=u16::MAX {
            if let Some(m) = Move::from_bits(bits) {
                assert_eq!(m.to_bits(), bits);
                let rebuilt = match m.kind() {
                    MoveKind::Normal => Move::normal(m.from(), m.to()),
                    MoveKind::EnPassant => Move::en_passant(m.from(), m.to()),
                    MoveKind::Castle => Move::castle(m.from(), m.to()),
                    MoveKind::Drop(role) => Move::drop(role, m.to()),
                    MoveKind::Promotion(role) => Move::promotion(m.from(), m.to(), role),
                };
                assert_eq!(rebuilt, m);
                assert_eq!(m.to_string().parse(), Ok(m));
            }
        }
        assert_eq!(Move::from_bits(0), None);
    }

    #[test]
    fn kinds_exclude_each_other() {
        let promotion = Move::promotion(Square::A7, Square::A8, Role::Queen);
        assert_eq!(promotion.promoted(), Some(Role::Queen));
        for (m, flags) in [
            (
                Move::normal(Square::A1, Square::A1),
                [true, false, false, false],
            ),
            (
                Move::castle(Square::E1, Square::H1),
                [false, true, false, false],
            ),
            (
                Move::en_passant(Square::E5, Square::D6),
                [false, false, true, false],
            ),
            (
                Move::drop(Role::Pawn, Square::A2),
                [false, false, false, true],
            ),
            (promotion, [false; 4]),
        ] {
            let found = [m.is_normal(), m.is_castle(), m.is_en_passant(), m.is_drop()];
            assert_eq!(found, flags, "{m:?}");
            assert_eq!(m.promoted().is_some(), m == promotion);
        }
    }

    #[test]
    fn lists_of_any_length() {
        let all: Vec<Move> = (0..=u16::MAX).filter_map(Move::from_bits).collect();
        let mut list = MoveList::new();
        for count in [0, 1, MoveList::INLINE, MoveList::INLINE + 1, all.len()] {
            let (pushed, extended) = all[..count].split_at(count / 3);
            for &m in pushed {
                list.push(m);
            }
            list.extend(extended.iter().copied());
            assert_eq!(*list, all[..count]);
            assert_eq!(list.clone(), list);
            list.reverse();
            assert!(list.iter().rev().eq(&all[..count]));
            list.sort();
            assert_eq!(list.clone().into_iter().collect::<MoveList>(), list);
            let from_the_end: Vec<Move> = list.clone().into_iter().rev().collect();
            assert!(from_the_end.iter().rev().eq(list.iter()));
            list.clear();
            assert!(list.is_empty());
        }
    }
}
