//! `mola recon serve`: a server for reconnaissance chess.

use super::connect::{Connection, OpenGames};
use super::limits::LimitArgs;
use crate::bots::BotSpec;
use crate::remote::{Http, RECONCHESS_VERSION};
use crate::server::{self, Config};
use common::error::Result;
use crossbeam_channel::never;
use std::io::{ErrorKind, Write, stdout};
use std::iter;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::thread;

/// Run a game server with the HTTP API of reconchess
///
/// Users register, invite each other and play. All data is saved in a folder, move by move, so that
/// a server that was killed can resume. The histories of finished games are in its sub-folder
/// `games`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  mola recon serve --bot random --bot trout           with two bots of its own
  mola recon register --server-url http://127.0.0.1:8000 --username me
  mola recon connect mola --server-url http://127.0.0.1:8000 --username me --ranked
  rc-connect my_bot.py --server-url http://127.0.0.1:8000 --ranked

The server speaks plain HTTP. On a public address, put it behind an HTTPS proxy and use
--behind-proxy.")]
pub(super) struct Args {
    /// The address to listen on, or the name of a host that has it
    #[arg(long, default_value = "127.0.0.1:8000", value_name = "ADDRESS:PORT", value_parser = address)]
    listen: SocketAddr,
    /// The folder of users and games
    #[arg(long, default_value = "recon-server", value_name = "FOLDER")]
    folder: PathBuf,
    /// A bot that the server runs under its name; may be given several times, and bots of the same
    /// name are numbered (trout, trout-2)
    #[arg(long = "bot", value_name = "BOT")]
    bots: Vec<BotSpec>,
    /// The client version required
    #[arg(long, default_value = RECONCHESS_VERSION)]
    reconchess_version: String,
    /// Maximum number of open connections [default: as many as the system's limit of open files
    /// allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_connections: Option<u32>,
    /// Maximum number of connections from one address [default: half of all, and at most 1024]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_connections_per_address: Option<u32>,
    /// Requests come through a proxy that adds the sender's address to X-Forwarded-For
    #[arg(long)]
    behind_proxy: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// An address with a port, where a name may stand for the address: the first IPv4 address that it has, or the
/// first of all.
fn address(text: &str) -> std::result::Result<SocketAddr, String> {
    let expected = "an address and a port are expected, such as 127.0.0.1:8000";
    let found = text.to_socket_addrs().map_err(|error| match error.kind() {
        ErrorKind::InvalidInput => expected.to_owned(),
        _ => format!("host not found; {expected}"),
    })?;
    let found: Vec<SocketAddr> = found.collect();
    let best = found.iter().find(|address| address.is_ipv4());
    best.or(found.first())
        .copied()
        .ok_or_else(|| expected.to_owned())
}

/// How many connections are useful without an option that asks for more.
const MAX_CONNECTIONS: usize = 8192;
/// How many of them may be from one address.
const MAX_PER_ADDRESS: usize = 1024;

/// Runs the subcommand.
///
/// # Errors
/// When the address is in use, the folder cannot be used, or the file of a bot is not there.
pub(super) fn run(args: &Args) -> Result {
    let files = raise_file_limit();
    // Later, each game would fail without a word to the user who waits for it.
    args.bots.iter().try_for_each(BotSpec::require_file)?;
    let listener = server::listen(args.listen)?;
    let address = listener.local_addr()?;
    let mut residents = Vec::new();
    for (bot, name) in args.bots.iter().zip(names(&args.bots)) {
        let password = secret()?;
        let url = format!("http://{address}");
        let http = Http::new(&url, Some((&name, &password)));
        let connection = Connection {
            bot: bot.clone(),
            lobby: http.clone(),
            http,
            ranked: false,
            max_concurrent_games: 256,
            games: None,
            histories: None,
            is_quiet: true,
            open_games: OpenGames::default(),
        };
        residents.push((name.clone(), password));
        thread::spawn(move || {
            while let Err(error) = connection.play(&never()) {
                log::error!("{name}: {error}");
                thread::sleep(std::time::Duration::from_secs(1));
            }
        });
    }
    // Games, journal and the server's own bots need files, too.
    let max_connections = args
        .max_connections
        .map_or((files / 2).clamp(1, MAX_CONNECTIONS), |most| most as usize);
    let per_address = args
        .max_connections_per_address
        .map_or((max_connections / 2).clamp(1, MAX_PER_ADDRESS), |most| {
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

/// The names of the bots as users, numbered where they are the same: `trout`, `trout-2`.
fn names(bots: &[BotSpec]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for bot in bots {
        let name = server::username(&bot.to_string());
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let free = iter::once(name.clone())
            .chain(numbered)
            .find(|name| !names.contains(name));
        names.extend(free);
    }
    names
}

/// A random password.
fn secret() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

/// Raises the limit of open files, of which every connection is one, to the system's maximum; returns
/// it.
fn raise_file_limit() -> usize {
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) {
            let raised = soft == hard || setrlimit(Resource::RLIMIT_NOFILE, hard, hard).is_ok();
            let files = if raised { hard } else { soft };
            return usize::try_from(files).unwrap_or(usize::MAX);
        }
    }
    MAX_CONNECTIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_may_have_a_name() {
        assert_eq!(
            address("127.0.0.1:8000").unwrap().to_string(),
            "127.0.0.1:8000"
        );
        assert_eq!(address("[::1]:80").unwrap().to_string(), "[::1]:80");
        assert!(address("localhost:8000").unwrap().ip().is_loopback());
        for bad in ["", "8000", "localhost", "127.0.0.1:x", "127.0.0.1:99999"] {
            assert!(
                address(bad).unwrap_err().contains("127.0.0.1:8000"),
                "{bad}"
            );
        }
    }

    #[test]
    fn bots_of_the_same_name_are_numbered() {
        let bots = ["trout", "random", "trout:time=0.1", "cmd:trout-2", "trout"];
        let bots = bots.map(|bot| bot.parse().unwrap());
        assert_eq!(
            names(&bots),
            ["trout", "random", "trout-2", "trout-2-2", "trout-3"]
        );
        // Basic authentication ends a name at the first colon.
        let bots = ["trout:stockfish", "trout-stockfish"].map(str::parse);
        let bots: Vec<BotSpec> = bots.into_iter().flatten().collect();
        assert_eq!(names(&bots), ["trout-stockfish"]);
    }
}
