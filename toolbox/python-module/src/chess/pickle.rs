//! Positions as lists of numbers, which pickles hold.

use super::state::{BoardState, Extra, Pieces, count_of_checks};

/// A position as numbers.
pub(crate) fn to_numbers((state, extra): &(BoardState, Extra)) -> Vec<i64> {
    let Pieces {
        roles,
        colors,
        occupied,
        promoted,
    } = state.pieces;
    let masks = roles.into_iter().chain(colors);
    let masks = masks.chain([occupied, promoted, state.castling_rights]);
    let mut numbers: Vec<i64> = masks.map(u64::cast_signed).collect();
    numbers.extend([
        i64::from(state.turn),
        state.ep_square.map_or(-1, i64::from),
        state.halfmove_clock,
        state.fullmove_number,
    ]);
    numbers.extend(extra.pockets.into_iter().flatten().flatten().map(i64::from));
    numbers.extend(extra.checks.into_iter().flatten().map(i64::from));
    numbers
}

/// A position from its numbers.
pub(crate) fn from_numbers(numbers: &[i64]) -> Option<(BoardState, Extra)> {
    let (masks, rest) = numbers.split_first_chunk::<11>()?;
    let [roles @ .., _, _, _, _, _] = masks.map(i64::cast_unsigned);
    let [.., black, white, occupied, promoted, castling_rights] = masks.map(i64::cast_unsigned);
    let (&[turn, ep_square, halfmove_clock, fullmove_number], rest) = rest.split_first_chunk()?;
    let state = BoardState {
        pieces: Pieces {
            roles,
            colors: [black, white],
            occupied,
            promoted,
        },
        turn: turn != 0,
        castling_rights,
        ep_square: u8::try_from(ep_square).ok().filter(|&square| square < 64),
        halfmove_clock,
        fullmove_number,
        has_moved: false,
    };
    let pocket = |counts: &[i64; 6]| counts.map(|count| count.clamp(0, 255) as u8);
    let extra = match *rest {
        [] => Extra::default(),
        [black, white] => Extra {
            checks: Some([black, white].map(count_of_checks)),
            ..Extra::default()
        },
        _ => {
            let (black, white) = (rest.first_chunk()?, rest.get(6..)?.first_chunk()?);
            Extra {
                pockets: Some([black, white].map(pocket)),
                ..Extra::default()
            }
        }
    };
    Some((state, extra))
}
