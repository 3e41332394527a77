//! A position as an image.

use super::arguments::Args;
use crate::Diagram;
use common::arguments::{fen, refuse_unquoted};
use common::error::{Error, Result};
use engine_core::notation::MoveError;
use engine_core::{AnyPosition, CastlingMode, Setup};

impl Args {
    /// The position, in the colours of its theme.
    ///
    /// # Errors
    /// When the position or a move cannot be read.
    pub fn diagram(&self) -> Result<Diagram> {
        refuse_unquoted(self.fen.as_deref(), &self.moves)?;
        let mode = CastlingMode::from_chess960(self.chess960);
        let mut position = match self.fen.as_deref() {
            None => AnyPosition::start(self.variant).with_mode(mode),
            // Illegal positions can be drawn, too.
            Some(text) => {
                let written = Setup::from_variant_fen(self.variant, fen(text, self.variant))
                    .map_err(|error| error.to_string())?;
                AnyPosition::from_setup_unchecked(self.variant, &written, mode)
            }
        };
        let mut last = self.last_move.unwrap_or_default();
        for text in &self.moves {
            match position.parse_human(text) {
                Ok(m) => {
                    last = m.marked_squares().into_iter().collect();
                    position.play(m);
                }
                Err(error) if error.error == MoveError::Null => position.play_null(),
                Err(error) => return Err(Error::Message(format!("{text}: {error}"))),
            }
        }
        let mut diagram = Diagram::of(&position);
        let king = diagram.check.filter(|_| !self.no_check);
        diagram.check = self.check.or(king);
        let mut diagram = self.look(diagram);
        diagram.last_move = last;
        Ok(diagram)
    }
}
