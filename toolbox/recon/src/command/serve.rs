//! `mola recon serve`: a server for reconnaissance chess.

use super::connect::Connection;
use super::limits::LimitArgs;
use crate::bots::BotSpec;
use crate::remote::{Http, RECONCHESS_VERSION};
use crate::server::{self, Config};
use common::error::Result;
use crossbeam_channel::never;
use std::io::{Write, stdout};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

/// Serve games to bots everywhere: the HTTP API of reconchess
///
/// Users register, invite each other and play. Everything is kept in a folder, move by move, and a
/// server that was killed goes on where it was. The histories of games that are over are in its
/// folder `games`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola recon serve --bot random --bot trout           with two players of its own
  mola recon register --server-url http://127.0.0.1:8000 --username me
  mola recon connect mola --server-url http://127.0.0.1:8000 --username me --ranked
  rc-connect my_bot.py --server-url http://127.0.0.1:8000 --ranked

It speaks plain HTTP: on a public address put it behind a proxy that speaks HTTPS,
with --behind-proxy.")]
pub(super) struct Args {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:8000", value_name = "ADDRESS:PORT")]
    listen: SocketAddr,
    /// Where users and games are kept
    #[arg(long, default_value = "recon-server", value_name = "FOLDER")]
    folder: PathBuf,
    /// A bot that plays for the server under its name; may be given several times
    #[arg(long = "bot", value_name = "BOT")]
    bots: Vec<BotSpec>,
    /// The version that clients must have
    #[arg(long, default_value = RECONCHESS_VERSION)]
    reconchess_version: String,
    /// How many connections may be open; as many as the system's limit of open files allows
    /// without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: Option<u32>,
    /// How many of them may be from one address; half of them, and at most 1024, without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_connections_per_address: Option<u32>,
    /// Requests come through a proxy, which adds the address of their sender to X-Forwarded-For
    #[arg(long)]
    behind_proxy: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// How many connections are useful without an option that asks for more.
const MOST_CONNECTIONS: usize = 8192;
/// How many of them may be from one address.
const MOST_PER_ADDRESS: usize = 1024;

/// Runs the subcommand.
///
/// # Errors
/// When the address is in use, or the folder cannot be used.
pub(super) fn run(args: &Args) -> Result {
    let files = more_files();
    let listener = server::listen(args.listen)?;
    let address = listener.local_addr()?;
    let mut residents = Vec::new();
    for bot in &args.bots {
        let password = secret()?;
        let url = format!("http://{address}");
        let connection = Connection {
            bot: bot.clone(),
            http: Http::new(&url, Some((&bot.to_string(), &password)), Arc::default()),
            max_concurrent_games: 256,
            games: None,
            histories: None,
            is_quiet: true,
        };
        thread::spawn(move || {
            while let Err(error) = connection.play(&never()) {
                log::error!("{}: {error}", connection.bot);
                thread::sleep(std::time::Duration::from_secs(1));
            }
        });
        residents.push((bot.to_string(), password));
    }
    // Games, journal and the server's own bots need files, too.
    let max_connections = args
        .max_connections
        .map_or((files / 2).clamp(1, MOST_CONNECTIONS), |most| most as usize);
    let per_address = args
        .max_connections_per_address
        .map_or((max_connections / 2).clamp(1, MOST_PER_ADDRESS), |most| {
            most as usize
        });
    let config = Config {
        folder: args.folder.clone(),
        limits: args.limits.limits(),
        version: args.reconchess_version.clone(),
        residents,
        max_connections,
        max_connections_per_address: per_address,
        behind_proxy: args.behind_proxy,
    };
    let server = server::open(&config)?;
    writeln!(stdout(), "serving on http://{address}")?;
    server::serve(server, listener)
}

/// A password that nobody knows.
fn secret() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

/// Every connection is an open file: as many as the system allows, and how many that are.
fn more_files() -> usize {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) {
            let raised = soft == hard || setrlimit(Resource::RLIMIT_NOFILE, hard, hard).is_ok();
            let files = if raised { hard } else { soft };
            return usize::try_from(files).unwrap_or(usize::MAX);
        }
    }
    MOST_CONNECTIONS
}
