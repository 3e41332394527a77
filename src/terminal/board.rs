//! The board in characters.

use common::ascii;
use engine_core::{AnyPosition, Bitboard, Color, File, Move, Piece, Rank, Role, Square};
use std::borrow::Cow;

/// How the board looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Theme {
    /// Brown squares.
    Brown,
    /// Green squares.
    Green,
    /// Blue squares.
    Blue,
    /// Figurines without colours.
    Mono,
    /// Letters without colours.
    Ascii,
}

/// Colours, in the palette of 256.
struct Palette {
    light: u8,
    dark: u8,
    /// The squares of the last move.
    moved_light: u8,
    moved_dark: u8,
    /// The king in check.
    check: u8,
    /// Target squares of the selected piece.
    target: u8,
}

impl Theme {
    fn palette(self) -> Option<Palette> {
        let (light, dark, moved_light, moved_dark) = match self {
            Theme::Brown => (180, 137, 186, 142),
            Theme::Green => (151, 65, 186, 142),
            Theme::Blue => (153, 67, 186, 142),
            Theme::Mono | Theme::Ascii => return None,
        };
        Some(Palette {
            light,
            dark,
            moved_light,
            moved_dark,
            check: 167,
            target: 74,
        })
    }
}

/// How to draw the board.
pub(super) struct View {
    pub(super) theme: Theme,
    /// Whether the terminal shows colours.
    pub(super) colors: bool,
    /// The side at the bottom.
    pub(super) bottom: Color,
    pub(super) squares: Squares,
}

/// The size of the squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Squares {
    /// One column wide, for narrow windows.
    Narrow,
    /// One row high and three columns wide.
    Usual,
    /// Two rows high and five columns wide.
    Large,
}

/// The columns of a board with usual squares, and of the numbers of ranks beside it.
pub(super) const USUAL_WIDTH: usize = 3 + 8 * 3;

/// How a square is marked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    None,
    /// The from- or to-square of the last move.
    Moved,
    /// A target square.
    Target,
    /// The king here is in check.
    Check,
}

impl Mark {
    /// The characters around the piece, without colours.
    pub(super) fn brackets(self) -> [char; 2] {
        match self {
            Mark::Check => ['<', '>'],
            Mark::Target => ['(', ')'],
            Mark::Moved => ['[', ']'],
            Mark::None => [' ', ' '],
        }
    }
}

/// The squares that are marked.
pub(super) struct Marks {
    check: Option<Square>,
    moved: [Option<Square>; 2],
    pub(super) targets: Bitboard,
}

impl Marks {
    /// A king in check, the last move, and these squares.
    pub(super) fn new(position: &AnyPosition, last: Option<Move>, targets: Bitboard) -> Marks {
        let king = position.board().king(position.turn());
        Marks {
            check: king.filter(|_| position.in_check()),
            moved: last.map_or([None; 2], |m| m.marked_squares().map(Some)),
            targets,
        }
    }

    pub(super) fn of(&self, square: Square) -> Mark {
        if self.check == Some(square) {
            Mark::Check
        } else if self.targets.has(square) {
            Mark::Target
        } else if self.moved.contains(&Some(square)) {
            Mark::Moved
        } else {
            Mark::None
        }
    }
}

const RESET: &str = "\x1b[0m";

impl View {
    /// Eight ranks of one or two lines, and a line with the file letters.
    pub(super) fn draw(
        &self,
        position: &AnyPosition,
        last: Option<Move>,
        targets: Bitboard,
    ) -> Vec<String> {
        let (ranks, files) = self.order();
        let (board, marks) = (position.board(), Marks::new(position, last, targets));
        let mut lines: Vec<String> = ranks
            .into_iter()
            .flat_map(|rank| {
                let cells = files.map(|file| {
                    let square = Square::new(file, rank);
                    self.cell(square, board.piece_at(square), marks.of(square))
                });
                let upper = cells.each_ref().map(|[upper, _]| upper.as_str()).concat();
                let lower = cells.each_ref().map(|[_, lower]| lower.as_str()).concat();
                let is_large = self.squares == Squares::Large;
                let lower = is_large.then(|| format!("   {lower}"));
                [Some(format!(" {} {upper}", rank.digit())), lower]
            })
            .flatten()
            .collect();
        let names = files.map(|file| self.widen(' ', file.letter(), ' '));
        let names = names.concat();
        lines.push(format!("   {}", names.trim_end()));
        lines
    }

    /// A character in the middle of a square, with those around it for which there is room.
    fn widen(&self, open: char, middle: char, close: char) -> String {
        match self.squares {
            Squares::Narrow => middle.to_string(),
            Squares::Usual => format!("{open}{middle}{close}"),
            Squares::Large => format!(" {open}{middle}{close} "),
        }
    }

    /// Ranks from the top and files from the left.
    pub(super) fn order(&self) -> ([Rank; 8], [File; 8]) {
        let (mut ranks, mut files) = (Rank::ALL, File::ALL);
        match self.bottom {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        (ranks, files)
    }

    /// The rows of a square: the second is that of a large one.
    fn cell(&self, square: Square, piece: Option<Piece>, mark: Mark) -> [String; 2] {
        let glyph = self.glyph(piece);
        let empty = self.widen(' ', ' ', ' ');
        let Some(background) = self.background(square, mark) else {
            let [open, close] = mark.brackets();
            let is_bare = self.squares == Squares::Narrow && piece.is_none() && mark != Mark::None;
            // A narrow square has room for the piece or the mark.
            let middle = if is_bare { open } else { glyph };
            return [self.widen(open, middle, close), empty];
        };
        let foreground = foreground(piece);
        let style = format!("\x1b[48;5;{background};38;5;{foreground}m");
        let upper = self.widen(' ', glyph, ' ');
        [
            format!("{style}{upper}{RESET}"),
            format!("{style}{empty}{RESET}"),
        ]
    }

    /// The colours of the theme, if the terminal shows any.
    fn palette(&self) -> Option<Palette> {
        self.theme.palette().filter(|_| self.colors)
    }

    pub(super) fn has_colors(&self) -> bool {
        self.palette().is_some()
    }

    /// The colour of a square in the palette of 256, if colours are on.
    pub(super) fn background(&self, square: Square, mark: Mark) -> Option<u8> {
        let palette = self.palette()?;
        let is_light = (square.file().index() + square.rank().index()) % 2 == 1;
        Some(match (mark, is_light) {
            (Mark::Check, _) => palette.check,
            (Mark::Target, _) => palette.target,
            (Mark::Moved, true) => palette.moved_light,
            (Mark::Moved, false) => palette.moved_dark,
            (Mark::None, true) => palette.light,
            (Mark::None, false) => palette.dark,
        })
    }

    /// What a square shows.
    pub(super) fn glyph(&self, piece: Option<Piece>) -> char {
        let has_colors = self.has_colors();
        match (piece, self.theme) {
            // Both sides have the filled shapes: they differ by colour.
            (Some(piece), _) if has_colors => piece.role.of(Color::Black).figurine(),
            (None, _) if has_colors => ' ',
            (Some(piece), Theme::Ascii) => piece.letter(),
            (Some(piece), _) => piece.figurine(),
            (None, Theme::Ascii) => '.',
            (None, _) => '·',
        }
    }

    /// A text in the characters of the theme.
    pub(super) fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.theme {
            Theme::Ascii => ascii::of(text),
            _ => Cow::Borrowed(text),
        }
    }

    /// Pieces of one side in a row, such as the captured ones.
    pub(super) fn row(&self, color: Color, roles: &[Role]) -> String {
        let show = |&role: &Role| match self.theme {
            Theme::Ascii => role.of(color).letter(),
            _ => role.of(color).figurine(),
        };
        roles.iter().map(show).collect()
    }
}

/// The colour of a piece in the palette of 256.
pub(super) fn foreground(piece: Option<Piece>) -> u8 {
    match piece.map(|piece| piece.color) {
        Some(Color::White) => 231,
        _ => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_core::Variant;
    use std::fs;

    fn view(theme: Theme, colors: bool, bottom: Color) -> View {
        View {
            theme,
            colors,
            bottom,
            squares: Squares::Usual,
        }
    }

    #[test]
    fn letters() {
        let start = AnyPosition::start(Variant::Standard);
        let last = Some(Move::normal(Square::E2, Square::E4));
        let lines = view(Theme::Ascii, true, Color::White).draw(&start, last, Bitboard::EMPTY);
        assert_eq!(lines.len(), 9);
        assert_eq!(lines[0], " 8  r  n  b  q  k  b  n  r ");
        assert_eq!(lines[4], " 4  .  .  .  . [.] .  .  . ");
        assert_eq!(lines[8], "    a  b  c  d  e  f  g  h");
        let lines = view(Theme::Mono, true, Color::Black).draw(&start, None, Square::E4.into());
        assert_eq!(lines[3], " 4  ·  ·  · (·) ·  ·  ·  · ");
        assert_eq!(lines[0], " 1  ♖  ♘  ♗  ♔  ♕  ♗  ♘  ♖ ");
        assert_eq!(lines[8], "    h  g  f  e  d  c  b  a");
    }

    #[test]
    fn squares_of_two_rows() {
        let start = AnyPosition::start(Variant::Standard);
        let mut view = view(Theme::Ascii, true, Color::White);
        view.squares = Squares::Large;
        let lines = view.draw(&start, None, Bitboard::EMPTY);
        assert_eq!(lines.len(), 17);
        assert_eq!(
            lines[0].trim_end(),
            " 8   r    n    b    q    k    b    n    r"
        );
        assert_eq!(lines[1].trim_end(), "");
        assert_eq!(
            lines[14].trim_end(),
            " 1   R    N    B    Q    K    B    N    R"
        );
        assert_eq!(lines[16], "     a    b    c    d    e    f    g    h");
    }

    #[test]
    fn squares_of_one_column() {
        let start = AnyPosition::start(Variant::Standard);
        let mut view = view(Theme::Ascii, false, Color::White);
        view.squares = Squares::Narrow;
        let last = Some(Move::normal(Square::G8, Square::F6));
        let lines = view.draw(&start, last, Square::E4.into());
        assert_eq!(lines[0], " 8 rnbqkbnr");
        assert_eq!(lines[2], " 6 .....[..");
        assert_eq!(lines[4], " 4 ....(...");
        assert_eq!(lines[8], "   abcdefgh");
    }

    #[test]
    fn names_of_openings_lose_no_letter() {
        let view = view(Theme::Ascii, true, Color::White);
        for volume in ["a", "b", "c", "d", "e"] {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/toolbox/pgn/data/eco");
            let text = fs::read_to_string(format!("{folder}/{volume}.tsv")).unwrap();
            for line in text.lines() {
                assert_eq!(view.text(line).contains('?'), line.contains('?'), "{line}");
            }
        }
    }

    #[test]
    fn colors_only_where_wanted() {
        let start = AnyPosition::start(Variant::Standard);
        let has_escape = |colors| {
            let lines =
                view(Theme::Brown, colors, Color::White).draw(&start, None, Bitboard::EMPTY);
            lines.concat().contains('\x1b')
        };
        assert!(has_escape(true));
        assert!(!has_escape(false));
    }
}
