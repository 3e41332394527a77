pub(crate) mod facts;
pub(crate) mod moves;
pub(crate) mod players;
pub(crate) mod tally;

pub(crate) use facts::Facts;
pub(crate) use tally::Tally;
