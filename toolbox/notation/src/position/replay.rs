//! A position with the line of moves that led to it.

use common::batch::VariantChoice;
use engine_core::notation::MoveError;
use engine_core::{
    AnyPosition, Bitboard, CastlingMode, Faults, Game, Move, MoveKind, Position, Rules, Setup,
    Square,
};

/// A game, and which of its pieces were pawns.
pub struct Replay {
    /// The game from the FEN to the last move of the line.
    pub game: Game,
    pub(super) promoted: Bitboard,
    pub(super) chess960: bool,
    /// The position as it was written, before any move: a position keeps no right or square that
    /// cannot be, and so would hide these faults.
    written: Option<Setup>,
}

impl Replay {
    /// Reads a FEN, whatever its faults, and plays moves in UCI notation; `0000` passes.
    ///
    /// # Errors
    /// When the variant is unknown, the FEN is invalid, or a move is illegal.
    pub fn new(rules: &VariantChoice, fen: &str, line: &[String]) -> Result<Replay, String> {
        Replay::of(rules, fen, line, ("line, ply", read_uci))
    }

    /// The same with moves in any notation.
    ///
    /// # Errors
    /// As [`Replay::new`].
    pub fn typed(rules: &VariantChoice, fen: &str, line: &[String]) -> Result<Replay, String> {
        // Moves may also be one argument.
        let words = line.iter().flat_map(|text| text.split_whitespace());
        let words: Vec<String> = words.map(str::to_owned).collect();
        Replay::of(rules, fen, &words, ("move", read_any))
    }

    /// Reads each move, and names its place by this word.
    fn of(
        rules: &VariantChoice,
        fen: &str,
        line: &[String],
        (place, read): (&str, ReadMove),
    ) -> Result<Replay, String> {
        let (variant, mode) = rules.resolve()?;
        let start = Setup::from_variant_fen(variant, fen).map_err(|error| error.to_string())?;
        let position = AnyPosition::from_setup_unchecked(variant, &start, mode);
        let mut replay = Replay {
            game: Game::new(position),
            promoted: promoted_in(fen),
            chess960: mode == CastlingMode::Chess960,
            written: line.is_empty().then_some(start),
        };
        for (ply, text) in line.iter().enumerate() {
            let illegal = |error: String| format!("{place} {}: {text}: {error}", ply + 1);
            let m = read(replay.game.position(), text).map_err(illegal)?;
            replay.play(m);
        }
        Ok(replay)
    }

    /// What is wrong with the position.
    pub(super) fn faults<R: Rules>(&self, position: &Position<R>) -> Faults {
        let now = || position.to_setup();
        let setup = self.written.clone().unwrap_or_else(now);
        Position::<R>::faults_of(&setup, position.mode())
    }

    /// Plays a move; none passes.
    fn play(&mut self, m: Option<Move>) {
        let Some(m) = m else {
            return self.game.play_null();
        };
        self.game.play(m);
        let occupied = self.game.position().board().occupied();
        let left = match m.kind() {
            MoveKind::Drop(_) => Bitboard::EMPTY,
            _ => m.from().bitboard(),
        };
        let stays = (self.promoted & left).any() || m.promoted().is_some();
        self.promoted -= left | m.to().bitboard();
        if stays {
            self.promoted |= m.to().bitboard();
        }
        // Removes pieces that explode or are captured en passant.
        self.promoted &= occupied;
    }
}

/// Reads a move; none is a null move.
type ReadMove = fn(&AnyPosition, &str) -> Result<Option<Move>, String>;

fn read_uci(position: &AnyPosition, text: &str) -> Result<Option<Move>, String> {
    match position.parse_uci(text) {
        Ok(m) => Ok(Some(m)),
        Err(MoveError::Null) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn read_any(position: &AnyPosition, text: &str) -> Result<Option<Move>, String> {
    if let Ok(m) = read_uci(position, text) {
        return Ok(m);
    }
    match position.parse_human(text) {
        Ok(m) => Ok(Some(m)),
        Err(error) if error.error == MoveError::Null => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// The pieces that a FEN marks with `~`.
fn promoted_in(fen: &str) -> Bitboard {
    let board = fen
        .trim_start()
        .split([' ', '['])
        .next()
        .unwrap_or_default();
    let mut marked = Bitboard::EMPTY;
    for (row, rank) in board.split('/').take(8).enumerate() {
        let mut file = 0;
        for letter in rank.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as usize,
                None if letter == '~' => {
                    // The mark follows its piece, on the board where the FEN is sound.
                    let square = (1..=8)
                        .contains(&file)
                        .then(|| Square::from_index((7 - row) * 8 + file - 1));
                    marked |= square.flatten().map_or(Bitboard::EMPTY, Square::bitboard);
                }
                None => file += 1,
            }
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_promotion() {
        let marked: Bitboard = [Square::B8, Square::H1].into_iter().collect();
        assert_eq!(promoted_in("1Q~6/8/8/8/8/8/8/k6n~ w - -"), marked);
        assert_eq!(promoted_in("~8/99999999999999~"), Bitboard::EMPTY);
    }

    #[test]
    fn people_may_type_any_notation() {
        let rules = VariantChoice::default();
        let fen = engine_core::Variant::Standard.start_fen();
        let line = ["e4", "e7e5", "Ng1-f3", "--"].map(str::to_owned);
        let moves = Replay::typed(&rules, fen, &line).map(|replay| replay.game.moves().len());
        assert_eq!(moves, Ok(4));
        let error = Replay::new(&rules, fen, &line).err();
        assert_eq!(error.as_deref(), Some("line, ply 1: e4: not a move"));
    }

    #[test]
    fn promoted_pieces_are_followed() {
        let rules = VariantChoice::default();
        let line = ["b7b8q", "h2h1n", "b8b1", "a1b1"].map(str::to_owned);
        let replay = |plies: usize| {
            let line = line.get(..plies).unwrap_or_default();
            let replay = Replay::new(&rules, "7K/1P6/8/8/8/8/7p/k7 w - - 0 1", line);
            replay.map(|replay| replay.promoted.into_iter().collect::<Vec<_>>())
        };
        assert_eq!(replay(1), Ok(vec![Square::B8]));
        assert_eq!(replay(3), Ok(vec![Square::B1, Square::H1]));
        assert_eq!(replay(4), Ok(vec![Square::H1]));
    }
}
