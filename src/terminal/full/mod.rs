//! The full screen: a large board for mouse and keyboard, players and clocks, the evaluation and
//! the moves. It takes the same moves and commands as line mode.

mod board;
mod borders;
mod input;
mod layout;
mod panel;
mod pieces;
mod scene;
mod targets;
mod terminal;

pub(super) use input::KEYS;
pub(super) use scene::{Player, Scene, Thinking, san};

use super::board::{Marks, View};
use super::lines::LineAnswer;
use board::Board;
use borders::borders;
use common::error::Result;
use common::window::wrap;
use crossbeam_channel::Receiver;
use engine_core::{AnyPosition, Bitboard, Game, Move, Role, Square};
use layout::Places;
use panel::MoveList;
use ratatui::Frame;
use ratatui::crossterm::event::Event;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Widget};
use std::collections::VecDeque;
use terminal::FullTerminal;
use tui_input::Input;

/// The screen and the terminal that shows it.
pub(super) struct Full {
    terminal: FullTerminal,
    pub(super) screen: Screen,
}

impl Full {
    /// Switches the terminal to full screen.
    ///
    /// # Errors
    /// When the terminal cannot be set up.
    pub(super) fn enter() -> Result<Full> {
        Ok(Full {
            terminal: FullTerminal::enter()?,
            screen: Screen::default(),
        })
    }

    /// Keys, the mouse and new sizes, to be handed to [`Screen::handle`].
    pub(super) fn events(&self) -> Receiver<Result<Event>> {
        self.terminal.events.clone()
    }

    /// Draws what has changed.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(super) fn draw(&mut self, scene: &Scene) -> Result {
        if std::mem::take(&mut self.screen.is_to_stop) {
            terminal::suspend()?;
            self.screen.is_stale = true;
        }
        if std::mem::take(&mut self.screen.is_stale) {
            self.terminal.clear()?;
        }
        let screen = &mut self.screen;
        self.terminal
            .canvas
            .draw(|frame| screen.draw(frame, scene))?;
        Ok(())
    }
}

/// The state of the screen, and where its parts are.
pub(super) struct Screen {
    input: Input,
    /// The history of lines, and how far back the recalled one is.
    typed: Vec<String>,
    recalled: usize,
    /// Pasted lines that have not been entered yet.
    pasted: VecDeque<String>,
    messages: Vec<String>,
    popup: Option<Popup>,
    thinking: Option<Thinking>,
    /// The position after this many moves is shown instead of the current one.
    viewed: Option<usize>,
    selected: Option<Square>,
    /// Moves for the user to choose from.
    choices: Vec<Choice>,
    cursor: Square,
    shows_cursor: bool,
    /// The number of moves when the screen was last drawn.
    plies: usize,
    places: Places,
    list: MoveList,
    /// The line that a click on an area enters.
    buttons: Vec<(Rect, String)>,
    /// Whether to redraw the whole screen, because something else may have written on it.
    is_stale: bool,
    /// Whether the shell is to come back, until it lets the program go on.
    is_to_stop: bool,
}

/// A move that the user may choose.
struct Choice {
    san: String,
    /// What a pawn becomes.
    promotion: Option<Role>,
}

impl Choice {
    fn of(position: &AnyPosition, m: Move) -> Choice {
        Choice {
            san: scene::san(position, Some(m)),
            promotion: m.promoted(),
        }
    }
}

impl Default for Screen {
    fn default() -> Screen {
        Screen {
            input: Input::default(),
            typed: Vec::new(),
            recalled: 0,
            pasted: VecDeque::new(),
            messages: Vec::new(),
            popup: None,
            thinking: None,
            viewed: None,
            selected: None,
            choices: Vec::new(),
            cursor: Square::E2,
            shows_cursor: false,
            plies: 0,
            places: Places::default(),
            list: MoveList::default(),
            buttons: Vec::new(),
            is_stale: false,
            is_to_stop: false,
        }
    }
}

/// A text that is too long for the message area.
struct Popup {
    lines: Vec<String>,
    /// The first row that is shown of the wrapped lines, and the last that can be.
    top: usize,
    last_top: usize,
}

impl Popup {
    fn scroll(&mut self, lines: usize, is_down: bool) {
        self.top = if is_down {
            (self.top + lines).min(self.last_top)
        } else {
            self.top.saturating_sub(lines)
        };
    }
}

/// How many messages are kept, for when the window grows.
const MAX_MESSAGES: usize = 100;

/// A text of more lines than this, and than the message area, opens as a popup.
const LONG: usize = 4;

/// Commands shown as buttons.
const BUTTONS: [&str; 9] = [
    "undo", "redo", "hint", "analyze", "flip", "draw", "resign", "new", "help",
];

impl Screen {
    /// Shows a message.
    pub(super) fn show_message(&mut self, text: &str) {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let room = usize::from(self.places.messages.height).max(LONG);
        if lines.len() > room {
            self.popup = Some(Popup {
                lines,
                top: 0,
                last_top: 0,
            });
            return;
        }
        self.messages.extend(lines);
        let excess = self.messages.len().saturating_sub(MAX_MESSAGES);
        self.messages.drain(..excess);
    }

    /// Sets the engine's thinking.
    pub(super) fn set_thinking(&mut self, thinking: Thinking) {
        self.thinking = Some(thinking);
    }

    /// Clears the messages and redraws the whole screen.
    pub(super) fn clear(&mut self) {
        self.messages.clear();
        self.is_stale = true;
    }

    /// Whether a pasted line waits to be entered.
    pub(super) fn has_pasted(&self) -> bool {
        !self.pasted.is_empty()
    }

    /// Enters the next pasted line.
    pub(super) fn enter_pasted(&mut self) -> Option<LineAnswer> {
        let line = self.pasted.pop_front()?;
        Some(self.enter_typed(line))
    }

    /// Selects a piece, whose target squares are then marked.
    pub(super) fn select(&mut self, from: Square) {
        self.viewed = None;
        self.selected = Some(from);
    }

    /// The number of moves before the position that is shown.
    fn shown(&self, game: &Game) -> usize {
        self.viewed.unwrap_or(game.moves().len())
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, scene: &Scene) {
        // Selections belong to the previous position.
        let plies = scene.game.moves().len();
        if std::mem::replace(&mut self.plies, plies) != plies {
            self.selected = None;
            self.viewed = None;
            self.choices.clear();
        }
        // The thinking about a move is shown until the reply to it has been answered, and no longer if the move
        // is taken back, or the game is another.
        let of_interest = |thinking: &Thinking| {
            (thinking.plies..=thinking.plies + 2).contains(&plies)
                && *scene.position_after(thinking.plies) == thinking.position
        };
        self.thinking = self.thinking.take().filter(of_interest);
        self.buttons.clear();
        let Some(places) = Places::of(frame.area()) else {
            self.places = Places::default();
            let (columns, rows) = layout::LEAST;
            let text =
                format!("The window is too small: {columns} columns by {rows} rows are enough.");
            let text = wrap(&text, frame.area().width.into());
            frame.render_widget(Paragraph::new(text), frame.area());
            return;
        };
        self.places = places;
        self.draw_board(frame, scene);
        self.list = if places.panel.is_empty() {
            MoveList::default()
        } else {
            let shown = self.shown(scene.game);
            let assessment = scene.assessment(shown, self.thinking.as_ref());
            panel::draw(scene, &assessment, shown, places.panel, frame.buffer_mut())
        };
        self.draw_messages(frame);
        self.draw_buttons(frame);
        self.draw_prompt(frame, scene);
        if let Some(popup) = &mut self.popup {
            popup.draw(frame, scene.view);
        }
    }

    fn draw_board(&self, frame: &mut Frame, scene: &Scene) {
        let shown = self.shown(scene.game);
        let position = scene.position_after(shown);
        let last = shown
            .checked_sub(1)
            .and_then(|last| scene.game.moves().get(last).copied().flatten());
        let targets = match self.selected {
            Some(from) => targets::targets(position, from),
            None => Bitboard::EMPTY,
        };
        let board = Board {
            position,
            view: scene.view,
            marks: Marks::new(position, last, targets),
            selected: self.selected,
            cursor: Some(self.cursor).filter(|_| self.shows_cursor),
        };
        board.draw(&self.places, frame.buffer_mut());
        let assessment = scene.assessment(shown, self.thinking.as_ref());
        if let Some(score) = assessment.score() {
            let pieces = position.board().occupied().count() as usize;
            board::draw_bar(score, pieces, scene.view, &self.places, frame.buffer_mut());
        }
    }

    fn draw_messages(&self, frame: &mut Frame) {
        let area = self.places.messages;
        let width = usize::from(area.width);
        let wrapped = self.messages.iter().rev().take(area.height.into()).rev();
        let lines: Vec<String> = wrapped.flat_map(|line| split(&wrap(line, width))).collect();
        let excess = lines.len().saturating_sub(area.height.into());
        let lines: Vec<Line> = lines.into_iter().skip(excess).map(Line::raw).collect();
        frame.render_widget(Paragraph::new(lines), area);
    }

    /// The buttons: commands, or the moves to choose from.
    fn draw_buttons(&mut self, frame: &mut Frame) {
        let area = self.places.buttons;
        let choices = (1..).zip(&self.choices);
        let mut labels: Vec<(String, String)> = choices
            .map(|(number, Choice { san, .. })| (format!("{number} {san}"), san.clone()))
            .collect();
        if labels.is_empty() {
            let command = |name: &&str| ((*name).to_owned(), (*name).to_owned());
            labels = BUTTONS.iter().map(command).collect();
        }
        let mut x = area.x;
        for (label, line) in labels {
            let label = format!(" {label} ");
            let width = label.chars().count() as u16;
            let button = Rect { x, width, ..area };
            if button.right() > area.right() {
                break;
            }
            let style = Style::new().add_modifier(Modifier::REVERSED);
            frame.render_widget(Line::styled(label, style), button);
            self.buttons.push((button, line));
            x = button.right() + 1;
        }
    }

    fn draw_prompt(&self, frame: &mut Frame, scene: &Scene) {
        let mut area = self.places.prompt;
        if self.places.panel.is_empty() {
            area = panel::draw_clocks(scene, area, frame.buffer_mut());
        }
        let prompt = scene.prompt.chars().count() as u16;
        frame.render_widget(Line::raw(&scene.prompt), area);
        let line = Rect {
            x: area.x.saturating_add(prompt).min(area.right()),
            width: area.width.saturating_sub(prompt),
            ..area
        };
        let room = usize::from(line.width.saturating_sub(1));
        let scroll = self.input.visual_scroll(room);
        let text = Paragraph::new(self.input.value()).scroll((0, scroll as u16));
        frame.render_widget(text, line);
        let cursor = self.input.visual_cursor().saturating_sub(scroll) as u16;
        frame.set_cursor_position((line.x + cursor, line.y));
    }
}

impl Popup {
    fn draw(&mut self, frame: &mut Frame, view: &View) {
        let window = frame.area();
        let lines: Vec<String> = self
            .lines
            .iter()
            .flat_map(|line| split(&wrap(line, window.width.into())))
            .collect();
        let room = usize::from(window.height).saturating_sub(1);
        self.last_top = lines.len().saturating_sub(room);
        self.top = self.top.min(self.last_top);
        let is_long = self.last_top > 0;
        let how_to_leave = if is_long {
            " arrows scroll, any other key returns "
        } else {
            " any key returns to the game "
        };
        let height = (lines.len().min(room) + 1) as u16;
        let area = Rect { height, ..window };
        let block = Block::new()
            .borders(Borders::BOTTOM)
            .border_set(borders(view))
            .title_bottom(how_to_leave);
        let lines: Vec<Line> = lines.into_iter().skip(self.top).map(Line::raw).collect();
        frame.render_widget(Clear, area);
        Paragraph::new(lines)
            .block(block)
            .render(area, frame.buffer_mut());
    }
}

fn split(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}
