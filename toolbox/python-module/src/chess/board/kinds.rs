//! Checks, rights, and kinds of moves.

use super::Board;
use super::hooks::Method;
use super::stack::no_piece;
use crate::chess::arguments::{ColorArgument, Mask, SquareArgument};
use crate::chess::moves::{MoveArgument, RawMove};
use crate::chess::square_set::{IntoSquareSet, SquareSet};
use crate::chess::state::BoardState;
use pyo3::intern;
use pyo3::prelude::*;

impl Board {
    /// The position after a move that a piece can make.
    fn after(slf: &Bound<'_, Board>, m: RawMove) -> PyResult<BoardState> {
        let board = slf.try_borrow()?;
        let (mut state, mut extra) = (*Board::state(&board), board.extra(slf.py())?);
        let game = board.game();
        drop(board);
        match state.push(&mut extra, m, game.variant, game.mode) {
            Ok(()) => Ok(state),
            Err(_) => Err(no_piece(slf, m)),
        }
    }

    /// What `checkers_mask` answers.
    fn giving_check(slf: &Bound<'_, Board>) -> PyResult<u64> {
        let board = slf.try_borrow()?;
        if !board.overrides(Method::Checkers) {
            return Ok(Board::state(&board).checkers(board.variant));
        }
        drop(board);
        let checkers = slf.call_method0(intern!(slf.py(), "checkers_mask"))?;
        Ok(checkers.extract::<Mask>()?.0)
    }

    /// What `attackers_mask` answers.
    fn attacking(
        slf: &Bound<'_, Board>,
        color: ColorArgument,
        square: SquareArgument,
        occupied: Option<IntoSquareSet>,
    ) -> PyResult<u64> {
        let occupied = occupied.map(|set| set.0);
        let board = slf.try_borrow()?;
        if !board.overrides(Method::Attackers) {
            let pieces = &Board::state(&board).pieces;
            let occupied = occupied.unwrap_or(pieces.occupied);
            return Ok(pieces.attackers(color.0, square.0, occupied));
        }
        drop(board);
        let arguments = (color.0, square.0, occupied);
        let attackers = slf.call_method1(intern!(slf.py(), "attackers_mask"), arguments)?;
        Ok(attackers.extract::<Mask>()?.0)
    }
}

#[pymethods]
impl Board {
    /// Whether a pseudo-legal move leaves the king in check.
    fn is_into_check(slf: &Bound<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::IsIntoCheck, (slf, &*r#move))? {
            return answer.is_truthy();
        }
        let m = r#move.get().raw();
        let after = Board::after(slf, m)?;
        let board = slf.try_borrow()?;
        Ok(Board::state(&board).is_into_check(m, &after, board.variant))
    }

    /// Whether the last move left the king in check.
    fn was_into_check(slf: &Bound<'_, Self>) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::WasIntoCheck, (slf,))? {
            return answer.is_truthy();
        }
        let board = slf.try_borrow()?;
        let state = Board::state(&board);
        Ok(state.pieces.checkers(!state.turn, board.variant) != 0)
    }

    /// Whether a pseudo-legal move gives check.
    fn gives_check(slf: &Bound<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::GivesCheck, (slf, &*r#move))? {
            return answer.is_truthy();
        }
        let m = r#move.get().raw();
        let board = slf.try_borrow()?;
        board.has_in_hand(slf.py(), m, Board::state(&board).turn)?;
        drop(board);
        let after = Board::after(slf, m)?;
        Ok(after.checkers(slf.try_borrow()?.variant) != 0)
    }

    /// The pieces that give check, as an integer.
    fn checkers_mask(slf: &Bound<'_, Self>) -> PyResult<u64> {
        if let Some(checkers) = Board::slowly(slf, Method::CheckersMask, (slf,))? {
            return Ok(checkers.extract::<Mask>()?.0);
        }
        let board = slf.try_borrow()?;
        Ok(Board::state(&board).checkers(board.variant))
    }

    /// The pieces that give check.
    fn checkers(slf: &Bound<'_, Self>) -> PyResult<SquareSet> {
        Ok(SquareSet::of(Board::giving_check(slf)?))
    }

    /// Whether the side to move is in check.
    fn is_check(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(Board::giving_check(slf)? != 0)
    }

    /// The squares that the piece on a square attacks; none if it is empty. A pinned piece attacks,
    /// too, and pawns do not attack en passant.
    fn attacks(slf: &Bound<'_, Self>, square: SquareArgument) -> PyResult<SquareSet> {
        if slf.try_borrow()?.overrides(Method::Attacks) {
            let attacks = slf.call_method1(intern!(slf.py(), "attacks_mask"), (square.0,))?;
            return Ok(SquareSet::of(attacks.extract::<Mask>()?.0));
        }
        Ok(SquareSet::of(
            Board::state(&slf.try_borrow()?).pieces.attacks(square.0),
        ))
    }

    /// The pieces of a color that attack a square.
    #[pyo3(signature = (color, square, occupied=None))]
    fn attackers(
        slf: &Bound<'_, Self>,
        color: ColorArgument,
        square: SquareArgument,
        occupied: Option<IntoSquareSet>,
    ) -> PyResult<SquareSet> {
        Board::attacking(slf, color, square, occupied).map(SquareSet::of)
    }

    /// Whether pieces of a color attack a square. Pinned pieces count, en passant does not.
    #[pyo3(signature = (color, square, occupied=None))]
    fn is_attacked_by(
        slf: &Bound<'_, Self>,
        color: ColorArgument,
        square: SquareArgument,
        occupied: Option<IntoSquareSet>,
    ) -> PyResult<bool> {
        Ok(Board::attacking(slf, color, square, occupied)? != 0)
    }

    /// The castling rights that have their king and rook in place, as an integer.
    fn clean_castling_rights(slf: PyRef<'_, Self>) -> u64 {
        Board::state(&slf).clean_castling_rights(slf.game().mode)
    }

    /// Whether there are castling rights that only Chess960 has.
    fn has_chess960_castling_rights(slf: PyRef<'_, Self>) -> bool {
        Board::state(&slf).has_chess960_castling_rights()
    }

    /// Whether a pawn attacks the en passant square, though it may be pinned.
    fn has_pseudo_legal_en_passant(slf: &Bound<'_, Self>) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::HasPseudoLegalEnPassant, (slf,))? {
            return answer.is_truthy();
        }
        Ok(Board::state(&slf.try_borrow()?).en_passant_takers() != 0)
    }

    /// Whether a pawn can capture en passant.
    fn has_legal_en_passant(slf: &Bound<'_, Self>) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::HasLegalEnPassant, (slf,))? {
            return answer.is_truthy();
        }
        let board = slf.try_borrow()?;
        let extra = board.extra(slf.py())?;
        Ok(Board::state(&board).has_legal_en_passant(&extra, board.game()))
    }

    /// Whether a pseudo-legal move captures en passant.
    fn is_en_passant(slf: PyRef<'_, Self>, r#move: MoveArgument<'_, '_>) -> bool {
        Board::state(&slf).is_en_passant(r#move.get().raw())
    }

    /// Whether a pseudo-legal move captures something.
    fn is_capture(slf: &Bound<'_, Self>, r#move: MoveArgument<'_, '_>) -> PyResult<bool> {
        if let Some(answer) = Board::slowly(slf, Method::IsCapture, (slf, &*r#move))? {
            return answer.is_truthy();
        }
        Ok(Board::state(&slf.try_borrow()?).is_capture(r#move.get().raw()))
    }

    /// Whether a pseudo-legal move is a capture or a pawn's.
    fn is_zeroing(slf: PyRef<'_, Self>, r#move: MoveArgument<'_, '_>) -> bool {
        Board::state(&slf).is_zeroing(r#move.get().raw())
    }

    fn _reduces_castling_rights(slf: PyRef<'_, Self>, r#move: MoveArgument<'_, '_>) -> bool {
        Board::state(&slf).reduces_castling_rights(r#move.get().raw(), slf.game().mode)
    }

    /// Whether a pseudo-legal move is castling.
    fn is_castling(slf: PyRef<'_, Self>, r#move: MoveArgument<'_, '_>) -> bool {
        Board::state(&slf).is_castling(r#move.get().raw())
    }
}
