//! `mola recon invite`: a game against a user of a server.

use super::history_queries::result;
use super::human::Human;
use super::save::SaveArgs;
use super::side::SideChoice;
use super::user::{UserArgs, ask};
use crate::bots::BotSpec;
use crate::player::Player;
use crate::remote::{Http, Lobby, play_remote_game, tell_end};
use crate::screen::ScreenArgs;
use common::control_characters::without_control_characters;
use common::error::Result;
use common::note;
use common::random::{self, Random};
use std::io::{Write, stdout};

/// Invite a user of a server to a game, and play it on the terminal
///
/// The game begins when the invitation is accepted.
#[derive(clap::Args, Debug)]
#[command(after_help = format!("{}\n\nExample:
  mola recon invite random --username me --server-url http://127.0.0.1:8000 --color white", BotSpec::HELP))]
pub(super) struct Args {
    /// The user to play against; prompted for if omitted
    opponent: Option<String>,
    #[command(flatten)]
    user: UserArgs,
    /// Your side: white, black or random
    #[arg(long, default_value = "random", hide_possible_values = true)]
    color: SideChoice,
    /// Let this bot play in your place
    #[arg(long)]
    bot: Option<BotSpec>,
    #[command(flatten)]
    save: SaveArgs,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// When the server refuses, when a bot fails, and when the history cannot be written.
pub(super) fn run(args: &Args) -> Result {
    let file = args
        .save
        .open(&args.bot.as_ref().map_or(Vec::new(), BotSpec::files))?;
    let (name, password) = args.user.credentials()?;
    let user = Some((name.as_str(), password.as_str()));
    let http = Http::new(&args.user.server_url, user);
    let lobby = Lobby(&http);
    let opponent = match &args.opponent {
        Some(opponent) => opponent.clone(),
        None => choose(lobby.users()?, &name)?,
    };
    let mut player: Box<dyn Player> = match &args.bot {
        Some(bot) => bot.build(Random::new(random::seed(), 0))?,
        None => Box::new(Human::new(args.screen.signs())),
    };
    let game = lobby.invite(&opponent, args.color.color())?;
    note!("game {game}: waiting for {opponent} to accept (Ctrl-C quits)");
    let played = play_remote_game(&http, game, &mut *player);
    let history = match played {
        Ok(history) => history,
        Err(error) => {
            // The game may be over, or the server gone.
            let _ = lobby.error_resign(game);
            // A person who gives up has not failed, and keeps what was played.
            if args.bot.is_some() {
                return Err(error);
            }
            writeln!(
                stdout(),
                "{}",
                without_control_characters(&error.to_string())
            )?;
            tell_end(&http, game, &mut *player)?
        }
    };
    if args.bot.is_some() {
        writeln!(stdout(), "game {game}: {}", result(&history))?;
    }
    args.save.save(&history, file)
}

/// Lets somebody choose an opponent among the users who are there, by number or name.
fn choose(mut users: Vec<String>, me: &str) -> Result<String> {
    users.retain(|user| user != me);
    if users.is_empty() {
        return Err("no other user is on the server".to_owned().into());
    }
    for (number, user) in (1..).zip(&users) {
        note!("{number:3}  {user}");
    }
    let answer = ask("Opponent: ")?;
    let number: Option<usize> = answer.parse().ok();
    let chosen = number.and_then(|number| users.get(number.checked_sub(1)?));
    Ok(chosen.cloned().unwrap_or(answer))
}
