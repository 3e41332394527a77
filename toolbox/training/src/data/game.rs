//! One game, and its bytes.

use engine_core::{AnyPosition, Move, Variant};

/// The number of the start that is not one of Chess960.
const OF_VARIANT: u16 = u16::MAX;
/// The starts of Chess960.
const STARTS: u16 = 960;
/// No game has more plies with a score, so that 64 of them fit into a block.
const MAX_PLIES: usize = 1 << 13;

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SelfPlayGame {
    /// The number of the start position of Chess960; `None` for the start of the variant.
    pub chess960: Option<u16>,
    /// The random moves at the beginning.
    pub opening: Vec<Move>,
    /// The results of the search after the opening.
    pub plies: Vec<SearchedPly>,
    /// White's half points.
    pub result: u8,
    /// How many of the positions are [quiet](super::is_quiet).
    pub positions: u32,
}

/// The result of the search in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchedPly {
    /// The best move, which was played unless the game was adjudicated.
    pub best: Move,
    /// From White's view, in centipawns.
    pub score: i16,
}

impl SelfPlayGame {
    /// The position before the opening.
    pub fn start(variant: Variant, chess960: Option<u16>) -> AnyPosition {
        match chess960 {
            Some(number) => AnyPosition::chess960(u32::from(number)),
            None => AnyPosition::start(variant),
        }
    }

    /// As in a file; `None` when the game is too long for one.
    pub(super) fn to_bytes(&self) -> Option<Vec<u8>> {
        let opening = u8::try_from(self.opening.len()).ok()?;
        let plies = u16::try_from(self.plies.len()).ok()?;
        if self.plies.len() > MAX_PLIES {
            return None;
        }
        let mut bytes = self.chess960.unwrap_or(OF_VARIANT).to_le_bytes().to_vec();
        bytes.extend([self.result, opening]);
        bytes.extend(plies.to_le_bytes());
        for m in &self.opening {
            bytes.extend(m.to_bits().to_le_bytes());
        }
        for ply in &self.plies {
            bytes.extend(ply.best.to_bits().to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
        Some(bytes)
    }
}

/// A game where it lies in a body, its moves not looked at.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'b> {
    /// As in [`SelfPlayGame`].
    pub chess960: Option<u16>,
    /// As in [`SelfPlayGame`].
    pub result: u8,
    /// The bits of each random move.
    pub opening: &'b [[u8; 2]],
    /// Those of the best move, and the score, of each ply.
    pub plies: &'b [[u8; 4]],
}

/// Whether a game can begin with these bytes, as no block and no file does.
pub(super) fn begins_game(bytes: &[u8]) -> bool {
    let is_start = |number| number == OF_VARIANT || number < STARTS;
    let start = bytes.first_chunk().copied().map(u16::from_le_bytes);
    start.is_none_or(is_start)
}

impl<'b> Packed<'b> {
    /// The first game of a body, and what follows it; `None` when there is no such thing.
    pub(super) fn split_first(body: &'b [u8], variant: Variant) -> Option<(Packed<'b>, &'b [u8])> {
        let (&[low, high, result @ 0..=2, opening, plies @ ..], rest) =
            body.split_first_chunk::<6>()?
        else {
            return None;
        };
        let chess960 = match u16::from_le_bytes([low, high]) {
            OF_VARIANT => None,
            number @ 0..STARTS if variant == Variant::Standard => Some(number),
            _ => return None,
        };
        let (opening, rest) = rest.split_at_checked(2 * usize::from(opening))?;
        let plies = usize::from(u16::from_le_bytes(plies));
        let (plies, rest) = rest.split_at_checked(4 * plies)?;
        let game = Packed {
            chess960,
            result,
            opening: opening.as_chunks().0,
            plies: plies.as_chunks().0,
        };
        Some((game, rest))
    }
}
