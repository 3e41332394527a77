//! Commands that set up a position.

use super::XBoard;
use common::error::Result;
use common::input::shorten;
use engine_core::notation::ReadPositionError;
use engine_core::{AnyPosition, Color};

impl XBoard {
    pub(super) fn set_board(&mut self, fen: &str) -> Result {
        let mode = self.position().mode();
        let variant = self.position().variant();
        let position = AnyPosition::from_fen(variant, fen, mode);
        self.take_position(position)
    }

    pub(super) fn edit(&mut self, text: &str) -> Result {
        if text.trim() != "." {
            let understood = self.editor.as_mut().and_then(|editor| editor.line(text));
            return match understood {
                Some(()) => Ok(()),
                None => self.say(&format!("Error (unknown edit): {}", shorten(text.trim()))),
            };
        }
        let Some(editor) = self.editor.take() else {
            return Ok(());
        };
        let (variant, mode) = (self.position().variant(), self.position().mode());
        let setup = editor.finish(mode);
        let position = AnyPosition::from_playable_setup(variant, &setup, mode);
        self.take_position(position.map_err(ReadPositionError::from))
    }

    fn take_position(
        &mut self,
        position: std::result::Result<AnyPosition, ReadPositionError>,
    ) -> Result {
        match position {
            Ok(position) => {
                self.set_game(position)?;
                self.clock.count_from(self.ply());
                self.proceed()
            }
            Err(error) => {
                self.halt()?;
                self.has_illegal_position = true;
                let why = match error.faults() {
                    Some(faults) => faults.to_string(),
                    None => error.to_string(),
                };
                self.say(&format!("tellusererror Illegal position: {why}"))
            }
        }
    }

    /// `white` and `black` of old GUIs: that side is to move, and the engine plays the other, which ends
    /// analysis.
    pub(super) fn give_move(&mut self, color: Color) -> Result {
        self.halt()?;
        self.search_state.set_analyzing(false);
        let position = self.position();
        let (mut setup, mode) = (position.to_setup(), position.mode());
        // After a refused position, the one before it must not come back.
        if setup.turn != color && !self.has_illegal_position {
            setup.turn = color;
            setup.en_passant = None;
            if let Ok(position) =
                AnyPosition::from_playable_setup(self.position().variant(), &setup, mode)
            {
                self.set_game(position)?;
            }
        }
        self.side = Some(!color);
        Ok(())
    }
}
