//! Setting up games and keeping the engine's board equal to ours.

use super::moves::write_move;
use super::{EngineMode, PREPARATION, XBoard, edit};
use crate::client::error::Result;
use crate::client::link::{Dialect, Link};
use engine_core::notation::EnPassant;
use engine_core::{AnyPosition, CastlingMode, Game, Variant, dispatch};
use std::time::Instant;

impl XBoard {
    /// Whether the game continues from the engine's board with one move of the opponent.
    pub(super) fn continues_with(&self, game: &Game) -> bool {
        self.game.as_ref().is_some_and(|old| {
            old.start() == game.start()
                && game.moves().len() == old.moves().len() + 1
                && game.moves().starts_with(old.moves())
        })
    }

    /// The argument of `variant` for games from this position.
    ///
    /// # Errors
    /// When the engine does not play by these rules.
    pub(super) fn variant_word(&self, link: &Link, start: &AnyPosition) -> Result<&'static str> {
        let variant = match (start.variant(), start.mode()) {
            (Variant::Standard, CastlingMode::Chess960) => "fischerandom",
            (variant, _) => variant.xboard(),
        };
        let known = &self.features.variants;
        if variant != "normal" && !known.iter().any(|known| known == variant) {
            let known = known.join(", ");
            return Err(link.unsupported(format!("it plays {known}, not {variant}")));
        }
        Ok(variant)
    }

    /// Sends `new` and all that must precede the first move, in force mode.
    pub(super) fn begin_game(&mut self, link: &mut Link, game: &Game) -> Result {
        let start = *game.start();
        let is_chess960 = start.mode() == CastlingMode::Chess960;
        let variant = self.variant_word(link, &start)?;
        link.send("new");
        if variant != "normal" {
            link.send(&format!("variant {variant}"));
        }
        if let Some(opponent) = &self.opponent {
            if self.features.name {
                link.send(&format!("name {}", opponent.name));
            }
            if let Some(rating) = opponent.rating {
                link.send(&format!("rating 0 {rating}"));
            }
            if opponent.is_engine {
                link.send("computer");
            }
        }
        link.send("force");
        self.mode = EngineMode::Force;
        if start != AnyPosition::start(start.variant()) {
            if self.features.setboard {
                let fen = if is_chess960 {
                    dispatch!(start, |start| start.shredder_fen(EnPassant::Legal))
                } else {
                    start.fen()
                };
                link.send(&format!("setboard {fen}"));
            } else {
                let lines = edit::lines(&start, self.features.move_prefix());
                for line in lines.map_err(|why| link.unsupported(why))? {
                    link.send(&line);
                }
            }
        }
        self.game = Some(Game::new(start));
        self.draw_offered = false;
        // The engine is ready, or has refused the position: then its board is unknown.
        self.ping(link, Instant::now() + PREPARATION)
            .inspect_err(|_| self.game = None)
    }

    /// Takes back the engine's moves that are not in the game.
    pub(super) fn take_back(&mut self, link: &mut Link, game: &Game) {
        let Some(old) = &mut self.game else {
            return;
        };
        let pairs = old.moves().iter().zip(game.moves());
        let common = pairs.take_while(|(old, new)| old == new).count();
        let mut extra = old.moves().len() - common;
        while extra > 0 {
            link.send(if extra > 1 { "remove" } else { "undo" });
            for _ in 0..extra.min(2) {
                old.undo();
            }
            extra = extra.saturating_sub(2);
        }
    }

    /// Sends the moves that the engine does not have yet.
    pub(super) fn send_moves(&mut self, link: &mut Link, game: &Game) {
        let Some(old) = &mut self.game else {
            return;
        };
        let prefix = self.features.move_prefix();
        for (before, m) in game.plies().skip(old.moves().len()) {
            let text = if let Some(m) = m {
                old.play(m);
                write_move(before, m)
            } else {
                old.play_null();
                "@@@@".to_owned()
            };
            link.send(&format!("{prefix}{text}"));
        }
    }
}
