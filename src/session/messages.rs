//! What front ends and the session tell each other: [`Command`]s one way, [`Notice`]s the other.

use crate::options::OptionId;
use common::option_value::OptionValue;
use engine_core::search::{self, Limits};
use engine_core::{Game, Move};

/// A command of a front end.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// Starts a new game: clears histories and the transposition table.
    NewGame,
    /// Replaces the game: its start, its moves and the position they lead to.
    Game(Box<Game>),
    /// Plays a legal move in the game.
    Play(Move),
    /// Plays a null move, for analysis.
    Pass,
    /// Takes back this many plies, or as many as there are.
    Undo(usize),
    /// Searches the position of the game. A running search ends first.
    Go(Limits),
    /// Stops the search; it reports its best move.
    Stop,
    /// Ponderhit: the opponent played the expected move. Limits given now replace those of time.
    PonderHit(Option<Limits>),
    /// Sets an option. Threads, hash size and weights change after a running search.
    Set(OptionId, OptionValue),
    /// Does postponed work, such as allocating a new hash table.
    Prepare,
}

/// A report of the session to a front end.
#[derive(Clone, Debug)]
pub(crate) enum Notice {
    /// An event of the search.
    Search(search::Event),
    /// One line for the user.
    Message(String),
    /// A setting that could not take effect, and why.
    Failure(String),
}
