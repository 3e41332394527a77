//! Players that come with Mola, and players in other languages.

mod attacker;
mod mola;
mod process;
mod random;
mod spec;
mod trout;

pub use attacker::AttackerBot;
pub use mola::{Beliefs, MolaBot, MolaOptions};
pub use process::ProcessBot;
pub use random::RandomBot;
pub use spec::BotSpec;
pub use trout::TroutBot;
