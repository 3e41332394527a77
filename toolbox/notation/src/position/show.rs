//! A position on a page for people.

use super::inspection::{Inspection, names};
use super::replay::Replay;
use common::{ascii, locale};
use diagram::{TextBoard, TextFrame};
use engine_core::{Color, Faults, Position, Rules, dispatch};
use std::borrow::Cow;
use std::fmt::Write;

/// The style of the board.
#[derive(clap::Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(super) struct BoardStyle {
    /// Only ASCII characters: letters for pieces, no accents [default where the locale is not one
    /// of UTF-8]
    #[arg(long)]
    ascii: bool,
    /// Swap white and black figurines, for dark terminals
    #[arg(long)]
    invert: bool,
    /// Draw lines around the squares
    #[arg(long)]
    borders: bool,
    /// Black at the bottom
    #[arg(long)]
    flip: bool,
    /// Also draw the squares attacked by each side
    #[arg(long)]
    attacks: bool,
}

impl BoardStyle {
    fn is_ascii(&self) -> bool {
        self.ascii || !locale::is_unicode()
    }

    /// A text with names.
    fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.is_ascii() {
            ascii::of(text)
        } else {
            text.into()
        }
    }

    pub(super) fn board(&self) -> TextBoard {
        let style = if self.is_ascii() {
            TextBoard::ASCII
        } else {
            TextBoard::FIGURINES
        };
        TextBoard {
            invert: self.invert,
            frame: if self.borders {
                TextFrame::Lines
            } else {
                TextFrame::Coordinates
            },
            orientation: Color::from_white(!self.flip),
            ..style
        }
    }
}

/// The whole page.
pub(super) fn page(replay: &Replay, inspection: &Inspection, style: &BoardStyle) -> String {
    dispatch!(replay.game.position(), |position| Page {
        replay,
        inspection,
        style,
        text: String::new(),
    }
    .write(position))
}

struct Page<'a> {
    replay: &'a Replay,
    inspection: &'a Inspection,
    style: &'a BoardStyle,
    text: String,
}

impl Page<'_> {
    fn line(&mut self, name: &str, value: impl std::fmt::Display) {
        let value = value.to_string();
        let value = if value.is_empty() { "none" } else { &value };
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{name:<14}{value}");
    }

    fn write<R: Rules>(mut self, position: &Position<R>) -> String {
        let inspection = self.inspection;
        let _ = writeln!(self.text, "{}\n", self.style.board().draw(position.board()));
        self.line("To move", position.turn());
        self.line("Rules", R::VARIANT.name());
        self.line("FEN", &inspection.fen);
        if inspection.fen_ep_fen != inspection.fen {
            self.line("with e.p.", &inspection.fen_ep_fen);
        }
        self.line("Shredder-FEN", &inspection.shredder_fen);
        self.line("Mirrored", &inspection.mirror_fen);
        if let Some(number) = inspection.chess960_pos {
            self.line("Chess960", format!("start position {number}"));
        }
        if let Some(opening) = inspection.opening {
            let opening = opening.join(" ");
            self.line("Opening", self.style.text(&opening));
        }
        self.line("Key", format!("{:016x}", position.polyglot_key()));
        let faults = self.replay.faults(position);
        self.line(
            "Faults",
            if faults == Faults::NONE {
                String::new()
            } else {
                faults.to_string()
            },
        );
        self.moves();
        self.line("Checkers", names(position.checkers()).join(" "));
        self.line("Pinned", inspection.pinned.join(" "));
        self.line("Ending", self.ending());
        if let Some(evaluation) = &inspection.evaluation {
            self.line("Evaluation", evaluation);
        }
        if self.style.attacks {
            for color in Color::ALL {
                let set = position.board().attacked_by(color);
                let set = self.style.board().draw_set(set);
                let _ = writeln!(self.text, "\nAttacked by {}\n{set}", color.name());
            }
        }
        self.text
    }

    fn moves(&mut self) {
        let inspection = self.inspection;
        let mut sans: Vec<&str> = inspection.moves.iter().map(|m| m.san.as_str()).collect();
        sans.sort_unstable();
        let count = format!(
            "{} legal, {} pseudo-legal",
            sans.len(),
            inspection.pseudo_legal_count
        );
        self.line("Moves", count);
        for row in sans.chunks(10) {
            let _ = writeln!(self.text, "{:14}{}", "", row.join(" "));
        }
    }

    /// How the game has ended or what may be claimed.
    fn ending(&self) -> String {
        if let Some(outcome) = &self.inspection.end.outcome {
            return format!("{} by {}", outcome.result, outcome.termination);
        }
        let claim = &self.inspection.end.outcome_claim;
        let game = &self.replay.game;
        match claim {
            Some(outcome) => format!("a draw may be claimed by {}", outcome.termination),
            None if game.is_repetition(2) => "none; the position has occurred before".to_owned(),
            None => String::new(),
        }
    }
}
