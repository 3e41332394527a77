//! `mola pgn`: game collections.

mod candidates;
mod convert;
mod dedupe;
mod eco;
mod filter;
mod find;
mod headers;
mod index;
pub mod input;
mod openings;
mod output;
mod peek;
pub mod pipeline;
mod players;
#[cfg(feature = "plot")]
mod rating_plot;
mod selection;
mod skimmer;
mod sort;
mod split;
mod stats;
mod table;
mod tag_argument;
mod tree;
mod units;
pub mod unpack;
mod validate;

pub use skimmer::Skimmer;

use crate::Dialect;
use common::error::Result;

/// The subcommands of `mola pgn`.
#[derive(clap::Subcommand, Debug)]
#[allow(missing_docs, reason = "each is described by its arguments")]
pub enum Subcommand {
    Stats(stats::Args),
    Validate(validate::Args),
    Headers(headers::Args),
    Convert(Box<convert::Args>),
    Filter(Box<filter::Args>),
    Find(Box<find::Args>),
    Split(split::Args),
    Merge(filter::MergeArgs),
    Dedupe(Box<dedupe::Args>),
    Eco(eco::Args),
    Sort(sort::Args),
    Tree(Box<tree::Args>),
    Index(index::Args),
    Players(Box<players::Args>),
    Openings(Box<openings::Args>),
}

/// Runs the subcommand, with another program's way to read and write games if there is a dialect.
///
/// # Errors
/// When a file cannot be read or written, and as the subcommand says.
pub fn run(command: &Subcommand, dialect: Option<&dyn Dialect>) -> Result {
    match command {
        Subcommand::Stats(args) => stats::run(args, dialect),
        Subcommand::Validate(args) => validate::run(args, dialect),
        Subcommand::Headers(args) => headers::run(args, dialect),
        Subcommand::Convert(args) => convert::run(args, dialect),
        Subcommand::Filter(args) => filter::run(args, dialect),
        Subcommand::Find(args) => find::run(args, dialect),
        Subcommand::Split(args) => split::run(args, dialect),
        Subcommand::Merge(args) => filter::merge(args, dialect),
        Subcommand::Dedupe(args) => dedupe::run(args, dialect),
        Subcommand::Eco(args) => eco::run(args, dialect),
        Subcommand::Sort(args) => sort::run(args, dialect),
        Subcommand::Index(args) => index::run(args, dialect),
        Subcommand::Tree(args) => tree::run(args, dialect),
        Subcommand::Players(args) => players::run(args, dialect),
        Subcommand::Openings(args) => openings::run(args, dialect),
    }
}
