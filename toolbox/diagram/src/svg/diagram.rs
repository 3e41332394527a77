//! A diagram: a board with all that its image shows.

use super::arrow::Arrow;
use super::evaluation::Evaluation;
use super::theme::Theme;
use engine_core::{
    AnyPosition, Bitboard, Board, ByColor, Color, Pockets, RemainingChecks, Role, Square,
};

/// A board with whatever is to be shown on it and around it.
///
/// ```
/// use diagram::{Arrow, Diagram};
/// use engine_core::{Position, Square};
///
/// let start: Position = Position::start();
/// let mut diagram = Diagram::new(start.board());
/// diagram.arrows.push("Ge2e4".parse()?);
/// diagram.last_move = [Square::G8, Square::F6].into_iter().collect();
/// assert!(diagram.svg().len() < 12_000);
/// # Ok::<(), diagram::ParseArrowError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The pieces.
    pub board: Board,
    /// The side at the bottom.
    pub orientation: Color,
    /// The squares of the last move.
    pub last_move: Bitboard,
    /// The king in check.
    pub check: Option<Square>,
    /// Arrows and circles.
    pub arrows: Vec<Arrow>,
    /// Colours laid over squares.
    pub fill: Vec<(Square, String)>,
    /// Squares marked with a cross.
    pub crosses: Bitboard,
    /// Marks such as `!?` at the corners of squares.
    pub badges: Vec<(Square, String)>,
    /// Whether the names of files and ranks are written into the squares at the edge.
    pub coordinates: bool,
    /// Whether there is a line around the board.
    pub border: bool,
    /// The width in pixels; the height follows.
    pub size: Option<u32>,
    /// The colours.
    pub theme: Theme,
    /// A style sheet to put in; the classes are `light`, `dark`, `last`, `check`, `white`, `black`,
    /// `arrow`, `frame` and `coordinate`.
    pub style: Option<String>,
    /// A bar at the left.
    pub evaluation: Option<Evaluation>,
    /// The pieces in hand, above and below.
    pub pockets: Option<Pockets>,
    /// The checks still to be given, above and below.
    pub checks: Option<RemainingChecks>,
    /// The times on the clocks, above and below; empty where unknown.
    pub clocks: Option<ByColor<String>>,
    /// A line of text below.
    pub caption: Option<String>,
}

impl Diagram {
    /// A board with nothing else, White at the bottom.
    pub fn new(board: &Board) -> Diagram {
        Diagram {
            board: *board,
            orientation: Color::White,
            last_move: Bitboard::EMPTY,
            check: None,
            arrows: Vec::new(),
            fill: Vec::new(),
            crosses: Bitboard::EMPTY,
            badges: Vec::new(),
            coordinates: true,
            border: false,
            size: None,
            theme: Theme::default(),
            style: None,
            evaluation: None,
            pockets: None,
            checks: None,
            clocks: None,
            caption: None,
        }
    }

    /// What is drawn beside the board.
    pub(super) fn in_hand(&self) -> InHand {
        InHand {
            pockets: self.pockets,
            checks: self.checks,
        }
    }

    /// The board of a position with a king in check marked, what is in hand, and checks to be
    /// given.
    pub fn of(position: &AnyPosition) -> Diagram {
        let setup = position.to_setup();
        Diagram {
            check: king_in_check(position),
            pockets: setup.pockets,
            checks: setup.checks,
            ..Diagram::new(&setup.board)
        }
    }
}

/// What the sides have beside the board: pieces to drop, and checks still to be given.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct InHand {
    /// The pieces, where the variant has drops.
    pub pockets: Option<Pockets>,
    /// The checks, where the variant counts them.
    pub checks: Option<RemainingChecks>,
}

impl InHand {
    /// What it is in a position.
    pub fn of(position: &AnyPosition) -> InHand {
        let setup = position.to_setup();
        InHand {
            pockets: setup.pockets,
            checks: setup.checks,
        }
    }

    /// Whether a side has such a piece to drop.
    pub(super) fn has(self, role: Role) -> bool {
        let has = |pockets: &Pockets| {
            Color::ALL
                .iter()
                .any(|&color| pockets.count(color, role) > 0)
        };
        self.pockets.as_ref().is_some_and(has)
    }
}

/// The king of the side to move, if it is in check.
pub(super) fn king_in_check(position: &AnyPosition) -> Option<Square> {
    let king = position.to_setup().last_king(position.turn());
    king.filter(|_| position.in_check())
}
