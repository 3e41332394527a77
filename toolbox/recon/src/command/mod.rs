//! `mola recon`: reconnaissance chess, one file for each of its commands.

mod arbiter;
mod connect;
mod human;
mod invite;
mod limits;
mod matches;
mod play;
mod playback;
mod ratings;
mod record;
mod register;
mod replay;
mod save;
mod serve;
mod side;
mod user;

use clap::Subcommand;
use common::error::Result;

/// Reconnaissance chess: the opponent's pieces are hidden, and each turn senses 3x3 squares
///
/// It is the game of the Python package reconchess: rules, records of games and HTTP API are the
/// same.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
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

/// Runs the subcommand.
///
/// # Errors
/// Those of the command.
pub fn run(args: &Args) -> Result {
    match &args.command {
        Command::Match(args) => matches::run(args),
        Command::Play(args) => play::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Playback(args) => playback::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Register(args) => register::run(args),
        Command::Connect(args) => connect::run(args),
        Command::Invite(args) => invite::run(args),
        Command::Ratings(args) => ratings::run(args),
        Command::Arbiter(args) => arbiter::run(args),
    }
}
