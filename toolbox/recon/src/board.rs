//! The true board of a game, and how moves change it.

use crate::moves::UciMove;
use engine_core::notation::FenError;
use engine_core::{
    Board as Pieces, CastlingMode, Color, Fault, Faults, File, Piece, Position, Role, Setup,
    Square, Standard,
};
use std::fmt;

/// Pieces, turn, rights and clocks of a game in which kings can be captured: no move is illegal
/// because of check, and the turn may be passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board(Setup);

/// Why a text is no board to start a game from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardError {
    /// It is no FEN.
    Fen(FenError),
    /// No game can be played on it.
    Faults(Faults),
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::Fen(error) => error.fmt(f),
            BoardError::Faults(faults) => {
                write!(f, "no game can start from this position: {faults}")
            }
        }
    }
}

impl std::error::Error for BoardError {}

/// The faults of a board that no game can be played on. Check is no fault here.
const FAULTS: [Fault; 5] = [
    Fault::NoWhiteKing,
    Fault::NoBlackKing,
    Fault::TooManyKings,
    Fault::PawnsOnBackrank,
    Fault::InvalidEnPassant,
];

impl From<Setup> for Board {
    /// Uses a setup without validation.
    fn from(setup: Setup) -> Board {
        Board(setup)
    }
}

impl Board {
    /// The start of a game.
    pub fn start() -> Board {
        Board(Position::<Standard>::start().to_setup())
    }

    /// A board without pieces.
    pub fn empty(turn: Color) -> Board {
        Board(Setup::EMPTY).with_turn(turn)
    }

    /// Reads the board of a FEN to start a game from. Castling rights without king and rook in
    /// place are dropped.
    ///
    /// # Errors
    /// When it is no FEN, when a side has not exactly one king, when a pawn stands where none can,
    /// and when the en passant square makes no sense.
    pub fn from_fen(fen: &str) -> Result<Board, BoardError> {
        let board = Board::record(fen)?;
        let found = board.0.standard_faults(CastlingMode::Standard);
        let mut faults = Faults::NONE;
        for fault in FAULTS {
            faults.add_if(found.has(fault), fault);
        }
        if faults.is_empty() {
            Ok(board)
        } else {
            Err(BoardError::Faults(faults))
        }
    }

    /// Reads the FEN of a record of a game, which may have ended with the capture of a king.
    ///
    /// # Errors
    /// When it is no FEN.
    pub fn record(fen: &str) -> Result<Board, BoardError> {
        let mut setup = Setup::from_fen(fen).map_err(BoardError::Fen)?;
        setup.castling = setup.clean_castling(CastlingMode::Standard);
        Ok(Board(setup))
    }

    /// The same board with this side to move.
    pub fn with_turn(mut self, turn: Color) -> Board {
        self.0.turn = turn;
        self
    }

    /// Puts a piece on a square, or clears it: for players who learn what is there. Castling
    /// rights that have become impossible are dropped.
    pub fn set_piece(&mut self, square: Square, piece: Option<Piece>) {
        let board = &mut self.0.board;
        if board.piece_at(square) == piece {
            return;
        }
        match piece {
            Some(piece) => board.put(piece, square),
            None => _ = board.remove_at(square),
        }
        self.0.castling = self.0.clean_castling(CastlingMode::Standard);
        self.0.en_passant = self.0.valid_en_passant();
    }

    /// The setup, for the rules and the search of chess. There may be no king.
    pub fn setup(&self) -> &Setup {
        &self.0
    }

    /// The pieces.
    pub fn pieces(&self) -> &Pieces {
        &self.0.board
    }

    /// Whose move it is.
    pub fn turn(&self) -> Color {
        self.0.turn
    }

    /// Whether the king of a side could be captured if it were the opponent's turn.
    pub fn is_attacked(&self, color: Color) -> bool {
        let pieces = self.pieces();
        pieces
            .king(color)
            .is_some_and(|king| pieces.attackers(king, !color, pieces.occupied()).any())
    }

    /// The square that a pawn has just passed over, whether or not a pawn can take there.
    pub fn en_passant(&self) -> Option<Square> {
        self.0.en_passant
    }

    /// Turns since the last capture or pawn move; passing counts.
    pub fn halfmoves(&self) -> u32 {
        self.0.halfmoves
    }

    /// The number of the move, from 1.
    pub fn fullmoves(&self) -> u32 {
        self.0.fullmoves
    }

    /// The FEN, with an en passant square after every double step.
    pub fn fen(&self) -> String {
        self.0.fen()
    }

    /// The rook that castles when the king goes to a square two files away, if the right is there.
    pub fn castling_rook(&self, king: Square, to: Square) -> Option<Square> {
        let rights = self.0.castling & king.rank().bitboard() & self.pieces().color(self.turn());
        let rook = if to > king {
            rights.last()
        } else {
            rights.first()
        };
        rook.filter(|&rook| (rook > king) == (to > king))
    }

    /// Makes a move that [`Board::taken_move`] has returned, or passes. The effect of any other
    /// move is unspecified, but it does not panic.
    pub fn push(&mut self, taken: Option<UciMove>) {
        let passed = self.0.en_passant.take();
        self.0.halfmoves = self.0.halfmoves.saturating_add(1);
        let black = u32::from(!self.turn().is_white());
        self.0.fullmoves = self.0.fullmoves.saturating_add(black);
        if let Some(m) = taken {
            self.carry_out(m, passed);
        }
        self.0.turn = !self.0.turn;
    }

    fn carry_out(&mut self, m: UciMove, passed: Option<Square>) {
        let us = self.turn();
        let Some(role) = self.pieces().role_at(m.from) else {
            return;
        };
        let rook = self.castled_rook(role, m);
        let Setup {
            board,
            castling,
            halfmoves,
            en_passant,
            ..
        } = &mut self.0;
        board.remove(role.of(us), m.from);
        let captured = board.remove_at(m.to);
        board.put(m.promotion.unwrap_or(role).of(us), m.to);
        if captured.is_some() || role == Role::Pawn {
            *halfmoves = 0;
        }
        *castling -= m.from.bitboard() | m.to.bitboard();
        if role == Role::King {
            *castling -= us.backrank().bitboard();
        }
        if captured == Some(Role::King.of(!us)) {
            *castling -= (!us).backrank().bitboard();
        }
        if let Some(rook) = rook {
            let file = if rook > m.from { File::F } else { File::D };
            board.relocate(Role::Rook.of(us), rook, Square::new(file, m.from.rank()));
        }
        if role == Role::Pawn {
            if passed == Some(m.to) && m.from.file() != m.to.file() && captured.is_none() {
                board.remove_at(Square::new(m.to.file(), m.from.rank()));
            }
            if m.from.index().abs_diff(m.to.index()) == 16 {
                let middle = m.from.index().midpoint(m.to.index());
                *en_passant = Square::from_index(middle);
            }
        }
    }

    /// The rook that goes along with the king.
    fn castled_rook(&self, role: Role, m: UciMove) -> Option<Square> {
        if role == Role::King && m.from.file().index().abs_diff(m.to.file().index()) == 2 {
            self.castling_rook(m.from, m.to)
        } else {
            None
        }
    }
}
