//! A position with the moves that led to it: its legal moves, and whether the game is over.

use common::arguments::fen;
use common::batch::VariantChoice;
use engine_core::notation::{HumanMoveError, MoveError};
use engine_core::{AnyPosition, CastlingMode, Color, Game, Outcome, Termination};
use pgn::Opening;
use serde::{Deserialize, Serialize};

/// A start and the moves from there.
#[derive(Deserialize)]
pub(crate) struct Line {
    #[serde(flatten)]
    rules: VariantChoice,
    fen: Option<String>,
    /// A start position of Chess960 by its number.
    number: Option<u32>,
    /// In any notation.
    #[serde(default)]
    moves: Vec<String>,
}

/// What a page is told about a position.
#[derive(Serialize)]
pub(crate) struct PositionInfo {
    variant: &'static str,
    chess960: bool,
    start: String,
    fen: String,
    turn: &'static str,
    check: bool,
    moves: Vec<Move>,
    line: Vec<Move>,
    outcome: Option<End>,
    claim: Option<End>,
    opening: Option<Named>,
    pockets: Option<[String; 2]>,
    checks: Option<[u8; 2]>,
}

/// A move in the notations of people and of programs.
#[derive(Serialize)]
pub(crate) struct Move {
    pub(crate) uci: String,
    pub(crate) san: String,
    capture: bool,
}

#[derive(Serialize)]
struct End {
    result: &'static str,
    reason: &'static str,
}

#[derive(Serialize)]
struct Named {
    eco: &'static str,
    name: &'static str,
}

/// The most moves of a line: as many as a game may have.
const MAX_MOVES: usize = pgn::MAX_PLIES;

impl Line {
    /// The game that the moves make.
    ///
    /// # Errors
    /// Says which move is illegal, or why the start is invalid.
    pub(crate) fn game(&self) -> Result<Game, String> {
        self.replay().map(|(game, _)| game)
    }

    /// Lets the line start from a FEN.
    ///
    /// # Errors
    /// When another start is given.
    pub(crate) fn start_from(&mut self, fen: String) -> Result<(), String> {
        if self.names_start() {
            return Err("start, fen or number, not several".to_owned());
        }
        self.fen = Some(fen);
        Ok(())
    }

    /// Whether a start is given, not only its variant.
    pub(crate) fn names_start(&self) -> bool {
        self.fen.is_some() || self.number.is_some()
    }

    /// Whether a variant is given.
    pub(crate) fn names_variant(&self) -> bool {
        self.rules.variant.is_some()
    }

    fn start(&self) -> Result<AnyPosition, String> {
        let (variant, mode) = self.rules.resolve()?;
        match (&self.fen, self.number) {
            (Some(_), Some(_)) => Err("fen or number, not both".to_owned()),
            (Some(text), None) => AnyPosition::from_fen(variant, fen(text, variant), mode)
                .map_err(|error| error.to_string()),
            (None, Some(number @ 0..960)) => AnyPosition::chess960_of(variant, number)
                .ok_or_else(|| format!("{variant} has no Chess960")),
            (None, Some(number)) => Err(format!("start positions are 0 to 959, not {number}")),
            (None, None) => Ok(AnyPosition::start(variant).with_mode(mode)),
        }
    }

    fn replay(&self) -> Result<(Game, Vec<Move>), String> {
        if self.moves.len() > MAX_MOVES {
            return Err(format!("more than {MAX_MOVES} moves"));
        }
        let mut game = Game::new(self.start()?);
        let mut line = Vec::new();
        for (ply, text) in (1..).zip(&self.moves) {
            let m = parse_move(game.position(), text)
                .map_err(|error| format!("move {ply}, {text}: {error}"))?;
            line.push(named(game.position(), m));
            game.play_or_pass(m);
        }
        Ok((game, line))
    }

    /// What a page is told about the last position.
    ///
    /// # Errors
    /// As [`Line::game`].
    pub(crate) fn info(&self) -> Result<PositionInfo, String> {
        let (game, line) = self.replay()?;
        let position = game.position();
        let setup = position.to_setup();
        let mut moves: Vec<Move> = position
            .legal_moves()
            .iter()
            .map(|&m| named(position, Some(m)))
            .collect();
        moves.sort_by(|a, b| a.uci.cmp(&b.uci));
        let ended = game.outcome(false);
        Ok(PositionInfo {
            variant: position.variant().uci(),
            chess960: position.mode() == CastlingMode::Chess960,
            start: game.start().fen(),
            fen: position.fen(),
            turn: if position.turn().is_white() {
                "white"
            } else {
                "black"
            },
            check: position.in_check(),
            moves,
            line,
            outcome: ended.map(end),
            claim: game.outcome(true).filter(|_| ended.is_none()).map(end),
            opening: Opening::of_game(&game).map(|opening| Named {
                eco: opening.eco(),
                name: opening.name(),
            }),
            pockets: setup
                .pockets
                .map(|pockets| Color::ALL.map(|color| pockets.letters(color))),
            checks: setup.checks.map(|checks| checks.0.0),
        })
    }
}

/// Reads a move in any notation; `None` is a null move.
///
/// # Errors
/// As [`AnyPosition::parse_human`], but for null moves.
pub(crate) fn parse_move(
    position: &AnyPosition,
    text: &str,
) -> Result<Option<engine_core::Move>, HumanMoveError> {
    match position.parse_human(text) {
        Err(error) if error.error == MoveError::Null => Ok(None),
        parsed => parsed.map(Some),
    }
}

/// A move in both notations.
pub(crate) fn named(position: &AnyPosition, m: Option<engine_core::Move>) -> Move {
    let Some(m) = m else {
        return Move {
            uci: "0000".to_owned(),
            san: "--".to_owned(),
            capture: false,
        };
    };
    Move {
        uci: position.to_uci(m).to_string(),
        san: position.to_san(m).to_string(),
        capture: position.is_capture(m),
    }
}

fn end(outcome: Outcome) -> End {
    End {
        result: outcome.result(),
        reason: match outcome.termination {
            Termination::VariantWin | Termination::VariantLoss => "rules of the variant",
            Termination::VariantDraw => "draw by the rules of the variant",
            termination => termination.name(),
        },
    }
}
