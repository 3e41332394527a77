//! `mola recon play`: a game on the terminal.

use super::human::Human;
use super::limits::LimitArgs;
use crate::bots::BotSpec;
use crate::{Board, Game, Phases, Player, play_game};
use common::error::Result;
use common::random::Random;
use engine_core::{ByColor, Color};
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

/// Play against a bot on the terminal
///
/// You see your own pieces and what you sense; `help` says what can be typed.
#[derive(clap::Args, Debug)]
#[command(after_help = BotSpec::HELP)]
pub struct Args {
    /// Who plays against you
    bot: BotSpec,
    /// Your side: white, black or random
    #[arg(long, default_value = "white", value_parser = side)]
    color: Color,
    /// Save the history of the game in this file
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

fn side(text: &str) -> std::result::Result<Color, String> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        "random" => Ok(Color::from_white(now().is_multiple_of(2))),
        _ => Err("white, black or random expected".into()),
    }
}

fn now() -> u64 {
    let clock = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    // Single nanoseconds are not everywhere counted.
    clock.as_micros() as u64
}

/// Runs the subcommand.
///
/// # Errors
/// When the bot fails, and when the history cannot be written.
pub fn run(args: &Args) -> Result {
    let color = args.color;
    let mut human = Human::new();
    let mut bot = args.bot.build(Random::new(now(), 0))?;
    let name = args.bot.to_string();
    let (names, players): (_, [&mut dyn Player; 2]) = match color {
        Color::White => (["you", &name], [&mut human, &mut *bot]),
        Color::Black => ([name.as_str(), "you"], [&mut *bot, &mut human]),
    };
    let mut game = Game::new(Board::start(), args.limits.limits(), Phases::Strict);
    let result = play_game(
        &mut game,
        ByColor(names),
        ByColor(players),
        &AtomicBool::new(false),
    );
    if let Some(path) = &args.history {
        let saved = game.history().save(path);
        saved.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    match result {
        // Giving up is no failure.
        Err(fault) if fault.color == color => {
            writeln!(stdout(), "{}", fault.error)?;
            human.game_end(game.winner(), game.win_reason(), game.history())
        }
        Err(fault) => Err(fault.error),
        Ok(()) => Ok(()),
    }
}
