//! The positions before the present one, as far as repetitions and observations need them.

use super::observation::{PositionChannels, STACK};
use engine_core::Position;

/// The keys of positions that the present one may repeat, and the frames of the last positions.
#[derive(Clone, Debug)]
pub(super) struct PositionHistory {
    /// The keys since the last capture or pawn move; the last one is that of the present position.
    keys: Vec<u64>,
    /// How often the present position occurs among them, and the most that any position does.
    times: usize,
    most: usize,
    stack: [PositionChannels; STACK],
}

impl PositionHistory {
    /// A game that starts here. Observations never show its start.
    pub(super) fn new(start: &Position) -> PositionHistory {
        PositionHistory {
            keys: vec![key(start)],
            times: 1,
            most: 1,
            stack: [PositionChannels::EMPTY; STACK],
        }
    }

    /// Starts a new game in the same memory.
    pub(super) fn reset(&mut self, start: &Position) {
        self.keys.clear();
        self.keys.push(key(start));
        (self.times, self.most) = (1, 1);
        self.stack = [PositionChannels::EMPTY; STACK];
    }

    /// Adds the position after a move.
    pub(super) fn push(&mut self, position: &Position) {
        if position.halfmoves() == 0 {
            self.keys.clear();
            self.most = 0;
        }
        self.keys.push(key(position));
        self.times = self.keys.last().map_or(0, |&key| self.count(key));
        self.most = self.most.max(self.times);
        let frame = PositionChannels::new(position, self.is_repeated());
        self.stack.rotate_right(1);
        let [latest, ..] = &mut self.stack;
        *latest = frame;
    }

    /// The last positions, the latest first.
    pub(super) fn stack(&self) -> &[PositionChannels; STACK] {
        &self.stack
    }

    /// Whether the present position stood before.
    pub(super) fn is_repeated(&self) -> bool {
        self.times >= 2
    }

    /// Whether the present position stands for the third time, or can do so after the next move.
    pub(super) fn can_claim_threefold(&self, position: &Position) -> bool {
        // Most often no position stood twice, and there is nothing to look for.
        self.times >= 3
            || self.most >= 2
                && position
                    .legal_moves()
                    .into_iter()
                    .any(|m| self.count(key(&position.after(m))) >= 2)
    }

    fn count(&self, key: u64) -> usize {
        self.keys.iter().filter(|&&other| other == key).count()
    }
}

/// A key that is the same for positions that are the same by the rule of repetitions: an en passant
/// square counts only if a pawn can legally take there.
fn key(position: &Position) -> u64 {
    if position.en_passant().is_none() || position.legal_en_passant().is_some() {
        return position.key();
    }
    let mut setup = position.to_setup();
    setup.en_passant = None;
    Position::<engine_core::Standard>::from_setup_unchecked(&setup, position.mode()).key()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(line: &str) -> (Position, PositionHistory) {
        let mut position = Position::start();
        let mut history = PositionHistory::new(&position);
        for text in line.split_whitespace() {
            position.play(position.parse_uci(text).unwrap());
            history.push(&position);
        }
        (position, history)
    }

    #[test]
    fn a_claim_for_the_next_move_counts() {
        let twice = "g1f3 g8f6 f3g1 f6g8";
        let (position, history) = after(twice);
        assert!(history.is_repeated());
        assert!(!history.can_claim_threefold(&position));
        // Black may go back to where the start stands for the third time.
        let (position, history) = after(&format!("{twice} g1f3 g8f6 f3g1"));
        assert!(history.can_claim_threefold(&position));
    }

    #[test]
    fn pawn_moves_end_repetitions() {
        let (_, history) = after("g1f3 g8f6 f3g1 f6g8 e2e4");
        assert!(!history.is_repeated());
        assert_eq!(history.keys.len(), 1);
    }

    #[test]
    fn an_en_passant_square_that_nobody_can_use_does_not_count() {
        // The first time after a double step, then without.
        let (_, history) = after("e2e4 g8f6 g1f3 f6g8 f3g1");
        assert!(history.is_repeated());
    }
}
