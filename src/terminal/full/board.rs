//! The board of the full screen, with an evaluation bar.

use super::layout::{MARGIN, Places};
use super::pieces;
use crate::terminal::board::{Mark, Marks, Theme, View, foreground};
use engine_core::search::{Score, wdl};
use engine_core::{AnyPosition, Color, Piece, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{self, Modifier, Style};

/// What the board shows.
pub(super) struct Board<'a> {
    pub(super) position: &'a AnyPosition,
    pub(super) view: &'a View,
    pub(super) marks: Marks,
    /// The square of the piece that the user has selected.
    pub(super) selected: Option<Square>,
    /// The square of the keyboard cursor.
    pub(super) cursor: Option<Square>,
}

/// Squares of this many rows have room for pieces in pixels.
const PIXEL_ROWS: u16 = pieces::SIZE.div_ceil(2);

impl Board<'_> {
    pub(super) fn draw(&self, places: &Places, buffer: &mut Buffer) {
        let (ranks, files) = self.view.order();
        for square in Square::ALL {
            self.draw_square(square, places.square(square, self.view), buffer);
        }
        let middle = places.rows.saturating_sub(1) / 2;
        for (row, rank) in (0..).zip(ranks) {
            let y = places.board.y + row * places.rows + middle;
            let x = places.board.x + MARGIN - 2;
            put(buffer, x, y, rank.digit(), Style::new());
        }
        for (column, file) in (0..).zip(files) {
            let x = places.board.x + MARGIN + column * places.columns() + places.columns() / 2;
            let y = places.board.y + 8 * places.rows;
            put(buffer, x, y, file.letter(), Style::new());
        }
    }

    fn draw_square(&self, square: Square, area: Rect, buffer: &mut Buffer) {
        let is_selected = self.selected == Some(square);
        let mark = match self.marks.of(square) {
            Mark::None if is_selected => Mark::Moved,
            mark => mark,
        };
        let piece = self.position.board().piece_at(square);
        let mut style = Style::new();
        let background = self.view.background(square, mark);
        if let Some(background) = background {
            style = style
                .bg(style::Color::Indexed(background))
                .fg(style::Color::Indexed(foreground(piece)));
            for (x, y) in cells(area) {
                put(buffer, x, y, ' ', style);
            }
        }
        let (x, y) = (
            area.x + area.width / 2,
            area.y + area.height.saturating_sub(1) / 2,
        );
        match piece {
            Some(piece) if background.is_some() && area.height >= PIXEL_ROWS => {
                draw_pixels(piece, area, style, buffer);
            }
            _ => put(buffer, x, y, self.view.glyph(piece), style),
        }
        // Without colours only brackets can mark a square.
        let brackets = match (self.cursor == Some(square), background) {
            (true, _) => Some(['[', ']']),
            (false, None) if mark != Mark::None => Some(mark.brackets()),
            _ => None,
        };
        if let Some([open, close]) = brackets {
            let mut style = style.add_modifier(Modifier::BOLD);
            if background.is_some() {
                style = style.fg(style::Color::Indexed(CURSOR));
            }
            if self.cursor == Some(square) && background.is_none() {
                style = style.add_modifier(Modifier::REVERSED);
            }
            put(buffer, area.x, y, open, style);
            put(buffer, area.right().saturating_sub(1), y, close, style);
        }
    }
}

/// The colour of brackets: dark red, which is visible on all squares.
const CURSOR: u8 = 88;

/// Draws a piece in pixels, two of them one above the other in a character, scaled as large as
/// fits.
fn draw_pixels(piece: Piece, area: Rect, style: Style, buffer: &mut Buffer) {
    let scale = (area.width / pieces::SIZE).min(2 * area.height / pieces::SIZE);
    let scale = scale.max(1);
    let size = scale * pieces::SIZE;
    let left = area.width.saturating_sub(size) / 2;
    let top = (2 * area.height).saturating_sub(size) / 2;
    let has_pixel = |x: u16, y: u16| {
        let column = x.checked_sub(left).map(|x| x / scale);
        let row = y.checked_sub(top).map(|y| y / scale);
        column
            .zip(row)
            .is_some_and(|(column, row)| pieces::has_pixel(piece.role, column, row))
    };
    for (x, y) in cells(area) {
        let (column, row) = (x - area.x, 2 * (y - area.y));
        let letter = match (has_pixel(column, row), has_pixel(column, row + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => continue,
        };
        put(buffer, x, y, letter, style);
    }
}

/// Draws the evaluation bar: White's expected score, from White's side of the board.
pub(super) fn draw_bar(
    score: Score,
    pieces: usize,
    view: &View,
    places: &Places,
    buffer: &mut Buffer,
) {
    let [win, draw, _] = wdl::permille(score, pieces);
    let height = 8 * places.rows;
    // In half rows.
    let white = (u64::from(2 * win + draw) * u64::from(height) / 1000) as u16;
    let mut style = Style::new();
    if view.has_colors() {
        style = style
            .fg(style::Color::Indexed(231))
            .bg(style::Color::Indexed(240));
    }
    let half = match view.bottom {
        Color::White => '▄',
        Color::Black => '▀',
    };
    let [empty, half, full] = match view.theme {
        Theme::Ascii => ['.', '+', '#'],
        _ if view.has_colors() => [' ', half, '█'],
        _ => ['░', half, '█'],
    };
    for row in 0..height {
        let from_white = match view.bottom {
            Color::White => height - 1 - row,
            Color::Black => row,
        };
        let filled = white.saturating_sub(2 * from_white).min(2);
        let letter = match filled {
            2 => full,
            1 => half,
            _ => empty,
        };
        put(buffer, places.board.x, places.board.y + row, letter, style);
    }
}

fn cells(area: Rect) -> impl Iterator<Item = (u16, u16)> {
    (area.y..area.bottom()).flat_map(move |y| (area.x..area.right()).map(move |x| (x, y)))
}

/// Writes a character, if its place is on the screen.
fn put(buffer: &mut Buffer, x: u16, y: u16, letter: char, style: Style) {
    if let Some(cell) = buffer.cell_mut((x, y)) {
        cell.set_char(letter).set_style(style);
    }
}
