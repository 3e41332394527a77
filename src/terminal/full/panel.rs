//! The panel beside the board: players with their clocks, the evaluation, and the moves.

use super::borders::borders;
use super::scene::{Assessment, Player, Scene, san};
use crate::terminal::board::{Theme, View};
use crate::terminal::play::Ending;
use crate::terminal::window;
use engine_core::{Color, Game};
use pgn::Opening;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::symbols::border;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Paragraph, Widget, Wrap};

/// The least height at which the panel has the principal variation, and lines between its parts.
const TALL: u16 = 14;

/// Columns of a move's number.
const NUMBER: u16 = 5;

/// Columns of a move: the longest SAN, such as Qa1xb2+, has seven characters.
const MOVE: u16 = 9;

/// The least columns to type in that the clocks must leave beside a prompt.
const TYPING: usize = 10;

/// Where the moves are on the screen, for clicks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MoveList {
    area: Rect,
    /// The first row that is shown.
    top: usize,
    /// 1 if Black begins.
    offset: usize,
    plies: usize,
}

impl MoveList {
    /// The number of moves up to and including the one at this place of the screen.
    pub(super) fn plies_at(&self, column: u16, row: u16) -> Option<usize> {
        if !self.area.contains((column, row).into()) {
            return None;
        }
        let row = self.top + usize::from(row - self.area.y);
        let column = (column - self.area.x).checked_sub(NUMBER)? / MOVE;
        let plies = (2 * row + usize::from(column) + 1).checked_sub(self.offset)?;
        (column < 2 && (1..=self.plies).contains(&plies)).then_some(plies)
    }
}

/// Draws everything and returns where the moves are. The board shows the position after `shown`
/// moves.
pub(super) fn draw(
    scene: &Scene,
    assessment: &Assessment,
    shown: usize,
    area: Rect,
    buffer: &mut Buffer,
) -> MoveList {
    let is_tall = area.height >= TALL;
    let (variation, line) = if is_tall { (2, 1) } else { (0, 0) };
    let [top, evaluation, moves, bottom] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Length(line + 1 + variation),
        Constraint::Min(1),
        Constraint::Length(line + 2),
    ])
    .areas(area);
    let players = |color: Color, area: Rect, buffer: &mut Buffer| {
        let is_to_move = scene.is_to_move(color);
        draw_player(&scene.players[color], is_to_move, scene.view, area, buffer);
    };
    players(!scene.view.bottom, top, buffer);
    let line = is_tall.then(|| borders(scene.view));
    let bottom = below_line(line, "", bottom, buffer);
    players(scene.view.bottom, bottom, buffer);
    let evaluation = below_line(line, "", evaluation, buffer);
    draw_evaluation(assessment, evaluation, buffer);
    let opening = Opening::of_game(scene.game).map(|opening| opening.to_string());
    let opening = scene.view.text(opening.as_deref().unwrap_or_default());
    let moves = below_line(line, &opening, moves, buffer);
    draw_moves(scene.game, shown, moves, buffer)
}

/// Draws a line with a title at the top of an area if it is to have one, and returns what is left.
fn below_line(line: Option<border::Set>, title: &str, area: Rect, buffer: &mut Buffer) -> Rect {
    let Some(line) = line else { return area };
    let block = Block::new()
        .borders(Borders::TOP)
        .border_set(line)
        .title(title);
    let inner = block.inner(area);
    block.render(area, buffer);
    inner
}

fn draw_player(player: &Player, is_to_move: bool, view: &View, area: Rect, buffer: &mut Buffer) {
    let clock = player.clock.clone().unwrap_or_default();
    let [name, time] = Layout::horizontal([
        Constraint::Min(0),
        Constraint::Length(clock.len() as u16 + 2),
    ])
    .areas(Rect { height: 1, ..area });
    let emphasis = if is_to_move {
        Modifier::BOLD
    } else {
        Modifier::empty()
    };
    let marker = match (is_to_move, view.theme) {
        (false, _) => ' ',
        (true, Theme::Ascii) => '>',
        (true, _) => '▶',
    };
    let below = area.height.min(2).saturating_sub(1);
    let text = format!("{marker} {}", player.name);
    Paragraph::new(text)
        .style(Style::new().add_modifier(emphasis))
        .render(name, buffer);
    if player.clock.is_some() {
        let mut style = Style::new().add_modifier(emphasis);
        if is_to_move {
            style = style.add_modifier(Modifier::REVERSED);
        }
        Paragraph::new(format!(" {clock} "))
            .style(style)
            .alignment(Alignment::Right)
            .render(time, buffer);
    }
    let possessions = Rect {
        y: area.y + below,
        height: below,
        ..area
    };
    Paragraph::new(format!("  {}", player.possessions)).render(possessions, buffer);
}

/// Draws the clocks at the end of the prompt's line, where there is no panel, and returns what is left of it.
/// Where they would leave no room to type, only that of the side to move is drawn, or none.
pub(super) fn draw_clocks(scene: &Scene, line: Rect, buffer: &mut Buffer) -> Rect {
    let mut clocks: Vec<(Color, String)> = [Color::Black, Color::White]
        .into_iter()
        .filter_map(|color| {
            let clock = scene.players[color].clock.as_ref()?;
            let letter = color.letter().to_ascii_uppercase();
            Some((color, format!(" {letter} {clock} ")))
        })
        .collect();
    let room = usize::from(line.width).saturating_sub(scene.prompt.len() + TYPING);
    let fit = |clocks: &[(Color, String)]| {
        clocks.iter().map(|(_, text)| text.len()).sum::<usize>() <= room
    };
    if !fit(&clocks) {
        clocks.retain(|(color, _)| scene.is_to_move(*color));
    }
    if !fit(&clocks) {
        clocks.clear();
    }
    let mut rest = line;
    for (color, text) in clocks {
        let [left, place] =
            Layout::horizontal([Constraint::Min(0), Constraint::Length(text.len() as u16)])
                .areas(rest);
        let mut style = Style::new();
        if scene.is_to_move(color) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        Line::styled(text, style).render(place, buffer);
        rest = left;
    }
    rest
}

/// Draws what is known about the position that is shown.
fn draw_evaluation(assessment: &Assessment, area: Rect, buffer: &mut Buffer) {
    let lines = match assessment {
        Assessment::Thinking(thinking) => vec![
            Line::styled(
                window::fitting(&thinking.summary, "  ", area.width.into()),
                Modifier::BOLD,
            ),
            Line::raw(&*thinking.line),
        ],
        Assessment::Ending(Ending { result, reason }) => {
            vec![Line::raw(format!("{result}  {reason}"))]
        }
        Assessment::Static(Some(score)) => vec![Line::raw(format!("{score}  static evaluation"))],
        Assessment::Static(None) => vec![Line::raw("in check")],
    };
    Paragraph::new(lines)
        .wrap(Wrap { trim: true })
        .render(area, buffer);
}

fn draw_moves(game: &Game, shown: usize, area: Rect, buffer: &mut Buffer) -> MoveList {
    let start = game.start();
    let offset = usize::from(!start.turn().is_white());
    let rows = usize::from(area.height);
    // The list is scrolled so that the current move is visible, with moves after it.
    let current = (shown + offset).saturating_sub(1) / 2;
    let last = (game.moves().len() + offset).saturating_sub(1) / 2;
    let top = (current + rows.div_ceil(2))
        .min(last + 1)
        .saturating_sub(rows);
    let list = MoveList {
        area,
        top,
        offset,
        plies: game.moves().len(),
    };
    for (index, (position, m)) in game.plies().enumerate() {
        let place = index + offset;
        let Some(row) = (place / 2).checked_sub(top).filter(|row| *row < rows) else {
            continue;
        };
        let line = Rect {
            y: area.y + row as u16,
            height: 1,
            ..area
        };
        if place % 2 == 0 || index == 0 {
            let number = format!("{:>3}.", position.fullmoves());
            Paragraph::new(number).render(line, buffer);
        }
        let mut style = Style::new();
        if index + 1 == shown {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let column = NUMBER + MOVE * (place % 2) as u16;
        let cell = Rect {
            x: area.x + column,
            width: MOVE,
            ..line
        };
        Line::styled(san(position, m), style).render(cell.intersection(area), buffer);
    }
    list
}
