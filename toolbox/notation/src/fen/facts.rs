//! Everything about a FEN, as data.

use crate::clocks::with_clocks;
use crate::words;
use engine_core::{
    AnyPosition, CastlingMode, Color, Outcome, Position, Rules, Setup, Termination, Variant,
    dispatch,
};
use serde::Serialize;

/// What is to say of a text that should be a FEN.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Facts(Box<Facts>),
    Error {
        ok: bool,
        error: &'static str,
        message: String,
    },
}

/// Everything about a FEN. The position is taken at its word, with all its faults.
#[derive(Serialize)]
pub(super) struct Facts {
    ok: bool,
    out_fen: String,
    out_fen_ep_fen: String,
    out_shredder: String,
    status: u32,
    status_names: Vec<&'static str>,
    valid: bool,
    insufficient: [bool; 2],
    outcome: Option<[&'static str; 2]>,
    clean_castling: String,
    n_legal: usize,
}

impl Answer {
    pub(super) fn to(fen: &str, variant: Variant, mode: CastlingMode) -> Answer {
        match Setup::from_variant_fen(variant, fen) {
            Ok(setup) => {
                let position = AnyPosition::from_setup_unchecked(variant, &setup, mode);
                let facts = dispatch!(&position, |position| facts(fen, &setup, position));
                Answer::Facts(Box::new(facts))
            }
            Err(_) => Answer::Error {
                ok: false,
                error: "ValueError",
                message: words::fen(fen, variant),
            },
        }
    }
}

fn facts<R: Rules>(fen: &str, setup: &Setup, position: &Position<R>) -> Facts {
    let mode = position.mode();
    // A position drops an en passant square that no pawn has passed and all but one king; the
    // facts are those of the text.
    let legal = setup.variant_moves::<R>(mode);
    let as_written = Setup {
        castling: setup.clean_castling(mode),
        promoted: R::promoted_in_fen(setup),
        ..setup.clone()
    };
    let with_legal = Setup {
        en_passant: setup
            .legal_en_passant(&legal)
            .filter(|_| !R::is_variant_end(position)),
        ..as_written.clone()
    };
    let faults = Position::<R>::faults_of(setup, mode);
    Facts {
        ok: true,
        out_fen: with_clocks(&with_legal.fen(), fen),
        out_fen_ep_fen: with_clocks(&as_written.fen(), fen),
        out_shredder: with_clocks(&with_legal.shredder_fen(), fen),
        status: faults.bits(),
        status_names: faults.constants().collect(),
        valid: faults.is_empty(),
        insufficient: Color::ALL.map(|color| R::has_insufficient_material(position, color)),
        outcome: outcome_of(setup, position, !legal.is_empty())
            .map(|outcome| [outcome.termination.constant(), outcome.result()]),
        clean_castling: format!("{:#x}", as_written.castling.0),
        n_legal: legal.len(),
    }
}

/// How a game has ended in a setup with whatever faults.
fn outcome_of<R: Rules>(setup: &Setup, position: &Position<R>, can_move: bool) -> Option<Outcome> {
    if let Some(end) = R::variant_end(position) {
        return Some(end);
    }
    let in_check = setup.checkers::<R>(setup.turn).any();
    if !can_move && in_check {
        return Some(Outcome {
            termination: Termination::Checkmate,
            winner: Some(!setup.turn),
        });
    }
    let termination = if position.is_insufficient_material() {
        Termination::InsufficientMaterial
    } else if !can_move {
        Termination::Stalemate
    } else if R::FIFTY_MOVES && setup.halfmoves >= 150 {
        Termination::SeventyFiveMoves
    } else {
        return None;
    };
    Some(Outcome::draw(termination))
}
