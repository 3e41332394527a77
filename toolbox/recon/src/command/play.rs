//! `mola recon play`: a game on the terminal.

use super::human::Human;
use super::limits::LimitArgs;
use super::save::SaveArgs;
use super::side::SideChoice;
use crate::board::Board;
use crate::bots::BotSpec;
use crate::game::{Game, Phases};
use crate::player::{Player, play_game};
use crate::screen::ScreenArgs;
use common::control_characters::without_control_characters;
use common::error::Result;
use common::random::{self, Random};
use engine_core::{ByColor, Color};
use std::io::{Write, stdout};
use std::sync::atomic::AtomicBool;

/// Play against a bot on the terminal
///
/// You see your own pieces and what you sense; `help` lists the commands.
#[derive(clap::Args, Debug)]
#[command(after_help = BotSpec::HELP)]
pub(super) struct Args {
    /// Your opponent
    bot: BotSpec,
    /// Your side: white, black or random
    #[arg(long, default_value = "white", hide_possible_values = true)]
    color: SideChoice,
    #[command(flatten)]
    save: SaveArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// Runs the subcommand.
///
/// # Errors
/// When the bot fails, and when the history cannot be written.
pub(super) fn run(args: &Args) -> Result {
    let color = args.color.color();
    let file = args.save.open(&args.bot.files())?;
    let mut human = Human::new(args.screen.signs());
    let mut bot = args.bot.build(Random::new(random::seed(), 0))?;
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
    let result = match result {
        // Giving up is no failure.
        Err(fault) if fault.color == color => {
            writeln!(
                stdout(),
                "{}",
                without_control_characters(&fault.error.to_string())
            )?;
            human.game_end(game.winner(), game.win_reason(), game.history())
        }
        Err(fault) => Err(fault.error),
        Ok(()) => Ok(()),
    };
    args.save.save(game.history(), file)?;
    result
}
