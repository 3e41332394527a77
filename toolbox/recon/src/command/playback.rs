//! `mola recon playback`: what a bot would have done in a game.

use super::history_queries::{before, read, start};
use crate::bots::BotSpec;
use crate::moves::UciMove;
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
/// it was played.
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
    let (mut turns, mut senses, mut moves) = (0, 0, 0);
    for turn in history.turns_of(color) {
        let (Some(truth), Some(sense), Some(seen), Some(result)) = (
            before(&history, turn),
            history.sense(turn),
            history.sense_result(turn),
            history.move_result(turn),
        ) else {
            break;
        };
        turns += 1;
        let actions = truth.move_actions();
        let last = history.turn_before(turn);
        let capture = last.and_then(|turn| history.capture_square(turn));
        bot.opponent_move_result(capture)?;
        let chosen = bot.choose_sense(&actions, f64::INFINITY)?;
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
        let chosen = bot.choose_move(&actions, f64::INFINITY)?;
        if chosen != result.requested {
            moves += 1;
            let text = |m: Option<_>| m.map_or("to pass".to_owned(), |m: UciMove| m.to_string());
            let (chosen, asked) = (text(chosen), text(result.requested));
            writeln!(
                stdout(),
                "turn {}: asks for {chosen}, the player for {asked}",
                turn.number + 1
            )?;
        }
        bot.move_result(result)?;
    }
    bot.game_end(history.winner(), history.win_reason(), &history)?;
    writeln!(
        stdout(),
        "{}: {} and {} differ",
        count(turns, "turn"),
        count(senses, "sense"),
        count(moves, "move")
    )?;
    Ok(())
}
