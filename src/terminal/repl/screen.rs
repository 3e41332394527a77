//! The session on the full screen: drawing, keys and the mouse.

use super::{Front, Purpose, Repl, Stay};
use crate::terminal::clock;
use crate::terminal::commands::{self, Keyword};
use crate::terminal::full::{Full, Player, Scene, Thinking};
use crate::terminal::lines::LineAnswer;
use common::error::Result;
use crossbeam_channel::{Receiver, after, never};
use engine_core::search::{Info, Score};
use engine_core::{AnyPosition, ByColor, Color};
use ratatui::crossterm::event::Event;
use std::time::{Duration, Instant};

/// How often a running clock is drawn.
const TICK: Duration = Duration::from_millis(200);

impl Repl {
    /// Draws the full screen, if there is one.
    pub(super) fn draw(&mut self) -> Result {
        self.on_screen(Full::draw).unwrap_or(Ok(()))
    }

    /// Handles keys and the mouse. While the engine searches for its move, the user can make it move now or quit; any
    /// line ends an analysis or a hint.
    pub(super) fn handle_screen_event(&mut self, event: &Event) -> Result<Stay> {
        let answer = self.on_screen(|full, scene| full.screen.handle(event, scene));
        let Some(answer) = answer.flatten() else {
            return Ok(Stay::Yes);
        };
        if let LineAnswer::Line(line) = &answer {
            let is_quit = commands::exact(line.trim()) == Some(Keyword::Quit);
            match self.purpose {
                Purpose::Move | Purpose::Opponent if !is_quit => {
                    let name = self.play.name(self.play.turn());
                    self.say(&format!(
                        "{name} is thinking: Ctrl-C makes it move at once."
                    ))?;
                    return Ok(Stay::Yes);
                }
                Purpose::Hint | Purpose::Analyze => self.stop_search()?,
                Purpose::Idle | Purpose::Move | Purpose::Opponent => {}
            }
        }
        self.handle_answer(answer)
    }

    /// Fires when a pasted line is due: the user is asked for one.
    pub(super) fn paste_due(&self) -> Receiver<Instant> {
        match &self.front {
            Front::Full(full) if self.purpose == Purpose::Idle && full.screen.has_pasted() => {
                after(Duration::ZERO)
            }
            _ => never(),
        }
    }

    /// Enters the next pasted line.
    pub(super) fn enter_pasted(&mut self) -> Result<Stay> {
        let answer = match &mut self.front {
            Front::Full(full) => full.screen.enter_pasted(),
            Front::Lines(_) => None,
        };
        answer.map_or(Ok(Stay::Yes), |answer| self.handle_answer(answer))
    }

    /// Fires when running clocks must be redrawn.
    pub(super) fn clock_tick(&self) -> Receiver<Instant> {
        match (&self.front, &self.play.clocks, self.play.ending) {
            (Front::Full(_), Some(_), None) => after(TICK),
            _ => never(),
        }
    }

    /// Shows the engine's principal variation in the panel.
    pub(super) fn show_on_screen(&mut self, info: &Info) {
        let thinking = Thinking {
            plies: self.play.moves().len(),
            position: *self.play.position(),
            score: self.for_white(info.score),
            summary: self.statistics(info).into(),
            line: self.play.position().variation_san(&info.pv),
        };
        if let Front::Full(full) = &mut self.front {
            full.screen.set_thinking(thinking);
        }
    }

    /// Calls `act` with the full screen and the state to show, if there is a full screen.
    fn on_screen<T>(&mut self, act: impl FnOnce(&mut Full, &Scene) -> T) -> Option<T> {
        if let Front::Lines(_) = self.front {
            return None;
        }
        let players = Color::ALL.map(|color| Player {
            name: self.view.text(&self.play.name(color)).into_owned(),
            clock: self
                .play
                .clocks
                .as_ref()
                .map(|clocks| clock::show(clocks.left(color))),
            possessions: self.possessions(color).join("  "),
        });
        let session = &self.play.session;
        let static_eval = |position: &AnyPosition| {
            let explanation = session.evaluation_of(position)?;
            Some(Score(explanation.value))
        };
        let scene = Scene {
            game: session.game(),
            view: &self.view,
            players: ByColor(players),
            ending: self.play.ending,
            static_eval: &static_eval,
            prompt: self.prompt(),
            words: self.words(),
        };
        match &mut self.front {
            Front::Full(full) => Some(act(full, &scene)),
            Front::Lines(_) => None,
        }
    }
}
