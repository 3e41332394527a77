//! `mola recon playback`: what a bot would have done in a game.

use crate::error::Result;
use crate::recon::bots::BotSpec;
use crate::recon::{Board, GameHistory};
use crate::training::random::Random;
use engine_core::{Color, Square};
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

/// Put a bot into the place of a player of a game that is over
///
/// It sees what that player saw, and each of its choices that differs is told; the game goes on as it
/// went.
#[derive(clap::Args, Debug)]
#[command(after_help = BotSpec::HELP)]
pub struct Args {
    /// The history of the game
    history: PathBuf,
    /// Who chooses
    bot: BotSpec,
    /// In whose place: white or black
    #[arg(value_parser = side)]
    color: Color,
    /// The same seed draws the same random numbers
    #[arg(long, default_value = "0")]
    seed: u64,
}

/// Reads a side.
pub(super) fn side(text: &str) -> std::result::Result<Color, String> {
    let found = Color::ALL.into_iter().find(|color| color.name() == text);
    found.ok_or_else(|| "white or black expected".into())
}

/// Reads a history.
pub(super) fn read(path: &Path) -> Result<GameHistory> {
    let history = GameHistory::from_file(path);
    Ok(history.map_err(|error| format!("{}: {error}", path.display()))?)
}

/// Runs the subcommand.
///
/// # Errors
/// When the file is no history, and when the bot fails.
pub fn run(args: &Args) -> Result {
    let history = read(&args.history)?;
    let color = args.color;
    let mut bot = args.bot.build(Random::new(args.seed, 0))?;
    let first = history
        .first_turn()
        .and_then(|turn| history.truth_fen_before_move(turn));
    let start = first
        .map(Board::record)
        .transpose()
        .map_err(|error| error.to_string())?;
    let opponent = history.name(!color).unwrap_or_default();
    bot.game_start(color, &start.unwrap_or_else(Board::start), opponent)?;
    let (mut turns, mut senses, mut moves) = (0, 0, 0);
    for turn in history.turns_of(color) {
        let truth = history
            .truth_board_before_move(turn)
            .map_err(|error| error.to_string())?;
        let (Some(truth), Some(sense), Some(seen), Some(result)) = (
            truth,
            history.sense(turn),
            history.sense_result(turn),
            history.move_result(turn),
        ) else {
            break;
        };
        turns += 1;
        let actions = truth.move_actions();
        let capture = turn
            .previous()
            .and_then(|before| history.capture_square(before));
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
            let text = |m: Option<_>| {
                m.map_or("to pass".to_owned(), |m: crate::recon::UciMove| {
                    m.to_string()
                })
            };
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
        "{turns} turns: {senses} other senses, {moves} other moves"
    )?;
    Ok(())
}
