//! A position: board, side to move, rights and clocks.

mod fault;
mod inspect;
mod make_move;
mod observer;
mod outcome;
mod setup;

pub use fault::{Fault, Faults};
pub(crate) use make_move::MoveEffect;
pub use make_move::castling_targets;
pub use observer::Observer;
pub use setup::{CastlingMode, PositionError, Setup};

use crate::rules::{Extra, Rules, Standard};
use crate::types::{Bitboard, Color, Move, MoveKind, Role, Square};
use crate::{Board, zobrist};

/// A position of one variant. It is small and `Copy`: a move is made on a copy, so nothing is
/// ever unmade.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position<R: Rules = Standard> {
    board: Board,
    castling: Bitboard,
    /// The Zobrist key of all but the pieces.
    state_key: u64,
    halfmoves: u32,
    fullmoves: u32,
    en_passant: Option<Square>,
    turn: Color,
    mode: CastlingMode,
    extra: R::Extra,
}

const _: () = assert!(size_of::<Position<Standard>>() <= 104);

/// The start position.
impl<R: Rules> Default for Position<R> {
    fn default() -> Position<R> {
        Position::start()
    }
}

impl<R: Rules> Position<R> {
    /// The start position of the variant.
    ///
    /// # Panics
    /// Never: the start positions are tested.
    pub fn start() -> Position<R> {
        let setup = Setup::from_variant_fen(R::VARIANT, R::VARIANT.start_fen());
        setup
            .ok()
            .and_then(|setup| Position::from_setup(&setup, CastlingMode::Standard).ok())
            .expect("the start position of every variant is valid")
    }

    /// Checks a setup and makes it a position.
    ///
    /// # Errors
    /// When the setup has faults; all of them are listed. [`PositionError::ignore`] overrides
    /// chosen ones.
    pub fn from_setup(setup: &Setup, mode: CastlingMode) -> Result<Position<R>, PositionError> {
        let faults = Position::<R>::faults_of(setup, mode);
        if faults.is_empty() {
            Ok(Position::from_setup_unchecked(setup, mode))
        } else {
            Err(PositionError::new(faults, setup.clone(), mode))
        }
    }

    /// Every fault of a setup under the rules of this variant.
    pub fn faults_of(setup: &Setup, mode: CastlingMode) -> Faults {
        R::faults(setup, setup.common_faults::<R>(mode))
    }

    /// A position with all faults of the setup, except that impossible castling rights and en
    /// passant squares are dropped. Playing on from it never panics, but the rules of chess may not
    /// hold.
    pub fn from_setup_unchecked(setup: &Setup, mode: CastlingMode) -> Position<R> {
        Position::of_setup(setup, mode, setup.playable_en_passant())
    }

    /// The same with the en passant square as written, if it is empty and on the right rank, though no
    /// pawn may have passed it. What stands where that pawn should be, if anything, is captured there: so python-chess
    /// reads and plays the moves of an EPD.
    pub fn from_setup_as_written(setup: &Setup, mode: CastlingMode) -> Position<R> {
        Position::of_setup(setup, mode, setup.claimed_en_passant())
    }

    fn of_setup(setup: &Setup, mode: CastlingMode, en_passant: Option<Square>) -> Position<R> {
        let mut position = Position::<R> {
            board: setup.board,
            castling: setup.playable_castling::<R>(mode),
            state_key: zobrist::turn(setup.turn),
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves.max(1),
            en_passant,
            turn: setup.turn,
            mode,
            extra: R::Extra::of(setup),
        };
        position.state_key ^= position.castling_key(position.castling);
        position.state_key ^= position.en_passant_key();
        position.state_key ^= position.extra.key();
        position
    }

    /// A setup that describes this position.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            ..Setup::EMPTY
        };
        self.extra.write(&mut setup);
        setup
    }

    /// The pieces.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose move it is.
    #[inline(always)]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The rooks that may still castle.
    #[inline(always)]
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// Whether castling is that of orthodox chess or of Chess960.
    #[inline(always)]
    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// The same position in another castling mode. Rights that do not exist in that mode are lost.
    pub fn with_mode(&self, mode: CastlingMode) -> Position<R> {
        let mut position = *self;
        let kept = self.to_setup().playable_castling::<R>(mode);
        position.state_key ^= self.castling_key(self.castling) ^ self.castling_key(kept);
        position.castling = kept;
        position.mode = mode;
        position
    }

    /// The square that a pawn has just passed over, whether or not a pawn can take there.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// The number of the move, from 1.
    #[inline(always)]
    pub fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// The state that the variant adds: pockets, remaining checks.
    #[inline(always)]
    pub fn extra(&self) -> &R::Extra {
        &self.extra
    }

    /// Changes the state that the variant adds, and updates the key.
    #[inline(always)]
    pub(crate) fn update_extra(&mut self, change: impl FnOnce(&mut R::Extra)) {
        self.state_key ^= self.extra.key();
        change(&mut self.extra);
        self.state_key ^= self.extra.key();
    }

    /// The Zobrist key: that of Polyglot, and that of the variant's state added by XOR.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.board.key() ^ self.state_key
    }

    /// The key in opening books, which do not tell positions apart by the variant's state.
    pub fn polyglot_key(&self) -> u64 {
        self.key() ^ self.extra.key()
    }

    /// The key after a null move if there is no en passant square: good enough for a prefetch.
    #[cfg(feature = "search")]
    #[inline(always)]
    pub(crate) fn likely_key_after_null(&self) -> u64 {
        self.key() ^ zobrist::TURN
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        match R::royal(&self.board, self.turn) {
            Some(king) => self
                .board
                .attackers(king, !self.turn, self.board.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether a move captures something.
    #[inline(always)]
    pub fn is_capture(&self, m: Move) -> bool {
        m.is_en_passant()
            || (self.board.color(!self.turn).has(m.to()) && !m.is_castle() && !m.is_drop())
    }

    /// The role that a move captures.
    #[inline(always)]
    pub fn captured(&self, m: Move) -> Option<Role> {
        if m.is_en_passant() {
            Some(Role::Pawn)
        } else if self.is_capture(m) {
            Some(self.board.role_on(m.to()))
        } else {
            None
        }
    }

    /// Whether a move is a capture, or a move or drop of a pawn. All of these but drops, which count as a
    /// ply of the fifty-move clock here as in python-chess, reset it.
    pub fn is_zeroing(&self, m: Move) -> bool {
        self.is_capture(m) || self.moved_role(m) == Role::Pawn
    }

    /// The role that a move moves or drops.
    #[inline(always)]
    pub fn moved_role(&self, m: Move) -> Role {
        match m.kind() {
            MoveKind::Drop(role) => role,
            _ => self.board.role_on(m.from()),
        }
    }

    /// Checks all invariants: disjoint sets, keys, the en passant square, castling rooks. For
    /// tests.
    ///
    /// # Errors
    /// Names the first invariant that does not hold.
    pub fn validate(&self) -> Result<(), &'static str> {
        let board = &self.board;
        if (board.color(Color::White) & board.color(Color::Black)).any() {
            return Err("a square holds both colours");
        }
        let mut seen = Bitboard::EMPTY;
        for role in Role::ALL {
            if (seen & board.role(role)).any() {
                return Err("a square holds two roles");
            }
            seen |= board.role(role);
        }
        if seen != board.occupied() {
            return Err("a square has a colour without a role, or a role without a colour");
        }
        let mut rebuilt = Board::EMPTY;
        for (square, piece) in board.iter() {
            rebuilt.put(piece, square);
        }
        if rebuilt != *board {
            return Err("the key of the board is stale");
        }
        let fresh = Position::<R>::from_setup_unchecked(&self.to_setup(), self.mode);
        if fresh.castling != self.castling {
            return Err("a castling right without its king and rook");
        }
        if fresh.en_passant != self.en_passant {
            return Err("an en passant square that no pawn has passed");
        }
        if fresh.state_key != self.state_key {
            return Err("the key of turn, rights and en passant is stale");
        }
        if !(self.extra.promoted() - board.occupied()).is_empty() {
            return Err("an empty square has a promoted piece");
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests;
