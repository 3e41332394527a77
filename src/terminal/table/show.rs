//! What the table shows: the board, lines of thought, and the state of the game.

use super::Table;
use crate::error::Result;
use crate::moves;
use crate::terminal::clock;
use engine_core::Color;
use engine_core::search::{Info, Score};

/// Columns of a line of status: one less than a terminal has, so that it never wraps.
const STATUS_WIDTH: usize = 79;

impl Table {
    pub(super) fn show_board(&mut self) -> Result {
        let last = self.play.moves().last().copied();
        let mut lines = self.view.draw(self.play.position(), last);
        let top = !self.view.bottom;
        for (index, color) in [(0, top), (7, self.view.bottom)] {
            if let Some(line) = lines.get_mut(index) {
                line.push_str("   ");
                line.push_str(&self.describe(color));
            }
        }
        for line in lines {
            self.say(line.trim_end())?;
        }
        Ok(())
    }

    /// A side's name, clock and what it has taken.
    pub(super) fn describe(&self, color: Color) -> String {
        let name = match color {
            Color::White => "White",
            Color::Black => "Black",
        };
        let mut parts = vec![format!("{name}: {}", self.play.name(color))];
        let clocks = self.play.clocks.as_ref();
        parts.extend(clocks.map(|clocks| clock::show(clocks.left(color))));
        parts.push(self.view.row(!color, &self.play.captured_by(color)));
        parts.join("  ")
    }

    pub(super) fn show_ending(&mut self) -> Result {
        match self.play.ending {
            Some(ending) => self.say(&format!("{}  {}", ending.result, ending.reason)),
            None => Ok(()),
        }
    }

    pub(super) fn show_clocks(&mut self) -> Result {
        let Some(clocks) = &self.play.clocks else {
            return self.say("There are no clocks; `time 5+3` sets them.");
        };
        let [white, black] = Color::ALL.map(|color| clock::show(clocks.left(color)));
        self.say(&format!("White {white}  Black {black}"))
    }

    pub(super) fn show_moves(&mut self) -> Result {
        let mut sans = self.play.legal_moves();
        sans.sort();
        self.say(&format!("{} moves: {}", sans.len(), sans.join(" ")))
    }

    pub(super) fn show_history(&mut self) -> Result {
        let text = match self.play.moves().as_slice() {
            [] => "No moves yet.".to_owned(),
            line => moves::san(self.play.session.game().start(), line),
        };
        self.say(&text)
    }

    /// `d12 +0.34 1.2M nodes 850 kn/s 1. e4 e5`.
    pub(super) fn line_of_thought(&self, info: &Info) -> String {
        let text = format!(
            "d{} {} {} {} kn/s {}",
            info.depth,
            self.for_white(info.score),
            amount(info.nodes),
            info.nps() / 1000,
            moves::san(self.play.position(), &info.pv),
        );
        text.chars().take(STATUS_WIDTH).collect()
    }

    /// A score of the side to move as people are used to it.
    pub(super) fn for_white(&self, score: Score) -> Score {
        match self.play.turn() {
            Color::White => score,
            Color::Black => -score,
        }
    }

    pub(super) fn show_status(&mut self, info: &Info) -> Result {
        if self.shows {
            let status = self.line_of_thought(info);
            self.out.part(&format!("\r{status}\x1b[K"))?;
        }
        Ok(())
    }

    pub(super) fn clear_status(&mut self) -> Result {
        if self.shows {
            self.out.part("\r\x1b[K")?;
        }
        Ok(())
    }
}

/// `1234 nodes`, `56k nodes` or `7.8M nodes`.
fn amount(nodes: u64) -> String {
    match nodes {
        0..10_000 => format!("{nodes} nodes"),
        10_000..1_000_000 => format!("{}k nodes", nodes / 1000),
        _ => format!("{:.1}M nodes", nodes as f64 / 1e6),
    }
}
