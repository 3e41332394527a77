//! Games as tables with typed columns, in the formats Parquet and Arrow, for programs that query
//! millions of games.
//!
//! | part | what it does |
//! |---|---|
//! | [`GameReader`] | plays the games of a block and passes them to the rows of a table |
//! | [`GameRows`], [`PlyRows`] | the two tables: a row for each game, or for each ply |
//! | [`Encoder`] | writes batches of rows as one file |
//! | [`Partitions`] | writes them as files in folders, by the values of [`Key`]s |

mod encoder;
mod game;
mod games;
mod hive;
mod parquet_file;
mod partitions;
mod plies;
mod tags;

pub(crate) use encoder::{Encoder, FileFormat, failed};
pub(crate) use game::{GameReader, GameSource, Rows};
pub(crate) use games::GameRows;
pub(crate) use hive::{Key, partition_of};
pub(crate) use partitions::Partitions;
pub(crate) use plies::PlyRows;

/// The column that both tables begin with: the number of the game, from 1.
pub(crate) const GAME: &str = "game";
