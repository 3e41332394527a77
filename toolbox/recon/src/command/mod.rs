//! `mola recon`: reconnaissance chess, one file for each of its commands.

mod arbiter;
mod connect;
mod history_queries;
mod human;
mod invite;
mod limits;
mod matches;
mod moments;
mod play;
mod playback;
mod ratings;
mod register;
mod replay;
mod save;
mod serve;
mod side;
mod table;
mod user;

use common::error::Result;

/// Reconnaissance chess: the opponent's pieces are hidden, and each turn begins by sensing 3x3
/// squares
///
/// Rules, game histories and HTTP API are those of the Python package reconchess.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(clap::Subcommand, Debug)]
enum Subcommand {
    Match(matches::Args),
    Play(play::Args),
    Replay(replay::Args),
    Playback(playback::Args),
    Serve(serve::Args),
    Register(register::Args),
    Connect(connect::Args),
    Invite(invite::Args),
    Ratings(ratings::Args),
    Arbiter(arbiter::Args),
}

impl Args {
    /// Whether the command is the server, which runs for long.
    pub fn is_server(&self) -> bool {
        matches!(self.command, Subcommand::Serve(_))
    }
}

/// Runs the subcommand.
///
/// # Errors
/// Those of the command.
pub fn run(args: &Args) -> Result {
    match &args.command {
        Subcommand::Match(args) => matches::run(args),
        Subcommand::Play(args) => play::run(args),
        Subcommand::Replay(args) => replay::run(args),
        Subcommand::Playback(args) => playback::run(args),
        Subcommand::Serve(args) => serve::run(args),
        Subcommand::Register(args) => register::run(args),
        Subcommand::Connect(args) => connect::run(args),
        Subcommand::Invite(args) => invite::run(args),
        Subcommand::Ratings(args) => ratings::run(args),
        Subcommand::Arbiter(args) => arbiter::run(args),
    }
}
