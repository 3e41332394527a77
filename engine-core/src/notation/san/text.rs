//! Parsing the text of a SAN, independently of a position.

use crate::notation::square;
use crate::{File, Rank, Role, Square};

/// The text without a final `+` or `#`.
pub(super) fn without_check_mark(bytes: &[u8]) -> &[u8] {
    match bytes {
        [rest @ .., b'+' | b'#'] => rest,
        _ => bytes,
    }
}

/// The parts of a move in SAN.
#[derive(Clone, Copy)]
pub(in crate::notation) struct SanText {
    /// The piece that moves; `None` if no letter names it, as for pawns.
    pub(in crate::notation) role: Option<Role>,
    /// The file and the rank that it comes from, if given.
    pub(in crate::notation) file: Option<File>,
    pub(in crate::notation) rank: Option<Rank>,
    pub(in crate::notation) to: Square,
    pub(in crate::notation) promotion: Option<Role>,
}

impl SanText {
    /// Reads backwards, since only a promotion and the mark of check may follow the target square.
    pub(in crate::notation) fn read(bytes: &[u8]) -> Option<SanText> {
        let mut rest = without_check_mark(bytes);
        let mut promotion = None;
        if let [before @ .., letter] = rest
            && let Some(role) = Role::from_letter(char::from(*letter))
            && role != Role::Pawn
        {
            promotion = Some(role);
            rest = match before {
                [before @ .., b'='] => before,
                _ => before,
            };
        }
        let [before @ .., to_file, to_rank] = rest else {
            return None;
        };
        let to = square(*to_file, *to_rank)?;
        rest = match before {
            [before @ .., b'x' | b'-'] => before,
            _ => before,
        };
        let mut role = None;
        if let [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), after @ ..] = rest {
            role = Role::from_letter(char::from(*letter));
            rest = after;
        }
        let (file, rank) = match *rest {
            [] => (None, None),
            [byte] => match File::from_letter(char::from(byte)) {
                Some(file) => (Some(file), None),
                None => (None, Some(Rank::from_digit(char::from(byte))?)),
            },
            [file, rank] => (
                Some(File::from_letter(char::from(file))?),
                Some(Rank::from_digit(char::from(rank))?),
            ),
            _ => return None,
        };
        Some(SanText {
            role,
            file,
            rank,
            to,
            promotion,
        })
    }
}
