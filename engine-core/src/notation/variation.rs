//! Variations: lines of moves as text.

use super::MoveText;
use crate::rules::Rules;
use crate::{Color, Move, Position};
use alloc::format;
use alloc::string::String;

/// The number before a move as PGN writes it: `12.` for White, `12...` for Black.
pub fn move_number(fullmoves: u32, turn: Color) -> String {
    let dots = if turn.is_white() { "." } else { "..." };
    format!("{fullmoves}{dots}")
}

impl<R: Rules> Position<R> {
    /// The moves of a line in SAN with their numbers.
    ///
    /// ```
    /// use engine_core::{Game, Variant, AnyPosition};
    ///
    /// let start = AnyPosition::start(Variant::Standard);
    /// let mut game = Game::new(start);
    /// let line = ["e4", "e5", "Nf3"].map(|san| game.push_san(san));
    /// let line = line.into_iter().collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(start.variation_san(&line), "1. e4 e5 2. Nf3");
    /// assert_eq!(start.variation_uci(&line), "e2e4 e7e5 g1f3");
    /// # Ok::<(), engine_core::notation::MoveError>(())
    /// ```
    pub fn variation_san(&self, line: &[Move]) -> String {
        let mut text = String::new();
        let mut position = *self;
        for (ply, &m) in line.iter().enumerate() {
            if ply > 0 {
                text.push(' ');
            }
            if ply == 0 || position.turn().is_white() {
                text.push_str(&move_number(position.fullmoves(), position.turn()));
                text.push(' ');
            }
            text.push_str(&position.to_san(m));
            position.play(m);
        }
        text
    }

    /// The moves of a line in UCI notation with blanks between them.
    pub fn variation_uci(&self, line: &[Move]) -> String {
        self.joined(line, Position::to_uci)
    }

    /// The moves of a line in the notation of the XBoard protocol with blanks between them; see
    /// [`Position::to_xboard`].
    pub fn variation_xboard(&self, line: &[Move]) -> String {
        self.joined(line, Position::to_xboard)
    }

    fn joined(&self, line: &[Move], write: impl Fn(&Self, Move) -> MoveText) -> String {
        let mut text = String::new();
        let mut position = *self;
        for &m in line {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&write(&position, m));
            position.play(m);
        }
        text
    }
}
