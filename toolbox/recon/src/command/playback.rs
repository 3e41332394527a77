//! `mola recon playback`: what a bot would have done in a game.

use super::history_queries::{before, read, start};
use crate::bots::BotSpec;
use crate::clock::Clock;
use crate::game::Limits;
use crate::moves::UciMove;
use crate::outcome::WinReason;
use common::count::count;
use common::error::Result;
use common::random::Random;
use common::side::Side;
use engine_core::{Color, Square};
use std::io::{Write, stdout};
use std::path::PathBuf;

/// Replay a finished game with a bot in place of a player
///
/// The bot sees what that player saw. Each choice that differs is reported; the game continues as
/// it was played. The bot has a clock of its own with 900 seconds, and 5 more after each turn; when its
/// time is over, so is the playback.
#[derive(clap::Args, Debug)]
#[command(after_help = BotSpec::HELP)]
pub(super) struct Args {
    /// The history of the game; `-` is standard input
    history: PathBuf,
    /// The bot
    bot: BotSpec,
    /// The player it replaces: white or black
    #[arg(hide_possible_values = true)]
    color: Side,
    /// Seed of the random numbers
    #[arg(long, default_value = "0")]
    seed: u64,
}

/// Runs the subcommand.
///
/// # Errors
/// When the file is no history, and when the bot fails.
pub(super) fn run(args: &Args) -> Result {
    let history = read(&args.history)?;
    let color = Color::from(args.color);
    let mut bot = args.bot.build_seeded(Random::new(args.seed, 0))?;
    let opponent = history.name(!color).unwrap_or_default();
    bot.game_start(color, &start(&history), opponent)?;
    // A history has no times: as in reconchess, the clock is that of a new game.
    let limits = Limits::default();
    let mut clock = Clock::new(limits.seconds_per_player, limits.seconds_increment);
    clock.start();
    let (mut turns, mut senses, mut moves) = (0, 0, 0);
    let mut end = (history.winner(), history.win_reason());
    for turn in history.turns_of(color) {
        let (Some(truth), Some(sense), Some(seen), Some(result)) = (
            before(&history, turn),
            history.sense(turn),
            history.sense_result(turn),
            history.move_result(turn),
        ) else {
            break;
        };
        if clock.left(color) <= 0.0 {
            writeln!(stdout(), "turn {}: out of time", turn.number + 1)?;
            end = (Some(!color), Some(WinReason::Timeout));
            break;
        }
        turns += 1;
        let actions = truth.move_actions();
        let last = history.turn_before(turn);
        let capture = last.and_then(|turn| history.capture_square(turn));
        bot.opponent_move_result(capture)?;
        let chosen = bot.choose_sense(&actions, clock.left(color))?;
        let place = |square: Option<Square>| {
            square.map_or("nowhere".to_owned(), |square| square.to_string())
        };
        if chosen != sense {
            senses += 1;
            let (chosen, sense) = (place(chosen), place(sense));
            writeln!(
                stdout(),
                "turn {}: senses {chosen}, the player {sense}",
                turn.number + 1
            )?;
        }
        bot.sense_result(seen)?;
        let chosen = bot.choose_move(&actions, clock.left(color))?;
        if chosen != result.requested {
            moves += 1;
            let text = moves_that_differ(chosen, result.requested);
            writeln!(stdout(), "turn {}: {text}", turn.number + 1)?;
        }
        bot.move_result(result)?;
        clock.switch(color, clock.left(color));
    }
    bot.game_end(end.0, end.1, &history)?;
    writeln!(
        stdout(),
        "{}: {} and {} differ",
        count(turns, "turn"),
        count(senses, "sense"),
        count(moves, "move")
    )?;
    Ok(())
}

/// What the bot and the player of the game did, in words.
fn moves_that_differ(chosen: Option<UciMove>, asked: Option<UciMove>) -> String {
    match (chosen, asked) {
        (Some(chosen), Some(asked)) => format!("asks for {chosen}, the player for {asked}"),
        (Some(chosen), None) => format!("asks for {chosen}, the player passes"),
        (None, Some(asked)) => format!("passes, the player asks for {asked}"),
        (None, None) => "passes, as the player does".to_owned(),
    }
}
