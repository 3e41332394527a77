//! The session on the full screen: what it shows, and what comes of keys and the mouse.

use super::show::amount;
use super::{Front, Repl, Stay, Task};
use crate::session::Command;
use crate::terminal::clock;
use crate::terminal::commands::{self, Keyword};
use crate::terminal::full::{Full, Player, Scene, Thought};
use crate::terminal::lines::Answer;
use common::error::Result;
use crossbeam_channel::{Receiver, after, never};
use engine_core::search::{Info, Score};
use engine_core::{ByColor, Color};
use ratatui::crossterm::event::Event;
use std::time::{Duration, Instant};

/// How often a running clock is drawn.
const TICK: Duration = Duration::from_millis(200);

impl Repl {
    /// Draws the full screen, if there is one.
    pub(super) fn draw(&mut self) -> Result {
        self.on_screen(Full::draw).unwrap_or(Ok(()))
    }

    /// Keys and the mouse. While the engine thinks about its move, it can be hurried or left; any
    /// line ends other thinking.
    pub(super) fn touched(&mut self, touch: &Event) -> Result<Stay> {
        let heard = self.on_screen(|full, scene| full.screen.heard(touch, scene));
        let Some(answer) = heard.flatten() else {
            return Ok(Stay::Yes);
        };
        if let Answer::Line(line) = &answer {
            let is_quit = commands::exact(line.trim()) == Some(Keyword::Quit);
            match self.task {
                Task::Move | Task::Opponent if !is_quit => {
                    let name = self.play.name(self.play.turn());
                    self.say(&format!(
                        "{name} is thinking: Ctrl-C makes it move at once."
                    ))?;
                    return Ok(Stay::Yes);
                }
                Task::Hint | Task::Analyze => {
                    for event in self.play.session.execute(Command::Stop) {
                        self.heard(event)?;
                    }
                }
                Task::Idle | Task::Move | Task::Opponent => {}
            }
        }
        self.answered(answer)
    }

    /// When running clocks are to be drawn again.
    pub(super) fn second(&self) -> Receiver<Instant> {
        match (&self.front, &self.play.clocks, self.play.ending) {
            (Front::Full(_), Some(_), None) => after(TICK),
            _ => never(),
        }
    }

    /// What the engine thinks, for the panel.
    pub(super) fn show_on_screen(&mut self, info: &Info) {
        let score = self.for_white(info.score);
        let thought = Thought {
            plies: self.play.moves().len(),
            score,
            summary: format!(
                "{score}  depth {}  {}  {} kn/s",
                info.depth,
                amount(info.nodes),
                info.nps() / 1000
            ),
            line: self.play.position().variation_san(&info.pv),
        };
        if let Front::Full(full) = &mut self.front {
            full.screen.think(Some(thought));
        }
    }

    /// Does something with the full screen and what it is to show, if there is one.
    fn on_screen<T>(&mut self, act: impl FnOnce(&mut Full, &Scene) -> T) -> Option<T> {
        if let Front::Lines(_) = self.front {
            return None;
        }
        let players = Color::ALL.map(|color| Player {
            name: self.play.name(color),
            clock: self
                .play
                .clocks
                .as_ref()
                .map(|clocks| clock::show(clocks.left(color))),
            possessions: self.possessions(color).join("  "),
        });
        let scene = Scene {
            game: self.play.session.game(),
            view: &self.view,
            players: ByColor(players),
            ending: self.play.ending,
            static_eval: self
                .play
                .session
                .evaluation()
                .map(|explanation| Score(explanation.value)),
            prompt: self.prompt(),
            words: self.words(),
        };
        match &mut self.front {
            Front::Full(full) => Some(act(full, &scene)),
            Front::Lines(_) => None,
        }
    }
}
