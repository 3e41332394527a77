//! Everything about a position, as data.

use super::evaluation::StaticEvaluation;
use super::replay::Replay;
use engine_core::notation::EnPassant;
use engine_core::{
    Bitboard, CastlingMode, Color, Game, Outcome, Position, Rules, Square, Termination, dispatch,
};
use pgn::Opening;
use serde::Serialize;

/// Everything about a position.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Inspection {
    pub(super) uci_variant: &'static str,
    pub(super) chess960: bool,
    pub(super) fen: String,
    pub(super) fen_ep_fen: String,
    pub(super) fen_ep_xfen: String,
    pub(super) shredder_fen: String,
    pub(super) board_fen: String,
    pub(super) promoted_fen: String,
    pub(super) epd: String,
    pub(super) epd_hmvc: String,
    pub(super) turn: char,
    pub(super) castling_xfen: String,
    pub(super) ply: u64,
    pub(super) moves: Vec<MoveInspection>,
    pub(super) pseudo_legal_count: usize,
    pub(super) is_check: bool,
    pub(super) checkers: String,
    pub(super) was_into_check: bool,
    pub(super) attacked_by_white: String,
    pub(super) attacked_by_black: String,
    pub(super) pinned: Vec<String>,
    pub(super) is_checkmate: bool,
    pub(super) is_stalemate: bool,
    #[serde(flatten)]
    pub(super) end: EndInfo,
    pub(super) can_claim_fifty: bool,
    pub(super) can_claim_threefold: bool,
    pub(super) insufficient: [bool; 2],
    pub(super) is_insufficient: bool,
    pub(super) status: u32,
    pub(super) has_legal_ep: bool,
    pub(super) has_pseudo_legal_ep: bool,
    pub(super) ep_square: Option<String>,
    pub(super) chess960_pos: Option<u32>,
    pub(super) mirror_fen: String,
    pub(super) has_960_castling: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pockets: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remaining_checks: Option<[u8; 2]>,
    /// Code and name of the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) opening: Option<[&'static str; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) evaluation: Option<StaticEvaluation>,
}

/// A legal move in every notation, and what it does.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct MoveInspection {
    pub(super) uci: String,
    pub(super) uci960: String,
    pub(super) san: String,
    pub(super) lan: String,
    pub(super) xboard: String,
    pub(super) capture: bool,
    pub(super) ep: bool,
    pub(super) castling: bool,
    pub(super) zeroing: bool,
    pub(super) irreversible: bool,
    pub(super) gives_check: bool,
}

/// How the game has ended, or may end by a claim.
#[derive(Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, with the name it has in records"
)]
pub(super) struct EndInfo {
    pub(super) is_variant_end: bool,
    pub(super) is_variant_win: bool,
    pub(super) is_variant_loss: bool,
    pub(super) is_variant_draw: bool,
    pub(super) outcome: Option<OutcomeNames>,
    pub(super) outcome_claim: Option<OutcomeNames>,
}

/// A result and its reason.
#[derive(Serialize)]
pub(super) struct OutcomeNames {
    pub(super) termination: &'static str,
    pub(super) result: &'static str,
}

/// What a reason for the end of a game is called.
pub type NameOf = fn(Termination) -> &'static str;

impl Inspection {
    /// The inspection about the last position of a line of moves, with these names for how games end.
    pub fn of(replay: &Replay, name: NameOf) -> Inspection {
        dispatch!(replay.game.position(), |position| inspect(
            replay, position, name
        ))
    }

    /// The same with what the position is worth, and why.
    #[must_use]
    pub fn with_evaluation(self, replay: &Replay) -> Inspection {
        Inspection {
            evaluation: Some(StaticEvaluation::of(replay.game.position())),
            ..self
        }
    }
}

fn inspect<R: Rules>(replay: &Replay, position: &Position<R>, name: NameOf) -> Inspection {
    let game = &replay.game;
    let board = position.board();
    let setup = position.to_setup();
    let epd = position.epd(EnPassant::Legal);
    let clocks = format!(
        "hmvc {}; fmvn {};",
        position.halfmoves(),
        position.fullmoves()
    );
    let white_ply = 2 * u64::from(position.fullmoves() - 1);
    Inspection {
        uci_variant: R::VARIANT.uci(),
        chess960: replay.chess960,
        fen: position.fen(EnPassant::Legal),
        fen_ep_fen: position.fen(EnPassant::Always),
        fen_ep_xfen: position.fen(EnPassant::XFen),
        shredder_fen: position.shredder_fen(EnPassant::Legal),
        board_fen: epd.split([' ', '[']).next().unwrap_or_default().to_owned(),
        promoted_fen: setup.board_fen(replay.promoted),
        castling_xfen: epd.split(' ').nth(2).unwrap_or("-").to_owned(),
        // An EPD with pockets has no operations.
        epd_hmvc: match setup.pockets {
            None => format!("{epd} {clocks}"),
            Some(_) => epd.clone(),
        },
        epd,
        turn: position.turn().letter(),
        ply: white_ply + u64::from(!position.turn().is_white()),
        moves: inspect_moves(position),
        pseudo_legal_count: position.pseudo_legal_count(),
        is_check: position.in_check(),
        checkers: hexadecimal(position.checkers()),
        was_into_check: position.was_into_check(),
        attacked_by_white: hexadecimal(board.attacked_by(Color::White)),
        attacked_by_black: hexadecimal(board.attacked_by(Color::Black)),
        pinned: names(position.pinned()),
        is_checkmate: position.is_checkmate(),
        is_stalemate: position.is_stalemate(),
        end: end(game, position, name),
        can_claim_fifty: game.can_claim_fifty(),
        can_claim_threefold: game.can_claim_threefold(),
        insufficient: Color::ALL.map(|color| R::has_insufficient_material(position, color)),
        is_insufficient: position.is_insufficient_material(),
        status: replay.faults(position).bits(),
        has_legal_ep: position.legal_en_passant().is_some(),
        has_pseudo_legal_ep: position.has_pseudo_legal_en_passant(),
        ep_square: position.en_passant().map(|square| square.to_string()),
        chess960_pos: setup.chess960_number(position.mode()),
        mirror_fen: mirrored(position),
        has_960_castling: setup.castling_mode() == CastlingMode::Chess960,
        pockets: setup
            .pockets
            .map(|pockets| Color::ALL.map(|color| pockets.letters(color))),
        remaining_checks: setup.checks.map(|checks| checks.0.0),
        opening: Opening::of_game(game).map(|opening| [opening.eco(), opening.name()]),
        evaluation: None,
    }
}

/// The legal moves, sorted by their UCI text.
fn inspect_moves<R: Rules>(position: &Position<R>) -> Vec<MoveInspection> {
    let mut all: Vec<MoveInspection> = position
        .legal_moves()
        .into_iter()
        .map(|m| MoveInspection {
            uci: position.to_uci(m).to_string(),
            uci960: position.to_uci_as(m, CastlingMode::Chess960).to_string(),
            san: position.to_san(m).to_string(),
            lan: position.to_lan(m).to_string(),
            xboard: position.to_xboard(m).to_string(),
            capture: position.is_capture(m),
            ep: m.is_en_passant(),
            castling: m.is_castle(),
            zeroing: position.is_zeroing(m),
            irreversible: position.is_irreversible(m),
            gives_check: position.after(m).in_check(),
        })
        .collect();
    all.sort_by(|a, b| a.uci.cmp(&b.uci));
    all
}

fn end<R: Rules>(game: &Game, position: &Position<R>, name: NameOf) -> EndInfo {
    let names = |outcome: Outcome| OutcomeNames {
        termination: name(outcome.termination),
        result: outcome.result(),
    };
    let end = R::variant_end(position);
    let won_by = |color| end.is_some_and(|end| end.winner == Some(color));
    EndInfo {
        is_variant_end: R::is_variant_end(position),
        is_variant_win: won_by(position.turn()),
        is_variant_loss: won_by(!position.turn()),
        is_variant_draw: end.is_some_and(|end| end.winner.is_none()),
        outcome: game.outcome(false).map(names),
        outcome_claim: game.outcome(true).map(names),
    }
}

/// The FEN with the sides exchanged.
fn mirrored<R: Rules>(position: &Position<R>) -> String {
    let mirrored = position.to_setup().mirrored();
    Position::<R>::from_setup_unchecked(&mirrored, position.mode()).fen(EnPassant::Legal)
}

/// A set as a number: bit 0 is a1, bit 63 is h8.
pub(super) fn hexadecimal(set: Bitboard) -> String {
    format!("{:#018x}", set.0)
}

pub(super) fn names(set: Bitboard) -> Vec<String> {
    set.into_iter()
        .map(|square: Square| square.to_string())
        .collect()
}
