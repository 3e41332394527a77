//! What variants add to a FEN: pockets and counts of checks.

use super::FenProblem;
use crate::notation::whole_number;
use crate::types::ByColor;
use crate::{Piece, Pockets, RemainingChecks};

/// Cuts the pocket off the first field: `board[QPqp]` or `board/QPqp`. Gives the board, where the
/// pocket begins, and the pocket. An empty one may also be `[-]`, as xboard and cutechess write it, or
/// a `]` without a `[`.
pub(super) fn split_pocket(field: &str) -> Result<(&str, usize, &str), (usize, FenProblem)> {
    if let Some((board, rest)) = field.split_once('[') {
        return match rest.strip_suffix(']') {
            Some("-") => Ok((board, board.len() + 1, "")),
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
        if pockets.count(color, role) == Pockets::MAX_PER_ROLE {
            return Err((i, FenProblem::FullPocket));
        }
        pockets.add(color, role);
    }
    Ok(pockets)
}

/// Checks still to be given, `3+3`; `None` if these are no numbers or more than 255.
pub(super) fn read_checks_left(field: &str) -> Option<RemainingChecks> {
    read_checks(field, |left| left)
}

/// Checks given already, `+0+0`; `None` if these are no numbers or leave more than 255.
pub(super) fn read_checks_given(field: &str) -> Option<RemainingChecks> {
    read_checks(field.strip_prefix('+')?, |given| {
        3_i64.saturating_sub(given)
    })
}

fn read_checks(numbers: &str, left: impl Fn(i64) -> i64) -> Option<RemainingChecks> {
    let (white, black) = numbers.split_once('+')?;
    let read = |text: &str| {
        let number = whole_number(text)?;
        let most = if number.starts_with('-') {
            i64::MIN
        } else {
            i64::MAX
        };
        let number = number.parse().unwrap_or(most);
        u8::try_from(left(number).max(0)).ok()
    };
    Some(RemainingChecks(ByColor([read(white)?, read(black)?])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setup, Variant};

    #[test]
    fn pockets_may_be_empty() {
        const BOARD: &str = "4k3/8/8/8/8/8/8/4K3";
        for pocket in ["[]", "[-]", "]", "/", ""] {
            let fen = format!("{BOARD}{pocket} w - - 0 1");
            let setup = Setup::from_variant_fen(Variant::Crazyhouse, &fen);
            assert_eq!(setup.unwrap().pockets, Some(Pockets::default()), "{pocket}");
        }
        for pocket in ["[--]", "[Q-]", "[-Q]", "-]", "/-", "-"] {
            let fen = format!("{BOARD}{pocket} w - - 0 1");
            assert!(
                Setup::from_variant_fen(Variant::Crazyhouse, &fen).is_err(),
                "{pocket}"
            );
        }
    }
}
