//! `mola recon match`: games between two bots.

use super::limits::LimitArgs;
use super::save::{HistoryFolder, save_under_new_name};
use super::table::width_of_bots;
use crate::board::Board;
use crate::bots::BotSpec;
use crate::game::{Game, Phases};
use crate::history::GameHistory;
use crate::outcome::WinReason;
use crate::player::{Player, PlayerFault, play_game};
use arena::progress;
use common::arguments::fen;
use common::count::count;
use common::error::{Error, Result};
use common::note;
use common::parallel::{self, Interrupt, Workers};
use common::random::{self, Random};
use common::signals;
use engine_core::{ByColor, Color, Variant};
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Play games between two bots
///
/// A table shows the results. Ctrl-C ends the match after the current turns, without waiting for
/// the answers of other programs, and reports the finished games; a second Ctrl-C exits at once. The command fails if a bot fails in every game.
#[derive(clap::Args, Debug)]
#[command(after_help = concat_help())]
pub(super) struct Args {
    /// The bot with White
    white: BotSpec,
    /// The bot with Black
    black: BotSpec,
    /// Number of games
    #[arg(long, short, default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Alternate colours after each game
    #[arg(long)]
    alternate: bool,
    /// Number of games played at the same time
    #[arg(long, short, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Save the history of each game in this folder, numbered after the existing ones. By default
    /// the history of a single game is saved in the current folder
    #[arg(long, value_name = "FOLDER")]
    histories: Option<PathBuf>,
    /// Do not save the history of a single game
    #[arg(long, conflicts_with = "histories")]
    no_history: bool,
    /// The start position of the games [default: that of chess]
    #[arg(long)]
    fen: Option<String>,
    /// Seed of the random numbers; in a BOT.py those of `random` and `numpy`
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
}

fn concat_help() -> String {
    format!(
        "{}\n\nExamples:
  mola recon match mola random
  mola recon match mola trout:time=0.1,stockfish --games 100 --alternate --concurrency 2
  mola recon match cmd:'python3 my_bot.py' attacker --histories games

A program behind cmd: reads requests as JSON lines: game_start, then each turn
opponent_move_results, choose_sense, sense_result, choose_move, move_result, and at last
game_end. It answers choose_sense with {{\"square\": 52}} and choose_move with
{{\"requested_move\": {{\"type\": \"Move\", \"value\": \"e2e4\"}}}} (null for none). All values are as in
reconchess's HTTP API. The full description is at ProcessBot in the documentation of the crate
mola-recon.",
        BotSpec::HELP
    )
}

type Bot = Box<dyn Player>;

/// Games that may wait for a longer one before them.
const GAMES_AHEAD: usize = 64;

/// A game that is over.
struct FinishedGame {
    number: usize,
    /// The colour of the first bot.
    first: Color,
    history: GameHistory,
    fault: Option<PlayerFault>,
}

impl FinishedGame {
    /// What happened to the bot that failed, without its name, which some errors begin with.
    fn complaint(&self, fault: &PlayerFault) -> String {
        let text = fault.error.to_string();
        let name = self.history.name(fault.color).unwrap_or_default();
        let rest = text
            .strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(": "));
        rest.map(str::to_owned).unwrap_or(text)
    }
}

/// Runs the subcommand.
///
/// # Errors
/// When a bot cannot be started, when one fails in every game, when a history cannot be
/// written, and when a signal came.
pub(super) fn run(args: &Args) -> Result {
    let board = match &args.fen {
        Some(text) => {
            Board::from_fen(fen(text, Variant::Standard)).map_err(|error| error.to_string())?
        }
        None => Board::start(),
    };
    let histories = args.histories.as_deref().map(HistoryFolder::open);
    let histories = histories.transpose()?;
    let seed = args.seed.unwrap_or_else(random::seed);
    let template = "{pos} of {len} games {bar:30} {eta} left  {msg}";
    let progress = progress::bar(template, u64::from(args.games), 0);
    progress.tick();
    let mut tally = MatchTally::default();
    let signals = signals::watch();
    let workers = Workers {
        threads: usize::from(args.concurrency).min(args.games as usize),
        ahead: GAMES_AHEAD,
        signals: signals.clone(),
    };
    let start = Instant::now();
    let runner = &MatchRunner { args, board, seed };
    let ended = parallel::in_order(
        &workers,
        0..args.games as usize,
        |interrupt| {
            let (interrupt, mut bots) = (interrupt.clone(), [None, None]);
            Ok(move |number| runner.play(number, &mut bots, &interrupt))
        },
        |played| {
            save(args, histories.as_ref(), &played, &progress)?;
            tally.add(&played);
            tally.show(&progress);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    progress.finish_and_clear();
    let table = tally.table(args, start.elapsed().as_secs_f64());
    stdout().write_all(table.as_bytes())?;
    if let Some(why) = tally.useless(args) {
        return Err(Error::Message(why));
    }
    ended.or_interrupted(None)
}

/// Plays the games of a match.
struct MatchRunner<'a> {
    args: &'a Args,
    board: Board,
    seed: u64,
}

impl MatchRunner<'_> {
    /// A bot for a game with this stream of random numbers: that of the last game, or a new one.
    fn bot(&self, spec: &BotSpec, last: Option<Bot>, random: Random) -> Result<Bot> {
        let mut bot = match last {
            Some(bot) => bot,
            None if self.args.seed.is_some() => spec.build_seeded(random.clone())?,
            None => spec.build(random.clone())?,
        };
        bot.seed(random);
        Ok(bot)
    }

    /// Plays a game with the bots of the last one, or with new ones.
    fn play(
        &self,
        number: usize,
        bots: &mut [Option<Bot>; 2],
        interrupt: &Interrupt,
    ) -> Result<FinishedGame> {
        let [first, second] = [&self.args.white, &self.args.black];
        let names = [first, second].map(BotSpec::to_string);
        let [one, two] = names.each_ref().map(String::as_str);
        let random = |place| Random::new(self.seed, 2 * number as u64 + place);
        let [last_a, last_b] = bots.each_mut().map(Option::take);
        let mut a = self.bot(first, last_a, random(0))?;
        let mut b = self.bot(second, last_b, random(1))?;
        for bot in [&mut a, &mut b] {
            bot.set_interrupt(interrupt.channel().clone());
        }
        let stop = interrupt.flag();
        let in_order = !self.args.alternate || number.is_multiple_of(2);
        let (names, players): (_, [&mut dyn Player; 2]) = if in_order {
            ([one, two], [&mut *a, &mut *b])
        } else {
            ([two, one], [&mut *b, &mut *a])
        };
        let mut game = Game::new(
            self.board.clone(),
            self.args.limits.limits(),
            Phases::Strict,
        );
        let result = play_game(&mut game, ByColor(names), ByColor(players), stop);
        if stop.load(Relaxed) {
            return Err(Error::Message("stopped".to_owned()));
        }
        // Bots are reused for the next game unless one failed.
        if result.is_ok() {
            let reused = |spec: &BotSpec, bot| Some(bot).filter(|_| !spec.is_for_one_game());
            *bots = [reused(first, a), reused(second, b)];
        }
        Ok(FinishedGame {
            number,
            first: Color::from_white(in_order),
            history: game.history().clone(),
            fault: result.err(),
        })
    }
}

/// Saves the history of a game if that is wanted, and reports a bot that failed in it.
fn save(
    args: &Args,
    folder: Option<&HistoryFolder>,
    played: &FinishedGame,
    progress: &ProgressBar,
) -> Result {
    let FinishedGame {
        number,
        history,
        fault,
        ..
    } = played;
    // Failing to write it is not an error.
    let report = |text: String| progress.suspend(|| note!("{text}"));
    if let Some(folder) = folder {
        folder.save(*number, history)?;
    } else if args.games == 1 && !args.no_history {
        let path = save_under_new_name(history)?;
        report(format!("history: {}", path.display()));
    }
    if let Some(fault) = fault {
        let name = history.name(fault.color).unwrap_or_default();
        let complaint = played.complaint(fault);
        report(format!("game {}, {name}: {complaint}", number + 1));
    }
    Ok(())
}

/// The results so far.
#[derive(Default)]
struct MatchTally {
    /// Games that the first bot won.
    won: u32,
    drawn: u32,
    lost: u32,
    /// The faults of the first and the second bot.
    faults: [u32; 2],
    /// What happened in the last fault of each.
    last_words: [String; 2],
    /// The wins of White and of Black, whichever bot had the colour.
    by_color: ByColor<u32>,
    reasons: BTreeMap<&'static str, u32>,
    turns: usize,
}

impl MatchTally {
    fn add(&mut self, played: &FinishedGame) {
        let (first, history) = (played.first, &played.history);
        match history.winner() {
            None => self.drawn += 1,
            Some(color) => {
                self.by_color[color] += 1;
                if color == first {
                    self.won += 1;
                } else {
                    self.lost += 1;
                }
            }
        }
        if let Some(fault) = &played.fault {
            let bot = usize::from(fault.color != first);
            let of_bot = self.faults.get_mut(bot).zip(self.last_words.get_mut(bot));
            if let Some((faults, last_words)) = of_bot {
                *faults += 1;
                *last_words = played.complaint(fault);
            }
        }
        *self
            .reasons
            .entry(history.win_reason().map_or("none", WinReason::name))
            .or_default() += 1;
        self.turns += history.num_turns();
    }

    fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Says which bot has failed in all of its games, so that the match means nothing.
    fn useless(&self, args: &Args) -> Option<String> {
        let bots = [&args.white, &args.black].into_iter();
        let mut all = bots.zip(self.faults).zip(&self.last_words);
        let is_useless = |faults| faults > 0 && faults == self.games();
        let ((bot, _), words) = all.find(|((_, faults), _)| is_useless(*faults))?;
        Some(format!("{bot} failed in every game: {words}"))
    }

    fn show(&self, progress: &ProgressBar) {
        let MatchTally {
            won, drawn, lost, ..
        } = self;
        progress.set_message(format!("{won} won, {drawn} drawn, {lost} lost"));
        progress.set_position(u64::from(self.games()));
    }

    fn table(&self, args: &Args, seconds: f64) -> String {
        use std::fmt::Write;
        let games = self.games();
        let mut text = String::new();
        let names = [args.white.to_string(), args.black.to_string()];
        let width = width_of_bots(&names);
        let ([one, two], [first_faults, second_faults]) = (&names, self.faults);
        let percent = |won: u32| {
            100.0 * (f64::from(won) + 0.5 * f64::from(self.drawn)) / f64::from(games.max(1))
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:width$}  games    won  drawn   lost  faults      %",
            "bot"
        );
        for (name, won, lost, faults) in [
            (one, self.won, self.lost, first_faults),
            (two, self.lost, self.won, second_faults),
        ] {
            let drawn = self.drawn;
            let percent = percent(won);
            let _ = writeln!(
                text,
                "{name:width$} {games:6} {won:6} {drawn:6} {lost:6} {faults:7} {percent:6.1}"
            );
        }
        let ByColor([white, black]) = self.by_color;
        let _ = writeln!(text, "White won {white}, Black {black}");
        let reasons = self
            .reasons
            .iter()
            .map(|(reason, times)| format!("{reason} {times}"));
        let _ = writeln!(text, "{}", reasons.collect::<Vec<_>>().join(", "));
        let rate = self.turns as f64 / seconds.max(1e-9);
        let _ = writeln!(
            text,
            "{} in {seconds:.1} s: {rate:.0} a second",
            count(self.turns, "turn")
        );
        text
    }
}
