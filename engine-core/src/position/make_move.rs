//! Making a move: the board, the rights and clocks, and the key change with it.

use super::{Observer, Position};
use crate::rules::{Extra, Rules};
use crate::types::{
    Bitboard, Black, Color, File, Move, MoveKind, Piece, Rank, Role, Side, Square, White,
};
use crate::{attacks, zobrist};

/// The effect of a move on the board, for [`Rules::after_move`].
#[derive(Clone, Copy)]
pub struct MoveEffect {
    /// Whose move it was.
    pub(crate) by: Color,
    /// The squares that pieces left: two when castling, none for a drop.
    pub(crate) left: Bitboard,
    /// The square where the capture, if it was one, took place.
    pub(crate) to: Square,
    /// What it captured.
    pub(crate) captured: Option<Role>,
    /// What was dropped.
    pub(crate) dropped: Option<Role>,
    /// Whether a pawn became another piece.
    pub(crate) promotes: bool,
}

impl MoveEffect {
    /// The effect of a move of a piece that captures nothing.
    #[inline(always)]
    fn new(by: Color, from: Square, to: Square) -> MoveEffect {
        MoveEffect {
            by,
            left: from.bitboard(),
            to,
            captured: None,
            dropped: None,
            promotes: false,
        }
    }

    /// The promoted pieces after the move, given those before it.
    #[inline(always)]
    pub(crate) fn promoted_after(self, before: Bitboard) -> Bitboard {
        let kept = before - self.left - self.to.bitboard();
        // When castling the mark of a rook is lost, as in python-chess; a king with one has no rights.
        let was_promoted = self.left.any() && (self.left - before).is_empty();
        if self.promotes || was_promoted {
            kept | self.to.bitboard()
        } else {
            kept
        }
    }
}

impl<R: Rules> Position<R> {
    /// Plays a legal move. A move that is not legal gives an unspecified position, but never a
    /// panic or undefined behaviour; test moves from outside with [`Position::is_legal`].
    #[inline]
    pub fn play(&mut self, m: Move) {
        R::play(self, m);
    }

    /// The position after a legal move; see [`Position::play`].
    #[inline]
    #[must_use]
    pub fn after(&self, m: Move) -> Position<R> {
        let mut after = *self;
        after.play(m);
        after
    }

    /// Plays a legal move and reports every piece that comes or goes to the observer.
    #[inline(always)]
    pub fn play_observed<O: Observer>(&mut self, m: Move, observer: &mut O) {
        match self.turn {
            Color::White => self.play_as(White, m, observer),
            Color::Black => self.play_as(Black, m, observer),
        }
    }

    /// Passes the move to the opponent, as null-move pruning does.
    pub fn play_null(&mut self) {
        let by = self.turn;
        self.begin_move(by);
        R::after_null_move(self, by);
    }

    #[inline(always)]
    fn play_as<S: Side, O: Observer>(&mut self, side: S, m: Move, observer: &mut O) {
        let role = self.board.role_on(m.from());
        let captured = self.captured_on(side, m.to());
        self.play_with_roles(side, m, role, captured, observer);
    }

    /// Plays a legal move of which the moving and the captured role are known.
    #[inline(always)]
    pub(crate) fn play_with_roles<S: Side, O: Observer>(
        &mut self,
        side: S,
        m: Move,
        role: Role,
        captured: Option<Role>,
        observer: &mut O,
    ) {
        self.begin_move(side);
        if m.is_normal() {
            self.move_piece(side, role, captured, m.from(), m.to(), observer);
        } else {
            self.move_special(side, m, observer);
        }
    }

    /// Changes the side to move and the clocks: what all moves of one position have in common.
    #[inline(always)]
    pub(crate) fn begin_move<S: Side>(&mut self, side: S) {
        self.clear_en_passant();
        self.halfmoves = self.halfmoves.wrapping_add(1);
        self.fullmoves = self
            .fullmoves
            .wrapping_add(u32::from(!side.color().is_white()));
        self.turn = !side.color();
        self.state_key ^= zobrist::TURN;
    }

    /// The rest of a normal move, after [`Position::begin_move`].
    #[inline(always)]
    pub(crate) fn move_piece<S: Side, O: Observer>(
        &mut self,
        side: S,
        role: Role,
        captured: Option<Role>,
        from: Square,
        to: Square,
        observer: &mut O,
    ) {
        let us = side.color();
        self.update_castling_rights(role, us, from, to);
        if let Some(captured) = captured {
            self.capture(side, captured, to, observer);
        }
        let piece = role.of(us);
        self.board.relocate(piece, from, to);
        observer.relocate(piece, from, to);
        if role == Role::Pawn {
            self.halfmoves = 0;
            let is_double_push = (from.index() ^ to.index()) == 16;
            if is_double_push && from.rank() == us.relative_rank(Rank::Second) {
                let passed = Square::from_index_masked(from.index().midpoint(to.index()));
                self.en_passant = Some(passed);
                self.state_key ^= self.en_passant_key_after(side, passed);
            }
        }
        let effect = MoveEffect {
            captured,
            ..MoveEffect::new(us, from, to)
        };
        R::after_move(self, effect, observer);
    }

    /// The rest of any other move, after [`Position::begin_move`].
    pub(crate) fn move_special<S: Side, O: Observer>(
        &mut self,
        side: S,
        m: Move,
        observer: &mut O,
    ) {
        let us = side.color();
        let (from, to) = (m.from(), m.to());
        let mut effect = MoveEffect::new(us, from, to);
        match m.kind() {
            MoveKind::EnPassant => {
                let capture_square = Square::new(to.file(), from.rank());
                // It is a pawn, but for a square that no pawn has passed.
                let captured = self.board.piece_at(capture_square);
                effect.captured = captured.map(|piece| piece.role);
                self.halfmoves = 0;
                self.remove_piece(Role::Pawn.of(us), from, observer);
                self.put_piece(Role::Pawn.of(us), to, observer);
                if let Some(piece) = captured {
                    self.remove_piece(piece, capture_square, observer);
                }
            }
            MoveKind::Castle => {
                let (king_to, rook_to) = castling_targets(us, from, to);
                effect.to = king_to;
                effect.left |= to.bitboard();
                self.update_castling_rights(Role::King, us, from, from);
                self.remove_piece(Role::King.of(us), from, observer);
                self.remove_piece(Role::Rook.of(us), to, observer);
                self.put_piece(Role::King.of(us), king_to, observer);
                self.put_piece(Role::Rook.of(us), rook_to, observer);
            }
            MoveKind::Promotion(role) => {
                self.halfmoves = 0;
                self.update_castling_rights(Role::Pawn, us, to, to);
                effect.captured = self.captured_on(side, to);
                if let Some(captured) = effect.captured {
                    self.capture(side, captured, to, observer);
                }
                effect.promotes = true;
                self.remove_piece(Role::Pawn.of(us), from, observer);
                self.put_piece(role.of(us), to, observer);
            }
            // Like python-chess, a drop counts as a ply of the clock, even that of a pawn.
            MoveKind::Drop(role) if R::DROPS => {
                effect.left = Bitboard::EMPTY;
                effect.dropped = Some(role);
                self.put_piece(role.of(us), to, observer);
            }
            // Normal moves are played elsewhere.
            MoveKind::Drop(_) | MoveKind::Normal => return,
        }
        R::after_move(self, effect, observer);
    }

    /// The role of an enemy piece of `side` on a square.
    #[inline(always)]
    pub(crate) fn captured_on<S: Side>(&self, side: S, to: Square) -> Option<Role> {
        if self.board.color(!side.color()).has(to) {
            Some(self.board.role_on(to))
        } else {
            None
        }
    }

    #[inline(always)]
    fn capture<S: Side, O: Observer>(
        &mut self,
        side: S,
        captured: Role,
        to: Square,
        observer: &mut O,
    ) {
        if R::KING_CAN_BE_CAPTURED && captured == Role::King {
            self.remove_rights_of(to.bitboard());
        }
        self.board.remove(captured.of(!side.color()), to);
        observer.remove(captured.of(!side.color()), to);
        self.halfmoves = 0;
    }

    /// Takes away what stands on a square, as an explosion does.
    pub(crate) fn remove<O: Observer>(&mut self, square: Square, observer: &mut O) {
        if let Some(piece) = self.board.remove_at(square) {
            observer.remove(piece, square);
        }
    }

    #[inline(always)]
    fn put_piece<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.board.put_on_empty(piece, square);
        observer.put(piece, square);
    }

    #[inline(always)]
    fn remove_piece<O: Observer>(&mut self, piece: Piece, square: Square, observer: &mut O) {
        self.board.remove(piece, square);
        observer.remove(piece, square);
    }

    #[inline(always)]
    fn clear_en_passant(&mut self) {
        if self.en_passant.is_some() {
            self.state_key ^= self.en_passant_key();
            self.en_passant = None;
        }
    }

    /// The key of the en passant file; as in Polyglot, none unless a pawn could capture there.
    #[inline]
    pub(super) fn en_passant_key(&self) -> u64 {
        match self.en_passant {
            Some(passed) if self.en_passant_takers(passed).any() => {
                zobrist::en_passant(passed.file())
            }
            _ => 0,
        }
    }

    /// The same for a square that a pawn of `side` has just passed over.
    #[inline(always)]
    fn en_passant_key_after<S: Side>(&self, side: S, passed: Square) -> u64 {
        let takers =
            attacks::pawn(side.color(), passed) & self.board.pieces(!side.color(), Role::Pawn);
        if takers.any() {
            zobrist::en_passant(passed.file())
        } else {
            0
        }
    }

    /// Pawns of the side to move that attack the en passant square.
    #[inline(always)]
    pub(crate) fn en_passant_takers(&self, passed: Square) -> Bitboard {
        attacks::pawn(!self.turn, passed) & self.board.pieces(self.turn, Role::Pawn)
    }

    #[inline(always)]
    fn update_castling_rights(&mut self, role: Role, us: Color, from: Square, to: Square) {
        let both = from.bitboard() | to.bitboard();
        let castles = R::ROYAL || !self.extra.promoted().has(from);
        let touched = if role == Role::King && castles {
            both | us.backrank().bitboard()
        } else {
            both
        };
        self.clear_rights(touched);
    }

    /// Removes the castling rights of kings and rooks that are about to leave the board.
    pub(crate) fn remove_rights_of(&mut self, gone: Bitboard) {
        let mut touched = gone;
        for color in Color::ALL {
            if R::castling_king(self, color).is_some_and(|king| gone.has(king)) {
                touched |= color.backrank().bitboard();
            }
        }
        self.clear_rights(touched);
    }

    #[inline(always)]
    fn clear_rights(&mut self, touched: Bitboard) {
        let lost = self.castling & touched;
        if lost.any() {
            self.state_key ^= self.castling_key(lost);
            self.castling ^= lost;
        }
    }

    /// The key of the rights of these rooks; their kings must be in place.
    #[cold]
    pub(super) fn castling_key(&self, rooks: Bitboard) -> u64 {
        let mut key = 0;
        for rook in rooks {
            let color = Color::from_white(self.board.color(Color::White).has(rook));
            if let Some(king) = R::castling_king(self, color) {
                key ^= zobrist::castling(color, rook > king);
            }
        }
        key
    }
}

/// Where king and rook stand after castling.
#[inline]
pub const fn castling_targets(color: Color, king: Square, rook: Square) -> (Square, Square) {
    let rank = color.relative_rank(Rank::First);
    if rook.index() > king.index() {
        (Square::new(File::G, rank), Square::new(File::F, rank))
    } else {
        (Square::new(File::C, rank), Square::new(File::D, rank))
    }
}
