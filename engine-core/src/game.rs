//! A game: its positions and moves, and the draws that depend on more than the last position.

use crate::AnyPosition;
use crate::notation::MoveError;
use crate::rules::Rules;
use crate::types::{Outcome, Termination};
use crate::{Move, Position, dispatch};
use alloc::vec::Vec;

/// A game of any variant from its start position to the present one.
///
/// ```
/// use engine_core::{AnyPosition, Game, Variant};
///
/// let mut game = Game::new(AnyPosition::start(Variant::Standard));
/// for san in ["f3", "e5", "g4", "Qh4#"] {
///     game.push_san(san)?;
/// }
/// assert_eq!(game.outcome(false).map(|outcome| outcome.result()), Some("0-1"));
/// assert!(game.undo());
/// assert_eq!(game.outcome(true), None);
/// # Ok::<(), engine_core::notation::MoveError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The positions before each of the moves.
    before: Vec<AnyPosition>,
    /// `None` is a null move.
    moves: Vec<Option<Move>>,
    position: AnyPosition,
}

impl Game {
    /// A game that starts from a position.
    pub fn new(start: AnyPosition) -> Game {
        Game {
            before: Vec::new(),
            moves: Vec::new(),
            position: start,
        }
    }

    /// The position before the first move.
    pub fn start(&self) -> &AnyPosition {
        self.before.first().unwrap_or(&self.position)
    }

    /// The present position.
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The moves so far; `None` is a null move.
    pub fn moves(&self) -> &[Option<Move>] {
        &self.moves
    }

    /// Every move with the position before it.
    pub fn plies(&self) -> impl Iterator<Item = (&AnyPosition, Option<Move>)> {
        self.before.iter().zip(self.moves.iter().copied())
    }

    /// The game as it was after its first `plies` moves; the whole game where it has fewer.
    #[must_use]
    pub fn up_to(&self, plies: usize) -> Game {
        Game {
            before: self.before.iter().take(plies).copied().collect(),
            moves: self.moves.iter().take(plies).copied().collect(),
            position: *self.before.get(plies).unwrap_or(&self.position),
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.play_or_pass(Some(m));
    }

    /// Plays a move in SAN and returns it; see [`Position::parse_san`].
    ///
    /// # Errors
    /// Says why the text is not a legal move; then the game is unchanged.
    pub fn push_san(&mut self, text: &str) -> Result<Move, MoveError> {
        let m = self.position.parse_san(text)?;
        self.play(m);
        Ok(m)
    }

    /// Plays a move in UCI notation and returns it; see [`Position::parse_uci`].
    ///
    /// # Errors
    /// Says why the text is not a legal move; then the game is unchanged.
    pub fn push_uci(&mut self, text: &str) -> Result<Move, MoveError> {
        let m = self.position.parse_uci(text)?;
        self.play(m);
        Ok(m)
    }

    /// Passes the move, as analysis may.
    pub fn play_null(&mut self) {
        self.play_or_pass(None);
    }

    /// Plays a legal move, or passes where it is `None`.
    pub fn play_or_pass(&mut self, m: Option<Move>) {
        self.before.push(self.position);
        self.moves.push(m);
        self.position.play_or_pass(m);
    }

    /// Takes back the last move; false if there was none.
    pub fn undo(&mut self) -> bool {
        self.moves.pop();
        let before = self.before.pop();
        self.position = before.unwrap_or(self.position);
        before.is_some()
    }

    /// The keys of the earlier positions that the present one can repeat, the oldest first: those
    /// since the last capture or pawn move, in Crazyhouse all. The search looks for repetitions
    /// among them.
    pub fn keys(&self) -> Vec<u64> {
        let keys = self.repeatable().iter();
        keys.map(AnyPosition::repetition_key).collect()
    }

    /// Earlier positions since the last capture or pawn move; all of them in Crazyhouse.
    fn repeatable(&self) -> &[AnyPosition] {
        let clock = dispatch!(&self.position, |position| position.repeatable_plies());
        let since = self.before.len().saturating_sub(clock);
        self.before.get(since..).unwrap_or_default()
    }

    /// How often a position has occurred since the last capture or pawn move, in Crazyhouse since
    /// the start.
    fn occurrences(&self, position: &AnyPosition) -> usize {
        let is_same = |other: &&AnyPosition| other.repeats(position);
        self.repeatable().iter().filter(is_same).count()
            + usize::from(self.position.repeats(position))
    }

    /// Whether the present position has occurred `count` times or more. Positions are equal when
    /// they have the same moves: an en passant square counts only if a pawn can capture there.
    pub fn is_repetition(&self, count: usize) -> bool {
        count <= 1 || self.occurrences(&self.position) >= count
    }

    /// Whether the side to move may claim a draw because the position has occurred three times or
    /// will have after one of its moves.
    pub fn can_claim_threefold(&self) -> bool {
        self.is_repetition(3)
            || self
                .position
                .legal_moves()
                .into_iter()
                .any(|m| self.occurrences(&self.position.after(m)) >= 2)
    }

    /// Whether the side to move may claim a draw by the fifty-move rule; see
    /// [`Position::can_claim_fifty`].
    pub fn can_claim_fifty(&self) -> bool {
        dispatch!(&self.position, |position| position.can_claim_fifty())
    }

    /// The draw that may be claimed of the present position as it is, without a move.
    pub fn claimable_draw(&self) -> Option<Termination> {
        if self.is_repetition(3) {
            Some(Termination::ThreefoldRepetition)
        } else if self.position.halfmoves() >= 100 && self.can_claim_fifty() {
            Some(Termination::FiftyMoves)
        } else {
            None
        }
    }

    /// How the game has ended. With `claim_draw`, draws that the side to move may claim are ends,
    /// too.
    pub fn outcome(&self, claim_draw: bool) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            let termination = if self.is_repetition(5) {
                Termination::FivefoldRepetition
            } else if claim_draw && self.can_claim_fifty() {
                Termination::FiftyMoves
            } else if claim_draw && self.can_claim_threefold() {
                Termination::ThreefoldRepetition
            } else {
                return None;
            };
            Some(Outcome::draw(termination))
        })
    }
}

/// A game of standard chess before its first move.
impl Default for Game {
    fn default() -> Game {
        Game::new(AnyPosition::default())
    }
}

impl<R: Rules> Position<R> {
    /// How many plies back a position may lie that the present one repeats.
    pub(crate) fn repeatable_plies(&self) -> usize {
        if R::CAPTURES_REPEAT {
            usize::MAX
        } else {
            self.halfmoves() as usize
        }
    }

    /// Whether the side to move may claim a draw because fifty moves went by without capture or
    /// pawn move, or will have done so after one of its moves.
    pub fn can_claim_fifty(&self) -> bool {
        match self.halfmoves() {
            _ if !R::FIFTY_MOVES => false,
            100.. => self.has_legal_move(),
            // The next move completes fifty, if it is quiet and leaves the opponent a move.
            99 => self
                .legal_moves()
                .into_iter()
                .any(|m| !self.is_zeroing(m) && self.after(m).has_legal_move()),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CastlingMode, Variant};

    fn game(line: &str) -> Game {
        let mut game = Game::new(AnyPosition::start(Variant::Standard));
        for text in line.split_whitespace() {
            game.push_san(text).expect("a legal move");
        }
        game
    }

    #[test]
    fn keys_reach_back_to_the_last_pawn_move_or_capture() {
        assert_eq!(game("Nf3 Nf6 Ng1").keys().len(), 3);
        assert_eq!(game("Nf3 Nf6 e4").keys().len(), 0);
        assert_eq!(game("Nf3 Nf6 e4 Nxe4 Nc3 Nf6").keys().len(), 2);
        let repeated = game("e4 Nf6 Nf3 Ng8 Ng1");
        assert_eq!(repeated.keys().first(), Some(&repeated.position().key()));
        assert!(repeated.is_repetition(2));
    }

    /// The pawn on e4 is pinned, so that d2d4 can be taken by no legal move.
    #[test]
    fn keys_forget_an_en_passant_square_of_no_use() {
        let start = "8/8/8/8/R3p2k/8/3P4/KQ6 w - - 0 1";
        let mut game = Game::new(
            AnyPosition::from_fen(Variant::Standard, start, CastlingMode::Standard).unwrap(),
        );
        for text in [
            "d4", "Kh3", "Ra2", "Kh4", "Ra4", "Kh5", "Qc2", "Kh6", "Qb1", "Kh5",
        ] {
            game.push_san(text).unwrap();
        }
        game.push_san("Ra2").unwrap();
        game.push_san("Kh4").unwrap();
        game.push_san("Ra4").unwrap();
        assert!(game.is_repetition(2));
        assert!(game.keys().contains(&game.position().key()));
    }

    #[test]
    fn the_beginning_of_a_game_is_as_it_was_played() {
        let whole = game("e4 e5 Nf3 Nc6");
        assert_eq!(whole.up_to(0), game(""));
        assert_eq!(whole.up_to(3), game("e4 e5 Nf3"));
        assert_eq!(whole.up_to(4), whole);
        assert_eq!(whole.up_to(5), whole);
    }

    #[test]
    fn draws_are_claimed_of_the_position_or_before_a_move() {
        let back_and_forth = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
        assert!(game(back_and_forth).can_claim_threefold());
        assert_eq!(game(back_and_forth).claimable_draw(), None);
        let third = game("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        let draw = Some(Termination::ThreefoldRepetition);
        assert_eq!(third.claimable_draw(), draw);
        let quiet = |variant, halfmoves: u32| {
            let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {halfmoves} 90");
            let position = AnyPosition::from_fen(variant, &fen, CastlingMode::Standard);
            Game::new(position.unwrap())
        };
        assert!(quiet(Variant::Standard, 99).can_claim_fifty());
        assert_eq!(quiet(Variant::Standard, 99).claimable_draw(), None);
        let draw = Some(Termination::FiftyMoves);
        assert_eq!(quiet(Variant::Standard, 100).claimable_draw(), draw);
        assert_eq!(quiet(Variant::Crazyhouse, 100).claimable_draw(), None);
    }

    #[test]
    fn undo_goes_back_to_the_start_and_no_further() {
        let mut game = game("e4 e5");
        game.play_null();
        assert_eq!(game.moves().last(), Some(&None));
        assert!(game.undo() && game.undo() && game.undo());
        assert!(!game.undo());
        assert_eq!(game.position(), game.start());
        assert_eq!(game, Game::default());
        assert!(game.moves().is_empty());
    }
}
