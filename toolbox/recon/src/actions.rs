//! Move requests, the moves that the arbiter makes of them, and senses.

use crate::board::Board;
use crate::moves::UciMove;
use arrayvec::ArrayVec;
use engine_core::{Bitboard, Color, Piece, Rank, Role, Square, attacks};

/// The pieces that a pawn can become, in the order of its steps.
const STEP_PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
/// The same in the order of its captures.
const CAPTURE_PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The result of a sense: each square of the window, with the piece on it.
pub type SenseResult = ArrayVec<(Square, Option<Piece>), 9>;

/// A 3x3 window, a row at a time from the eighth rank down: nine squares, six at an edge, four in a
/// corner.
pub fn window(center: Square) -> impl ExactSizeIterator<Item = Square> {
    let (squares, len) = WINDOWS.get(center.index()).unwrap_or(&NO_WINDOW);
    squares.iter().take(*len).copied()
}

/// The squares of a window, and how many they are.
type SenseWindow = ([Square; 9], usize);

const NO_WINDOW: SenseWindow = ([Square::A1; 9], 0);

/// The window of each square, worked out by the compiler.
#[cfg_attr(
    not(test),
    expect(clippy::indexing_slicing, reason = "a wrong index does not compile")
)]
static WINDOWS: [SenseWindow; 64] = {
    let mut windows = [NO_WINDOW; 64];
    let mut center = 0;
    while center < 64 {
        let (squares, len) = &mut windows[center];
        // Neighbours in the order of the window; ranks and files count from 1 here.
        let mut step = 0;
        while step < 9 {
            let (rank, file) = (center / 8 + 2 - step / 3, center % 8 + step % 3);
            if 0 < rank && rank < 9 && 0 < file && file < 9 {
                squares[*len] = Square::ALL[(rank - 1) * 8 + file - 1];
                *len += 1;
            }
            step += 1;
        }
        center += 1;
    }
    windows
};

impl Board {
    /// The result of a sense of this square.
    pub fn sense(&self, center: Square) -> SenseResult {
        window(center)
            .map(|square| (square, self.pieces().piece_at(square)))
            .collect()
    }

    /// Every move that the side to move can ask for, in the order of reconchess: what its own
    /// pieces could do if they were alone, then every capture by a pawn. A pawn that reaches the
    /// last rank by capture may leave its promotion unsaid. Passing is possible, too.
    pub fn move_actions(&self) -> Vec<UciMove> {
        let mut actions = Vec::with_capacity(64);
        self.list_actions(&mut actions);
        actions
    }

    /// Replaces the contents of a list by the same moves.
    pub fn list_actions(&self, actions: &mut Vec<UciMove>) {
        actions.clear();
        let own = self.pieces().color(self.turn());
        let pawns = own & self.pieces().role(Role::Pawn);
        for from in descending(own - pawns) {
            let targets = reach(self.pieces().role_on(from), from, own) - own;
            for to in descending(targets) {
                actions.push(UciMove::new(from, to));
            }
        }
        self.castling_moves(own, |m| actions.push(m));
        self.pawn_steps(own, |m| actions.push(m));
        for from in pawns {
            for to in attacks::pawn(self.turn(), from) - own {
                let m = UciMove::new(from, to);
                actions.push(m);
                if Bitboard::BACKRANKS.has(to) {
                    actions.extend(CAPTURE_PROMOTIONS.map(|role| m.promoting(role)));
                }
            }
        }
    }

    /// The request as interpreted: a pawn that reaches the last rank becomes a queen unless
    /// something else is asked for. `None` if it cannot be asked for at all.
    pub fn request(&self, m: UciMove) -> Option<UciMove> {
        let us = self.turn();
        let own = self.pieces().color(us);
        let role = self.pieces().role_at(m.from).filter(|_| own.has(m.from))?;
        if role != Role::Pawn {
            let reaches = (reach(role, m.from, own) - own).has(m.to);
            let mut castles = false;
            if role == Role::King && !reaches {
                self.castling_moves(own, |castling| castles |= castling == m);
            }
            return (m.promotion.is_none() && (reaches || castles)).then_some(m);
        }
        let is_step = m.from.file() == m.to.file();
        let mut reaches = !is_step && (attacks::pawn(us, m.from) - own).has(m.to);
        if is_step {
            self.pawn_steps(own, |step| {
                reaches |= (step.from, step.to) == (m.from, m.to);
            });
        }
        let promotion = if Bitboard::BACKRANKS.has(m.to) {
            Some(m.promotion.unwrap_or(Role::Queen))
        } else {
            None
        };
        let can_be = |role: Role| !matches!(role, Role::King | Role::Pawn);
        let fits = match m.promotion {
            None => true,
            Some(role) => promotion.is_some() && can_be(role),
        };
        (reaches && fits).then_some(UciMove { promotion, ..m })
    }

    /// The move that is taken for a request (see [`Board::request`]) on the true board: the move
    /// itself, a shorter one up to a piece in the way, or none.
    pub fn taken_move(&self, m: UciMove) -> Option<UciMove> {
        let occupied = self.pieces().occupied();
        match self.pieces().role_at(m.from)? {
            Role::Pawn if m.from.file() == m.to.file() => {
                // As far as the way is free, without capturing; a promotion has one step.
                let way = attacks::between(m.from, m.to);
                if (way & occupied).any() {
                    None
                } else if !occupied.has(m.to) {
                    Some(m)
                } else {
                    way.first().map(|to| UciMove::new(m.from, to))
                }
            }
            Role::Pawn => self.capture_square(m).map(|_| m),
            Role::Knight => Some(m),
            Role::King => {
                let is_castling = m.from.file().index().abs_diff(m.to.file().index()) > 1;
                if !is_castling {
                    return Some(m);
                }
                let rook = self.castling_rook(m.from, m.to)?;
                (attacks::between(m.from, rook) & occupied)
                    .is_empty()
                    .then_some(m)
            }
            Role::Bishop | Role::Rook | Role::Queen => {
                let blockers = attacks::between(m.from, m.to) & occupied;
                let nearest = if m.to > m.from {
                    blockers.first()
                } else {
                    blockers.last()
                };
                Some(UciMove {
                    to: nearest.unwrap_or(m.to),
                    ..m
                })
            }
        }
    }

    /// Where a taken move captures.
    pub fn capture_square(&self, taken: UciMove) -> Option<Square> {
        let UciMove { from, to, .. } = taken;
        if self.pieces().color(!self.turn()).has(to) {
            return Some(to);
        }
        let is_en_passant = self.en_passant() == Some(to)
            && self.pieces().role_at(from) == Some(Role::Pawn)
            && from.file() != to.file();
        is_en_passant.then(|| Square::new(to.file(), from.rank()))
    }

    /// Visits every move that the side to move can have taken, in no particular order. It may
    /// also have taken none.
    pub fn possible_moves(&self, mut visit: impl FnMut(UciMove)) {
        let us = self.turn();
        let own = self.pieces().color(us);
        let occupied = self.pieces().occupied();
        let pawns = own & self.pieces().role(Role::Pawn);
        for from in own - pawns {
            for to in reach(self.pieces().role_on(from), from, occupied) - own {
                visit(UciMove::new(from, to));
            }
        }
        self.castling_moves(occupied, &mut visit);
        self.pawn_steps(occupied, &mut visit);
        let targets =
            self.pieces().color(!us) | self.en_passant().map_or(Bitboard::EMPTY, Into::into);
        for from in pawns {
            for to in attacks::pawn(us, from) & targets {
                with_promotions(UciMove::new(from, to), &mut visit);
            }
        }
    }

    /// Castling through squares that are free of these, the king's side first.
    fn castling_moves(&self, occupied: Bitboard, mut visit: impl FnMut(UciMove)) {
        let backrank = self.turn().backrank().bitboard();
        let own = self.pieces().color(self.turn()) & backrank;
        let Some(king) = (own & self.pieces().role(Role::King)).first() else {
            return;
        };
        for rook in descending(self.setup().castling & own) {
            if (attacks::between(king, rook) & occupied).is_empty() {
                let step = if rook > king { 2 } else { -2 };
                if let Some(to) = king.offset(step, 0) {
                    visit(UciMove::new(king, to));
                }
            }
        }
    }

    /// Single, then double steps of pawns to squares that are free of these.
    fn pawn_steps(&self, occupied: Bitboard, mut visit: impl FnMut(UciMove)) {
        let us = self.turn();
        let pawns = self.pieces().pieces(us, Role::Pawn);
        let forward = |set: Bitboard| match us {
            Color::White => Bitboard(set.0 << 8),
            Color::Black => Bitboard(set.0 >> 8),
        };
        let back = |to: Square, ranks: i8| to.offset(0, if us.is_white() { -ranks } else { ranks });
        let single = forward(pawns) - occupied;
        let third = us.relative_rank(Rank::Third).bitboard();
        let double = forward(single & third) - occupied;
        for to in descending(single) {
            if let Some(from) = back(to, 1) {
                with_promotions(UciMove::new(from, to), &mut visit);
            }
        }
        for to in descending(double) {
            if let Some(from) = back(to, 2) {
                visit(UciMove::new(from, to));
            }
        }
    }
}

/// The move of a pawn, or what it becomes on the last rank.
fn with_promotions(m: UciMove, visit: &mut impl FnMut(UciMove)) {
    if Bitboard::BACKRANKS.has(m.to) {
        for role in STEP_PROMOTIONS {
            visit(m.promoting(role));
        }
    } else {
        visit(m);
    }
}

/// Where a piece that is no pawn can go when these squares are occupied.
#[inline]
fn reach(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Knight => attacks::knight(from),
        Role::Bishop => attacks::bishop(from, occupied),
        Role::Rook => attacks::rook(from, occupied),
        Role::Queen => attacks::queen(from, occupied),
        Role::King | Role::Pawn => attacks::king(from),
    }
}

/// The squares of a set from h8 to a1.
#[inline]
fn descending(mut set: Bitboard) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = set.last()?;
        set -= square.bitboard();
        Some(square)
    })
}

#[cfg(test)]
mod tests;
