//! Keys and the mouse: they edit a line, step through the game, and move pieces.

use super::scene::{Scene, san};
use super::targets::{moves_to, targets};
use super::{Choice, Screen};
use crate::terminal::lines::{LineAnswer, complete};
use engine_core::{Role, Square};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use tui_input::{Input, InputRequest};

/// The keys, for `help`.
pub(in crate::terminal) const KEYS: &str = "\
Mouse: click or drag pieces; click moves and buttons; the wheel goes through the game.
Keys: arrows and Enter move pieces; PgUp, PgDn, Home, End go through the game; Esc goes back;
q, r, b or n and Enter choose what a pawn becomes.";

impl Screen {
    /// Handles an event; returns a line for the session, an interrupt, or the end of input.
    pub(in crate::terminal) fn handle(
        &mut self,
        event: &Event,
        scene: &Scene,
    ) -> Option<LineAnswer> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, scene),
            Event::Mouse(mouse) => self.mouse(*mouse, scene),
            Event::Paste(text) => {
                self.paste(text);
                None
            }
            _ => None,
        }
    }

    /// Each line of a pasted text waits to be entered; what follows the last line end can be edited.
    fn paste(&mut self, text: &str) {
        for piece in text.split_inclusive(['\r', '\n']) {
            let line = piece.trim_end_matches(['\r', '\n']);
            for letter in line.chars().filter(|letter| !letter.is_control()) {
                self.input.handle(InputRequest::InsertChar(letter));
            }
            if line.len() < piece.len() && !self.input.value().trim().is_empty() {
                let line = self.take_line();
                self.pasted.push_back(line);
            }
        }
    }

    fn key(&mut self, key: KeyEvent, scene: &Scene) -> Option<LineAnswer> {
        let is_empty = self.input.value().is_empty();
        // Windows tells AltGr as both keys: it types a letter.
        let alt_gr = KeyModifiers::CONTROL | KeyModifiers::ALT;
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && !key.modifiers.contains(alt_gr) {
            return self.control(key.code);
        }
        if self.popup.is_some() {
            self.scroll_popup(key.code);
            return None;
        }
        match key.code {
            KeyCode::Enter if is_empty => return self.click_square(self.cursor, scene),
            KeyCode::Enter => return Some(self.submit()),
            KeyCode::Esc => self.cancel(),
            KeyCode::Tab => self.complete(scene),
            KeyCode::PageUp => self.step(false, scene),
            KeyCode::PageDown => self.step(true, scene),
            KeyCode::Home if is_empty => self.show(0, scene),
            KeyCode::End if is_empty => self.viewed = None,
            KeyCode::F(1) => return Some(LineAnswer::Line("help".to_owned())),
            KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right if is_empty => {
                self.move_cursor(key.code, scene);
            }
            KeyCode::Up => self.recall(true),
            KeyCode::Down => self.recall(false),
            KeyCode::Char(letter) => {
                if let Some(chosen) = self.numbered(letter).filter(|_| is_empty) {
                    return Some(self.enter(chosen));
                }
                self.input.handle(InputRequest::InsertChar(letter));
            }
            code => {
                if let Some(request) = edit(code) {
                    self.input.handle(request);
                }
            }
        }
        None
    }

    /// The move to choose that has this digit as its number.
    fn numbered(&self, letter: char) -> Option<String> {
        let number = letter.to_digit(10)? as usize;
        let chosen = self.choices.get(number.checked_sub(1)?)?;
        Some(chosen.san.clone())
    }

    /// The promotion to choose that a line stands for: the letter of the new piece alone.
    fn promotion(&self, line: &str) -> Option<String> {
        let mut letters = line.trim().chars();
        let role = Role::from_letter(letters.next()?).filter(|_| letters.next().is_none())?;
        let mut choices = self.choices.iter();
        let chosen = choices.find(|choice| choice.promotion == Some(role))?;
        Some(chosen.san.clone())
    }

    fn control(&mut self, code: KeyCode) -> Option<LineAnswer> {
        match code {
            KeyCode::Char('c') => {
                let has_text = !self.input.value().is_empty() || !self.pasted.is_empty();
                self.input.reset();
                self.pasted.clear();
                return Some(if has_text {
                    LineAnswer::Discard
                } else {
                    LineAnswer::Interrupt
                });
            }
            KeyCode::Char('d') => return Some(LineAnswer::End),
            KeyCode::Char('p') => self.recall(true),
            KeyCode::Char('n') => self.recall(false),
            KeyCode::Char('l') => self.is_stale = true,
            KeyCode::Char('z') => self.is_to_stop = true,
            code => {
                let request = match code {
                    KeyCode::Char('a') => InputRequest::GoToStart,
                    KeyCode::Char('e') => InputRequest::GoToEnd,
                    KeyCode::Char('u') => InputRequest::DeleteLine,
                    KeyCode::Char('k') => InputRequest::DeleteTillEnd,
                    KeyCode::Char('w') => InputRequest::DeletePrevWord,
                    KeyCode::Left => InputRequest::GoToPrevWord,
                    KeyCode::Right => InputRequest::GoToNextWord,
                    _ => return None,
                };
                self.input.handle(request);
            }
        }
        None
    }

    fn mouse(&mut self, mouse: MouseEvent, scene: &Scene) -> Option<LineAnswer> {
        let (x, y) = (mouse.column, mouse.row);
        let is_left = |button| button == MouseButton::Left;
        match mouse.kind {
            MouseEventKind::Down(button) if is_left(button) && self.popup.is_some() => {
                self.popup = None;
            }
            MouseEventKind::Down(button) if is_left(button) => {
                let mut buttons = self.buttons.iter();
                if let Some((_, line)) = buttons.find(|(area, _)| area.contains((x, y).into())) {
                    let line = line.clone();
                    return Some(self.enter(line));
                }
                if let Some(plies) = self.list.plies_at(x, y) {
                    self.show(plies, scene);
                }
                let square = self.places.square_at(x, y, scene.view)?;
                self.cursor = square;
                self.shows_cursor = false;
                return self.click_square(square, scene);
            }
            // A dragged piece is dropped on its target square.
            MouseEventKind::Up(button) if is_left(button) => {
                let square = self.places.square_at(x, y, scene.view)?;
                let from = self.selected.filter(|from| *from != square)?;
                if !moves_to(scene.game.position(), Some(from), square).is_empty() {
                    return self.click_square(square, scene);
                }
            }
            MouseEventKind::ScrollUp if self.popup.is_some() => self.scroll_popup(KeyCode::Up),
            MouseEventKind::ScrollDown if self.popup.is_some() => self.scroll_popup(KeyCode::Down),
            MouseEventKind::ScrollUp => self.step(false, scene),
            MouseEventKind::ScrollDown => self.step(true, scene),
            _ => {}
        }
        None
    }

    /// A square is clicked: selects a piece, moves the selected piece there, or drops one there.
    fn click_square(&mut self, square: Square, scene: &Scene) -> Option<LineAnswer> {
        let is_over = scene.ending.is_some_and(|ending| !ending.is_of_file());
        if self.viewed.take().is_some() || is_over {
            return None;
        }
        let position = scene.game.position();
        let from = self.selected.take();
        self.choices.clear();
        let moves = moves_to(position, from, square);
        let choices = moves.iter().map(|&m| Choice::of(position, m));
        match (from, moves.as_slice()) {
            (Some(_), [m]) => return Some(self.enter(san(position, Some(*m)))),
            (Some(_), [_, _, ..]) | (None, [_, ..]) => self.choices = choices.collect(),
            (from, []) if from != Some(square) && !targets(position, square).is_empty() => {
                self.selected = Some(square);
            }
            _ => {}
        }
        None
    }

    /// Enters a line that was typed or pasted: a letter may choose a promotion.
    pub(super) fn enter_typed(&mut self, line: String) -> LineAnswer {
        let line = self.promotion(&line).unwrap_or(line);
        self.enter(line)
    }

    /// Enters a line that was chosen by mouse or digit.
    fn enter(&mut self, line: String) -> LineAnswer {
        self.forget_choice();
        LineAnswer::Line(line)
    }

    fn submit(&mut self) -> LineAnswer {
        let line = self.take_line();
        self.enter_typed(line)
    }

    /// What is typed, which goes to the history.
    fn take_line(&mut self) -> String {
        let line = self.input.value_and_reset();
        if self.typed.last() != Some(&line) {
            self.typed.push(line.clone());
        }
        self.recalled = 0;
        self.viewed = None;
        line
    }

    /// Recalls an earlier or later line of the history.
    fn recall(&mut self, is_earlier: bool) {
        self.recalled = if is_earlier {
            (self.recalled + 1).min(self.typed.len())
        } else {
            self.recalled.saturating_sub(1)
        };
        let line = self.typed.iter().rev().nth(self.recalled.wrapping_sub(1));
        self.input = Input::new(line.cloned().unwrap_or_default());
    }

    /// Completes to the common prefix of all matching words; if that adds nothing, lists them.
    fn complete(&mut self, scene: &Scene) {
        let line = self.input.value().to_owned();
        let cursor = line
            .char_indices()
            .nth(self.input.cursor())
            .map_or(line.len(), |(index, _)| index);
        let (start, fitting) = complete(&scene.words, &line, cursor);
        let (Some(kept), Some(rest)) = (line.get(..start), line.get(cursor..)) else {
            return;
        };
        let Some(common) = common_start(&fitting) else {
            return;
        };
        let completed = format!("{kept}{common}");
        let is_known = completed.len() <= cursor;
        if is_known && fitting.len() > 1 {
            self.show_message(&fitting.join("  "));
        } else {
            let end = completed.chars().count();
            self.input = Input::new(completed + rest).with_cursor(end);
        }
    }

    /// Esc: cancels the selection, else returns to the current position, else clears the line.
    fn cancel(&mut self) {
        if self.selected.is_some() || !self.choices.is_empty() {
            self.forget_choice();
        } else if self.viewed.take().is_none() {
            self.input.reset();
        }
    }

    fn forget_choice(&mut self) {
        self.selected = None;
        self.choices.clear();
    }

    /// Shows the position one move later or earlier.
    fn step(&mut self, is_later: bool, scene: &Scene) {
        let shown = self.shown(scene.game);
        let next = if is_later {
            shown + 1
        } else {
            shown.saturating_sub(1)
        };
        self.show(next, scene);
    }

    /// Shows the position after this many moves; `None` stands for the current one.
    fn show(&mut self, plies: usize, scene: &Scene) {
        self.forget_choice();
        self.viewed = Some(plies).filter(|plies| *plies < scene.game.moves().len());
    }

    /// Scrolls the popup, or closes it.
    fn scroll_popup(&mut self, code: KeyCode) {
        let Some(popup) = &mut self.popup else { return };
        let page = usize::from(self.places.board.height).max(1);
        match code {
            KeyCode::Up => popup.scroll(1, false),
            KeyCode::Down => popup.scroll(1, true),
            KeyCode::PageUp => popup.scroll(page, false),
            KeyCode::PageDown => popup.scroll(page, true),
            _ => self.popup = None,
        }
    }

    fn move_cursor(&mut self, code: KeyCode, scene: &Scene) {
        let (files, ranks) = match code {
            KeyCode::Up => (0, 1),
            KeyCode::Down => (0, -1),
            KeyCode::Left => (-1, 0),
            _ => (1, 0),
        };
        let way = if scene.view.bottom.is_white() { 1 } else { -1 };
        // The first key shows where the cursor is.
        if std::mem::replace(&mut self.shows_cursor, true) {
            let next = self.cursor.offset(way * files, way * ranks);
            self.cursor = next.unwrap_or(self.cursor);
        }
    }
}

/// Keys that edit a line.
fn edit(code: KeyCode) -> Option<InputRequest> {
    Some(match code {
        KeyCode::Backspace => InputRequest::DeletePrevChar,
        KeyCode::Delete => InputRequest::DeleteNextChar,
        KeyCode::Left => InputRequest::GoToPrevChar,
        KeyCode::Right => InputRequest::GoToNextChar,
        KeyCode::Home => InputRequest::GoToStart,
        KeyCode::End => InputRequest::GoToEnd,
        _ => return None,
    })
}

/// The common prefix of all words, in the case of the first; `None` without words.
fn common_start(words: &[String]) -> Option<&str> {
    let (first, rest) = words.split_first()?;
    let common = rest.iter().fold(first.len(), |common, word| {
        let pairs = first.char_indices().zip(word.chars());
        let mut different = pairs.filter(|((_, a), b)| !a.eq_ignore_ascii_case(b));
        let end = different.next().map_or(word.len(), |((index, _), _)| index);
        common.min(end)
    });
    first.get(..common)
}
