//! `mola recon ratings`: who plays best on a server.

use super::table::width_of_bots;
use super::user::server_url;
use crate::remote::{Http, Lobby};
use common::control_characters::without_control_characters;
use common::error::Result;
use std::io::{Write, stdout};

/// Show the ratings of the bots on a Mola server, separately for each version of a bot
///
/// Ratings are computed from ranked games by Elo's formula, starting at 1500.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The address of the server
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8000", value_parser = server_url)]
    server_url: String,
}

/// Runs the subcommand.
///
/// # Errors
/// When the server does not answer, or has no ratings.
pub(super) fn run(args: &Args) -> Result {
    let http = Http::new(&args.server_url, None);
    let ratings = Lobby(&http).ratings()?;
    let names: Vec<_> = ratings
        .iter()
        .map(|row| without_control_characters(&row.username))
        .collect();
    let width = width_of_bots(&names);
    writeln!(stdout(), "{:width$}  version  rating  games", "bot")?;
    for (name, row) in names.iter().zip(&ratings) {
        let (version, rating, games) = (row.version, row.rating, row.games);
        writeln!(
            stdout(),
            "{name:width$}  {version:7}  {rating:6}  {games:5}"
        )?;
    }
    Ok(())
}
