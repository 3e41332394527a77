pub(crate) mod game_summary;
pub(crate) mod moves;
pub(crate) mod players;
pub(crate) mod tally;

pub(crate) use game_summary::GameSummary;
pub(crate) use tally::ResultTally;
