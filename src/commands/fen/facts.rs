//! Everything about a FEN, as data.

use crate::commands::words;
use crate::setup::{self, with_clocks};
use engine_core::{
    AnyPosition, Bitboard, CastlingMode, Color, Outcome, Pockets, Position, Role, Rules, Setup,
    Standard, Termination, Variant, dispatch,
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
        match setup::literal(fen, variant) {
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
    // Where moves are those of standard chess, the text is taken literally; other positions drop an
    // en passant square that no pawn has passed and all but one king.
    let is_standard = R::VARIANT == Variant::Standard;
    let moves_as_standard = is_standard
        || matches!(
            R::VARIANT,
            Variant::KingOfTheHill | Variant::ThreeCheck | Variant::Horde
        ) && !R::is_variant_end(position);
    let legal = moves_as_standard.then(|| setup.legal_moves(mode));
    let as_written = Setup {
        castling: setup.clean_castling(mode),
        promoted: if R::writes_promoted(setup) {
            setup.promoted
        } else {
            Bitboard::EMPTY
        },
        ..setup.clone()
    };
    let with_legal = Setup {
        en_passant: match &legal {
            Some(moves) => moves.iter().find(|m| m.is_en_passant()).map(|m| m.to()),
            None => position.legal_en_passant(),
        },
        ..as_written.clone()
    };
    let n_legal = legal.map_or_else(
        || position.legal_moves().len() + king_drops(position),
        |moves| moves.len(),
    );
    let outcome = if is_standard {
        literal_outcome(setup, n_legal > 0)
    } else {
        position.outcome()
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
        outcome: outcome.map(|outcome| [outcome.termination.constant(), outcome.result()]),
        clean_castling: format!("{:#x}", as_written.castling.0),
        n_legal,
    }
}

/// python-chess counts drops of a king that a text puts in hand, though it plays none of them: as
/// many as there would be of a knight.
fn king_drops<R: Rules>(position: &Position<R>) -> usize {
    let mut setup = position.to_setup();
    let turn = position.turn();
    let has_king = |pockets: &Pockets| pockets.count(turn, Role::King) > 0;
    let Some(_) = setup.pockets.filter(has_king) else {
        return 0;
    };
    let mut knight = Pockets::default();
    knight.add(turn, Role::Knight);
    setup.pockets = Some(knight);
    let position = Position::<R>::from_setup_unchecked(&setup, position.mode());
    position
        .legal_moves()
        .iter()
        .filter(|m| m.is_drop())
        .count()
}

/// How a game of standard chess has ended in a setup with whatever faults.
fn literal_outcome(setup: &Setup, can_move: bool) -> Option<Outcome> {
    let position: Position<Standard> =
        Position::from_setup_unchecked(setup, CastlingMode::Standard);
    let king = setup.board.pieces(setup.turn, Role::King).single();
    let in_check = king.is_some_and(|king| {
        let board = &setup.board;
        board.attackers(king, !setup.turn, board.occupied()).any()
    });
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
    } else if setup.halfmoves >= 150 {
        Termination::SeventyFiveMoves
    } else {
        return None;
    };
    Some(Outcome::draw(termination))
}
