//! Games played again, to find the positions to learn from.

use super::blocks::DataBlock;
use super::game::{Packed, SelfPlayGame};
use crate::packed_position::PackedPosition;
use engine_core::eval::EvalRules;
use engine_core::search::Score;
use engine_core::{Move, Position, Rules, Variant, dispatch};

/// Whether a position is worth learning from: nothing is about to happen that the search sees and
/// the evaluation does not. False where the score, from either view, is that of a mate or a table.
pub fn is_quiet<R: Rules>(position: &Position<R>, best: Move, score: i16) -> bool {
    let is_decided = i32::from(score).abs() >= Score::TB_BOUND.0;
    !is_decided && !position.in_check() && !position.is_capture(best) && best.promoted().is_none()
}

/// A visitor of games and their quiet positions.
pub trait Visit {
    /// A game, before its positions.
    fn game(&mut self, game: &Packed<'_>) {
        let _ = game;
    }

    /// A position, its score in centipawns and the result in half points, both from White's view.
    fn visit<R: EvalRules>(&mut self, position: &Position<R>, score: i16, result: u8);
}

/// Keeps the positions, packed.
impl Visit for Vec<PackedPosition> {
    fn visit<R: EvalRules>(&mut self, position: &Position<R>, score: i16, result: u8) {
        self.extend(PackedPosition::new(position, score, result));
    }
}

/// Shows all quiet positions of a block; `None` when its games are not what its head says, or have
/// illegal moves.
pub(super) fn replay(block: &DataBlock, variant: Variant, visit: &mut impl Visit) -> Option<()> {
    let (mut games, mut plies, mut positions) = (0, 0, 0);
    let mut body = block.body.as_slice();
    while !body.is_empty() {
        let (game, rest) = Packed::split_first(body, variant)?;
        body = rest;
        games += 1;
        plies += game.plies.len() as u32;
        visit.game(&game);
        let start = SelfPlayGame::start(variant, game.chess960);
        positions += dispatch!(start, |position| play(position, game, visit))?;
    }
    let head = &block.head;
    ((games, plies, positions) == (head.games, head.plies, head.positions)).then_some(())
}

/// Plays one game; the number of its quiet positions.
fn play<R: EvalRules>(
    mut position: Position<R>,
    game: Packed<'_>,
    visit: &mut impl Visit,
) -> Option<u32> {
    let legal = |position: &Position<R>, bits| {
        let m = Move::from_bits(u16::from_le_bytes(bits))?;
        position.is_legal(m).then_some(m)
    };
    for &bits in game.opening {
        let m = legal(&position, bits)?;
        position.play(m);
    }
    let mut positions = 0;
    for &[low, high, score @ ..] in game.plies {
        let best = legal(&position, [low, high])?;
        let score = i16::from_le_bytes(score);
        if is_quiet(&position, best, score) {
            visit.visit(&position, score, game.result);
            positions += 1;
        }
        position.play(best);
    }
    Some(positions)
}
