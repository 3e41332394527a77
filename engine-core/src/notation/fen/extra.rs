//! What variants add to a FEN: pockets and counts of checks.

use super::FenProblem;
use crate::types::ByColor;
use crate::{Piece, Pockets, RemainingChecks};

/// Cuts the pocket off the first field: `board[QPqp]` or `board/QPqp`. Gives the board, where the
/// pocket begins, and the pocket. A `]` without a `[` stands for an empty pocket.
pub(super) fn split_pocket(field: &str) -> Result<(&str, usize, &str), (usize, FenProblem)> {
    if let Some((board, rest)) = field.split_once('[') {
        return match rest.strip_suffix(']') {
            Some(pocket) => Ok((board, board.len() + 1, pocket)),
            None => Err((field.len(), FenProblem::UnclosedPocket)),
        };
    }
    if let Some(board) = field.strip_suffix(']')
        && board.matches('/').count() == 7
    {
        return Ok((board, board.len(), ""));
    }
    match field.match_indices('/').nth(7) {
        Some((at, _)) => Ok((
            field.get(..at).unwrap_or(field),
            at + 1,
            field.get(at + 1..).unwrap_or(""),
        )),
        None => Ok((field, field.len(), "")),
    }
}

/// The letters of both sides in any order; or the first problem and its byte.
pub(super) fn read_pockets(letters: &str) -> Result<Pockets, (usize, FenProblem)> {
    let mut pockets = Pockets::default();
    for (i, letter) in letters.char_indices() {
        let Some(Piece { color, role }) = Piece::from_letter(letter) else {
            return Err((i, FenProblem::NotAPiece(letter)));
        };
        if pockets.count(color, role) == Pockets::MOST {
            return Err((i, FenProblem::FullPocket));
        }
        pockets.add(color, role);
    }
    Ok(pockets)
}

/// Checks still to be given, `3+3`, or those given already, `+0+0`; `None` if these are no numbers or
/// more than 255 checks are left.
pub(super) fn read_checks(field: &str) -> Option<RemainingChecks> {
    let (given, numbers) = match field.strip_prefix('+') {
        Some(numbers) => (true, numbers),
        None => (false, field),
    };
    let (white, black) = numbers.split_once('+')?;
    let read = |number: &str| {
        let number: i32 = number.parse().ok()?;
        let left = if given {
            3_i32.saturating_sub(number)
        } else {
            number
        };
        u8::try_from(left.max(0)).ok()
    };
    Some(RemainingChecks(ByColor([read(white)?, read(black)?])))
}
