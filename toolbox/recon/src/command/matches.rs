//! `mola recon match`: games between two bots.

use super::limits::LimitArgs;
use super::save::{HistoryFolder, save_under_new_name};
use super::side::time_seed;
use crate::board::Board;
use crate::bots::BotSpec;
use crate::game::{Game, Limits, Phases};
use crate::history::GameHistory;
use crate::outcome::WinReason;
use crate::player::{Fault, Player, play_game};
use common::error::Result;
use common::random::Random;
use common::signals;
use crossbeam_channel::bounded;
use engine_core::{ByColor, Color};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Play games between two bots
///
/// The table says how they ended. Ctrl-C ends the match with the games that are done, as soon as the
/// present turns are over; again, it ends at once.
#[derive(clap::Args, Debug)]
#[command(after_help = concat_help())]
pub(super) struct Args {
    /// Who has White
    white: BotSpec,
    /// Who has Black
    black: BotSpec,
    /// How many games
    #[arg(long, short, default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Change colours after each game
    #[arg(long)]
    alternate: bool,
    /// How many games at the same time
    #[arg(long, short, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Save the history of each game in this folder; the numbers follow those that are there.
    /// Without it the history of a single game is saved in the present folder
    #[arg(long, value_name = "FOLDER")]
    histories: Option<PathBuf>,
    /// Save no history of a single game
    #[arg(long, conflicts_with = "histories")]
    no_history: bool,
    /// Where games start; the start position of chess without it
    #[arg(long)]
    fen: Option<String>,
    /// The same seed draws the same random numbers
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
{{\"requested_move\": {{\"type\": \"Move\", \"value\": \"e2e4\"}}}} (null for none); all values are as in
the HTTP API of reconchess. The documentation of the library has all of it
(ProcessBot, in the documentation of the crate mola-recon).",
        BotSpec::HELP
    )
}

/// What the threads share.
struct Match<'a> {
    args: &'a Args,
    board: Board,
    limits: Limits,
    histories: Option<HistoryFolder>,
    seed: u64,
    next: AtomicUsize,
    stop: AtomicBool,
    tally: Mutex<Tally>,
    progress: ProgressBar,
}

/// How often the progress is shown. A game can take less than a tenth of a millisecond.
const TICK: Duration = Duration::from_millis(100);

/// Runs the subcommand.
///
/// # Errors
/// When a bot cannot be started, and when a history cannot be written.
pub(super) fn run(args: &Args) -> Result {
    let board = match &args.fen {
        Some(fen) => Board::from_fen(fen).map_err(|error| error.to_string())?,
        None => Board::start(),
    };
    let histories = args.histories.as_deref().map(HistoryFolder::open);
    let games = Match {
        args,
        board,
        limits: args.limits.limits(),
        histories: histories.transpose()?,
        seed: args.seed.unwrap_or_else(time_seed),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        tally: Mutex::new(Tally::default()),
        progress: progress(args.games),
    };
    let signals = signals::watch();
    let start = Instant::now();
    let (working, done) = bounded::<()>(0);
    thread::scope(|scope| {
        let games = &games;
        let workers = usize::from(args.concurrency).min(args.games as usize);
        let workers: Vec<_> = (0..workers)
            .map(|_| {
                let working = working.clone();
                scope.spawn(move || {
                    let result = games.work();
                    if result.is_err() {
                        games.stop.store(true, Relaxed);
                    }
                    drop(working);
                    result
                })
            })
            .collect();
        drop(working);
        loop {
            crossbeam_channel::select! {
                recv(done) -> _ => break,
                recv(signals) -> _ => {
                    // A bot may keep its turn for long.
                    if games.stop.swap(true, Relaxed) {
                        std::process::exit(130);
                    }
                }
                default(TICK) => games.tally().show(&games.progress),
            }
        }
        games.progress.finish_and_clear();
        for worker in workers {
            if let Ok(result) = worker.join() {
                result?;
            }
        }
        let table = games.tally().table(args, start.elapsed().as_secs_f64());
        stdout().write_all(table.as_bytes())?;
        Ok(())
    })
}

/// A bar on a terminal, nothing elsewhere.
fn progress(games: u32) -> ProgressBar {
    let bar = ProgressBar::new(u64::from(games));
    let style = ProgressStyle::with_template("{pos} of {len} games {bar:30} {eta} left  {msg}");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.tick();
    bar
}

impl Match<'_> {
    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays games until there are enough of them.
    fn work(&self) -> Result {
        let names = [&self.args.white, &self.args.black].map(BotSpec::to_string);
        let [one, two] = names.each_ref().map(String::as_str);
        let mut bots: Option<[Box<dyn Player>; 2]> = None;
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.args.games as usize || self.stop.load(Relaxed) {
                return Ok(());
            }
            let (first, second) = (&self.args.white, &self.args.black);
            // Bots go on to the next game unless they failed.
            let [a, b] = match &mut bots {
                Some(bots) => bots,
                None => bots.insert([
                    first.build(Random::new(self.seed, 2 * number as u64))?,
                    second.build(Random::new(self.seed, 2 * number as u64 + 1))?,
                ]),
            };
            let in_order = !self.args.alternate || number.is_multiple_of(2);
            let (names, players): (_, [&mut dyn Player; 2]) = if in_order {
                ([one, two], [&mut **a, &mut **b])
            } else {
                ([two, one], [&mut **b, &mut **a])
            };
            let mut game = Game::new(self.board.clone(), self.limits, Phases::Strict);
            let result = play_game(&mut game, ByColor(names), ByColor(players), &self.stop);
            if self.stop.load(Relaxed) {
                return Ok(());
            }
            let history = game.history();
            let first = Color::from_white(in_order);
            if let Some(folder) = &self.histories {
                folder.save(number, history)?;
            } else if self.args.games == 1 && !self.args.no_history {
                let path = save_under_new_name(history)?;
                self.progress.suspend(|| {
                    // The file is there, whether or not somebody can read that.
                    let _ = writeln!(stderr(), "history: {}", path.display());
                });
            }
            self.tally().add(first, history, result.as_ref().err());
            if let Err(fault) = result {
                bots = None;
                let name = history.name(fault.color).unwrap_or_default();
                self.progress.suspend(|| {
                    // A complaint that nobody can read is not worth failing for.
                    let _ = writeln!(stderr(), "game {}, {name}: {}", number + 1, fault.error);
                });
            }
        }
    }
}

/// The results so far.
#[derive(Default)]
struct Tally {
    /// Of the first bot.
    won: u32,
    drawn: u32,
    lost: u32,
    /// Of the first and the second bot.
    faults: [u32; 2],
    /// Of White and Black, whoever had them.
    by_color: ByColor<u32>,
    reasons: BTreeMap<&'static str, u32>,
    turns: usize,
}

impl Tally {
    /// Adds a game in which the first bot had this colour.
    fn add(&mut self, first: Color, history: &GameHistory, fault: Option<&Fault>) {
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
        if let Some(fault) = fault {
            let [one, two] = &mut self.faults;
            *(if fault.color == first { one } else { two }) += 1;
        }
        *self
            .reasons
            .entry(history.win_reason().map_or("none", WinReason::name))
            .or_default() += 1;
        self.turns += history.num_turns();
    }

    fn show(&self, progress: &ProgressBar) {
        let Tally {
            won, drawn, lost, ..
        } = self;
        progress.set_message(format!("{won} won, {drawn} drawn, {lost} lost"));
        progress.set_position(u64::from(won + drawn + lost));
    }

    fn table(&self, args: &Args, seconds: f64) -> String {
        use std::fmt::Write;
        let games = self.won + self.drawn + self.lost;
        let mut text = String::new();
        let names = [args.white.to_string(), args.black.to_string()];
        let width = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0)
            .max(4);
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
            .map(|(reason, count)| format!("{reason} {count}"));
        let _ = writeln!(text, "{}", reasons.collect::<Vec<_>>().join(", "));
        let rate = self.turns as f64 / seconds.max(1e-9);
        let _ = writeln!(
            text,
            "{} turns in {seconds:.1} s: {rate:.0} a second",
            self.turns
        );
        text
    }
}
