//! The layout of the screen.

use crate::terminal::board::View;
use engine_core::Square;
use ratatui::layout::{Constraint, Layout, Rect};

/// The least width of the panel beside the board, in columns.
const PANEL: u16 = 28;

/// Columns left of the squares: the evaluation bar and the rank numbers.
pub(super) const MARGIN: u16 = 4;

/// Rows below the squares: files, messages, the prompt and buttons.
const OTHER_ROWS: u16 = 4;

/// The greatest height of a square, in rows.
const MAX_SQUARE_HEIGHT: u16 = 8;

/// The parts of the screen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    /// Bar, ranks, squares and files.
    pub(super) board: Rect,
    /// Rows of a square; its columns follow from them.
    pub(super) rows: u16,
    /// Players, evaluation and moves, where there is room beside the board.
    pub(super) panel: Rect,
    pub(super) messages: Rect,
    pub(super) prompt: Rect,
    pub(super) buttons: Rect,
}

impl Places {
    /// The largest board with a panel, or a board alone; `None` if not even that fits.
    pub(super) fn of(window: Rect) -> Option<Places> {
        let fits = |rows: &u16, columns: u16| {
            8 * rows + OTHER_ROWS <= window.height && board_width(*rows) + columns <= window.width
        };
        let sizes = || (1..=MAX_SQUARE_HEIGHT).rev();
        let beside = sizes().find(|rows| fits(rows, PANEL + 2));
        let rows = beside.or_else(|| sizes().find(|rows| fits(rows, 0)))?;
        let [table, messages, prompt, buttons] = Layout::vertical([
            Constraint::Length(8 * rows + 1),
            Constraint::Min(1),
            Constraint::Length(1),
            Constraint::Length(1),
        ])
        .areas(window);
        let [board, _, panel] = Layout::horizontal([
            Constraint::Length(board_width(rows)),
            Constraint::Length(2),
            Constraint::Min(0),
        ])
        .areas(table);
        Some(Places {
            board,
            rows,
            panel: if beside.is_some() {
                panel
            } else {
                Rect::default()
            },
            messages,
            prompt,
            buttons,
        })
    }

    /// Columns of a square: an odd number, so that pieces are centred, and about twice as
    /// many as rows, so that it looks square.
    pub(super) fn columns(&self) -> u16 {
        square_width(self.rows)
    }

    /// Where a square is.
    pub(super) fn square(&self, square: Square, view: &View) -> Rect {
        let (ranks, files) = view.order();
        let row = ranks.iter().position(|&rank| rank == square.rank());
        let column = files.iter().position(|&file| file == square.file());
        let at = |index: Option<usize>| index.unwrap_or(0) as u16;
        Rect {
            x: self.board.x + MARGIN + at(column) * self.columns(),
            y: self.board.y + at(row) * self.rows,
            width: self.columns(),
            height: self.rows,
        }
    }

    /// The square at a place of the screen.
    pub(super) fn square_at(&self, column: u16, row: u16, view: &View) -> Option<Square> {
        if self.rows == 0 {
            return None;
        }
        let column = column.checked_sub(self.board.x + MARGIN)? / self.columns();
        let row = row.checked_sub(self.board.y)? / self.rows;
        let (ranks, files) = view.order();
        let file = files.get(usize::from(column))?;
        let rank = ranks.get(usize::from(row))?;
        Some(Square::new(*file, *rank))
    }
}

/// Columns of a square with this many rows.
const fn square_width(rows: u16) -> u16 {
    2 * rows + 1
}

/// Columns and rows of the smallest window that is large enough.
pub(super) const LEAST: (u16, u16) = (board_width(1), 8 + OTHER_ROWS);

/// Columns of the board and its left margin.
const fn board_width(rows: u16) -> u16 {
    MARGIN + 8 * square_width(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::board::{Squares, Theme};
    use engine_core::Color;

    #[test]
    fn the_board_is_as_large_as_the_window_allows() {
        let rows = |width, height| Places::of(Rect::new(0, 0, width, height)).map(|it| it.rows);
        assert_eq!(rows(80, 24), Some(2));
        assert_eq!(rows(120, 40), Some(4));
        assert_eq!(rows(400, 200), Some(MAX_SQUARE_HEIGHT));
        // No room for a panel.
        assert_eq!(rows(30, 12), Some(1));
        assert_eq!(rows(LEAST.0, LEAST.1), Some(1));
        assert_eq!(rows(LEAST.0 - 1, 50), None);
        assert_eq!(rows(200, LEAST.1 - 1), None);
    }

    #[test]
    fn squares_are_found_where_they_are_drawn() {
        for (width, height) in [(80, 24), (120, 40), (28, 12)] {
            let places = Places::of(Rect::new(0, 0, width, height)).unwrap();
            for bottom in Color::ALL {
                let view = View {
                    theme: Theme::Mono,
                    colors: false,
                    bottom,
                    squares: Squares::Usual,
                };
                for square in Square::ALL {
                    let area = places.square(square, &view);
                    assert!(area.right() <= width && area.bottom() <= height);
                    for (x, y) in [(area.x, area.y), (area.right() - 1, area.bottom() - 1)] {
                        assert_eq!(places.square_at(x, y, &view), Some(square));
                    }
                }
                assert_eq!(places.square_at(0, 0, &view), None);
                assert_eq!(places.square_at(5, places.board.bottom(), &view), None);
            }
        }
    }
}
