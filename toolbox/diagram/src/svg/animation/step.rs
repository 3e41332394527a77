//! What changes at a time.

use crate::svg::diagram::{InHand, king_in_check};
use crate::svg::evaluation::Evaluation;
use engine_core::castling_targets;
use engine_core::notation::{MoveText, move_number};
use engine_core::{AnyPosition, Board, ByColor, Move, MoveKind, Square};

/// What changes at a time.
#[derive(Clone, PartialEq, Debug)]
pub struct AnimationStep {
    /// The pieces that go from a square to another. What else differs comes or vanishes.
    pub moved: Vec<(Square, Square)>,
    /// The pieces afterwards.
    pub board: Board,
    /// The from- and to-square to highlight; `None` keeps the highlight.
    pub highlight: Option<(Square, Square)>,
    /// Two corners of a part of the board that is framed until the next step.
    pub frame: Option<[Square; 2]>,
    /// The king in check until the next step.
    pub check: Option<Square>,
    /// What the sides have in hand from now on, if that changes.
    pub in_hand: Option<InHand>,
    /// What is written below until the next step.
    pub caption: String,
    /// The evaluation from now on, if it changes.
    pub evaluation: Option<Evaluation>,
    /// What the clocks show from now on, if that changes.
    pub clocks: Option<ByColor<String>>,
}

impl AnimationStep {
    /// Nothing happens.
    pub fn still(board: Board) -> AnimationStep {
        AnimationStep {
            moved: Vec::new(),
            board,
            highlight: None,
            frame: None,
            check: None,
            in_hand: None,
            caption: String::new(),
            evaluation: None,
            clocks: None,
        }
    }
}

/// Plays a move.
pub(super) fn step(position: &mut AnyPosition, m: Option<Move>) -> AnimationStep {
    let caption = caption(position, m);
    let turn = position.turn();
    let moved = match m {
        None => Vec::new(),
        Some(m) => match m.kind() {
            MoveKind::Castle => {
                let (king_to, rook_to) = castling_targets(turn, m.from(), m.to());
                vec![(m.from(), king_to), (m.to(), rook_to)]
            }
            MoveKind::Drop(_) => Vec::new(),
            _ => vec![(m.from(), m.to())],
        },
    };
    let dropped = m.filter(|m| m.is_drop()).map(|m| (m.to(), m.to()));
    position.play_or_pass(m);
    AnimationStep {
        highlight: moved.first().copied().or(dropped),
        moved,
        check: king_in_check(position),
        in_hand: Some(InHand::of(position)),
        caption,
        ..AnimationStep::still(*position.board())
    }
}

/// `12... Nf6`.
fn caption(position: &AnyPosition, m: Option<Move>) -> String {
    let number = move_number(position.fullmoves(), position.turn());
    let san = m.map_or_else(MoveText::null, |m| position.to_san(m));
    format!("{number} {san}")
}
