//! Horde: Black's pieces against White's many pawns without a king; White loses when all are captured.

use super::{Rules, Variant, end};
use crate::position::{Fault, Faults};
use crate::types::{Bitboard, Color, Rank, Role};
use crate::{Board, Outcome, Position, Setup};

/// The rules of Horde.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Horde;

impl Rules for Horde {
    type Extra = ();

    const VARIANT: Variant = Variant::Horde;

    #[inline(always)]
    fn is_variant_end(position: &Position<Self>) -> bool {
        let board = position.board();
        board.color(Color::White).is_empty() || board.color(Color::Black).is_empty()
    }

    #[inline(always)]
    fn variant_end(position: &Position<Self>) -> Option<Outcome> {
        let board = position.board();
        let winner = match Color::ALL.map(|color| board.color(color).any()) {
            [true, true] => return None,
            [true, false] => Some(Color::White),
            [false, true] => Some(Color::Black),
            [false, false] => None,
        };
        Some(end(position.turn(), winner))
    }

    /// Black can always capture all pawns.
    fn has_insufficient_material(position: &Position<Self>, color: Color) -> bool {
        color == Color::White && horde_cannot_mate(position.board())
    }

    fn faults(setup: &Setup, standard: Faults) -> Faults {
        let board = &setup.board;
        let white = board.color(Color::White);
        let pawns = board.role(Role::Pawn);
        let mut faults = standard.without(Faults::of(&[Fault::NoWhiteKing]));
        if white.count() <= 36 {
            faults = faults.without(Faults::of(&[
                Fault::TooManyWhitePieces,
                Fault::TooManyWhitePawns,
            ]));
        }
        let eighth = pawns & Rank::Eighth.bitboard();
        let black_on_first = (pawns & Rank::First.bitboard()) - white;
        if (eighth | black_on_first).is_empty() {
            faults = faults.without(Faults::of(&[Fault::PawnsOnBackrank]));
        }
        faults.add_if((white & board.role(Role::King)).any(), Fault::TooManyKings);
        faults
    }
}

/// The number of pieces of each kind that a side has.
struct SideMaterial {
    pawns: u32,
    knights: u32,
    rooks: u32,
    queens: u32,
    /// Bishops on light and on dark squares.
    light: u32,
    dark: u32,
    /// All of them, the king included.
    all: u32,
}

impl SideMaterial {
    fn new(board: &Board, color: Color) -> SideMaterial {
        let count = |role| board.pieces(color, role).count();
        let bishops = board.pieces(color, Role::Bishop);
        SideMaterial {
            pawns: count(Role::Pawn),
            knights: count(Role::Knight),
            rooks: count(Role::Rook),
            queens: count(Role::Queen),
            light: (bishops & Bitboard::LIGHT_SQUARES).count(),
            dark: (bishops & Bitboard::DARK_SQUARES).count(),
            all: board.color(color).count(),
        }
    }

    fn bishops(&self) -> u32 {
        self.light + self.dark
    }
}

/// Whether the horde cannot mate even with Black's help. A few pieces can mate only if Black's own
/// pieces block flight squares of the king; the cases are those of
/// <https://github.com/stevepapazis/horde-insufficient-material-tests>.
fn horde_cannot_mate(board: &Board) -> bool {
    let horde = SideMaterial::new(board, Color::White);
    let black = SideMaterial::new(board, Color::Black);
    // More than two bishops on one colour of squares are worth no more than two.
    let strength = horde.pawns
        + horde.knights
        + horde.rooks
        + horde.queens
        + horde.light.min(2)
        + horde.dark.min(2);
    // Black's bishops on the squares that the horde's bishop attacks, and on the others.
    let (same, opposite) = if horde.light > 0 {
        (black.light, black.dark)
    } else {
        (black.dark, black.light)
    };
    let lone_king = black.all == 1;
    match strength {
        0 => true,
        1 if lone_king => true,
        1 if horde.queens == 1 => !queen_can_mate(&black),
        1 if horde.pawns == 1 => !queen_can_mate(&black) && !knight_can_mate(&black),
        1 if horde.rooks == 1 => {
            // Two of the king's own pieces block its flight, one of them a pawn or rook beside it.
            !(black.pawns >= 2
                || (black.rooks >= 1 && black.pawns + black.knights >= 1)
                || (black.pawns >= 1 && black.knights >= 1))
        }
        1 if horde.bishops() >= 1 => {
            !(opposite >= 2 || (opposite >= 1 && black.pawns >= 1) || black.pawns >= 2)
        }
        1 => !knight_can_mate(&black),
        2 | 3 if horde.pawns + horde.queens >= 1 => false,
        // A rook and a bishop do not mate a king that has only bishops of that colour beside it.
        2 if horde.rooks == 1 && horde.bishops() >= 1 => black.all - same == 1,
        2 | 3 if horde.rooks >= 1 => false,
        2 if lone_king => true,
        2 if horde.knights == 2 => black.pawns + black.bishops() + black.knights == 0,
        2 if horde.light >= 1 && horde.dark >= 1 => {
            !(black.pawns + black.bishops() >= 1
                || (black.knights >= 1 && black.rooks + black.queens >= 1))
        }
        2 if horde.knights == 1 => !(black.pawns >= 1 || opposite >= 1 || black.all - same >= 3),
        // Bishops on one colour of squares: the others must be blocked by Black.
        2 => {
            !(black.pawns >= 2
                || black.knights >= 2
                || opposite >= 2
                || (black.pawns >= 1 && opposite + black.knights >= 1)
                || (opposite >= 1 && black.knights >= 1))
        }
        // Of three minor pieces only a knight and two bishops of one colour may fail.
        3 => horde.knights == 1 && (horde.light == 0 || horde.dark == 0) && lone_king,
        _ => false,
    }
}

/// A lone queen mates a king in the corner between a pawn or rook and any other piece, or between
/// two bishops of one colour.
fn queen_can_mate(black: &SideMaterial) -> bool {
    black.pawns >= 1 || black.rooks >= 1 || black.light >= 2 || black.dark >= 2
}

/// A lone knight gives smothered mate to a king among three pieces of the right kinds.
fn knight_can_mate(black: &SideMaterial) -> bool {
    let blocked = black.knights >= 2
        || black.pawns >= 2
        || (black.rooks >= 1 && black.knights >= 1)
        || (black.rooks >= 1 && black.bishops() >= 1)
        || (black.knights >= 1 && black.bishops() >= 1)
        || (black.pawns >= 1 && black.rooks + black.knights + black.bishops() >= 1);
    black.all >= 4
        && blocked
        && (black.dark < 2 || black.all - black.dark >= 3)
        && (black.light < 2 || black.all - black.light >= 3)
}
