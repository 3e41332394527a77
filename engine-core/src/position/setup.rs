//! A position as a FEN describes it, before it is validated.

use super::fault::{Fault, Faults};
use crate::rules::{Pockets, RemainingChecks, Rules, Standard};
use crate::types::{Bitboard, Color, File, Rank, Role, Side, Square};
use crate::{Board, Position, attacks};
use alloc::boxed::Box;
use core::fmt;

/// A position as a FEN describes it, not validated: everything in it may be wrong.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// Whose move it is.
    pub turn: Color,
    /// The rooks that may still castle.
    pub castling: Bitboard,
    /// The square that a pawn has just passed over.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the move, from 1.
    pub fullmoves: u32,
    /// Pieces that were pawns, in variants where that matters.
    pub promoted: Bitboard,
    /// The pieces in hand, in variants that have drops.
    pub pockets: Option<Pockets>,
    /// The checks still to be given, in variants that count them.
    pub checks: Option<RemainingChecks>,
}

/// Whether castling is that of orthodox chess or of Chess960: it decides how moves and rights are
/// written, and which rights are possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CastlingMode {
    /// King on the e-file, rooks in the corners; castling is written `e1g1`.
    #[default]
    Standard,
    /// King between two rooks; castling is written as the king taking the rook, `e1h1`.
    Chess960,
}

impl CastlingMode {
    /// `Chess960` for true.
    pub const fn from_chess960(chess960: bool) -> CastlingMode {
        if chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }
}

/// A setup that is no legal position, with all its faults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionError {
    faults: Faults,
    setup: Box<Setup>,
    mode: CastlingMode,
}

impl PositionError {
    pub(crate) fn new(faults: Faults, setup: Setup, mode: CastlingMode) -> PositionError {
        PositionError {
            faults,
            setup: Box::new(setup),
            mode,
        }
    }

    /// All faults.
    pub fn faults(&self) -> Faults {
        self.faults
    }

    /// The position in spite of these faults, if it has no others. Impossible castling rights and
    /// en passant squares are dropped.
    ///
    /// # Errors
    /// When other faults remain.
    pub fn ignore<R: Rules>(self, ignored: Faults) -> Result<Position<R>, PositionError> {
        let faults = self.faults.without(ignored);
        if faults.is_empty() {
            Ok(Position::from_setup_unchecked(&self.setup, self.mode))
        } else {
            Err(PositionError { faults, ..self })
        }
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal position: {}", self.faults)
    }
}

impl core::error::Error for PositionError {}

impl Setup {
    /// An empty board with White to move.
    pub const EMPTY: Setup = Setup {
        board: Board::EMPTY,
        turn: Color::White,
        castling: Bitboard::EMPTY,
        en_passant: None,
        halfmoves: 0,
        fullmoves: 1,
        promoted: Bitboard::EMPTY,
        pockets: None,
        checks: None,
    };

    /// The faults under the rules of standard chess.
    pub fn standard_faults(&self, mode: CastlingMode) -> Faults {
        self.common_faults::<Standard>(mode)
    }

    /// The faults that all variants share, with checks by the rules of one.
    pub(crate) fn common_faults<R: Rules>(&self, mode: CastlingMode) -> Faults {
        let board = &self.board;
        let colors = [Color::White, Color::Black].map(|color| board.color(color));
        let [kings, pawns] = [Role::King, Role::Pawn].map(|role| board.role(role));
        let mut faults = Faults::of_pieces(board.occupied(), colors, kings, pawns);
        faults.add_if(
            self.clean_castling(mode) != self.castling,
            Fault::BadCastlingRights,
        );
        let passed = self.valid_en_passant();
        faults.add_if(passed != self.en_passant, Fault::InvalidEnPassant);
        faults.add_if(self.checkers::<R>(!self.turn).any(), Fault::OppositeCheck);
        let checkers = self.checkers::<R>(self.turn);
        faults.add_if(checkers.count() > 2, Fault::TooManyCheckers);
        let is_impossible = |king| self.is_impossible_check(king, checkers);
        let king = board.king(self.turn);
        faults.add_if(king.is_some_and(is_impossible), Fault::ImpossibleCheck);
        faults
    }

    /// The pieces that give check to a side, if it has exactly one king and that can be in check.
    pub fn checkers<R: Rules>(&self, color: Color) -> Bitboard {
        let board = &self.board;
        let king = board.pieces(color, Role::King).single();
        match king.and_then(|_| R::royal(board, color)) {
            Some(king) => board.attackers(king, !color, board.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Whether no last move can have given these checks to a king: several at once from pieces that
    /// cannot discover each other's checks, or after a double step that did not open the line.
    pub fn is_impossible_check(&self, king: Square, checkers: Bitboard) -> bool {
        let board = &self.board;
        if checkers.is_empty() {
            return false;
        }
        let steppers = board.role(Role::Pawn) | board.role(Role::Knight) | board.role(Role::King);
        if checkers.count() > 2 || (checkers & steppers).more_than_one() {
            return true;
        }
        if let Some(passed) = self.valid_en_passant() {
            // The pawn that moved gives check itself or opened a line by leaving its first square.
            let (pushed, start) = self.double_step(passed);
            let before = (board.occupied() - pushed) | start;
            return checkers.more_than_one()
                || checkers != pushed && board.attackers(king, !self.turn, before).any();
        }
        // Two sliders with the king on their line: neither can have discovered the other's check.
        match (checkers.first(), checkers.last()) {
            (Some(a), Some(b)) => a != b && attacks::line(a, b).has(king),
            _ => false,
        }
    }

    /// The castling rights that have their king and rook in place. Standard mode allows only the
    /// king on the e-file and rooks in the corners; Chess960 at most one rook on each wing, the
    /// outermost of those named.
    pub fn clean_castling(&self, mode: CastlingMode) -> Bitboard {
        let board = &self.board;
        let mut clean = Bitboard::EMPTY;
        for color in Color::ALL {
            let backrank = color.backrank();
            let kings = (board.pieces(color, Role::King) - self.promoted) & backrank.bitboard();
            let rooks = self.castling & board.pieces(color, Role::Rook) & backrank.bitboard();
            clean |= match (mode, kings.last()) {
                (CastlingMode::Standard, _) if kings.has(Square::new(File::E, backrank)) => {
                    rooks & Bitboard::CORNERS
                }
                (CastlingMode::Chess960, Some(king)) => {
                    let left = rooks.first().filter(|&rook| rook < king);
                    let right = rooks.last().filter(|&rook| rook > king);
                    left.into_iter().chain(right).collect()
                }
                _ => Bitboard::EMPTY,
            };
        }
        clean
    }

    /// The clean castling rights of sides with exactly one king.
    pub(crate) fn playable_castling<R: Rules>(&self, mode: CastlingMode) -> Bitboard {
        if !R::ROYAL {
            return self.clean_castling(mode);
        }
        let has_one_king = |&color: &Color| self.board.pieces(color, Role::King).single().is_some();
        let ranks = Color::ALL.into_iter().filter(has_one_king);
        ranks.fold(Bitboard::EMPTY, |rights, color| {
            rights | (self.clean_castling(mode) & color.backrank().bitboard())
        })
    }

    /// The mode in which all the castling rights are valid: standard if they are there, else
    /// Chess960 if they are there, else standard.
    ///
    /// ```
    /// use engine_core::{CastlingMode, Setup};
    ///
    /// let mode = |fen| Setup::from_fen(fen).map(|setup| setup.castling_mode());
    /// assert_eq!(mode("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), Ok(CastlingMode::Standard));
    /// assert_eq!(mode("4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1"), Ok(CastlingMode::Chess960));
    /// ```
    pub fn castling_mode(&self) -> CastlingMode {
        let allows_all = |&mode: &CastlingMode| self.clean_castling(mode) == self.castling;
        [CastlingMode::Standard, CastlingMode::Chess960]
            .into_iter()
            .find(allows_all)
            .unwrap_or_default()
    }

    /// The en passant square if a pawn can just have passed over it.
    pub fn valid_en_passant(&self) -> Option<Square> {
        self.playable_en_passant().filter(|&passed| {
            let (_, start) = self.double_step(passed);
            (self.board.occupied() & start).is_empty()
        })
    }

    /// The en passant square if it is empty and the pawn to be captured stands beyond it, though
    /// something may stand where that pawn should have come from.
    pub(crate) fn playable_en_passant(&self) -> Option<Square> {
        self.claimed_en_passant().filter(|&passed| {
            let (pushed, _) = self.double_step(passed);
            (self.board.pieces(!self.turn, Role::Pawn) & pushed).any()
        })
    }

    /// The en passant square if it is empty and on the rank that a pawn passes.
    pub(crate) fn claimed_en_passant(&self) -> Option<Square> {
        self.en_passant.filter(|&passed| {
            passed.rank() == (!self.turn).relative_rank(Rank::Third)
                && !self.board.occupied().has(passed)
        })
    }

    /// Where the pawn that passed over a square stands and where it came from.
    fn double_step(&self, passed: Square) -> (Bitboard, Bitboard) {
        let passed = passed.bitboard();
        ((!self.turn).forward(passed), self.turn.forward(passed))
    }
}
