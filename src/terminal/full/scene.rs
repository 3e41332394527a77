//! What the screen shows.

use crate::terminal::board::View;
use crate::terminal::play::Ending;
use engine_core::search::Score;
use engine_core::{AnyPosition, ByColor, Color, Game, Move};

/// A side of the board.
#[derive(Clone, Debug, Default)]
pub(in crate::terminal) struct Player {
    pub(in crate::terminal) name: String,
    pub(in crate::terminal) clock: Option<String>,
    /// Its captured pieces, or its pocket or checks in a variant.
    pub(in crate::terminal) possessions: String,
}

/// The engine's score and principal variation.
#[derive(Clone, Debug)]
pub(in crate::terminal) struct Thinking {
    /// The number of moves before the position that it searched.
    pub(in crate::terminal) plies: usize,
    pub(in crate::terminal) position: AnyPosition,
    /// From White's point of view.
    pub(in crate::terminal) score: Score,
    /// The score, the depth, and so on: what there is no room for is left out from the end.
    pub(in crate::terminal) summary: Vec<String>,
    pub(in crate::terminal) line: String,
}

/// What is known about the position that is shown.
pub(super) enum Assessment<'a> {
    /// The static evaluation; `None` in check.
    Static(Option<Score>),
    Ending(Ending),
    Thinking(&'a Thinking),
}

impl Assessment<'_> {
    /// The score from White's point of view: that of the result if the game is over.
    pub(super) fn score(&self) -> Option<Score> {
        match self {
            Assessment::Static(score) => *score,
            Assessment::Ending(ending) => Some(match ending.result {
                "1-0" => Score::MATE,
                "0-1" => -Score::MATE,
                _ => Score::DRAW,
            }),
            Assessment::Thinking(thinking) => Some(thinking.score),
        }
    }
}

/// The state of the game to show.
pub(in crate::terminal) struct Scene<'a> {
    pub(in crate::terminal) game: &'a Game,
    pub(in crate::terminal) view: &'a View,
    pub(in crate::terminal) players: ByColor<Player>,
    pub(in crate::terminal) ending: Option<Ending>,
    /// The static evaluation of a position from White's point of view; `None` in check.
    pub(in crate::terminal) static_eval: &'a dyn Fn(&AnyPosition) -> Option<Score>,
    pub(in crate::terminal) prompt: String,
    /// Words that Tab completes to.
    pub(in crate::terminal) words: Vec<String>,
}

impl Scene<'_> {
    /// Whether this side is to move in the game.
    pub(super) fn is_to_move(&self, color: Color) -> bool {
        self.ending.is_none() && self.game.position().turn() == color
    }

    /// What is known about the position after this many moves: the engine has thought about the present
    /// one alone, and no longer matters once the game is over.
    pub(super) fn assessment<'a>(
        &self,
        plies: usize,
        thinking: Option<&'a Thinking>,
    ) -> Assessment<'a> {
        let is_last = plies == self.game.moves().len();
        match (self.ending, thinking) {
            (Some(ending), _) if is_last => Assessment::Ending(ending),
            (None, Some(thinking)) if is_last => Assessment::Thinking(thinking),
            _ => Assessment::Static((self.static_eval)(self.position_after(plies))),
        }
    }

    /// The position after this many moves.
    pub(super) fn position_after(&self, plies: usize) -> &AnyPosition {
        let earlier = self.game.plies().nth(plies);
        earlier.map_or(self.game.position(), |(position, _)| position)
    }
}

/// A move in SAN; a null move is `--`.
pub(in crate::terminal) fn san(position: &AnyPosition, m: Option<Move>) -> String {
    m.map_or_else(|| "--".to_owned(), |m| position.to_san(m).to_string())
}
